"""The table of differences between an answer and the nearest accepted one."""

from __future__ import annotations

from collections.abc import Sequence

from audit_app.domain.record import Json
from audit_app.services.answer_diff import (
    Accepted,
    AnswerDiff,
    Cell,
    Code,
    DiffRow,
    Excerpt,
    Mark,
    Passage,
    Value,
    Words,
)
from audit_app.ui.rendering.answer_keys import OMITTED, alternatives
from audit_app.ui.rendering.text import (
    attribute,
    bounded,
    code,
    counted,
    first_and_last,
    folded,
    literal,
)

_CELL = 1_200
_MOST_ROWS = 60
_MOST_CELLS = 24
_TURN_WORDS = {
    Mark.SAME: "same as the key",
    Mark.DIFFERS: "differs, the verdict fell here",
    Mark.NOT_GRADED: "not graded",
    Mark.NOT_REACHED: "not reached",
}
TURN_LEGEND = (
    '<p class="legend">Turn marks: = same as the key, ≠ differs, – not graded, · not reached</p>'
)


def diff_table(diff: AnswerDiff) -> str:
    """The whole block: caption, parts, and further passages folded."""
    folds = first_and_last(
        len(diff.folded), "part", lambda place: _passage(diff.folded[place]), most=_MOST_ROWS
    )
    if not diff.rows:
        return f'<div class="diff"><p class="cap">{literal(diff.caption)}</p>{folds}</div>'
    first, second, third = diff.columns
    head = "".join(f'<th scope="col">{literal(title)}</th>' for title in (first, second, third))
    return (
        f'<div class="diff"><table><caption>{literal(diff.caption)}</caption>'
        f'<thead><tr><th class="m"><span class="sr">Same or not</span></th>{head}'
        f'<th class="says"><span class="sr">Deciding</span></th></tr></thead>'
        f"<tbody>{_rows(diff.rows)}</tbody></table>{folds}</div>"
    )


def turn_cells(turns: Sequence[Mark]) -> str:
    """One small cell a turn with its mark; empty where nothing is known."""
    if not turns:
        return ""

    def cell(place: int) -> str:
        mark = turns[place]
        return (
            f'<span class="c{" bad" if mark is Mark.DIFFERS else ""}" '
            f'title="turn {place + 1}: {_TURN_WORDS[mark]}">{place + 1}<b>{mark.value}</b></span>'
        )

    css = "cells long" if len(turns) > _MOST_CELLS else "cells"
    cells = first_and_last(len(turns), "turn", cell, most=_MOST_CELLS)
    return f'<span class="{css}">{cells}</span>'


def _passage(passage: Passage) -> str:
    body = f"<table><tbody>{_rows(passage.rows)}</tbody></table>"
    return folded(literal(passage.title), body)


def _rows(rows: Sequence[DiffRow]) -> str:
    left = len(rows) - _MOST_ROWS
    more = (
        f'<tr><td class="m"></td><td colspan="4" class="omit">{counted(left, "further row")}, '
        "see the raw output</td></tr>"
        if left > 0
        else ""
    )
    return "".join(map(_row, rows[:_MOST_ROWS])) + more


def _row(row: DiffRow) -> str:
    css = ""
    if row.decides:
        css = ' class="hit"' if row.mark is Mark.SAME else ' class="bad"'
    mark = f'<td class="m">{row.mark.value}</td>'
    part = f"<code>{bounded(row.part, _CELL)}</code>" if row.named else literal(row.part)
    decides = '<td class="decides">decides</td>' if row.decides else "<td></td>"
    note = f'<span class="note-line">{literal(row.note)}</span>' if row.note else ""
    if row.given is None:
        return f'<tr{css}>{mark}<td colspan="3" dir="auto">{part} {note}</td>{decides}</tr>'
    inner = ' class="ind"' if row.inner else ""
    given = f"{_cell(row.given)}{note}"
    if row.accepted is None:
        return f'<tr{css}>{mark}<td{inner}>{part}</td><td colspan="2">{given}</td>{decides}</tr>'
    return (
        f"<tr{css}>{mark}<td{inner}>{part}</td><td>{given}</td>"
        f"<td>{_cell(row.accepted)}</td>{decides}</tr>"
    )


def _cell(cell: Cell) -> str:
    match cell:
        case Value(value):
            return code(value, _CELL)
        case Code(text):
            return f'<code dir="auto">{bounded(text, _CELL)}</code>'
        case Words(text):
            return f'<span class="omit">{literal(text)}</span>'
        case Accepted(values, may_omit):
            return _accepted(values, may_omit=may_omit)
        case Excerpt():
            return _excerpt(cell)


def _accepted(values: Json, *, may_omit: bool) -> str:
    shown = [v for v in values if v != OMITTED] if isinstance(values, list) else values
    if may_omit and not shown:
        return '<span class="omit">omitted</span>'
    omitted = ' <span class="or">or omitted</span>' if may_omit else ""
    return alternatives(shown) + omitted


def _excerpt(cell: Excerpt) -> str:
    what = "same character" if cell.same else "character"

    def cut(number: int) -> str:
        return f'<span class="ell">{counted(number, what)}</span> ' if number else ""

    hit = f"<mark>{bounded(cell.hit, _CELL)}</mark>" if cell.hit else '<mark class="gap">∅</mark>'
    return (
        f'<code dir="auto">{cut(cell.cut)}{bounded(cell.before, _CELL)}{hit}'
        f"{bounded(cell.after, _CELL)} {cut(cell.cut_after)}</code>"
    )


def edit_button(label: str, edit: str) -> str:
    """A button that puts an edit of the key into the proposed key."""
    return (
        f'<button type="button" class="btn sm offer" data-edit="{attribute(edit)}" '
        'title="Opens the defect form with this change in the proposed key">'
        f"<bdi>{literal(label)}</bdi></button>"
    )
