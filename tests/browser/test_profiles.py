"""Local profiles: two people at one browser, each with an own desk, own drafts and own reviews."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.settings import Settings
from tests.browser.conftest import free_port, served

pytestmark = pytest.mark.browser

HOSTILE = "Émile <b>x</b> **y** & `z`"


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("profiles")
    settings = Settings(db=folder / "assay.db", reviewer="ada", cache=folder)
    ensure_demo(settings)
    return settings


@pytest.fixture(scope="module")
def address(settings: Settings) -> Iterator[str]:
    """One server for all: its people keep apart by themselves."""
    port = free_port()
    command = [sys.executable, "-m", "audit_app", "serve", "--port", str(port)]
    given = {"ASSAY_DB": str(settings.db), "ASSAY_REVIEWER": settings.reviewer}
    with served(command, port, given):
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    yield context
    context.close()


def _title(page: Page) -> str:
    expect(page.locator("h1.mono")).to_be_visible(timeout=15_000)
    return page.locator("h1.mono").inner_text()


def _choose(page: Page, name: str) -> None:
    page.get_by_role("combobox", name="Judging as").fill(name)
    page.get_by_role("option", name=name).first.click()
    expect(page.get_by_role("combobox", name="Judging as")).to_have_value(name)


def _note(page: Page) -> Locator:
    return page.get_by_role("textbox", name="Note", exact=True)


def _judged(settings: Settings, person: str) -> list[str]:
    with open_services(replace(settings, reviewer=person)) as services:
        queue = services.reviewing("toolshop").desk().queue
    return [item.task_id for item in queue if item.review_id]


def test_a_switch_carries_nothing_unsaved_to_the_other_person(
    address: str, settings: Settings, context: BrowserContext
) -> None:
    page = context.new_page()
    page.goto(address)
    first = _title(page)
    page.keyboard.press("a")
    expect(page.locator(".strata .n.all")).to_have_text("1/50", timeout=15_000)
    second = _title(page)
    page.keyboard.press("x")
    _note(page).fill("ada's own words")

    _choose(page, HOSTILE)
    expect(page.locator(".strata .n.all")).to_have_text("0/50", timeout=15_000)
    assert "as=" in page.url
    assert "ada's own words" not in page.content()
    page.goto(page.url)  # a reload, and a link, open for the same person
    expect(page.get_by_role("combobox", name="Judging as")).to_have_value(HOSTILE)
    third = _title(page)
    assert third not in (first, second)  # each task is asked of one person
    page.keyboard.press("a")
    expect(page.locator(".strata .n.all")).to_have_text("1/50", timeout=15_000)
    assert (_judged(settings, "ada"), _judged(settings, HOSTILE)) == ([first], [third])

    page.get_by_role("link", name="Sample").click()
    expect(page.get_by_role("heading", name="Sample")).to_be_visible(timeout=15_000)
    expect(page.get_by_role("combobox", name="Judging as")).to_have_value(HOSTILE)
    page.get_by_role("link", name="Review").click()
    _title(page)
    _choose(page, "ada")
    expect(page.locator("h1.mono", has_text=second)).to_be_visible(timeout=15_000)
    expect(page.locator("h1.mono")).to_have_count(1)
    expect(_note(page)).to_have_value("ada's own words")


def test_two_tabs_of_one_browser_judge_for_two_people_at_once(
    address: str, settings: Settings, context: BrowserContext
) -> None:
    linus, grace = context.new_page(), context.new_page()
    linus.goto(f"{address}/?as=linus")
    grace.goto(f"{address}/?as=grace")
    tasks = {"linus": list[str](), "grace": list[str]()}
    for count in (1, 2, 3):
        for page, person in ((linus, "linus"), (grace, "grace")):
            tasks[person].append(_title(page))
            page.keyboard.press("a")
            expect(page.locator(".strata .n.all")).to_have_text(f"{count}/50", timeout=15_000)
    assert {person: _judged(settings, person) for person in tasks} == tasks


def test_a_typed_name_that_names_nobody_is_said_and_not_taken(
    address: str, context: BrowserContext
) -> None:
    page = context.new_page()
    page.goto(f"{address}/sample")
    field = page.get_by_role("combobox", name="Judging as")
    field.fill("x" * 201)
    field.press("Enter")
    expect(page.locator(".st-key-rail_foot .notice")).to_contain_text("cannot name a person")
    expect(field).to_have_value("ada")
    assert "as=" not in page.url
