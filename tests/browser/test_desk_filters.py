"""Filters and shared queues: where the reviewer moves; huge tasks and prompts as Markdown."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.harness import Harness, OpenDesk, on_screen, place

pytestmark = pytest.mark.browser


def test_r44_a_filter_decides_where_to_move_and_never_what_is_counted(
    harness: Harness, open_desk: OpenDesk
) -> None:
    page = open_desk("filter")
    page.keyboard.press("Space")
    page.keyboard.press("q")
    page.keyboard.type("12")
    expect(place(page)).to_have_text("1 of 13 in this filter, 240 in the sample")
    expect(on_screen(page)).to_have_text("plain/012")
    page.keyboard.press("Escape")
    page.keyboard.press("a")
    expect(on_screen(page)).to_have_text("plain/112")
    page.keyboard.press("ArrowLeft")
    expect(on_screen(page)).to_have_text("plain/012")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("This is the first task in this filter.")).to_be_visible()
    page.get_by_label("State", exact=True).select_option("judged")
    expect(place(page)).to_have_text("1 of 1 in this filter, 240 in the sample")
    page.get_by_label("Judged in more than so many seconds").fill("60")
    expect(place(page)).to_have_text("0 in this filter, 240 in the sample")
    expect(page.locator(".strata .n.all")).to_have_text("1/240")

    # Kept over a reload; one key clears it.
    page.reload()
    expect(page.get_by_role("button", name="Filter: 3 conditions")).to_be_visible()
    page.keyboard.press("Shift+q")
    expect(page.get_by_role("button", name="Q Filter")).to_have_text("QFilter")
    expect(place(page)).to_have_text("Task 12 of 240, 1 judged")
    page.keyboard.press("q")
    page.get_by_label("State", exact=True).select_option("skipped")
    expect(on_screen(page)).to_have_text("plain/001")
    assert len(harness.wait_for("filter", 2)) == 2


def test_r45_a_right_b_wrong_marks_their_groups_and_brings_them_to_the_top(
    open_desk: OpenDesk,
) -> None:
    page = open_desk("models")
    page.keyboard.press("q")
    expect(page.locator(".facets-say")).to_have_text("published grades")
    page.get_by_label("Model A, right").select_option("sim-elm")
    expect(place(page)).to_have_text("0 in this filter, 240 in the sample")
    page.get_by_label("Model A, right").select_option("sim-birch")
    page.get_by_label("Model B, wrong").select_option("sim-elm")
    expect(place(page)).to_have_text("1 of 240 in this filter, 240 in the sample")
    expect(page.locator(".group").nth(0).locator(".chip")).to_have_text("A sim-birch")
    expect(page.locator(".group").nth(1).locator(".chip")).to_have_text("B sim-elm")
    page.get_by_label("Model A, right").select_option("")
    page.get_by_label("Model B, wrong").select_option("sim-cedar")
    expect(place(page)).to_have_text("0 in this filter, 240 in the sample")
    page.get_by_label("Model B, wrong").select_option("sim-elm")
    expect(page.locator(".group").nth(0).locator(".chip")).to_have_text("B sim-elm")
    page.get_by_label("Field of the task").select_option("bay")
    page.get_by_label("Value of that field").select_option("bay 2")
    expect(place(page)).to_have_text("1 of 80 in this filter, 240 in the sample")
    expect(on_screen(page)).to_have_text("plain/003")
    page.keyboard.press("Escape")
    page.keyboard.press("Shift+q")
    expect(page.locator(".chip")).to_have_count(0)


def test_r11_r20_states_of_a_shared_queue(harness: Harness, open_desk: OpenDesk) -> None:
    page = open_desk("shared", set="team")
    expect(on_screen(page)).to_have_text("plain/005")  # sent back: first
    expect(page.locator(".banner")).to_have_text(
        "Sent back to you:Look at <b>pace</b> again, please."
    )
    page.keyboard.press("a")  # the same judgement again answers it
    expect(on_screen(page)).to_have_text("plain/001")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lock")).to_contain_text("Handed out to another reviewer")
    page.keyboard.press("1")
    expect(page.locator(".drawer")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".lock")).to_contain_text("Has all its reviews")
    page.keyboard.press("Space")  # nothing to skip: on to the next one
    expect(on_screen(page)).to_have_text("plain/004")
    page.keyboard.press("a")
    expect(on_screen(page)).to_have_text("plain/001")  # held, before 6 that is not
    page.keyboard.press("a")
    expect(on_screen(page)).to_have_text("plain/006")
    expect(page.locator(".lock")).to_contain_text("Being handed out to you")
    page.keyboard.press("a")
    expect(on_screen(page)).to_have_text("plain/006")
    expect(page.locator(".lock")).to_be_hidden(timeout=15_000)
    page.keyboard.press("a")
    expect(page.get_by_text("Nothing is left for you now")).to_be_visible()
    expect(page.locator(".end")).to_contain_text(
        "4 of 6 judged, 0 open, 0 skipped, 1 with other reviewers, 1 closed."
    )
    page.get_by_role("button", name="1 with other reviewers").click()
    expect(on_screen(page)).to_have_text("plain/002")
    expect(place(page)).to_have_text("1 of 1 in this filter, 6 in the sample")
    rows = harness.wait_for("shared", 4)
    assert [row["task_id"][-1] for row in rows] == ["5", "4", "1", "6"]
    assert rows[0]["supersedes"] == "00000000-0000-4000-8000-000000000005"
    assert rows[0]["note"] == "looked right"


def test_who_may_not_judge_is_told_so(harness: Harness, open_desk: OpenDesk) -> None:
    page = open_desk("locked", locked="1")
    expect(page.get_by_role("alert")).to_contain_text("not among the reviewers")
    for key in ("a", "1", "Control+Enter"):
        page.keyboard.press(key)
    expect(on_screen(page)).to_have_text("plain/001")
    assert harness.filed("locked") == []


def test_r46_prompts_as_markdown_and_back_without_a_request(open_desk: OpenDesk) -> None:
    page = open_desk("markdown", set="kinds")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    expect(page.locator(".said").last).to_contain_text("**bold**")
    page.keyboard.press("v")
    expect(page.locator(".said.md strong").first).to_have_text("bold")
    assert page.locator(".desk").locator("img, script, a, iframe").count() == 0
    page.keyboard.press("v")
    expect(page.locator(".said").last).to_contain_text("**bold**")
    assert [url for url in asked if "stolen" in url or url.endswith("/x")] == []


def test_r48_a_task_of_6000_turns_opens_and_shows_all_on_demand(open_desk: OpenDesk) -> None:
    page = open_desk("huge", set="huge")
    expect(on_screen(page)).to_have_text("huge/turns")
    expect(page.locator(".tw")).to_have_count(60)
    page.get_by_role("button", name="5,940 turns left out here").click()
    expect(page.locator(".tw")).to_have_count(6_000, timeout=30_000)
    page.keyboard.press("a")
    expect(on_screen(page)).to_have_text("huge/metadata")
    expect(page.get_by_role("button", name="fields left out here").first).to_be_visible()
    page.keyboard.press("a")
    expect(on_screen(page)).to_have_text("plain/001")
