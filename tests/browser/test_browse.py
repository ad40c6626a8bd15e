"""Browsing every task: search, open, move by key, and an address that can be passed on."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.settings import Settings
from tests.browser.conftest import App

pytestmark = pytest.mark.browser


def test_any_task_is_found_opened_and_left_alone(
    app: App, chromium: Browser, tmp_path: Path
) -> None:
    settings = Settings(db=tmp_path / "assay.db", reviewer="ada", cache=tmp_path)
    ensure_demo(settings)
    address = app(settings.db)
    page = chromium.new_page(viewport={"width": 1280, "height": 800})
    page.set_default_timeout(20_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    title = page.locator("h1.mono")

    page.goto(f"{address}/browse?audit=toolshop")
    expect(page.get_by_text("1–50 of 249")).to_be_visible(timeout=20_000)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text("51–100 of 249")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("MOON phase")
    page.keyboard.press("Enter")
    expect(page.locator(".tasks tbody tr").first).to_contain_text("moon")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.get_by_label("Group").select_option("choose")
    expect(page.locator(".tasks tbody .grp").first).to_have_text("choose")
    outside = page.locator(".tasks tbody tr", has_not_text="in your sample").first
    task = outside.locator("a").inner_text()
    outside.locator("a").click()
    expect(title).to_have_text(task)
    expect(page.get_by_text("Outside your sample. Looking only: nothing")).to_be_visible()
    expect(page.get_by_role("button", name="Clean")).to_have_count(0)
    page.keyboard.press("o")
    expect(page.locator(".group[aria-current] .raws")).to_be_visible()
    for key in ("a", "x", "1", "Control+Enter"):
        page.keyboard.press(key)

    page.keyboard.press("j")
    expect(title).not_to_have_text(task)
    page.keyboard.press("ArrowLeft")
    expect(title).to_have_text(task)
    shared = chromium.new_page(viewport={"width": 1280, "height": 800})
    shared.goto(page.url)
    expect(shared.locator("h1.mono")).to_have_text(task, timeout=20_000)
    place = page.locator(".place").inner_text()
    expect(shared.locator(".place")).to_have_text(place)
    shared.close()
    page.keyboard.press("Escape")
    expect(page.get_by_role("searchbox")).to_have_value("MOON phase")
    page.go_back()
    expect(title).to_have_text(task)

    with open_services(settings) as services:
        queue = services.reviewing("toolshop").desk().queue
    assert not any(item.review_id for item in queue)
    page.goto(f"{address}/browse?audit=toolshop&task={queue[0].task_id}")
    page.get_by_role("link", name="Open it on Review").click()
    expect(page.get_by_role("button", name="Clean")).to_be_visible()
    expect(title).to_have_text(queue[0].task_id)
    page.close()
    assert errors == []
