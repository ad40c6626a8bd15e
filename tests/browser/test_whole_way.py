"""The whole way on the bundled benchmark: draw, judge, undo, reload, rubric, verdict, report."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.services.judging import TaskState
from audit_app.settings import Settings
from tests.browser.conftest import App

pytestmark = pytest.mark.browser

AUDIT = "my first audit"


def _open(context: BrowserContext, address: str) -> Page:
    page = context.new_page()
    page.goto(address)
    return page


def _on_screen(page: Page) -> str:
    return page.locator("h1.mono").inner_text()


def _judge(page: Page, key: str) -> str:
    """Press one key and wait until another task is on screen; the task that was judged."""
    before = _on_screen(page)
    page.keyboard.press(key)
    expect(page.locator("h1.mono")).not_to_have_text(before)
    return before


def _states(settings: Settings) -> dict[str, TaskState]:
    with open_services(settings) as services:
        desk = services.reviewing(AUDIT).desk()
    return {item.task_id: item.state for item in desk.queue}


def test_from_the_bundled_benchmark_to_a_downloaded_report(
    app: App, chromium: Browser, tmp_path: Path
) -> None:
    settings = Settings(db=tmp_path / "assay.db", reviewer="ada", cache=tmp_path)
    ensure_demo(settings)
    address = app(settings.db)
    context = chromium.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    errors: list[str] = []
    page = _open(context, f"{address}/sample")
    page.on("pageerror", lambda error: errors.append(str(error)))

    # Draw.
    page.get_by_label("Seed").fill("browser-test")
    page.get_by_label("Seed").press("Enter")
    page.get_by_label("Name of the audit").fill(AUDIT)
    page.get_by_role("button", name="Draw the sample").click()
    expect(page.get_by_text("50 tasks drawn.")).to_be_visible(timeout=15_000)

    # Judge ten by keyboard, one of them a defect, and undo one.
    page.get_by_role("link", name="Review").click()
    expect(page.locator("h1.mono")).to_be_visible(timeout=15_000)
    clean = [_judge(page, "a") for _ in range(9)]
    defect = _on_screen(page)
    for key in ("1", "5", "3", "Shift+Digit1"):
        page.keyboard.press(key)
    page.get_by_label("Note", exact=True).fill("The key refuses the spelled-out default.")
    page.keyboard.press("Control+Enter")
    expect(page.locator("h1.mono")).not_to_have_text(defect)
    undone = _judge(page, "a")
    expect(page.get_by_text("11/50")).to_be_visible(timeout=10_000)
    page.keyboard.press("u")
    expect(page.locator("h1.mono")).to_have_text(undone)
    expect(page.get_by_text("10/50")).to_be_visible(timeout=10_000)

    # A fresh browser finds all of it.
    context.close()
    states = _states(settings)
    assert {task for task, state in states.items() if state is TaskState.CLEAN} == set(clean)
    assert [task for task, state in states.items() if state is TaskState.DEFECT] == [defect]
    assert states[undone] is TaskState.OPEN
    fresh = chromium.new_context(viewport={"width": 1440, "height": 900}, accept_downloads=True)
    page = _open(fresh, address)
    expect(page.get_by_text("10/50")).to_be_visible(timeout=15_000)
    expect(page.locator("h1.mono")).to_have_text(undone)

    # The rubric, to a verdict.
    page.get_by_role("link", name="Rubric").click()
    for item, status in (("1", "Full"), ("2.1", "Issue found")):
        page.get_by_label(f"Status of {item}", exact=True).click()
        page.get_by_role("option", name=status, exact=True).click()
    expect(page.locator(".verdict .big")).to_have_text("Flawed", timeout=15_000)
    expect(page.locator(".trace li.hit")).to_have_count(1)
    expect(page.locator(".verdict")).to_contain_text("Partial review")

    # The report.
    page.get_by_role("link", name="Report").click()
    button = page.get_by_role("button", name="Download the report (Markdown)")
    expect(button).to_be_visible(timeout=15_000)
    with page.expect_download() as download:
        button.click()
    report = Path(download.value.path()).read_text(encoding="utf-8")
    assert "**Verdict: Flawed.**" in report
    assert "1 of 10" in report
    assert re.search(rf"\| `{re.escape(defect)}` \|.*FN.*K3", report)
    assert "simulated" in report
    with open_services(settings) as services:
        assert services.verify().problems == ()
    fresh.close()
    assert errors == []
