"""Calls of an output beside the expected ones, argument by argument."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from json import dumps
from typing import Any

from audit_app.domain.record import Json
from audit_app.scoring.ast_rules import STOPS, PreparedCalls
from audit_app.scoring.call_wording import nearness
from audit_app.scoring.calls import MISSING_OPTIONAL, CallFailure, CallRule
from audit_app.scoring.decoding import has_call_shape
from audit_app.scoring.faults import CheckerStopError
from audit_app.scoring.grade import Grade
from audit_app.services.answer_diff import (
    OMITTED,
    Accepted,
    AnswerDiff,
    Cell,
    Code,
    DiffRow,
    Mark,
    Value,
    Words,
    differing,
)

_COUNT = "number of calls"
_COLUMNS = ("Argument", "This output", "Key accepts")
_CAPTION = "Against the nearest accepted answer"


@dataclass(frozen=True)
class Deciding:
    """Where a verdict on calls fell.

    Attributes:
        index: Which call of the output, from 0.
        place: Which call of the key, from 0.
        argument: Which argument; None for the function's name.
        field: Which field inside its value, None for the whole of it.
        given: The value there; None where nothing is given.
        is_given: Whether anything is.
        could_omit: Whether the key alone forbids to leave it out.
    """

    index: int
    place: int
    argument: str | None
    field: str | None = None
    given: Json = None
    is_given: bool = False
    could_omit: bool = False


@dataclass(frozen=True)
class CallComparison:
    """The diff, and the place that decided; None where there is no single one."""

    diff: AnswerDiff
    deciding: Deciding | None


@dataclass(frozen=True)
class _Pair:
    """An expected call with the output's call for it; either may be missing."""

    place: int | None
    index: int | None
    failure: CallFailure | None = None


def compare_calls(prepared: PreparedCalls, grade: Grade) -> CallComparison | None:
    """An output's calls beside the key's; None where the two cannot be laid side by side.

    Calls that fit are paired as the benchmark pairs them, what is left with the nearest.
    """
    calls = grade.decoded
    if not isinstance(calls, list) or not has_call_shape(calls):
        return None
    try:
        rules = prepared.call_rules()
        pairs = _paired(rules, calls)
        rows, deciding = _rows(rules, calls, pairs, grade)
    except (CheckerStopError, *STOPS):
        return None  # the reason of the grade says why
    return CallComparison(AnswerDiff(_CAPTION, _COLUMNS, tuple(rows)), deciding)


def _paired(rules: Sequence[CallRule], calls: Sequence[Any]) -> list[_Pair]:
    unused = list(range(len(calls)))
    failures: dict[int, dict[int, CallFailure]] = {}
    taken: dict[int, int] = {}
    for place, rule in enumerate(rules):
        failures[place] = {}
        for index in unused:
            failure = rule.failure(calls[index])
            if failure is None:
                taken[place] = index
                unused.remove(index)
                break
            failures[place][index] = failure
    pairs = []
    for place in range(len(rules)):
        if place in taken:
            pairs.append(_Pair(place, taken[place]))
            continue
        left = [index for index in unused if index in failures[place]]
        if not left:
            pairs.append(_Pair(place, None))
            continue
        index = max(left, key=lambda i: nearness(failures[place][i]))
        unused.remove(index)
        pairs.append(_Pair(place, index, failures[place][index]))
    return pairs + [_Pair(None, index) for index in unused]


def _rows(
    rules: Sequence[CallRule], calls: Sequence[Any], pairs: Sequence[_Pair], grade: Grade
) -> tuple[list[DiffRow], Deciding | None]:
    rows: list[DiffRow] = []
    deciding: Deciding | None = None
    decision = grade.decision
    is_open = not grade.passed
    if decision is not None and decision.where == _COUNT:
        expected = Value(decision.accepted[0] if decision.accepted else None)
        rows.append(DiffRow("calls", Mark.DIFFERS, Value(decision.given), expected, decides=True))
        is_open = False
    several = len(pairs) > 1
    for pair in pairs:
        if pair.place is None:
            rows.append(_only(calls[pair.index or 0], "the key expects no such call"))
            continue
        rule = rules[pair.place]
        if pair.index is None:
            rows.append(DiffRow(rule.function, Mark.DIFFERS, named=True, note="no call for it"))
            continue
        call = calls[pair.index]
        decides = pair.failure if is_open else None
        if decides is not None:
            deciding, is_open = _deciding(pair, decides), False
        if several and pair.failure is None:
            rows.append(DiffRow(call_text(call), Mark.SAME, named=True))
        else:
            rows += _call_rows(rule, call, decides, inner=several)
    return rows, deciding


