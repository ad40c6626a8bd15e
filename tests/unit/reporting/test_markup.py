from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from audit_app.reporting.markup import code, fence, link, md, md_block, table, visible

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
ATTACKS = [
    pytest.param("a | b || c", id="pipes"),
    pytest.param("`a` ``b`` `", id="backticks"),
    pytest.param("<script>alert(1)</script><!-- <b>", id="tags"),
    pytest.param("[x](javascript:alert(1)) ![y](data:z) [r]: /u", id="links"),
    pytest.param("<javascript:alert(1)> <a@b.example>", id="autolinks"),
    pytest.param("# 1", id="heading"),
    pytest.param("1. one", id="ordered list"),
    pytest.param("- one", id="bullet"),
    pytest.param("---", id="rule"),
    pytest.param("===", id="underline"),
    pytest.param("> quote", id="quote"),
    pytest.param("    code", id="indented code"),
    pytest.param("```\n~~~\ncode", id="fences"),
    pytest.param("$5 and $7, $$x$$", id="formulas"),
    pytest.param(":red[x] :smile: :material/home:", id="directives"),
    pytest.param("*a* _b_ **c** ~~d~~", id="emphasis"),
    pytest.param("&lt;b&gt; &#42; \\* \\", id="entities and backslashes"),
    pytest.param("a\\|b\\", id="backslash and pipe"),
    pytest.param("one\n\n| x | y |\n|---|---|\n\ntwo", id="table in text"),
    pytest.param("\u202eevil\u202c \u2066x\u2069 \x00\x1b[31m\x07", id="directions and controls"),
    pytest.param("\u05d0\u05d1 \u0627", id="right to left letters"),
    pytest.param("a\r\nb\rc\u2028d\x85e", id="line breaks"),
]
texts = st.text(
    st.one_of(
        st.sampled_from("\\`*_{}[]()<>#+-.!|&~$:^=@\"' \n\r\t1\u202e\u2028\0x"),
        st.characters(exclude_categories=["Cs"]),
    ),
    max_size=24,
)


OURS = str.maketrans("", "", "\u2060\u2068\u2069")
"""What parts would-be links and gives a text its direction; in foreign text it is written out."""


def literal(token: Token) -> str:
    """The text of an inline token, provided that it is nothing but text or code."""
    children = token.children or []
    assert {child.type for child in children} <= {"text", "text_special", "code_inline"}
    return "".join(child.content for child in children).translate(OURS)


def flat(text: str) -> str:
    """The text as it must be read: controls shown, line breaks as arrows, tabs as spaces."""
    lines = re.split("\r\n|[\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029]", text)
    lines = [visible(line.replace("\t", " ")).strip() for line in lines]
    return " ↵ ".join(lines).strip("↵ ")


@pytest.mark.parametrize("text", ATTACKS)
def test_attack_in_a_paragraph_stays_text(text: str) -> None:
    tokens = PARSER.parse(md(text))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert literal(tokens[1]).strip("↵ ") == flat(text)


@given(texts.filter(lambda text: bool(flat(text))))
def test_any_text_in_a_paragraph_stays_text(text: str) -> None:
    tokens = PARSER.parse(md(text))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert literal(tokens[1]).strip("↵ ") == flat(text)


@pytest.mark.parametrize("text", ATTACKS)
@pytest.mark.parametrize("write", [md, lambda text: code(text, in_table=True)], ids=["md", "code"])
def test_attack_in_a_cell_leaves_the_table_whole(text: str, write: object) -> None:
    assert callable(write)
    tokens = PARSER.parse(table(("A", "B"), [(write(text), "x"), ("y", write(text))]))
    cells = [t for before, t in pairwise(tokens) if before.type == "td_open"]
    assert len(cells) == 4
    assert literal(cells[0]).strip("↵ ") == literal(cells[3]).strip("↵ ") == flat(text)
    assert (literal(cells[1]), literal(cells[2])) == ("x", "y")


@given(texts.filter(lambda text: bool(flat(text))), st.booleans())
def test_any_id_reads_as_written(text: str, in_table: bool) -> None:
    span = code(text, in_table=in_table)
    tokens = PARSER.parse(table(("A",), [(span,)]) if in_table else f"x {span} y")
    inline = [t for t in tokens if t.type == "inline"][-1]
    shown = literal(inline) if in_table else literal(inline)[2:-2]
    assert "".join(shown.split()).strip("↵") == "".join(flat(text).split()).strip("↵")


@given(texts)
def test_a_quoted_block_holds_nothing_but_text(text: str) -> None:
    block = md_block(text, "  ")
    tokens = PARSER.parse(f"- item\n\n{block}\n\nafter")
    quotes = [t for t in tokens if t.type == "blockquote_open"]
    assert len(quotes) == bool(block)
    inline = [t for t in tokens if t.type == "inline"]
    assert inline[-1].content == "after"
    kinds = {child.type for t in inline for child in t.children or []}
    assert kinds <= {"text", "text_special", "hardbreak"}


@pytest.mark.parametrize(
    ("address", "target"),
    [
        pytest.param("https://a.example/x", "https://a.example/x", id="plain"),
        pytest.param("http://a.example/?a=1&lt;=2", "http://a.example/?a=1&lt;=2", id="entity"),
        pytest.param(
            "https://a.example/>)|`<b>", "https://a.example/%3E)%7C%60%3Cb%3E", id="signs"
        ),
        pytest.param("https://a.example/ü", "https://a.example/%C3%BC", id="unicode"),
        pytest.param("javascript:alert(1)", None, id="script"),
        pytest.param("https://a.example/ x", None, id="space"),
        pytest.param("https://a.example/\u202ex", None, id="direction mark"),
    ],
)
def test_only_web_addresses_become_links(address: str, target: str | None) -> None:
    for text in ("", "a | [b](c)"):
        [inline] = [
            token
            for token in PARSER.parse(table(("A",), [(link(address, text),)]))
            if token.type == "inline" and token.content != "A"
        ]
        links = [t.attrs["href"] for t in inline.children or [] if t.type == "link_open"]
        assert links == ([] if target is None else [target])


def test_fence_is_longer_than_any_in_the_text() -> None:
    [token] = PARSER.parse(fence("a\n```\nb\n````", "json"))
    assert (token.type, token.content) == ("fence", "a\n```\nb\n````\n")


def test_plain_words_stay_readable() -> None:
    text = "The key (line 3) says 2.5 - not 3; right? Yes!"
    assert md(text) == text
