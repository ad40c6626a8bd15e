"""Multi-turn outputs beside the key, turn by turn: which turns agree, and what differs in them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from json import dumps
from typing import Any

from audit_app.domain.record import Json
from audit_app.scoring.decoding import decode_python
from audit_app.scoring.faults import DecodeError
from audit_app.scoring.grade import Grade, GradeStatus
from audit_app.scoring.multi_turn import is_call_turns
from audit_app.services.answer_diff import (
    OMITTED,
    AnswerDiff,
    Cell,
    DiffRow,
    Mark,
    Passage,
    Value,
    Words,
    differing,
)
from audit_app.services.call_diff import call_text

_PLACE = re.compile(r"turn (\d+)(?:: (.*))?", re.DOTALL)
_COLUMNS = ("This output", "Key")
_ONLY_HERE, _ONLY_KEY = "only in this output", "only in the key"


def turn_of(grade: Grade) -> int | None:
    """The turn, from 0, at which a verdict fell; None where no single one decided."""
    found = _PLACE.fullmatch(grade.decision.where) if grade.decision is not None else None
    return int(found[1]) - 1 if found else None


def turn_marks(key: Json, grade: Grade) -> tuple[Mark, ...]:
    """How each turn of the key compares; empty where the grade does not tell."""
    if not is_call_turns(key) or not isinstance(key, list) or grade.status is not _GRADED:
        return ()
    fell = len(key) if grade.passed else turn_of(grade)
    if fell is None:
        return ()
    return tuple(
        Mark.DIFFERS
        if number == fell
        else Mark.NOT_REACHED
        if number > fell
        else Mark.SAME
        if calls
        else Mark.NOT_GRADED
        for number, calls in enumerate(key)
    )


_GRADED = GradeStatus.GRADED


def turns_in_words(key: Json, grade: Grade) -> str:
    """A multi-turn answer on one line: how many of its calls the key has too."""
    turns = _flat_turns(grade.decoded)
    made = sum(map(len, turns))
    if not made:
        return "No call in any turn"
    expected = _flat_turns_of_key(key)
    shared = sum(_shared(mine, its) for mine, its in zip(turns, expected, strict=False))
    wanted = sum(map(len, expected))
    if made == wanted == shared:
        return f"{_counted(made, 'call')}, all as in the key"
    return f"{_counted(made, 'call')}, {shared} as in the key, which has {wanted}"


def compare_turns(key: Json, grade: Grade) -> AnswerDiff | None:
    """The turn that decided, beside the key's; other turns folded. None where nothing is told."""
    if not is_call_turns(key) or not isinstance(grade.decoded, list):
        return None
    turns, expected = _flat_turns(grade.decoded), _flat_turns_of_key(key)
    fell = turn_of(grade)
    rows: list[DiffRow] = []
    if fell is not None and fell < len(expected):
        rows = [*_turn_rows(turns[fell] if fell < len(turns) else [], expected[fell])]
        rows += _state_rows(grade)
    folded = tuple(_other_turns(turns, expected, fell))
    if fell is None:
        return AnswerDiff("Against the key, turn by turn", ("Turn", *_COLUMNS), (), folded)
    caption = f"Against the key, turn {fell + 1} of {len(expected)}"
    columns = (f"Turn {fell + 1}", *_COLUMNS)
    return AnswerDiff(caption, columns, tuple(rows), _results(grade) + folded)


def _other_turns(
    turns: Sequence[list[str]], expected: Sequence[list[str]], fell: int | None
) -> Iterator[Passage]:
    """Turns besides the one that decided: those that differ each, those as in the key at once."""
    alike: list[int] = []
    rows: list[DiffRow] = []
    for number, its in enumerate(expected):
        mine = _at(turns, number)
        if number == fell or not (mine or its):
            continue
        found = tuple(_turn_rows(mine, its))
        if its and len(mine) == len(its) == _shared(mine, its):
            alike.append(number + 1)
            rows += found
        else:
            yield Passage(_turn_title(number, mine, its), found)
    if alike:
        yield Passage(f"{_turns(alike)}: {_counted(len(rows), 'call')}, as in the key", tuple(rows))


def _turns(numbers: Sequence[int]) -> str:
    if len(numbers) == 1:
        return f"Turn {numbers[0]}"
    return f"Turns {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def _at(turns: Sequence[list[str]], number: int) -> list[str]:
    return turns[number] if number < len(turns) else []


def _turn_title(number: int, mine: Sequence[str], its: Sequence[str]) -> str:
    made = _counted(len(mine), "call") if mine else "no call"
    if not its:
        return f"Turn {number + 1}: not graded, {made}"
    shared = _shared(mine, its)
    if shared == len(its):
        what = "the key’s call" if shared == 1 else f"the key’s {shared} calls"
        return f"Turn {number + 1}: {what} and {len(mine) - shared} more"
    return f"Turn {number + 1}: {made}, {shared} of them among the key’s {len(its)}"


def _flat_turns(decoded: Json) -> list[list[str]]:
    turns = decoded if isinstance(decoded, list) else []
    return [
        [str(call) for step in turn if isinstance(step, list) for call in step]
        for turn in turns
        if isinstance(turn, list)
    ]


def _flat_turns_of_key(key: Json) -> list[list[str]]:
    return [[str(call) for call in turn] for turn in key] if isinstance(key, list) else []