def _only(call: Mapping[str, Any], note: str) -> DiffRow:
    return DiffRow(call_text(call), Mark.DIFFERS, named=True, note=note)


def _deciding(pair: _Pair, failure: CallFailure) -> Deciding:
    fault = failure.fault
    field = fault.field if fault is not None else None
    given = fault.given if fault is not None and field is not None else failure.given
    is_missing = failure.code.rpartition(":")[2].startswith("missing")
    return Deciding(
        index=pair.index or 0,
        place=pair.place or 0,
        argument=None if failure.argument is None else str(failure.argument),
        field=None if field is None else str(field),
        given=given,
        is_given=not is_missing,
        could_omit=failure.code == MISSING_OPTIONAL,
    )


def _call_rows(
    rule: CallRule, call: Mapping[str, Any], failure: CallFailure | None, *, inner: bool
) -> Iterator[DiffRow]:
    name = next(iter(call), "")
    is_same = rule.function in call
    yield DiffRow(
        "function",
        Mark.SAME if is_same else Mark.DIFFERS,
        Code(str(name)),
        None if is_same else Code(rule.function),
        decides=failure is not None and failure.argument is None,
    )
    if not is_same:
        return
    given = call[rule.function]
    for argument in (*rule.accepted, *(a for a in given if a not in rule.accepted)):
        decides = failure is not None and failure.argument == argument
        row = _argument(rule, argument, given, inner=inner)
        yield replace(row, mark=Mark.DIFFERS, decides=True) if decides else row


def _argument(rule: CallRule, argument: str, given: Mapping[str, Any], *, inner: bool) -> DiffRow:
    values = rule.accepted.get(argument)
    may_omit = isinstance(values, list) and "" in values and argument not in rule.required
    accepted: Cell = Accepted(values, may_omit)
    row = DiffRow(argument, Mark.DIFFERS, OMITTED, accepted, named=True, inner=inner)
    if argument not in given:
        note = "the tool requires it" if argument in rule.required else ""
        return replace(row, mark=Mark.SAME) if may_omit else replace(row, note=note)
    value = given[argument]
    row = replace(row, given=Value(value))
    if argument not in rule.accepted:
        return replace(row, accepted=Words("not in the key"))
    checked = rule.arguments.get(argument)
    if checked is None:
        return replace(row, note="not in the tool’s schema")
    if checked.passes(value) or checked.fault(value) is None:
        is_loose = isinstance(value, str) and isinstance(values, list) and value not in values
        note = "equal as the scorer compares texts" if is_loose else ""
        return replace(row, mark=Mark.SAME, note=note)
    texts = _long_texts(value, values)
    return row if texts is None else replace(row, given=texts[0], accepted=texts[1])


def _long_texts(value: Any, values: Any) -> tuple[Cell, Cell] | None:
    """Excerpts where one long text stands against one other."""
    texts = [v for v in values if v != ""] if isinstance(values, list) else []
    if len(texts) == 1 and isinstance(value, str) and isinstance(texts[0], str):
        return differing(value, texts[0])
    return None


def call_text(call: Mapping[str, Any]) -> str:
    """A call on one line: ``f(a=1, b="x")``."""
    return ", ".join(f"{name}({_arguments(given)})" for name, given in call.items())


def _arguments(given: Any) -> str:
    if not isinstance(given, Mapping):
        return dumps(given, ensure_ascii=False)
    return ", ".join(f"{k}={dumps(v, ensure_ascii=False)}" for k, v in given.items())
