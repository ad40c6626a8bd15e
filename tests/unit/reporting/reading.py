"""Markdown as a reader takes it: its blocks, and what stands in them."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.token import Token

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def structure(text: str) -> list[str]:
    """Blocks and cells in order; a run of paragraphs is one, whatever its lines."""
    kinds: list[str] = []
    for token in PARSER.parse(text):
        if token.type == "inline" or (token.type == "paragraph_open" and kinds[-1:] == ["p"]):
            continue
        if token.type == "paragraph_close":
            continue
        kinds.append("p" if token.type == "paragraph_open" else f"{token.type} {token.tag}")
    return kinds


def inner(text: str) -> list[Token]:
    return [child for token in PARSER.parse(text) for child in token.children or []]
