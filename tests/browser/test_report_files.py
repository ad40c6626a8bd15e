"""The files of a report in a real browser: HTML, and Markdown as three readers make HTML of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from html import escape
from pathlib import Path
from urllib.parse import unquote

import cmarkgfm
import pytest
from axe_playwright_python.sync_playwright import Axe
from cmarkgfm.cmark import Options
from markdown import markdown
from markdown_it import MarkdownIt
from playwright.sync_api import Browser, Page

from audit_app.reporting.model import AuditRecord
from audit_app.reporting.render import render
from tests.unit.reporting.hostile import ADDRESS, ATTACK, attacked, whole

pytestmark = pytest.mark.browser

GRAVE = ("serious", "critical")
TAGS = "() => [...document.querySelectorAll('*')].map(e => e.tagName.toLowerCase())"
HANDLERS = """() => [...document.querySelectorAll('*')]
  .flatMap(e => [...e.attributes].map(a => a.name)).filter(n => n.startsWith('on'))"""
TARGETS = """() => [...document.querySelectorAll('[href], [src], [action]')]
  .map(e => e.getAttribute('href') ?? e.getAttribute('src') ?? e.getAttribute('action'))
  .filter(a => !a.startsWith('#'))"""
OUTSIDE = """() => [...document.querySelectorAll('body *')]
  .filter(e => !e.closest('.wide, .chart, .skip, svg') && e.getClientRects().length)
  .filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
  .map(e => e.outerHTML.slice(0, 80))"""
CLIPPED = """() => [...document.querySelectorAll('.wide, .chart, pre')]
  .filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.textContent.slice(0, 80))"""
A4_PX = 673
"""Width between the margins of a printed page."""


def gfm(text: str) -> str:
    """As GitHub reads it, with raw HTML let through, which GitHub takes out."""
    unsafe: int = Options.CMARK_OPT_UNSAFE
    return str(cmarkgfm.github_flavored_markdown_to_html(text, unsafe))


def python_markdown(text: str) -> str:
    return markdown(text, extensions=["tables", "fenced_code", "footnotes", "sane_lists"])


def markdown_it(text: str) -> str:
    parser = MarkdownIt("gfm-like", {"html": True, "linkify": False}).enable("strikethrough")
    return str(parser.render(text))


READERS: tuple[Callable[[str], str], ...] = (markdown_it, gfm, python_markdown)


class Visit:
    """A file opened in the browser, with everything that it asked for."""

    def __init__(self, page: Page, file: Path) -> None:
        self.page = page
        self.asked: list[str] = []
        page.on("request", lambda request: self.asked.append(request.url))
        page.goto(file.as_uri())
        self._file = file

    def require_harmless(self) -> None:
        """Nothing ran, and nothing but the file was asked for."""
        assert self.page.evaluate("window.stolen") is None
        assert self.asked == [self._file.as_uri()]
        assert self.page.evaluate(HANDLERS) == []

    def tags(self) -> Counter[str]:
        return Counter(self.page.evaluate(TAGS))


@pytest.fixture
def visit(chromium: Browser, tmp_path: Path) -> Iterator[Callable[..., Visit]]:
    context = chromium.new_context(viewport={"width": 1440, "height": 900})

    def visit(html: bytes, name: str = "report") -> Visit:
        file = tmp_path / f"{name}.html"
        file.write_bytes(html)
        return Visit(context.new_page(), file)

    yield visit
    context.close()


def html_of(record: AuditRecord) -> bytes:
    return render(record, ["html"])["report.html"]


def test_r36_a_hostile_report_is_inert_as_html(visit: Callable[..., Visit]) -> None:
    plain, hostile = visit(html_of(whole()), "plain"), visit(html_of(attacked(ATTACK)), "hostile")
    hostile.require_harmless()
    straight, found = plain.tags(), hostile.tags()
    assert set(found) <= set(straight) | {"blockquote"}
    free = {"p", "br", "bdi", "blockquote", "code"}  # one a line of text, or a link or its text
    assert {t: n for t, n in found.items() if t not in free | {"a"}} == {
        t: n for t, n in straight.items() if t not in free | {"a"}
    }
    assert set(map(unquote, hostile.page.evaluate(TARGETS))) == {ADDRESS}
    body = hostile.page.inner_text("body")
    for words in ("<script>window.stolen = 1</script>", "⟨U+202E⟩txt.exe", "{{ 7*7 }}", ":smile:"):
        assert words in body.replace("\u2060", "")


@pytest.mark.parametrize("width", [1440, 820, 360])
def test_no_text_breaks_the_layout(visit: Callable[..., Visit], width: int) -> None:
    page = visit(html_of(attacked(ATTACK))).page
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("record", [whole(), attacked(ATTACK)], ids=["plain", "hostile"])
def test_nothing_is_clipped_on_paper(visit: Callable[..., Visit], record: AuditRecord) -> None:
    page = visit(html_of(record)).page
    page.emulate_media(media="print")
    page.set_viewport_size({"width": A4_PX, "height": 970})
    assert page.evaluate(CLIPPED) == []
    assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_r48_the_page_has_no_grave_fault_of_access(
    chromium: Browser, tmp_path: Path, scheme: str
) -> None:
    file = tmp_path / "report.html"
    file.write_bytes(html_of(whole()))
    dark = scheme == "dark"
    with chromium.new_context(color_scheme="dark" if dark else "light") as context:
        page = context.new_page()
        page.goto(file.as_uri())
        for width in (1440, 360):
            page.set_viewport_size({"width": width, "height": 900})
            found = Axe().run(page).response["violations"]
            grave = [(v["id"], [n["html"][:120] for n in v["nodes"]]) for v in found]
            assert [g for g, v in zip(grave, found, strict=True) if v["impact"] in GRAVE] == []


def test_every_link_inside_the_page_leads_somewhere(visit: Callable[..., Visit]) -> None:
    page = visit(html_of(whole())).page
    missing = page.evaluate(
        """() => [...document.querySelectorAll("a[href^='#']")]
          .map(a => decodeURIComponent(a.getAttribute('href').slice(1)))
          .filter(id => !document.getElementById(id))"""
    )
    assert missing == []
    ids = page.evaluate("() => [...document.querySelectorAll('[id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
def test_r36_a_hostile_report_is_inert_as_markdown(
    visit: Callable[..., Visit], reader: Callable[[str], str]
) -> None:
    found = []
    for name, record in (("plain", whole()), ("hostile", attacked(ATTACK))):
        texts = [
            content.decode()
            for file, content in render(record, ["md"]).items()
            if file.endswith(".md")
        ]
        body = "<hr>".join(map(reader, texts))
        head = f"<!doctype html><meta charset=utf-8><title>{escape(name)}</title>"
        found.append(visit(f"{head}<body>{body}".encode(), name))
    plain, hostile = found
    image = plain.page.evaluate("() => document.querySelectorAll('img').length")
    assert [url for url in hostile.asked if not url.endswith(("hostile.html", "impact.svg"))] == []
    assert hostile.page.evaluate("window.stolen") is None
    assert hostile.page.evaluate(HANDLERS) == []
    assert hostile.page.evaluate("() => document.querySelectorAll('img').length") == image == 1
    free = {"p", "br", "blockquote", "code", "a", "pre"}
    assert set(hostile.tags()) <= set(plain.tags()) | {"br"}
    assert {t: n for t, n in hostile.tags().items() if t not in free} == {
        t: n for t, n in plain.tags().items() if t not in free
    }
    assert set(map(unquote, hostile.page.evaluate(TARGETS))) == {"impact.svg", ADDRESS}


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.__name__)
def test_the_attack_is_one(visit: Callable[..., Visit], reader: Callable[[str], str]) -> None:
    """What the tests above keep out does get in where nothing is done against it."""
    open_to_all = visit(f"<!doctype html><meta charset=utf-8><p>{reader(f'x {ATTACK}')}".encode())
    assert open_to_all.page.evaluate("window.stolen") is not None
    assert open_to_all.page.evaluate(HANDLERS)
