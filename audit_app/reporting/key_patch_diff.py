"""Replacements in a text, applied and as a unified diff that patch and git take."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

_CONTEXT = 3
_NO_NEWLINE = "\n\\ No newline at end of file\n"


class Replacement(NamedTuple):
    """A part of a text and what stands there instead."""

    start: int
    end: int
    new: str


class _Block(NamedTuple):
    """Whole lines ``start`` to ``end`` (from 0, end excluded) and those that take their place."""

    start: int
    end: int
    new: list[str]


def replaced(text: str, replacements: Sequence[Replacement]) -> str:
    """The text with replacements that do not overlap, in any order."""
    parts, position = [], 0
    for start, end, new in sorted(replacements):
        parts += [text[position:start], new]
        position = end
    return "".join([*parts, text[position:]])


def unified_diff(name: str, text: str, replacements: Sequence[Replacement]) -> str:
    """The replacements as a unified diff with three lines of context; empty without any.

    Lines end at line feeds only, so that a separator of another kind inside a text parts nothing.
    """
    blocks = _blocks(text, replacements)
    if not blocks:
        return ""
    lines = _lines(text)
    # A name with a space is ended by a tab, as diff writes it.
    end = "\t" if " " in name else ""
    parts = [f"--- a/{name}{end}\n+++ b/{name}{end}\n"]
    shift = 0
    for hunk in _hunks(blocks):
        first = max(0, hunk[0].start - _CONTEXT)
        last = min(len(lines), hunk[-1].end + _CONTEXT)
        grown = sum(len(block.new) - (block.end - block.start) for block in hunk)
        old = f"{first + 1},{last - first}"
        new = f"{first + shift + 1},{last - first + grown}"
        parts.append(f"@@ -{old} +{new} @@\n")
        parts += _body(lines, hunk, first, last)
        shift += grown
    return "".join(parts)


def _body(lines: Sequence[str], hunk: Sequence[_Block], first: int, last: int) -> list[str]:
    signed: list[tuple[str, str]] = []
    position = first
    for block in hunk:
        signed += [(" ", line) for line in lines[position : block.start]]
        signed += [("-", line) for line in lines[block.start : block.end]]
        signed += [("+", line) for line in block.new]
        position = block.end
    signed += [(" ", line) for line in lines[position:last]]
    return [sign + line + ("" if line.endswith("\n") else _NO_NEWLINE) for sign, line in signed]


def _lines(text: str) -> list[str]:
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _blocks(text: str, replacements: Sequence[Replacement]) -> list[_Block]:
    """The replacements widened to whole lines, those of one line together."""
    starts = [0, *(match.end() for match in re.finditer("\n", text))]
    groups: list[list[Replacement]] = []
    reach = -1
    narrow = [_narrowed(text, r) for r in replacements if text[r.start : r.end] != r.new]
    for each in sorted(narrow):
        if bisect_right(starts, each.start) - 1 > reach:
            groups.append([])
        groups[-1].append(each)
        reach = bisect_right(starts, max(each.start, each.end - 1)) - 1
    blocks = []
    for group in groups:
        first = bisect_right(starts, group[0].start) - 1
        last = bisect_right(starts, max(group[-1].start, group[-1].end - 1))
        begin = starts[first]
        end = starts[last] if last < len(starts) else len(text)
        moved = [Replacement(r.start - begin, r.end - begin, r.new) for r in group]
        blocks.append(_Block(first, last, _lines(replaced(text[begin:end], moved))))
    return blocks


def _narrowed(text: str, whole: Replacement) -> Replacement:
    """The replacement without what it keeps at both ends."""
    old, new = text[whole.start : whole.end], whole.new
    head = _shared(old, new)
    tail = _shared(old[head:][::-1], new[head:][::-1])
    return Replacement(whole.start + head, whole.end - tail, new[head : len(new) - tail])


def _shared(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))


def _hunks(blocks: Sequence[_Block]) -> list[list[_Block]]:
    """Blocks whose contexts touch, together."""
    hunks: list[list[_Block]] = []
    for block in blocks:
        if hunks and block.start - hunks[-1][-1].end <= 2 * _CONTEXT:
            hunks[-1].append(block)
        else:
            hunks.append([block])
    return hunks
