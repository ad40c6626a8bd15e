"""The shape of answer keys: where a proposed key cannot be read the way its kind says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import isinf
from typing import NamedTuple

from audit_app.domain.benchmark import KeyKind, encode
from audit_app.domain.record import Json
from audit_app.errors import InputError

LABELS = {kind.value: kind for kind in (KeyKind.NO_CALL, KeyKind.SOME_CALL)}
"""Texts that stand for a key without content: they change the label of a task."""

MAX_DEPTH = 100
"""Levels of a proposed key; real ones have six at most."""

_SHOWN = 60


class ReadKey(NamedTuple):
    """A key with the way it is to be read."""

    kind: KeyKind
    key: Json


def read_proposed_key(text: str, kind: KeyKind, *, published: Json = None) -> ReadKey:
    """A proposed key, read from its JSON text and checked for shape; whether it is right is not.

    A task that expects calls, or none, may be relabelled: ``"no_call"`` and ``"some_call"`` stand
    for those kinds, and a list of calls turns such a task into one that expects them. A task
    without a key takes any value.

    Args:
        text: The JSON text.
        kind: How the published key is read.
        published: The published key: what is odd in both is let pass.

    Raises:
        InputError: It is not JSON, or not a key of the kind; the sentence says where.
    """
    key = _read_json(text)
    if kind in (KeyKind.CALLS, *LABELS.values()):
        if isinstance(key, str) and key in LABELS:
            return ReadKey(LABELS[key], None)
        kind = KeyKind.CALLS
    elif kind is KeyKind.MISSING:
        kind = KeyKind.VALUE
    if fault := key_fault(kind, key, published=published):
        raise InputError(f"the proposed key cannot be used: {fault}")
    return ReadKey(kind, key)


def key_fault(kind: KeyKind, key: Json, *, published: Json = None) -> str:
    """The first place where ``key`` has not the shape of its kind, empty where it has.

    Args:
        kind: How the key is to be read.
        key: The key.
        published: The published key, whose own oddities are not held against ``key``.
    """
    try:
        known = set(_faults(kind, published)) if published is not None else set()
        return next((fault for fault in _faults(kind, key) if fault not in known), "")
    except RecursionError:
        return "it is nested too deeply"


def json_type(value: Json) -> str:
    """What a JSON value is, in words for a person."""
    match value:
        case None:
            return "null"
        case bool():
            return "true or false"
        case str():
            return "text"
        case list():
            return "a list"
        case dict():
            return "an object"
    return "a number"


def shown(value: Json) -> str:
    """The value as JSON on one line, cut where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _read_json(text: str) -> Json:
    try:
        key = json.loads(
            text,
            parse_float=_finite,
            parse_constant=_refuse_constant,
            object_pairs_hook=_object,
        )
        encode(key)
        if _is_deeper(key, MAX_DEPTH):
            raise InputError(f"the proposed key is nested more than {MAX_DEPTH} levels deep")
    except json.JSONDecodeError as error:
        raise InputError(
            f"the proposed key is not valid JSON: {error.msg}, "
            f"line {error.lineno} column {error.colno}"
        ) from error
    except UnicodeEncodeError as error:
        raise InputError("the proposed key holds half of a surrogate pair") from error
    except RecursionError as error:
        raise InputError("the proposed key is nested too deeply to be read") from error
    except (ValueError, OverflowError) as error:
        raise InputError("the proposed key holds a number too long to be stored") from error
    return key


def _is_deeper(key: Json, levels: int) -> bool:
    layer = [key]
    for _ in range(levels + 1):
        layer = [
            item
            for value in layer
            if isinstance(value, list | dict)
            for item in (value.values() if isinstance(value, dict) else value)
        ]
    return bool(layer)


def _object(members: list[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for name, value in members:
        if name in found:
            raise InputError(f"the proposed key names {shown(name)} twice in one object")
        found[name] = value
    return found


def _finite(digits: str) -> float:
    if isinf(number := float(digits)):
        raise InputError(f"the proposed key holds {digits}, which is too large a number")
    return number


def _refuse_constant(name: str) -> Json:
    raise InputError(f"the proposed key holds {name}, which is not a JSON value")


def _faults(kind: KeyKind, key: Json) -> Iterator[str]:
    match kind:
        case KeyKind.CALLS:
            yield from _call_faults(key)
        case KeyKind.CALL_TURNS:
            yield from _turn_faults(key)
        case KeyKind.TEXTS:
            yield from _text_faults(key)
        case KeyKind.VALUE:
            if key is None or key == []:
                yield f"{shown(key)} accepts nothing"
        case _:
            if key is not None:
                yield f"a task of kind {kind} has no key, not {json_type(key)}"


def _call_faults(key: Json) -> Iterator[str]:
    if not isinstance(key, list):
        yield f"it is {json_type(key)}, not a list of calls"
        return
    if not key:
        yield 'it expects no call; write "no_call" if the right answer is to call nothing'
    for number, call in enumerate(key, start=1):
        where = f"call {number}"
        if not isinstance(call, dict):
            yield f"{where} is {json_type(call)}, not an object"
        elif len(call) != 1:
            yield f"{where} names {len(call)} functions, not one"
        else:
            ((function, arguments),) = call.items()
            yield from _argument_faults(f"{where} ({function})", arguments)


def _argument_faults(where: str, arguments: Json) -> Iterator[str]:
    if not isinstance(arguments, dict):
        yield f"{where}: the arguments are {json_type(arguments)}, not an object"
        return
    for argument, values in arguments.items():
        place = f"{where}, argument {argument}"
        yield from _accepted_faults(place, values)
        for value in values if isinstance(values, list) else ():
            for item in value if isinstance(value, list) else [value]:
                for field, accepted in item.items() if isinstance(item, dict) else ():
                    yield from _accepted_faults(f"{place}, field {field}", accepted)


def _accepted_faults(place: str, values: Json) -> Iterator[str]:
    if not isinstance(values, list):
        yield f"{place}: {shown(values)} is {json_type(values)}, not a list of accepted values"
    elif not values:
        yield f"{place}: the list of accepted values is empty, so nothing is accepted"


def _turn_faults(key: Json) -> Iterator[str]:
    if not isinstance(key, list):
        yield f"it is {json_type(key)}, not a list of turns"
        return
    for number, turn in enumerate(key, start=1):
        if not isinstance(turn, list):
            yield f"turn {number} is {json_type(turn)}, not a list of calls"
            continue
        for position, call in enumerate(turn, start=1):
            if not isinstance(call, str):
                yield f"turn {number}, call {position} is {json_type(call)}, not text"
            elif "(" not in call or not call.rstrip().endswith(")"):
                yield f"turn {number}, call {position}: {shown(call)} is not a call"


def _text_faults(key: Json) -> Iterator[str]:
    if not isinstance(key, list):
        yield f"it is {json_type(key)}, not a list of accepted texts"
        return
    if not key:
        yield "the list of accepted texts is empty, so nothing is accepted"
    for number, text in enumerate(key, start=1):
        if not isinstance(text, str):
            yield f"accepted text {number} is {json_type(text)}, not text"
        elif not text.strip():
            yield f"accepted text {number} is empty, and an empty text occurs in every answer"
