"""How two answer keys differ, in sentences for a person, argument by argument."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from audit_app.domain.benchmark import KeyKind, encode
from audit_app.domain.record import Json
from audit_app.scoring.key_edits import OMITTED
from audit_app.scoring.key_shapes import ReadKey, shown

_LABEL_TEXT = {
    KeyKind.NO_CALL: "no call is right",
    KeyKind.SOME_CALL: "any call is right",
    KeyKind.MISSING: "there is no key",
}


def key_differences(before: ReadKey, after: ReadKey) -> list[str]:
    """What the second key changes, one sentence a change; empty where they accept the same.

    Numbers of different kind differ (5 and 5.0), because scorers may tell them apart.
    """
    if before.kind is not after.kind:
        return [f"{_label(before)}, then {_label(after)}"]
    if not isinstance(before.key, list) or not isinstance(after.key, list):
        same = encode(before.key) == encode(after.key)
        return [] if same else list(_value_changes("the key", _listed(before), _listed(after)))
    match before.kind:
        case KeyKind.CALLS:
            return list(_call_changes(before.key, after.key))
        case KeyKind.CALL_TURNS:
            return list(_turn_changes(before.key, after.key))
        case _:
            return list(_value_changes("the key", before.key, after.key))


def _label(read: ReadKey) -> str:
    return _LABEL_TEXT.get(read.kind) or f"the key is {shown(read.key)}"


def _listed(read: ReadKey) -> list[Json]:
    return read.key if isinstance(read.key, list) else [read.key]


def _call_changes(before: Sequence[Json], after: Sequence[Json]) -> Iterator[str]:
    for number in range(1, max(len(before), len(after)) + 1):
        if number > len(before):
            yield f"call {number} is added: {shown(after[number - 1])}"
        elif number > len(after):
            yield f"call {number} is removed: {shown(before[number - 1])}"
        else:
            yield from _one_call(number, before[number - 1], after[number - 1])


def _one_call(number: int, before: Json, after: Json) -> Iterator[str]:
    if encode(before) == encode(after):
        return
    old, new = _single(before), _single(after)
    if old is None or new is None:
        yield f"call {number} changes from {shown(before)} to {shown(after)}"
        return
    (old_name, old_arguments), (new_name, new_arguments) = old, new
    if old_name != new_name:
        yield f"call {number}: the function is {new_name}, not {old_name}"
    where = f"call {number} ({new_name})"
    for argument in [*old_arguments, *(a for a in new_arguments if a not in old_arguments)]:
        place = f"{where}, argument {argument}"
        if argument not in new_arguments:
            yield f"{place} is removed"
        elif argument not in old_arguments:
            yield f"{place} is added: accepts {shown(new_arguments[argument])}"
        else:
            yield from _argument_changes(place, old_arguments[argument], new_arguments[argument])


def _single(call: Json) -> tuple[str, dict[str, Json]] | None:
    """Function and arguments of a well-formed call."""
    if not isinstance(call, dict) or len(call) != 1:
        return None
    ((name, arguments),) = call.items()
    return (name, arguments) if isinstance(arguments, dict) else None


def _argument_changes(place: str, before: Json, after: Json) -> Iterator[str]:
    if not isinstance(before, list) or not isinstance(after, list):
        if encode(before) != encode(after):
            yield f"{place} changes from {shown(before)} to {shown(after)}"
        return
    if OMITTED in after and OMITTED not in before:
        yield f"{place} may now be left out"
    if OMITTED in before and OMITTED not in after:
        yield f"{place} must now be given"
    plain = [[value for value in values if value != OMITTED] for values in (before, after)]
    yield from _value_changes(place, *plain)


def _value_changes(place: str, before: Sequence[Json], after: Sequence[Json]) -> Iterator[str]:
    old = {encode(value): value for value in before}
    new = {encode(value): value for value in after}
    added = [shown(value) for code, value in new.items() if code not in old]
    removed = [shown(value) for code, value in old.items() if code not in new]
    if added:
        yield f"{place} now accepts {' or '.join(added)}"
    if removed:
        yield f"{place} no longer accepts {' or '.join(removed)}"
    if not added and not removed and list(old) != list(new):
        # The order can matter: the first accepted value sets the type that is checked.
        yield f"{place} accepts the same values in another order"


def _turn_changes(before: Sequence[Json], after: Sequence[Json]) -> Iterator[str]:
    for number in range(1, max(len(before), len(after)) + 1):
        if number > len(before):
            yield f"turn {number} is added: {shown(after[number - 1])}"
        elif number > len(after):
            yield f"turn {number} is removed: {shown(before[number - 1])}"
        else:
            yield from _one_turn(number, before[number - 1], after[number - 1])


def _one_turn(number: int, before: Sequence[str], after: Sequence[str]) -> Iterator[str]:
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    for tag, old_start, old_end, new_start, new_end in matcher.get_opcodes():
        if tag == "equal":
            continue
        for call in before[old_start:old_end]:
            yield f"turn {number} no longer expects {shown(call)}"
        for call in after[new_start:new_end]:
            yield f"turn {number} now expects {shown(call)}"
