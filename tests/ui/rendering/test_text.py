from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.ui.rendering.text import bounded, counted, limit_for, link, literal
from tests.ui.rendering.markup import Markup


@given(st.text())
def test_any_text_is_shown_as_itself(text: str) -> None:
    """What a browser shows is the text, but for invisible characters, which become marks."""
    seen = Markup(literal(text))
    invisible = [c for c in text.replace("\r\n", "\n") if _is_invisible(c)]
    assert seen.tags <= {"span"}
    assert len(seen.marks) == len(invisible)
    assert seen.text == "".join(c for c in text.replace("\r\n", "\n") if not _is_invisible(c))


def _is_invisible(character: str) -> bool:
    """By Unicode category, but for what writing needs: new line, tab, joiners and tags."""
    if character in "\n\t":
        return False
    code = ord(character)
    is_format = character in "\u061c\u200b\u200e\u200f\ufeff" or 0x2028 <= code <= 0x202E
    return unicodedata.category(character) == "Cc" or is_format or 0x2060 <= code <= 0x2069


@pytest.mark.parametrize(
    ("text", "mark"),
    [
        pytest.param("a\x1bb", "U+001B", id="escape"),
        pytest.param("a\u202eb", "U+202E", id="right-to-left override"),
        pytest.param("a\ufeffb", "U+FEFF", id="byte order mark"),
        pytest.param("a\rb", "CR", id="lone carriage return"),
    ],
)
def test_an_invisible_character_is_named(text: str, mark: str) -> None:
    assert Markup(literal(text)).marks == [mark]


def test_half_a_surrogate_pair_can_be_encoded() -> None:
    assert literal("a\ud800b").encode("utf-8") == "a\ufffdb".encode()


@given(st.text(alphabet="ab<&", max_size=200), st.integers(4, 50))
def test_a_bounded_text_keeps_both_ends_and_says_what_is_left_out(text: str, limit: int) -> None:
    html = bounded(text, limit)
    if len(text) <= limit:
        assert html == literal(text)
        return
    head, tail = limit - int(limit * 0.25), int(limit * 0.25)
    seen = Markup(html).text
    assert seen.startswith(text[:head])
    assert seen.endswith(text[len(text) - tail :])
    assert f"{len(text) - limit} characters left out here. Show all {len(text)}" in seen


def test_an_unbounded_text_is_whole() -> None:
    assert bounded("x" * 1_000_000, None) == "x" * 1_000_000


@pytest.mark.parametrize("texts", [1, 10, 100], ids="{} texts".format)
def test_texts_share_a_total(texts: int) -> None:
    assert texts * limit_for(texts, 240_000) <= 240_000


@pytest.mark.parametrize(
    ("address", "is_link"),
    [
        pytest.param("https://example.org/a?b=1", True, id="https"),
        pytest.param("HTTP://example.org", True, id="upper case"),
        pytest.param("javascript:alert(1)", False, id="script"),
        pytest.param("data:text/html,x", False, id="data"),
        pytest.param("//example.org", False, id="no scheme"),
        pytest.param("https://a b", False, id="white space"),
        pytest.param("see https://example.org", False, id="prose"),
    ],
)
def test_only_web_addresses_become_links(address: str, is_link: bool) -> None:
    seen = Markup(link(address))
    assert ("a" in seen.tags) is is_link
    assert seen.text == address
    if is_link:
        assert ("rel", "noopener noreferrer") in seen.attributes


def test_counts_take_the_right_noun() -> None:
    assert [counted(n, "tool") for n in (0, 1, 1200)] == ["0 tools", "1 tool", "1,200 tools"]
    assert counted(2, "class", "classes") == "2 classes"
