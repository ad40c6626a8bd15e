"""Every key of the map does what the help says, also after a file gave it to another key."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from audit_app.services.resources import bundled_taxonomy
from audit_app.ui.keys import key_map
from tests.browser.harness import Harness, OpenDesk, note_of, on_screen

pytestmark = pytest.mark.browser

Look = Callable[[Page], None]


def _shows(selector: str, text: str) -> Look:
    return lambda page: expect(page.locator(selector)).to_contain_text(text)


def _pressed(action: str) -> Look:
    button = f'.strip [data-do="{action}"][aria-pressed="true"]'
    return lambda page: expect(page.locator(button)).to_have_count(1)


def _focused(label: str) -> Look:
    return lambda page: expect(page.get_by_label(label, exact=True)).to_be_focused()


def _at(task: str) -> Look:
    return lambda page: expect(on_screen(page)).to_have_text(task)


EFFECTS: dict[str, tuple[str, Look]] = {
    "defect": ("x", _shows(".readback", "no effect chosen yet")),
    "fn": ("1", _shows(".readback", "FN")),
    "fp": ("2", _shows(".readback", "FN, FP")),
    "severity:0": ("Shift+Digit0", _shows(".readback", "severity 0")),
    "severity:1": ("Shift+Digit1", _shows(".readback", "severity 1")),
    "severity:2": ("Shift+Digit2", _shows(".readback", "severity 2")),
    "severity:3": ("Shift+Digit3", _shows(".readback", "severity 3")),
    "family:T": ("4", _shows(".readback", "Task: number 1 to 5")),
    "family:K": ("5", _shows(".readback", "number 1")),  # chooses the fifth cause of the tasks
    "note": ("n", lambda page: expect(note_of(page)).to_be_focused()),
    "draft": ("Control+s", _shows(".say-line", "Draft kept")),
    "leave": ("Escape", lambda page: expect(note_of(page)).not_to_be_focused()),
    "stale": ("3", _shows(".readback", "K2")),
    "save": ("Control+Enter", _at("plain/002")),
    "clean": ("a", _at("plain/003")),
    "undo": ("u", _at("plain/002")),
    "skip": ("Space", _at("plain/003")),
    "second_look": ("f", _pressed("second_look")),
    "previous": ("ArrowLeft", _at("plain/002")),
    "next": ("ArrowRight", _at("plain/003")),
    "jump": ("j", _focused("Jump to id")),
    "next_group": (
        "m",
        lambda page: expect(page.locator('.group[aria-current="true"]')).to_contain_text("Pass"),
    ),
    "raw": ("o", lambda page: expect(page.locator(".desk.raw")).to_have_count(1)),
    "toggle_key": ("g", lambda page: expect(page.locator(".desk.nokey")).to_have_count(1)),
    "rendered": ("v", lambda page: expect(page.locator(".said.md").first).to_be_visible()),
    "auto": ("p", _shows(".bar1", "Auto-advance off")),
    "filter": ("q", _focused("Id contains")),
    "clear_filter": ("Shift+q", _shows(".place", "Task 3 of 240")),
    "help": ("h", lambda page: expect(page.get_by_role("dialog", name="Keys")).to_be_visible()),
    "guide": (
        "d",
        lambda page: expect(page.get_by_role("dialog", name="Definitions")).to_be_visible(),
    ),
}
"""Action → its key and what shows that it was done, in an order in which they can be pressed."""
_WAITS_FOR_A_NUMBER = {"family:G", "family:E", "family:L", "family:H"}
_LEAVES_THE_PAGE = {"confirm"}
_LEAVES_TEXT_BEFORE = {"next_group", "clear_filter"}


def test_r40_every_documented_key_works(open_desk: OpenDesk) -> None:
    documented = {binding.action for binding in key_map(bundled_taxonomy())}
    assert documented == EFFECTS.keys() | _WAITS_FOR_A_NUMBER | _LEAVES_THE_PAGE
    page = open_desk("every-key")
    for action, (key, look) in EFFECTS.items():
        if action in _LEAVES_TEXT_BEFORE:
            page.keyboard.press("Escape")
        if action == "family:K":
            page.keyboard.press("1")  # ends the choice of a cause that the key before began
        page.keyboard.press(key)
        try:
            look(page)
        except AssertionError as error:
            raise AssertionError(f"{action} by {key}: {error}") from error


def test_r40_controls_and_help_show_the_keys_of_a_file(
    harness: Harness, open_desk: OpenDesk
) -> None:
    page = open_desk("remapped", keys='clean = "J"\njump = "A"\nskip = "PageDown"')
    expect(page.get_by_role("button", name="J Clean")).to_be_visible()
    expect(page.locator(".hint-line")).to_contain_text("J clean")
    page.keyboard.press("j")
    page.keyboard.press("PageDown")
    expect(on_screen(page)).to_have_text("plain/003")
    page.keyboard.press("h")
    row = page.get_by_role("dialog").locator("dt", has_text="PgDn")
    expect(row.locator("+ dd")).to_contain_text("Skip")
    kinds = [(row["kind"], row["task_id"]) for row in harness.wait_for("remapped", 2)]
    assert kinds == [("clean", "plain/001"), ("skip", "plain/002")]


def test_r39_auto_advance_can_be_switched_off_for_good(
    harness: Harness, open_desk: OpenDesk
) -> None:
    page = open_desk("auto")
    page.keyboard.press("p")
    page.keyboard.press("a")
    expect(page.locator("header .tag").first).to_contain_text("judged clean")
    expect(on_screen(page)).to_have_text("plain/001")
    page.reload()
    expect(page.get_by_role("button", name="P Auto-advance off")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("a")
    expect(on_screen(page)).to_have_text("plain/002")
    page.get_by_role("button", name="P Auto-advance off").click()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("a")
    expect(on_screen(page)).to_have_text("plain/004")
    tasks = [row["task_id"] for row in harness.wait_for("auto", 3)]
    assert tasks == ["plain/001", "plain/002", "plain/003"]


def test_the_first_hints_go_with_the_first_judgement_and_stay_away(open_desk: OpenDesk) -> None:
    page = open_desk("hints")
    expect(page.locator(".hint-line")).to_contain_text("A clean")
    page.keyboard.press("a")
    expect(page.locator(".hint-line")).to_be_hidden()
    again = open_desk("hints-again")
    expect(again.locator(".hint-line")).to_be_hidden()


def test_the_help_holds_the_focus_and_gives_it_back(open_desk: OpenDesk) -> None:
    page = open_desk("focus")
    page.keyboard.press("d")
    dialog = page.get_by_role("dialog", name="Definitions")
    expect(dialog).to_contain_text("K3 Key too narrow")
    expect(dialog).to_contain_text("Example:")
    page.keyboard.press("a")
    page.keyboard.press("Tab")
    expect(page.locator(".judge")).to_have_attribute("inert", "")
    page.keyboard.press("h")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".help")).to_be_hidden()
    expect(on_screen(page)).to_have_text("plain/001")
    page.keyboard.press("a")
    expect(on_screen(page)).to_have_text("plain/002")