def _shared(mine: Sequence[str], its: Sequence[str]) -> int:
    left, shared = [_plain(call) for call in its], 0
    for call in map(_plain, mine):
        if call in left:
            left.remove(call)
            shared += 1
    return shared


def _plain(call: str) -> str:
    """A call's text in one layout, so that quotes and spaces tell nothing apart."""
    read = _read(call)
    return call.strip() if read is None else call_text({read[0]: dict(sorted(read[1].items()))})


def _read(call: str) -> tuple[str, Mapping[str, Json]] | None:
    try:
        calls = decode_python(f"[{call}]").shown
    except DecodeError:
        return None
    if not isinstance(calls, list) or len(calls) != 1 or not isinstance(calls[0], dict):
        return None
    name, arguments = next(iter(calls[0].items()), ("", None))
    return (name, arguments) if isinstance(arguments, dict) else None


def _turn_rows(mine: Sequence[str], its: Sequence[str]) -> Iterator[DiffRow]:
    if not mine and not its:
        yield DiffRow("no call", Mark.SAME)
    plain, expected = [_plain(call) for call in mine], [_plain(call) for call in its]
    matcher = SequenceMatcher(None, plain, expected, autojunk=False)
    for tag, a, b, c, d in matcher.get_opcodes():
        if tag == "equal":
            yield from (DiffRow(call, Mark.SAME, named=True) for call in mine[a:b])
        else:
            yield from _replaced(mine[a:b], its[c:d])


def _replaced(mine: Sequence[str], its: Sequence[str]) -> Iterator[DiffRow]:
    left = list(its)
    for call in mine:
        read = _read(call)
        partner = _of_same_function(read, left)
        other = _read(partner) if partner is not None else None
        if partner is None or read is None or other is None:
            yield DiffRow(call, Mark.DIFFERS, named=True, note=_ONLY_HERE)
            continue
        left.remove(partner)
        if _plain(call) == _plain(partner):
            yield DiffRow(call, Mark.SAME, named=True)
        else:
            yield from _argument_rows(read[0], read[1], other[1])
    yield from (DiffRow(call, Mark.DIFFERS, named=True, note=_ONLY_KEY) for call in left)


def _of_same_function(
    read: tuple[str, Mapping[str, Json]] | None, calls: Sequence[str]
) -> str | None:
    if read is None:
        return None
    return next((k for k in calls if (other := _read(k)) and other[0] == read[0]), None)


def _argument_rows(
    function: str, mine: Mapping[str, Json], its: Mapping[str, Json]
) -> Iterator[DiffRow]:
    names = list(dict.fromkeys([*its, *mine]))
    unequal = [n for n in names if n not in mine or n not in its or not _same(mine[n], its[n])]
    verb = "differs" if len(unequal) == 1 else "differ"
    what = f"{len(unequal)} of {_counted(len(names), 'argument')} {verb}"
    yield DiffRow(function, Mark.DIFFERS, named=True, note=what)
    for name in names:
        given: Cell = Value(mine[name]) if name in mine else OMITTED
        expected: Cell = Value(its[name]) if name in its else OMITTED
        if name in unequal:
            given, expected = _parted(given, expected)
        mark = Mark.DIFFERS if name in unequal else Mark.SAME
        yield DiffRow(name, mark, given, expected, named=True, inner=True)


def _same(one: Json, other: Json) -> bool:
    return type(one) is type(other) and one == other


def _parted(given: Cell, expected: Cell) -> tuple[Cell, Cell]:
    """Two long texts by the place at which they part."""
    if isinstance(given, Value) and isinstance(expected, Value):
        one, other = given.value, expected.value
        if isinstance(one, str) and isinstance(other, str):
            return differing(one, other) or (given, expected)
    return given, expected


def _state_rows(grade: Grade) -> Iterator[DiffRow]:
    """What was compared after the turn, and decided."""
    decision = grade.decision
    found = _PLACE.fullmatch(decision.where) if decision is not None else None
    if decision is None or found is None:
        return
    where = found[2] or ""
    if not where:
        yield DiffRow("calls", Mark.DIFFERS, Words("none"), Words("some"), decides=True)
    elif where == "results":
        yield from _missing(decision.accepted)
    else:
        accepted: Any = decision.accepted[0] if len(decision.accepted) == 1 else decision.accepted
        given, expected = _parted(Value(decision.given), Value(accepted))
        yield DiffRow(where, Mark.DIFFERS, given, expected, decides=True, named=True)


def _missing(missing: Sequence[Json]) -> Iterator[DiffRow]:
    for number, result in enumerate(missing):
        note = "a result of the key’s calls that no call of this output gave"
        yield DiffRow(_text(result), Mark.DIFFERS, decides=number == 0, named=True, note=note)


def _results(grade: Grade) -> tuple[Passage, ...]:
    """What the output's calls gave up to the turn that decided."""
    decision = grade.decision
    if decision is None or not decision.where.endswith(": results"):
        return ()
    seen = decision.given if isinstance(decision.given, list) else []
    title = f"{_counted(len(seen), 'result')} of this output"
    return (Passage(title, tuple(DiffRow(_text(r), Mark.NOT_GRADED, named=True) for r in seen)),)


def _text(result: Json) -> str:
    return result if isinstance(result, str) else dumps(result, ensure_ascii=False)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
