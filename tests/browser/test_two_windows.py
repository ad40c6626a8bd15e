"""Two windows of one reviewer, two audits, and a reload: what was filed stays what was meant."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from audit_app.domain.review import Judgement
from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.settings import Settings
from tests.browser.conftest import App

pytestmark = pytest.mark.browser


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    settings = Settings(db=tmp_path / "assay.db", reviewer="ada", cache=tmp_path)
    ensure_demo(settings)
    return settings


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    yield context
    context.close()


def _title(page: Page) -> str:
    expect(page.locator("h1.mono")).to_be_visible(timeout=15_000)
    return page.locator("h1.mono").inner_text()


def _standing(settings: Settings, audit: str = "toolshop") -> dict[str, Judgement]:
    with open_services(settings) as services:
        queue = services.reviewing(audit).desk().queue
    return {item.task_id: Judgement(item.state.value) for item in queue if item.review_id}


def test_an_undo_spares_what_another_window_judged(
    app: App, settings: Settings, context: BrowserContext
) -> None:
    address = app(settings.db)
    one, two = context.new_page(), context.new_page()
    one.goto(address)
    task = _title(one)
    two.goto(f"{address}/?audit=toolshop&task={task}")
    assert _title(two) == task
    expect(two.locator('.desk[data-lacks="0"]')).to_be_visible(timeout=15_000)  # asks for no more
    one.keyboard.press("a")
    expect(one.locator(".strata .n.all")).to_have_text("1/50", timeout=15_000)

    # The second window still shows an open task: its first save is refused, its second is meant.
    two.keyboard.press("1")
    two.keyboard.press("Control+Enter")
    alert = two.locator(".alert")
    expect(alert).to_contain_text("judged elsewhere", timeout=15_000)
    assert _title(two) == task
    two.keyboard.press("Control+Enter")
    expect(alert).to_have_count(0, timeout=15_000)
    assert _standing(settings) == {task: Judgement.DEFECT}

    one.keyboard.press("u")
    expect(one.locator(".alert")).to_contain_text("nothing was undone", timeout=15_000)
    assert _standing(settings) == {task: Judgement.DEFECT}


def test_keys_reach_the_desk_after_another_audit_is_chosen(
    app: App, settings: Settings, context: BrowserContext
) -> None:
    with open_services(settings) as services:
        plan = services.audits.default_plan("toolshop")
        services.audits.create("other", "toolshop", services.audits.preview("toolshop", plan))
    page = context.new_page()
    page.goto(f"{app(settings.db)}/?audit=toolshop")
    first = _title(page)
    page.keyboard.press("1")
    page.get_by_label("Note", exact=True).fill("half a thought")
    page.locator(".st-key-audit_choice input").click()
    page.get_by_role("option", name="other").click()
    expect(page.locator(".drawer")).to_be_hidden(timeout=15_000)
    judged = _title(page)
    page.keyboard.press("a")
    expect(page.locator(".strata .n.all")).to_have_text("1/50", timeout=15_000)
    assert _standing(settings, "other") == {judged: Judgement.CLEAN}
    assert _standing(settings) == {}
    page.goto(f"{app(settings.db)}/?audit=toolshop&task={first}")
    expect(page.get_by_label("Note", exact=True)).to_have_value("half a thought", timeout=15_000)


def test_a_skip_can_be_undone_after_a_reload(
    app: App, settings: Settings, context: BrowserContext
) -> None:
    page = context.new_page()
    page.goto(app(settings.db))
    skipped = _title(page)
    page.keyboard.press("Space")
    expect(page.locator(".later")).to_contain_text("1 skipped", timeout=15_000)
    page.reload()
    assert _title(page) != skipped
    page.keyboard.press("u")
    expect(page.locator("h1.mono")).to_have_text(skipped)
    expect(page.locator(".later")).to_have_text("50 left: 50 open", timeout=15_000)
