"""Which figures of a printed report do not follow: the same lines, printed and made again."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from audit_app.domain.record import Json
from audit_app.reporting.figure_places import PlacedLine

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+|\s+|.", re.DOTALL)
_AROUND = 40
"""Characters on either side of a number that say which one is meant."""
_LONGEST = 300
_LONG = 2_000
"""Lines from which on those that stand everywhere, such as ``</tr>``, align nothing: they would
take time that grows with the square of their number."""
_NAMES = ("id", "task_id", "stratum", "model", "name", "code", "reviewer", "question", "kind")
"""Members that name an object of a list, where no two have the same."""


class Difference(NamedTuple):
    """One figure, or one line, that is not what the exports give.

    Attributes:
        figure: Where it stands.
        printed: As the report has it; None where it lacks it.
        recomputed: As the exports give it; None where they do not give it.
    """

    figure: str
    printed: str | None
    recomputed: str | None


def line_differences(
    printed: Sequence[PlacedLine], recomputed: Sequence[PlacedLine]
) -> Iterator[Difference]:
    """Every figure of two readings of a report that differs, in the order of the report."""
    for mine, theirs in differing_lines(printed, recomputed):
        yield from _of_lines(mine, theirs)


def differing_lines(
    printed: Sequence[PlacedLine], recomputed: Sequence[PlacedLine]
) -> Iterator[tuple[PlacedLine | None, PlacedLine | None]]:
    """Lines that differ, each beside the one that stands in its place; None where none does."""
    before, after = ([line.text for line in lines] for lines in (printed, recomputed))
    matcher = SequenceMatcher(None, before, after, autojunk=len(after) > _LONG)
    for kind, i, j, k, m in matcher.get_opcodes():
        if kind != "equal":
            yield from _paired(printed[i:j], recomputed[k:m])


def _paired(
    printed: Sequence[PlacedLine], recomputed: Sequence[PlacedLine]
) -> Iterator[tuple[PlacedLine | None, PlacedLine | None]]:
    """Lines that speak of the same: rows by their first cell, the others in their order."""
    names = {line.row: line for line in recomputed if line.row}
    rest = [line for line in recomputed if not line.row or line.row not in {p.row for p in printed}]
    unnamed = [line for line in printed if not line.row or line.row not in names]
    for line in printed:
        if line.row and line.row in names:
            yield line, names[line.row]
    for place in range(max(len(rest), len(unnamed))):
        yield (
            unnamed[place] if place < len(unnamed) else None,
            rest[place] if place < len(rest) else None,
        )


def _of_lines(printed: PlacedLine | None, recomputed: PlacedLine | None) -> Iterator[Difference]:
    if printed is None or recomputed is None:
        line = printed or recomputed
        if line is not None and line.text.strip():
            yield Difference(
                _place(line),
                None if printed is None else _short(printed.text),
                None if recomputed is None else _short(recomputed.text),
            )
    elif printed.cells and len(printed.cells) == len(recomputed.cells):
        yield from _of_cells(printed, recomputed)
    elif printed.text != recomputed.text:
        yield from text_differences(printed, recomputed)


def _of_cells(printed: PlacedLine, recomputed: PlacedLine) -> Iterator[Difference]:
    for column, (mine, theirs) in enumerate(zip(printed.cells, recomputed.cells, strict=True)):
        if mine != theirs:
            titles = recomputed.columns or printed.columns
            title = titles[column] if column < len(titles) else f"column {column + 1}"
            yield Difference(f"{_place(recomputed)}, {title}", _short(mine), _short(theirs))


def text_differences(printed: PlacedLine, recomputed: PlacedLine) -> Iterator[Difference]:
    """The numbers of a sentence where nothing else differs; else the sentence."""
    mine, theirs = _TOKEN.findall(printed.text), _TOKEN.findall(recomputed.text)
    differing = [n for n, pair in enumerate(zip(mine, theirs, strict=False)) if pair[0] != pair[1]]
    is_figures = len(mine) == len(theirs) and all(
        mine[n][0].isdigit() and theirs[n][0].isdigit() for n in differing
    )
    if not is_figures:
        start = next((sum(map(len, mine[:n])) for n in differing), 0)
        start = max(0, start - _AROUND)
        yield Difference(
            _place(recomputed), _short(printed.text[start:]), _short(recomputed.text[start:])
        )
        return
    for n in differing:
        around = "[…]".join((_end("".join(theirs[:n])), _beginning("".join(theirs[n + 1 :]))))
        yield Difference(f"{_place(recomputed)}: {around}", mine[n], theirs[n])


def _end(text: str) -> str:
    """The last words of a text."""
    return text if len(text) <= _AROUND else text[-_AROUND:].partition(" ")[2]


def _beginning(text: str) -> str:
    """The first words of a text."""
    return text if len(text) <= _AROUND else text[:_AROUND].rpartition(" ")[0]


def _place(line: PlacedLine) -> str:
    return f"{line.section}, {line.row}" if line.row else line.section


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def json_differences(printed: Json, recomputed: Json, path: str = "") -> Iterator[Difference]:
    """Every member of two documents that differs, under the path to it."""
    if isinstance(printed, Mapping) and isinstance(recomputed, Mapping):
        yield from _of_members(printed, recomputed, path)
    elif isinstance(printed, list) and isinstance(recomputed, list):
        name = _name_of(printed, recomputed)
        if _are_names(printed, recomputed):
            mine = {f"[{value}]": value for value in printed}
            theirs = {f"[{value}]": value for value in recomputed}
        elif name is None:
            mine = {f"[{n}]": value for n, value in enumerate(printed)}
            theirs = {f"[{n}]": value for n, value in enumerate(recomputed)}
        else:
            mine = {f"[{value[name]}]": value for value in printed}
            theirs = {f"[{value[name]}]": value for value in recomputed}
        if mine.keys() == theirs.keys() and list(mine) != list(theirs):
            yield Difference(f"{path} (order)", ", ".join(mine), ", ".join(theirs))
        yield from _of_members(mine, theirs, path, join="")
    elif type(printed) is not type(recomputed) or printed != recomputed:
        yield Difference(path, _json_text(printed), _json_text(recomputed))


_MISSING = object()


def _of_members(
    printed: Mapping[str, Json], recomputed: Mapping[str, Json], path: str, join: str = "."
) -> Iterator[Difference]:
    for key in dict.fromkeys([*recomputed, *printed]):
        place = f"{path}{join}{key}" if path else key
        mine, theirs = printed.get(key, _MISSING), recomputed.get(key, _MISSING)
        if mine is _MISSING or theirs is _MISSING:
            yield Difference(
                place,
                None if mine is _MISSING else _json_text(mine),
                None if theirs is _MISSING else _json_text(theirs),
            )
        else:
            yield from json_differences(mine, theirs, place)


def _are_names(printed: list[Json], recomputed: list[Json]) -> bool:
    """Whether a list of texts that stand once, such as task ids, became longer or shorter."""
    return len(printed) != len(recomputed) and all(
        all(isinstance(value, str) for value in side) and len(set(side)) == len(side)
        for side in (printed, recomputed)
    )


def _name_of(printed: list[Json], recomputed: list[Json]) -> str | None:
    """The member that names the objects of both lists, None where none does."""
    rows = [*printed, *recomputed]
    if not rows or not all(isinstance(row, Mapping) for row in rows):
        return None
    for name in _NAMES:
        if all(isinstance(row.get(name), str) for row in rows) and all(
            len({row[name] for row in side}) == len(side) for side in (printed, recomputed)
        ):
            return name
    return None


def _json_text(value: Json) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return _short(text)
