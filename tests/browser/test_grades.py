"""Grades, differences and proposed keys on the review screen, in a real Chromium."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.services.judging import TaskState
from audit_app.settings import Settings
from tests.browser.conftest import App
from tests.browser.desk_cases import HOSTILE

pytestmark = pytest.mark.browser

TASK = "choose_045"
WIDER = '[{"parcel.locker_hours": {"town": ["Saint Odran", "St. Odran"]}}]'
OpenTask = Callable[[str], Page]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    settings = Settings(db=tmp_path / "assay.db", reviewer="ada", cache=tmp_path)
    ensure_demo(settings)
    return settings


@pytest.fixture
def open_task(app: App, chromium: Browser, settings: Settings) -> Iterator[OpenTask]:
    address = app(settings.db)
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    errors: list[str] = []

    def open_task(task: str, audit: str = "toolshop") -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{address}/?audit={audit}&task={task}")
        expect(page.locator("h1.mono")).to_have_text(task, timeout=20_000)
        page.locator(".group[aria-current]").wait_for()
        return page

    yield open_task
    context.close()
    assert errors == []


def proposed(page: Page) -> str:
    return page.get_by_label("Proposed key, JSON").input_value()


def test_the_diff_of_the_selected_group_marks_what_decided(open_task: OpenTask) -> None:
    page = open_task(TASK)
    row = page.locator(".group[aria-current] .diff tr.bad")
    expect(row).to_have_count(1)
    expect(row).to_contain_text("≠")
    expect(row).to_contain_text('town"St. Odran""Saint Odran"decides')
    expect(page.locator(".group[aria-current] .ans mark")).to_have_text('town="St. Odran"')
    page.keyboard.press("m")
    expect(page.locator(".group[aria-current]")).to_have_attribute("data-group", "1")
    expect(page.locator(".diff:visible")).to_have_count(0)  # not parsed: nothing to lay beside
    page.keyboard.press("m")
    expect(page.locator(".diff:visible tbody .m")).to_have_text(["=", "="])


def test_a_key_is_tried_while_it_is_typed(open_task: OpenTask, settings: Settings) -> None:
    page = open_task(TASK)
    page.keyboard.press("x")
    page.get_by_role("button", name="Start from the key").click()
    said = page.locator(".trial")
    expect(said).to_have_text("Valid. Graded again under it: no verdict changes.")
    page.get_by_label("Proposed key, JSON").fill(WIDER)
    expect(said).to_contain_text("3 outputs go from fail to pass, none from pass to fail.")
    expect(said).to_contain_text("sim-albatross, sim-curlew, sim-gannet")
    page.get_by_label("Proposed key, JSON").fill(WIDER.replace("[{", "{", 1))
    expect(said).to_contain_text("Not valid JSON at line 1")
    page.get_by_label("Proposed key, JSON").fill('[{"parcel.locker_hours": {"town": 3}}]')
    expect(said).to_contain_text("argument town")
    page.get_by_label("Proposed key, JSON").fill(WIDER)
    page.keyboard.press("Escape")
    page.keyboard.press("1")
    page.keyboard.press("Control+Enter")  # judging waits for no answer
    expect(page.locator("h1.mono")).not_to_have_text(TASK)
    page.wait_for_timeout(1_000)
    with open_services(settings) as services:
        reviewing = services.reviewing("toolshop")
        item = next(i for i in reviewing.desk().queue if i.task_id == TASK)
        review = reviewing.my_reviews([TASK])[TASK]
    assert item.state is TaskState.DEFECT
    assert review.findings[0].proposed_key == WIDER


def test_an_edit_is_one_press_away(open_task: OpenTask) -> None:
    page = open_task(TASK)
    page.get_by_role("button", name='Accept "St. Odran"').click()
    expect(page.locator(".trial")).to_contain_text("3 outputs go from fail to pass")
    assert json.loads(proposed(page)) == json.loads(WIDER)
    expect(page.locator("h1.mono")).to_have_text(TASK)


def test_hostile_answers_models_and_keys_stay_text(
    open_task: Callable[[str, str], Page], settings: Settings, tmp_path: Path
) -> None:
    tool = {"type": "dict", "properties": {"a": {"type": "string"}}, "required": ["a"]}
    task = {
        "id": "h1",
        "category": "single",
        "prompt": "Say it.",
        "tools": [{"name": "say", "parameters": tool}],
        "key": [{"say": {"a": [HOSTILE]}}],
        "key_kind": "calls",
        "scorer": "bfcl-ast",
    }
    call = f"[say(a={HOSTILE + ' more'!r})]"
    output = {"id": "h1", "model": HOSTILE, "output": call, "passed": True}
    (tmp_path / "tasks.jsonl").write_text(json.dumps(task))
    (tmp_path / "outputs.jsonl").write_text(json.dumps(output))
    with open_services(settings) as services:
        services.benchmarks.import_tasks("table", tmp_path / "tasks.jsonl", name="odd")
        services.benchmarks.import_outputs("table", tmp_path / "outputs.jsonl", benchmark="odd")
        plan = services.audits.default_plan("odd")
        services.audits.create("odd", "odd", services.audits.preview("odd", plan))
    page = open_task("h1", "odd")
    group = page.locator(".group[aria-current]")
    expect(group).to_contain_text("≠ published: pass")
    expect(group.locator("tr.bad")).to_contain_text("decides")
    expect(group).to_contain_text("<script>window.stolen = 1</script>")
    page.locator(".offer").click()
    expect(page.locator(".trial")).to_contain_text("from fail to pass: <script>")
    assert page.evaluate("window.stolen") is None
    assert page.locator(".right script, .right img, .trial script, .trial img").count() == 0
