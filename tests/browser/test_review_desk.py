"""The review desk in a real Chromium: what a press does, and that nothing is lost or misfiled."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.conftest import free_port, served

pytestmark = pytest.mark.browser

SERVER = [
    "--server.address=127.0.0.1",
    "--server.headless=true",
    "--server.fileWatcherType=none",
    "--browser.gatherUsageStats=false",
]
SEEN = """() => {
  window.seen = [];
  window.addEventListener("keydown", () => {
    const host = document.querySelector('[data-testid="stBidiComponentIsolated"]');
    window.seen.push(host.shadowRoot.querySelector("h1").textContent);
  }, true);
}"""
"""Notes what is on screen at each press, before the desk hears of it."""


@dataclass
class Harness:
    """The running harness and where it writes what was filed."""

    address: str
    logs: Path

    def url(self, run: str, **query: str) -> str:
        return self.address + "/?" + "&".join(f"{k}={v}" for k, v in {"run": run, **query}.items())

    def filed(self, run: str) -> list[dict[str, Any]]:
        """Actions on disk, drafts left out."""
        path = self.logs / f"{run}.json"
        if not path.exists():
            return []
        try:
            rows: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
        except json.JSONDecodeError:  # read while it was being written
            return []
        return [row for row in rows if row["kind"] != "draft"]

    def wait_for(self, run: str, number: int) -> list[dict[str, Any]]:
        """What was filed, once it is so many actions (or after some seconds)."""
        end = time.monotonic() + 8
        while len(self.filed(run)) < number and time.monotonic() < end:
            time.sleep(0.05)
        return self.filed(run)


@pytest.fixture(scope="module")
def harness(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harness]:
    port = free_port()
    logs = tmp_path_factory.mktemp("desk")
    script = str(Path(__file__).parent / "desk_harness.py")
    command = [sys.executable, "-m", "streamlit", "run", script, f"--server.port={port}", *SERVER]
    with served(command, port, {"DESK_LOGS": str(logs)}):
        yield Harness(f"http://127.0.0.1:{port}", logs)


Open: TypeAlias = Callable[..., Page]


@pytest.fixture
def open_desk(harness: Harness, chromium: Browser) -> Iterator[Open]:
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    errors: list[str] = []

    def open_desk(run: str, **query: str) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(harness.url(run, **query))
        page.get_by_role("button", name="Clean").wait_for(timeout=20_000)
        return page

    yield open_desk
    context.close()
    assert errors == []


def on_screen(page: Page) -> Locator:
    return page.locator("header h1")


def note_of(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Note", exact=True)


@pytest.mark.parametrize("gap_ms", [20, 60, 150], ids="{} ms apart".format)
def test_each_press_is_filed_on_the_task_that_was_on_screen(
    harness: Harness, open_desk: Open, gap_ms: int
) -> None:
    run = f"gap{gap_ms}"
    page = open_desk(run)
    page.evaluate(SEEN)
    for _ in range(20):
        page.keyboard.press("a")
        page.wait_for_timeout(gap_ms)
    filed = harness.wait_for(run, 20)
    seen = [task for task in page.evaluate("window.seen") if task]
    tasks = [row["task_id"] for row in filed]
    assert len(set(tasks)) == len(tasks)
    assert tasks == [f"plain/{n:03d}" for n in range(1, len(tasks) + 1)]
    assert len(tasks) == 20
    assert seen[:20] == tasks


def test_typing_in_a_note_files_nothing_and_ctrl_enter_saves_what_was_not_blurred(
    harness: Harness, open_desk: Open
) -> None:
    page = open_desk("typing")
    page.keyboard.press("1")
    note_of(page).click()
    text = "axuf 1239 <b>a</b> g o m h"
    page.keyboard.type(text)
    page.keyboard.press("Space")
    assert harness.filed("typing") == []
    expect(on_screen(page)).to_have_text("plain/001")
    page.keyboard.press("Control+Enter")
    expect(on_screen(page)).to_have_text("plain/002")
    (row,) = harness.wait_for("typing", 1)
    assert (row["kind"], row["task_id"]) == ("defect", "plain/001")
    assert row["findings"][0]["note"] == f"{text} "
    assert row["findings"][0]["effects"] == ["FN"]
    assert row["findings"][0]["severity"] == 2


def test_a_defect_with_cause_and_severity_takes_five_keys(
    harness: Harness, open_desk: Open
) -> None:
    page = open_desk("keys")
    for key in ("2", "5", "4", "Shift+Digit3", "Control+Enter"):
        page.keyboard.press(key)
    (row,) = harness.wait_for("keys", 1)
    finding = row["findings"][0]
    assert (finding["effects"], finding["cause"], finding["severity"]) == (["FP"], "K4", 3)


def test_clean_is_refused_while_the_form_holds_input(harness: Harness, open_desk: Open) -> None:
    page = open_desk("refused")
    page.keyboard.press("3")
    page.keyboard.press("a")
    expect(page.get_by_text("Not filed as clean")).to_be_visible()
    expect(on_screen(page)).to_have_text("plain/001")
    assert harness.filed("refused") == []
    expect(page.locator(".readback")).to_have_text("FN, K2, severity 2")


def test_undo_goes_back_step_by_step(harness: Harness, open_desk: Open) -> None:
    page = open_desk("undo")
    page.keyboard.press("a")
    page.keyboard.press("Space")
    for key in ("2", "Control+Enter"):
        page.keyboard.press(key)
    expect(on_screen(page)).to_have_text("plain/004")
    for task in ("plain/003", "plain/002", "plain/001"):
        page.keyboard.press("u")
        expect(on_screen(page)).to_have_text(task)
    kinds = [(row["kind"], row["task_id"]) for row in harness.wait_for("undo", 6)]
    assert kinds == [
        ("clean", "plain/001"),
        ("skip", "plain/002"),
        ("defect", "plain/003"),
        ("undo", "plain/003"),
        ("undo", "plain/002"),
        ("undo", "plain/001"),
    ]
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".readback")).to_have_text("FP, severity 2")


def test_a_reload_brings_the_draft_back(open_desk: Open) -> None:
    page = open_desk("draft")
    page.keyboard.press("1")
    note_of(page).fill("half a sent")
    expect(page.get_by_text("Draft saved")).to_be_visible()
    page.reload()
    expect(note_of(page)).to_have_value("half a sent")
    expect(page.locator(".readback")).to_have_text("FN, severity 2")


def test_a_failed_save_says_so_and_gives_the_input_back(harness: Harness, open_desk: Open) -> None:
    page = open_desk("failing", fail="1")
    page.keyboard.press("2")
    note_of(page).fill("kept")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("plain/001: the disk is full")
    expect(on_screen(page)).to_have_text("plain/001")
    expect(note_of(page)).to_have_value("kept")
    assert harness.filed("failing") == []


def test_a_double_click_files_one_task(harness: Harness, open_desk: Open) -> None:
    page = open_desk("double")
    page.get_by_role("button", name="Clean").dblclick()
    expect(on_screen(page)).to_have_text("plain/002")
    page.keyboard.press("a")
    filed = harness.wait_for("double", 2)
    assert [row["task_id"] for row in filed] == ["plain/001", "plain/002"]


def test_keys_are_inert_in_other_fields_and_with_modifiers(
    harness: Harness, open_desk: Open
) -> None:
    page = open_desk("elsewhere")
    page.get_by_label("Elsewhere").fill("x")
    page.keyboard.type("aaa1")
    page.get_by_label("Jump to id").click()
    page.keyboard.type("a1")
    page.keyboard.press("Escape")
    page.keyboard.press("Alt+a")
    page.keyboard.press("Control+u")
    page.wait_for_timeout(300)
    assert harness.filed("elsewhere") == []
    expect(on_screen(page)).to_have_text("plain/001")


def test_a_rerun_keeps_text_focus_and_scroll(open_desk: Open) -> None:
    page = open_desk("rerun", set="long")
    pane = page.locator(".task")
    pane.evaluate("pane => { pane.scrollTop = 400; }")
    page.keyboard.press("x")
    note_of(page).click()
    page.keyboard.type("abc", delay=20)
    expect(page.get_by_text("Draft saved")).to_be_visible()
    page.keyboard.type("def")
    expect(note_of(page)).to_have_value("abcdef")
    expect(note_of(page)).to_be_focused()
    assert pane.evaluate("pane => pane.scrollTop") == 400


def test_hostile_text_is_shown_and_does_nothing(open_desk: Open) -> None:
    page = open_desk("hostile", set="kinds")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    expect(page.locator(".said").last).to_contain_text("<script>window.stolen = 1</script>")
    expect(page.locator(".said").last).to_contain_text("$5 and $7 :red[mark]")
    assert page.evaluate("window.stolen") is None
    assert page.locator(".desk").locator("img, script, iframe, style").count() == 0
    assert [url for url in asked if url.endswith("/x")] == []
    expect(page.locator(".ctl").first).to_have_text("U+202E")


def test_the_end_says_what_is_left(open_desk: Open) -> None:
    page = open_desk("end", set="kinds")
    page.keyboard.press("Space")
    page.keyboard.press("f")
    for _ in range(8):
        page.keyboard.press("a")
        page.wait_for_timeout(60)
    expect(page.get_by_text("No open task is left, but not all are judged.")).to_be_visible()
    expect(page.get_by_text("8 of 9 judged, 0 open, 1 skipped.")).to_be_visible()
    page.get_by_role("button", name="turns/miss_func").click()
    expect(on_screen(page)).to_have_text("turns/miss_func")
