"""Foreign text as HTML that a browser shows literally, at a size it can bear.

Everything that a benchmark or a model says passes through ``literal`` (directly or through the
helpers below): it is escaped, and characters that would be invisible or would reorder their
surroundings become visible marks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from html import escape

from audit_app.domain.record import Json

MAX_TEXT = 16_000
"""Characters of one text that are sent at first; the rest comes when it is asked for."""

_WHOLE: ContextVar[bool] = ContextVar("whole_texts", default=False)
_TAIL = 0.25
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]"
)
_SURROGATE = re.compile("[\ud800-\udfff]")


def _mark(match: re.Match[str]) -> str:
    code = ord(match[0])
    name = f"U+{code:04X}"
    if code == 0x0D:
        return f'<span class="ctl" title="{name}">CR</span>'
    return f'<span class="ctl" title="invisible character">{name}</span>'


def literal(text: str) -> str:
    """Escaped text with every invisible character shown by its code point.

    Line ends of the form CR LF count as one ordinary line end; halves of surrogate pairs, which
    no encoding can carry, become the replacement character.
    """
    text = _SURROGATE.sub("\ufffd", text.replace("\r\n", "\n"))
    return _INVISIBLE.sub(_mark, escape(text, quote=True))


def attribute(text: str) -> str:
    """Escaped text for an attribute: as ``literal``, without marks."""
    return escape(_INVISIBLE.sub(" ", _SURROGATE.sub("\ufffd", text)), quote=True)


@contextmanager
def whole_texts(*, whole: bool) -> Iterator[None]:
    """Within it nothing is left out of any text, if ``whole``: the button asks for all of them."""
    token = _WHOLE.set(whole)
    try:
        yield
    finally:
        _WHOLE.reset(token)


def bounded(text: str, limit: int | None = MAX_TEXT) -> str:
    """``literal``, with the middle of a very long text left out and a button that asks for it.

    Args:
        text: The text.
        limit: Characters to keep, None for all of it, as within ``whole_texts``.
    """
    if limit is None or len(text) <= limit or _WHOLE.get():
        return literal(text)
    tail = int(limit * _TAIL)
    head = limit - tail
    return (
        f'{literal(text[:head])}<button type="button" class="btn sm cut" data-full>'
        f"{len(text) - limit:,} characters left out here. Show all {len(text):,} characters"
        f"</button>{literal(text[-tail:] if tail else '')}"
    )


def limit_for(texts: int, total: int = 240_000) -> int:
    """Characters that each of so many texts may take, so that together they stay near ``total``."""
    return max(1_500, min(MAX_TEXT, total // max(1, texts)))


def compact_json(value: Json) -> str:
    """One line of JSON, in the order of the source."""
    return json.dumps(value, ensure_ascii=False)


def indented_json(value: Json) -> str:
    """JSON over several lines, in the order of the source."""
    return json.dumps(value, ensure_ascii=False, indent=1)


def code(value: Json, limit: int | None = 2_000) -> str:
    """A JSON value in line, in the type of code."""
    return f'<code dir="auto">{bounded(compact_json(value), limit)}</code>'


def name(text: str) -> str:
    """An identifier in line, isolated from the writing direction around it."""
    return f"<bdi><code>{bounded(text, 400)}</code></bdi>"


def fitting(text: str, limit: int) -> str:
    """A class attribute that keeps a short text on one line; empty for a long one."""
    return ' class="nw"' if len(text) <= limit else ""


def block(text: str, css: str = "said", limit: int | None = MAX_TEXT) -> str:
    """A text of its own, white space kept, in its own writing direction."""
    return f'<div class="{css}" dir="auto">{bounded(text, limit)}</div>'


def folded(summary: str, body: str, *, css: str = "tool", is_open: bool = False) -> str:
    """A fold; both parts are HTML already."""
    return (
        f'<details class="{css}"{" open" if is_open else ""}>'
        f"<summary>{summary}</summary>{body}</details>"
    )


def link(text: str) -> str:
    """A web address as a link where its scheme is http or https, else as text."""
    address = text.strip()
    if not address.lower().startswith(("http://", "https://")) or re.search(r"\s", address):
        return f'<bdi class="url">{bounded(text, 600)}</bdi>'
    return (
        f'<a class="url" href="{attribute(address)}" target="_blank" rel="noopener noreferrer"'
        f' title="{attribute(address)}"><bdi>{bounded(address, 600)}</bdi></a>'
    )


def counted(number: int, noun: str, plural: str = "") -> str:
    """A count with its noun in the right number: ``1 tool``, ``7 tools``."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def as_text(content: Json) -> str:
    """A message's content: text as it is, anything else as JSON."""
    return content if isinstance(content, str) else indented_json(content)
