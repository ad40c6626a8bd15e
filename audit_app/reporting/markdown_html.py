"""Blocks of the Markdown report as HTML, so that both say the same in the same words.

The blocks hold foreign text in inert form only; besides, no HTML in them is let through and no
image is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import count
from urllib.parse import quote

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

_PERCENT = re.compile(r"(?<=\d) %")


@dataclass(frozen=True)
class HtmlSection:
    """One section.

    Attributes:
        id: Of its element.
        title: Its heading as text, empty where it has none.
        html: All of it, heading first.
    """

    id: str
    title: str
    html: str


class _Renderer(RendererHTML):
    """Rules that differ from the usual ones; what a report knows besides comes in ``env``."""

    def code_inline(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """The text; of the id of a defective task, a link to its place."""
        text = tokens[idx].content
        span = f'<code dir="auto">{escape(text)}</code>'
        anchor = env["anchors"].get(text)
        return span if anchor is None else f'<a class="to" href="#{quote(anchor)}">{span}</a>'

    def text(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """The text; a percentage keeps its sign on its line."""
        return escape(_PERCENT.sub("\u00a0%", tokens[idx].content))

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType) -> str:
        """The picture that is known by that address, else nothing."""
        return str(env["pictures"].get(tokens[idx].attrs.get("src"), ""))

    def table_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """A table that scrolls in itself where it is too wide."""
        label = f"Table {next(env['tables'])}"
        return f'<div class="wide" tabindex="0" role="group" aria-label="{label}">\n<table>\n'

    def table_close(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """Its end."""
        return "</table>\n</div>\n"

    def link_open(
        self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: EnvType
    ) -> str:
        """A link that says nothing of where it was followed from."""
        target = escape(str(tokens[idx].attrs.get("href", "")))
        is_address = tokens[idx + 1].content.startswith("http")
        kind = "out bare" if is_address else "out"
        return f'<a class="{kind}" href="{target}" rel="noopener noreferrer">'


class MarkdownHtml:
    """Turns the blocks of one report into HTML.

    Args:
        anchors: Task id as printed → id of the element that a mention of it leads to.
        pictures: Address of a picture → the HTML that stands in its place; others are left out.
    """

    def __init__(self, anchors: Mapping[str, str], pictures: Mapping[str, str]) -> None:
        self._env = {"anchors": anchors, "pictures": pictures, "tables": count(1)}
        self._parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer)
        self._parser.enable("table")

    def html(self, blocks: Iterable[str]) -> str:
        """The blocks as HTML."""
        tokens = self._parser.parse("\n\n".join(block for block in blocks if block))
        _prepare(tokens)
        return str(self._parser.renderer.render(tokens, self._parser.options, self._env))

    def sections(self, blocks: Iterable[str]) -> list[HtmlSection]:
        """The blocks by section; one begins at each heading of the second level."""
        groups: list[list[str]] = []
        for block in blocks:
            if block.startswith("## "):
                groups.append([])
            if groups:
                groups[-1].append(block)
        return [self._section(group) for group in groups]

    def _section(self, blocks: list[str]) -> HtmlSection:
        title = blocks[0].removeprefix("## ")
        name = "".join(c if c.isalnum() else "-" for c in title.casefold())
        return HtmlSection(name, title, self.html(blocks))


def _prepare(tokens: Sequence[Token]) -> None:
    """Cells that are set flush right get a class; a picture stands outside any paragraph."""
    for place, token in enumerate(tokens):
        if token.type in ("th_open", "td_open"):
            if token.attrs.pop("style", "") == "text-align:right":
                token.attrSet("class", "num")
            if token.type == "th_open":
                token.attrSet("scope", "col")
        elif token.type == "inline" and [c.type for c in token.children or []] == ["image"]:
            tokens[place - 1].hidden = tokens[place + 1].hidden = True
        elif token.type == "blockquote_open":
            token.attrSet("dir", "auto")
