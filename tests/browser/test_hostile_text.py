"""Text that attacks, in every field there is: kept to the letter, shown literally, or refused."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.settings import Settings
from tests.browser import desk_cases
from tests.browser.conftest import free_port, served

pytestmark = pytest.mark.browser

HOSTILE = f"❌🧪 {desk_cases.RTL} {desk_cases.SPOOF} {desk_cases.HOSTILE} <img src=/stolen>"
LONG = (f"{HOSTILE}\n" * 400)[:100_000]
TIMEOUT_MS = 20_000
ODD_LINKS = (
    "javascript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "file:///etc/passwd",
    "JaVaScRiPt:alert(1)//https://example.org",
    "//example.org",
    "https://two words",
)


@dataclass(frozen=True)
class Attacked:
    """A page of the app on the bundled audit.

    Attributes:
        page: The page; what it asks for is watched.
        address: The address of the app.
        settings: The workspace.
        asked: Every request of the page.
    """

    page: Page
    address: str
    settings: Settings
    asked: list[str]

    def open(self, path: str) -> Page:
        self.page.goto(self.address + path)
        return self.page

    def require_harmless(self) -> None:
        """Nothing of the text ran, and none of it was fetched."""
        assert self.page.evaluate("window.stolen") is None
        assert [url for url in self.asked if url.endswith(("/x", "/stolen"))] == []
        expect(self.page.locator("[onerror], img[src='x'], img[src='/stolen']")).to_have_count(0)


@pytest.fixture(scope="module")
def running(
    chromium: Browser, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Settings]]:
    folder: Path = tmp_path_factory.mktemp("hostile")
    settings = Settings(db=folder / "assay.db", reviewer="ada", cache=folder)
    ensure_demo(settings)
    port = free_port()
    command = [sys.executable, "-m", "audit_app", "serve", "--port", str(port)]
    with served(command, port, {"ASSAY_DB": str(settings.db), "ASSAY_REVIEWER": "ada"}):
        yield f"http://127.0.0.1:{port}", settings


@pytest.fixture
def attacked(chromium: Browser, running: tuple[str, Settings]) -> Iterator[Attacked]:
    address, settings = running
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.set_default_timeout(TIMEOUT_MS)
    yield Attacked(page, address, settings, asked)
    page.close()


def test_r46_a_note_of_100_kb_is_kept_to_the_letter_and_shown_literally(
    attacked: Attacked,
) -> None:
    page = attacked.open("/?audit=toolshop")
    title = page.locator("h1.mono")
    task = title.inner_text()
    page.keyboard.press("1")
    page.get_by_label("Note", exact=True).fill(LONG)
    page.keyboard.press("Control+Enter")
    expect(title).not_to_have_text(task)
    expect(page.locator(".strata .n.all")).to_have_text("1/50", timeout=TIMEOUT_MS)
    with open_services(attacked.settings) as services:
        review = services.reviewing("toolshop").my_reviews([task])[task]
    assert review.findings[0].note == LONG
    page.keyboard.press("ArrowLeft")
    expect(title).to_have_text(task)
    attacked.open(f"/?audit=toolshop&task={task}")  # from the disk, in another session
    expect(title).to_have_text(task, timeout=TIMEOUT_MS)
    page.keyboard.press("x")
    expect(page.get_by_label("Note", exact=True)).to_have_value(LONG)
    attacked.open("/report?audit=toolshop")
    shown = page.frame_locator(".st-key-report_preview iframe").locator("body")
    expect(shown).to_contain_text("<script>window.stolen = 1</script>", timeout=TIMEOUT_MS)
    expect(shown).to_contain_text("**bold** # 1 `code` $5 and $7")
    attacked.require_harmless()


def test_links_with_odd_schemes_are_refused_with_a_sentence(attacked: Attacked) -> None:
    page = attacked.open("/?audit=toolshop&task=single_002")
    title = page.locator("h1.mono")
    expect(title).to_have_text("single_002", timeout=TIMEOUT_MS)
    page.keyboard.press("2")
    links = page.get_by_label("Evidence links, one a line")
    refusal = page.locator("p.say-field", has_text="is not a link that begins with https://")
    for odd in ODD_LINKS:
        links.fill(f"https://example.org/a\n{odd}")
        expect(refusal).to_contain_text("Line 2 ")
        page.keyboard.press("Control+Enter")
        expect(links).to_have_value(f"https://example.org/a\n{odd}")
        expect(title).to_have_text("single_002")
    links.fill("https://example.org/a")
    expect(refusal).to_have_count(0)


def test_a_proposed_key_that_is_no_json_says_where(attacked: Attacked) -> None:
    page = attacked.open("/?audit=toolshop&task=single_003")
    expect(page.locator("h1.mono")).to_have_text("single_003", timeout=TIMEOUT_MS)
    page.keyboard.press("x")
    page.get_by_role("button", name="Start from the key").click()
    page.get_by_label("Proposed key, JSON").fill('[\n {"a": oops}\n]')
    expect(page.locator(".trial")).to_contain_text("Not valid JSON at line 2, column 8")
    page.keyboard.press("Escape")
    page.keyboard.press("2")
    page.keyboard.press("Control+Enter")
    expect(page.locator("h1.mono")).to_have_text("single_003")


def test_rubric_and_report_keep_what_is_written_and_refuse_odd_links(attacked: Attacked) -> None:
    page = attacked.open("/rubric?audit=toolshop")
    note = page.get_by_label("Note on 2.2")
    note.fill(LONG)
    note.blur()
    attacked.open("/report?audit=toolshop")
    page.get_by_role("textbox", name="Lead", exact=True).fill(LONG)
    page.get_by_role("textbox", name="Original link", exact=True).fill("javascript:alert(1)")
    page.get_by_role("button", name="Save the texts").click()
    expect(page.locator(".notice.error")).to_contain_text("not a link that begins with https://")
    attacked.require_harmless()
    attacked.open("/rubric?audit=toolshop")
    expect(note).to_have_value(LONG, timeout=TIMEOUT_MS)
    attacked.require_harmless()


def test_names_paths_and_searches_are_shown_literally(attacked: Attacked) -> None:
    page = attacked.open("/browse")
    page.get_by_role("searchbox").fill(HOSTILE)
    page.keyboard.press("Enter")
    expect(page.get_by_text("No task was found.")).to_be_visible()
    expect(page.get_by_role("searchbox")).to_have_value(HOSTILE)
    attacked.require_harmless()
    attacked.open("/benchmarks")
    page.get_by_label("Folder or file on this machine").fill("/nowhere/<img src=/stolen>**b**")
    page.get_by_label("Name", exact=True).fill("<i>name</i>")
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.locator(".notice.error")).to_contain_text("<img src=/stolen>**b**")
    attacked.require_harmless()
    attacked.open("/sample")
    name = "<b>audit</b> :red[x] **東京** $5 and $7"
    page.get_by_label("Name of the audit").fill(f"{name}\u202e")
    page.get_by_role("button", name="Draw the sample").click()
    expect(page.locator(".notice.error")).to_contain_text("cannot name an audit")
    page.get_by_label("Name of the audit").fill(name.replace("/", ""))
    page.get_by_role("button", name="Draw the sample").click()
    expect(page.get_by_text("50 tasks drawn.")).to_be_visible()
    chosen = page.get_by_role("combobox", name="Audit", exact=True)
    expect(chosen).to_have_value("<b>audit<b> :red[x] **東京** $5 and $7")
    attacked.require_harmless()
