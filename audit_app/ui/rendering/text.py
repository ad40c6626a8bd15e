"""Foreign text as HTML that a browser shows literally, at a size it can bear.

Everything that a benchmark or a model says passes through ``literal`` (directly or through the
helpers below): it is escaped, and characters that would be invisible or would reorder their
surroundings become visible marks.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
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
    return escape(plain(text), quote=True)


def plain(text: str) -> str:
    """Text for a place that takes no markup: what is invisible becomes a blank."""
    return _INVISIBLE.sub(" ", _SURROGATE.sub("\ufffd", text))


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


MOST_ROWS = 60
"""Turns, fields or marks of one task that are sent at first."""


def ends(number: int, noun: str, row: Callable[[int], str]) -> str:
    """Rows one after the other; of very many only the first and last, with a button for the rest.

    Args:
        number: How many there are.
        noun: What one of them is called.
        row: The row at a place, as HTML.
    """
    if _WHOLE.get():
        return "".join(map(row, range(number)))
    left = number - MOST_ROWS
    button = (
        f'<div class="cut-row"><button type="button" class="btn sm cut" data-full>'
        f"{counted(left, noun)} left out here. Show all {number:,}</button></div>"
    )
    return _first_and_last(number, MOST_ROWS, row, button)


def first_and_last(number: int, noun: str, row: Callable[[int], str], *, most: int) -> str:
    """As ``ends`` for rows that the raw output holds too: the rest is counted, not asked for."""
    left = (
        f'<span class="omit cut-row">{counted(number - most, noun)} more, see the raw output</span>'
    )
    return _first_and_last(number, most, row, left)


def _first_and_last(number: int, most: int, row: Callable[[int], str], between: str) -> str:
    if number <= most:
        return "".join(map(row, range(number)))
    tail = int(most * _TAIL)
    head = "".join(map(row, range(most - tail)))
    return f"{head}{between}{''.join(map(row, range(number - tail, number)))}"


def many(number: int) -> str:
    """A class for a container of so many rows that those off screen need not be laid out."""
    return " many" if number > MOST_ROWS else ""


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


def scroller(css: str, label: str) -> str:
    """The opening tag of a pane that scrolls, also by keyboard."""
    return f'<div class="scroll {css}" tabindex="0" role="region" aria-label="{label}">'


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
