"""How an answer differs from the nearest accepted one, part by part: values, not text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from audit_app.domain.record import Json

_SHORTEST_ELLIPSIS = 24
_NEAR = 14


class Mark(StrEnum):
    """How a part compares."""

    SAME = "="
    DIFFERS = "≠"
    NOT_GRADED = "–"
    NOT_REACHED = "·"


@dataclass(frozen=True)
class Value:
    """A value as JSON."""

    value: Json


@dataclass(frozen=True)
class Code:
    """A name or a call, shown as code."""

    text: str


@dataclass(frozen=True)
class Words:
    """Our own words about a part: omitted, nothing."""

    text: str


@dataclass(frozen=True)
class Accepted:
    """Accepted values, in the form of the key's list.

    Attributes:
        values: The list; the mark of omission in it is no value.
        may_omit: Whether the part may be left out.
    """

    values: Json
    may_omit: bool = False


@dataclass(frozen=True)
class Excerpt:
    """A piece of text with a place marked, and how much was left out around it.

    Attributes:
        before: Text in front of the place.
        hit: The place.
        after: Text behind it.
        cut: Characters left out in front.
        cut_after: Characters left out behind.
        same: Whether what was left out is the same in the text beside it.
    """

    before: str
    hit: str
    after: str
    cut: int = 0
    cut_after: int = 0
    same: bool = False


Cell: TypeAlias = Value | Code | Words | Accepted | Excerpt

OMITTED = Words("omitted")


@dataclass(frozen=True)
class DiffRow:
    """One part of an answer beside what is accepted there.

    Attributes:
        part: Its name; with ``given`` None, what is said of a whole call.
        mark: How it compares.
        given: What the output has; None for a row that spans the table.
        accepted: What would be accepted.
        decides: Whether the verdict fell here.
        named: Whether ``part`` is a name of the benchmark's, not one of ours.
        inner: Whether it belongs to the call above.
        note: What there is to say besides.
    """

    part: str
    mark: Mark
    given: Cell | None = None
    accepted: Cell | None = None
    decides: bool = False
    named: bool = False
    inner: bool = False
    note: str = ""


@dataclass(frozen=True)
class Passage:
    """Rows that stand folded under one line."""

    title: str
    rows: tuple[DiffRow, ...]


@dataclass(frozen=True)
class AnswerDiff:
    """An answer beside the nearest accepted one.

    Attributes:
        caption: What is compared.
        columns: Titles of the three columns.
        rows: The parts.
        folded: Further passages, less telling.
    """

    caption: str
    columns: tuple[str, str, str]
    rows: tuple[DiffRow, ...]
    folded: tuple[Passage, ...] = ()


def differing(given: str, accepted: str) -> tuple[Excerpt, Excerpt] | None:
    """The places where two long texts part and meet again; None where nothing is to be gained."""
    head = _common(given, accepted)
    shortest = min(len(given), len(accepted)) - head
    tail = min(_common(given[::-1], accepted[::-1]), shortest)
    if max(head, tail) < _SHORTEST_ELLIPSIS or given == accepted:
        return None
    return _cut(given, head, tail), _cut(accepted, head, tail)


def _common(one: str, other: str) -> int:
    for index, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return index
    return min(len(one), len(other))


def _cut(text: str, head: int, tail: int) -> Excerpt:
    end = len(text) - tail
    cut = head - _NEAR if head >= _SHORTEST_ELLIPSIS else 0
    cut_after = tail - _NEAR if tail >= _SHORTEST_ELLIPSIS else 0
    return Excerpt(
        before=text[cut:head],
        hit=text[head:end],
        after=text[end : len(text) - cut_after],
        cut=cut,
        cut_after=cut_after,
        same=True,
    )


def excerpt(text: str, start: int, end: int, *, near: int = 48) -> Excerpt:
    """A place in a text with its surroundings."""
    cut, rest = max(0, start - near), max(0, len(text) - end - near)
    return Excerpt(
        before=text[cut:start],
        hit=text[start:end],
        after=text[end : len(text) - rest],
        cut=cut,
        cut_after=rest,
    )
