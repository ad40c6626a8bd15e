"""Texts beside the accepted ones: where one occurs in the message, or how near it comes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rapidfuzz import fuzz

from audit_app.domain.record import Json
from audit_app.scoring.agentic import standardise_message
from audit_app.scoring.decoding import has_call_shape
from audit_app.scoring.grade import Grade
from audit_app.scoring.key_shapes import shown
from audit_app.services.answer_diff import (
    AnswerDiff,
    Cell,
    DiffRow,
    Mark,
    Value,
    Words,
    excerpt,
)

_SEARCHED = 20_000
"""Characters of a message in which places are looked for."""
_NEAR_ENOUGH = 70


def compare_texts(key: Json, grade: Grade) -> AnswerDiff | None:
    """Which accepted text occurs in the final message, and where.

    Returns:
        None without a message, or where it is too long to be followed letter by letter.
    """
    if not isinstance(grade.decoded, str) or len(grade.decoded) > _SEARCHED:
        return None
    message, texts = grade.decoded, key if isinstance(key, list) else [key]
    searched, places = _standardised(message)
    rows: list[DiffRow] = []
    found = False
    for text in texts:
        if not isinstance(text, str):
            rows.append(DiffRow(shown(text), Mark.DIFFERS, Words("is no text"), named=True))
            continue
        hit = _place(text, searched, places)
        cell = Words("does not occur") if hit is None else excerpt(message, *hit)
        mark = Mark.DIFFERS if hit is None else Mark.SAME
        decides = hit is not None and not found
        rows.append(DiffRow(text, mark, cell, decides=decides, named=True))
        found = found or hit is not None
    rows += _nearest(message, texts) if not found else ()
    if found is not grade.passed:
        return None  # not followed exactly here; the reason of the grade stands
    columns = ("Accepted text", "In the final message", "")
    return AnswerDiff("The accepted texts, looked for as whole words", columns, tuple(rows))


def compare_values(grade: Grade) -> AnswerDiff | None:
    """An output beside the accepted values, by the point that decided."""
    decision = grade.decision
    if decision is None:
        return None
    accepted: Cell = Words("nothing")
    if decision.accepted:
        one = len(decision.accepted) == 1
        accepted = Value(decision.accepted[0] if one else list(decision.accepted))
    row = DiffRow(decision.where, Mark.DIFFERS, Value(decision.given), accepted, decides=True)
    return AnswerDiff("Against the accepted values", ("Part", "This output", "Key accepts"), (row,))


def compare_call_count(grade: Grade, *, wants_call: bool) -> AnswerDiff:
    """How many calls were made where the task asks only whether there is one."""
    calls = grade.decoded
    made = len(calls) if isinstance(calls, list) and has_call_shape(calls) else 0
    mark = Mark.SAME if grade.passed else Mark.DIFFERS
    wanted = Words("one or more") if wants_call else Value(0)
    row = DiffRow("calls", mark, Value(made), wanted, decides=not grade.passed)
    return AnswerDiff("Against the key", ("Part", "This output", "Key accepts"), (row,))


def _standardised(message: str) -> tuple[str, list[int]]:
    """The message as it is searched, and for each of its characters the place in the message."""
    kept, places = [], []
    for place, character in enumerate(message):
        plain = standardise_message(character)
        kept.append(plain)
        places += [place] * len(plain)
    return "".join(kept), places


def _place(text: str, searched: str, places: list[int]) -> tuple[int, int] | None:
    found = re.search(rf"\b{re.escape(standardise_message(text))}\b", searched)
    if found is None:
        return None
    if found.start() == found.end():
        return 0, 0
    return places[found.start()], places[found.end() - 1] + 1


def _nearest(message: str, texts: list[Json]) -> Iterator[DiffRow]:
    """The place of the message that comes nearest to an accepted text: a hint, no verdict."""
    best: tuple[float, str, int, int] | None = None
    for text in texts:
        if not isinstance(text, str) or not text:
            continue
        near = fuzz.partial_ratio_alignment(
            text.lower(), message.lower(), score_cutoff=_NEAR_ENOUGH
        )
        if near is not None and (best is None or near.score > best[0]):
            best = (near.score, text, near.dest_start, near.dest_end)
    if best is not None:
        score, text, start, end = best
        note = f"nearest place, {score:.0f} of 100 alike; a hint, not part of the verdict"
        place = excerpt(message, start, end)
        yield DiffRow(text, Mark.NOT_GRADED, place, named=True, note=note)
