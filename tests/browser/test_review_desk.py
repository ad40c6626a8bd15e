"""The review desk in a real Chromium: what a press does, and that nothing is lost or misfiled."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.harness import (
    Harness,
    OpenDesk,
    note_of,
    note_what_is_seen,
    on_screen,
    seen,
)

pytestmark = pytest.mark.browser


def test_r15_presses_20_ms_apart_are_filed_on_the_tasks_that_were_on_screen(
    harness: Harness, open_desk: OpenDesk
) -> None:
    page = open_desk("gap")
    note_what_is_seen(page)
    for _ in range(20):
        page.keyboard.press("a")
        page.wait_for_timeout(20)
    tasks = [row["task_id"] for row in harness.wait_for("gap", 20)]
    assert tasks == [f"plain/{n:03d}" for n in range(1, 21)]
    assert seen(page) == tasks


def test_r05_r38_typing_in_a_note_files_nothing_and_ctrl_enter_saves_what_was_not_blurred(
    harness: Harness, open_desk: OpenDesk
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
    harness: Harness, open_desk: OpenDesk
) -> None:
    page = open_desk("keys")
    for key in ("2", "5", "4", "Shift+Digit3", "Control+Enter"):
        page.keyboard.press(key)
    (row,) = harness.wait_for("keys", 1)
    finding = row["findings"][0]
    assert (finding["effects"], finding["cause"], finding["severity"]) == (["FP"], "K4", 3)


def test_clean_is_refused_while_the_form_holds_input(harness: Harness, open_desk: OpenDesk) -> None:
    page = open_desk("refused")
    page.keyboard.press("3")
    page.keyboard.press("a")
    expect(page.get_by_text("Not filed as clean")).to_be_visible()
    expect(on_screen(page)).to_have_text("plain/001")
    assert harness.filed("refused") == []
    expect(page.locator(".readback")).to_have_text("FN, K2, severity 2")


def test_r43_undo_goes_back_step_by_step(harness: Harness, open_desk: OpenDesk) -> None:
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


def test_a_reload_brings_the_draft_back(open_desk: OpenDesk) -> None:
    page = open_desk("draft")
    page.keyboard.press("1")
    note_of(page).fill("half a sent")
    expect(page.get_by_text("Draft saved")).to_be_visible()
    page.reload()
    expect(note_of(page)).to_have_value("half a sent")
    expect(page.locator(".readback")).to_have_text("FN, severity 2")


def test_r07_a_failed_save_says_so_and_gives_the_input_back(
    harness: Harness, open_desk: OpenDesk
) -> None:
    page = open_desk("failing", fail="1")
    page.keyboard.press("2")
    note_of(page).fill("kept")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("plain/001: the disk is full")
    expect(on_screen(page)).to_have_text("plain/001")
    expect(note_of(page)).to_have_value("kept")
    assert harness.filed("failing") == []


def test_r15_a_double_click_files_one_task(harness: Harness, open_desk: OpenDesk) -> None:
    page = open_desk("double")
    page.get_by_role("button", name="Clean").dblclick()
    expect(on_screen(page)).to_have_text("plain/002")
    page.keyboard.press("a")
    filed = harness.wait_for("double", 2)
    assert [row["task_id"] for row in filed] == ["plain/001", "plain/002"]


def test_r38_keys_are_inert_in_other_fields_and_with_modifiers(
    harness: Harness, open_desk: OpenDesk
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


def test_r04_a_rerun_keeps_text_focus_and_scroll(open_desk: OpenDesk) -> None:
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


def test_r46_hostile_text_is_shown_and_does_nothing(open_desk: OpenDesk) -> None:
    page = open_desk("hostile", set="kinds")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    expect(page.locator(".said").last).to_contain_text("<script>window.stolen = 1</script>")
    expect(page.locator(".said").last).to_contain_text("$5 and $7 :red[mark]")
    assert page.evaluate("window.stolen") is None
    assert page.locator(".desk").locator("img, script, iframe, style").count() == 0
    assert [url for url in asked if url.endswith("/x")] == []
    expect(page.locator(".ctl").first).to_have_text("U+202E")


def test_r11_the_end_says_what_is_left(open_desk: OpenDesk) -> None:
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
