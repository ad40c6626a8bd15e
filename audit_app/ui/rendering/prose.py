"""Prompts shown as Markdown: a choice of the reviewer, never the default.

HTML stays text, links and images become text, so that nothing is ever asked of another host; what
no character shows is marked as in the literal view.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from audit_app.ui.rendering.text import MAX_TEXT, block, literal

_AS_PROSE: ContextVar[bool] = ContextVar("prompts_as_prose", default=False)


@contextmanager
def prompts_as_prose() -> Iterator[None]:
    """Within it what users and systems say is shown as Markdown."""
    token = _AS_PROSE.set(True)
    try:
        yield
    finally:
        _AS_PROSE.reset(token)


def said(role: str, text: str, limit: int | None = MAX_TEXT) -> str:
    """What somebody said: literally, or as Markdown where that was chosen.

    A text longer than ``MAX_TEXT`` stays literal, since cutting it could change what it means.
    """
    is_prompt = role.lower() in ("user", "system")
    if not (_AS_PROSE.get() and is_prompt) or len(text) > MAX_TEXT:
        return block(text, limit=limit)
    return f'<div class="said md" dir="auto">{_renderer().render(text)}</div>'


@cache
def _renderer() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("table")
    for name, rule in _RULES.items():
        markdown.add_render_rule(name, rule)
    return markdown


def _content(_: Any, tokens: Sequence[Token], index: int, *__: Any) -> str:
    return literal(tokens[index].content)


def _code(_: Any, tokens: Sequence[Token], index: int, *__: Any) -> str:
    return f"<code>{literal(tokens[index].content)}</code>"


def _listing(_: Any, tokens: Sequence[Token], index: int, *__: Any) -> str:
    return f'<div class="pre">{literal(tokens[index].content)}</div>'


def _heading_open(_: Any, tokens: Sequence[Token], index: int, *__: Any) -> str:
    return f'<p class="md-{tokens[index].tag}">'


def _heading_close(*_: Any) -> str:
    return "</p>\n"


def _cell_open(_: Any, tokens: Sequence[Token], index: int, *__: Any) -> str:
    return f"<{tokens[index].tag}>"


def _link_open(*_: Any) -> str:
    return '<span class="md-link">'


def _link_close(_: Any, tokens: Sequence[Token], index: int, *__: Any) -> str:
    opening = next(
        token
        for token in reversed(tokens[:index])
        if token.type == "link_open" and token.level == tokens[index].level
    )
    if opening.markup == "autolink":
        return "</span>"
    return f" ({literal(str(opening.attrGet('href') or ''))})</span>"


def _image(_: Any, tokens: Sequence[Token], index: int, *__: Any) -> str:
    image = tokens[index]
    words = f"{image.content}, " if image.content else ""
    return f"[image: {literal(words + str(image.attrGet('src') or ''))}]"


_RULES: Mapping[str, Any] = {
    "text": _content,
    "code_inline": _code,
    "code_block": _listing,
    "fence": _listing,
    "heading_open": _heading_open,
    "heading_close": _heading_close,
    "td_open": _cell_open,
    "th_open": _cell_open,
    "link_open": _link_open,
    "link_close": _link_close,
    "image": _image,
}
