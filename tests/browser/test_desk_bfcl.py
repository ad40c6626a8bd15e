"""The desk of the app on BFCL v4 tasks and on the bundled ones: speed, drafts, and what fails."""

from __future__ import annotations

import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from audit_app.domain.review import Judgement
from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.settings import Settings
from tests.browser.conftest import free_port, served
from tests.browser.harness import note_of, note_what_is_seen, on_screen, seen

pytestmark = pytest.mark.browser

GAPS_MS = (20, 40, 80, 20, 120, 300)
PRESSES = 200
AUDITS = {
    "presses": ("bfcl", 240),
    "bfcl keys": ("bfcl", 50),
    "shop keys": ("toolshop", 50),
    "drafts": ("toolshop", 50),
    "refused": ("toolshop", 50),
}


@pytest.fixture(scope="module")
def settings(
    bfcl_v4: Path, bfcl_v4_results: Path, tmp_path_factory: pytest.TempPathFactory
) -> Settings:
    """A workspace with BFCL v4 and the bundled benchmark; each test has an audit of its own."""
    folder = tmp_path_factory.mktemp("bfcl")
    settings = Settings(db=folder / "assay.db", reviewer="ada", cache=folder)
    ensure_demo(settings)
    with open_services(settings) as services:
        services.benchmarks.import_tasks("bfcl", bfcl_v4, name="bfcl")
        services.benchmarks.import_outputs("bfcl", bfcl_v4_results, benchmark="bfcl")
        for audit, (benchmark, size) in AUDITS.items():
            plan = services.audits.default_plan(benchmark).model_copy(
                update={"size": size, "widen_to": max(size, 100)}
            )
            services.audits.create(audit, benchmark, services.audits.preview(benchmark, plan))
    return settings


@pytest.fixture(scope="module")
def address(settings: Settings) -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "audit_app", "serve", "--port", str(port)]
    env = {"ASSAY_DB": str(settings.db), "ASSAY_REVIEWER": settings.reviewer}
    with served(command, port, env):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    yield context
    context.close()


def _open(context: BrowserContext, address: str, audit: str) -> Page:
    page = context.new_page()
    page.goto(f"{address}/?{urlencode({'audit': audit})}")
    page.locator("article.group, .empty").first.wait_for(timeout=30_000)
    return page


def _standing(settings: Settings, audit: str) -> dict[str, Judgement]:
    with open_services(settings) as services:
        queue = services.reviewing(audit).desk().queue
    return {item.task_id: Judgement(item.state.value) for item in queue if item.review_id}


def _wait_for(settings: Settings, audit: str, number: int) -> dict[str, Judgement]:
    end = time.monotonic() + 30
    while len(found := _standing(settings, audit)) < number and time.monotonic() < end:
        time.sleep(0.2)
    return found


def test_r15_r41_two_hundred_presses_make_two_hundred_judgements_of_what_was_on_screen(
    address: str, settings: Settings, context: BrowserContext
) -> None:
    page = _open(context, address, "presses")
    note_what_is_seen(page)
    for press in range(PRESSES):
        page.keyboard.press("a")
        page.wait_for_timeout(GAPS_MS[press % len(GAPS_MS)])
    found = _wait_for(settings, "presses", PRESSES)
    tasks = seen(page)
    assert len(set(tasks)) == PRESSES
    assert found == dict.fromkeys(tasks, Judgement.CLEAN)
    assert sum("long_context" in task for task in tasks) >= 5


@pytest.mark.parametrize("audit", ["shop keys", "bfcl keys"])
def test_r39_twenty_clean_tasks_take_twenty_keys_and_a_defect_six(
    address: str, settings: Settings, context: BrowserContext, audit: str
) -> None:
    page = _open(context, address, audit)
    judged = []
    for _ in range(20):
        judged.append(on_screen(page).inner_text())
        page.keyboard.press("a")
        expect(on_screen(page)).not_to_have_text(judged[-1])
    defect = on_screen(page).inner_text()
    for key in ("1", "5", "3", "Shift+Digit1", "n"):
        page.keyboard.press(key)
    page.keyboard.type("a note with axuf 1239 in it")
    page.keyboard.press("Control+Enter")
    expect(on_screen(page)).not_to_have_text(defect)
    found = _wait_for(settings, audit, 21)
    assert found == {**dict.fromkeys(judged, Judgement.CLEAN), defect: Judgement.DEFECT}


def test_r02_r03_draft_filter_and_place_come_back(
    address: str, context: BrowserContext, chromium: Browser
) -> None:
    page = _open(context, address, "drafts")
    page.keyboard.press("q")
    page.get_by_label("Stratum", exact=True).select_option("mixed")
    expect(page.locator(".place")).to_contain_text("1 of 7 in this filter")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    task = on_screen(page).inner_text()
    expect(page.locator(".strip button[data-do=clean]")).to_be_enabled()  # painted: keys act
    page.keyboard.press("2")
    page.keyboard.press("Shift+Digit3")  # two quick edits, both stick (R04)
    note_of(page).fill("half a thought")
    expect(page.get_by_text("Draft saved")).to_be_visible(timeout=15_000)

    # Another page and back (R03).
    page.get_by_role("link", name="Rubric").click()
    expect(page.locator("h1", has_text="Rubric")).to_be_visible(timeout=15_000)
    page.get_by_role("link", name="Review").click()
    expect(on_screen(page)).to_have_text(task, timeout=15_000)
    expect(note_of(page)).to_have_value("half a thought")
    expect(page.locator(".readback")).to_have_text("FP, severity 3")
    expect(page.locator(".place")).to_contain_text("2 of 7 in this filter")

    # A browser that knows nothing: the draft is on disk (R02).
    fresh = chromium.new_context()
    other = fresh.new_page()
    other.goto(f"{address}/?audit=drafts&task={task}")
    expect(note_of(other)).to_have_value("half a thought", timeout=15_000)
    expect(other.locator(".readback")).to_have_text("FP, severity 3")
    fresh.close()


def test_r07_what_the_disk_refuses_is_said_kept_and_saved_later(
    address: str, settings: Settings, context: BrowserContext
) -> None:
    page = _open(context, address, "refused")
    task = on_screen(page).inner_text()
    with closing(sqlite3.connect(settings.db)) as db:
        db.execute(
            "create trigger refuse before insert on reviews "
            "begin select raise(abort, 'the disk refuses'); end"
        )
        db.commit()
        page.keyboard.press("1")
        note_of(page).fill("kept")
        page.keyboard.press("Control+Enter")
        expect(page.locator(".alert")).to_contain_text("the disk refuses", timeout=15_000)
        expect(on_screen(page)).to_have_text(task)
        expect(note_of(page)).to_have_value("kept")
        db.execute("drop trigger refuse")
        db.commit()
    assert _standing(settings, "refused") == {}
    page.keyboard.press("Control+Enter")
    expect(on_screen(page)).not_to_have_text(task)
    assert _wait_for(settings, "refused", 1) == {task: Judgement.DEFECT}
