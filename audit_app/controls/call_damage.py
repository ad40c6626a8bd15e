"""Damaged keys of calls: one value, one alternative, one function or one call is changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from audit_app.controls.chance import shuffled
from audit_app.controls.damaged import DamagedKey
from audit_app.controls.plausible import wrong_values
from audit_app.controls.pool import KeyPool
from audit_app.domain.benchmark import Task, encode
from audit_app.domain.planted import PlantKind
from audit_app.domain.record import Json

_LEFT_OUT = ""
"""The accepted value that says: this argument may be left out."""


class _Place(NamedTuple):
    """One accepted value of a key."""

    call: int
    function: str
    argument: str
    number: int
    accepted: Sequence[Json]

    @property
    def value(self) -> Json:
        return self.accepted[self.number]


def call_damages(task: Task, pool: KeyPool, seed: str) -> Iterator[DamagedKey]:
    """Every way to damage a key of calls that this module knows.

    Args:
        task: The task with a key of calls.
        pool: What other keys accept.
        seed: Determines which wrong value stands in each place.
    """
    yield from _wrong_values(task, pool, seed)
    yield from _missing_alternatives(task.key)
    yield from _wrong_functions(task)
    if len(task.key) > 1:
        yield from _missing_calls(task.key)
        yield from _extra_calls(task, pool, seed)


def _places(key: Json) -> Iterator[_Place]:
    for number, call in enumerate(key):
        for function, arguments in call.items():
            for argument, accepted in arguments.items():
                for place in range(len(accepted)):
                    yield _Place(number, function, argument, place, accepted)


def _changed(key: Json, place: _Place, accepted: Sequence[Json]) -> list[Json]:
    arguments = {**key[place.call][place.function], place.argument: list(accepted)}
    return [*key[: place.call], {place.function: arguments}, *key[place.call + 1 :]]


def _wrong_value(task: Task, place: _Place, pool: KeyPool, seed: str) -> Json | None:
    """The accepted values of a place with one of them wrong, None where none is plausible."""
    if place.value == _LEFT_OUT:
        return None
    schema = _properties(_tool(task, place.function)).get(place.argument, {})
    options = schema.get("enum") if isinstance(schema, dict) else None
    wrong = wrong_values(
        place.value,
        others=pool.values(place.function, place.argument),
        options=options if isinstance(options, list) else (),
    )
    known = {encode(value) for value in place.accepted}
    usable = [value for value in wrong if encode(value) not in known]
    if not usable:
        return None
    where = (str(place.call), place.argument, str(place.number))
    value = shuffled(usable, seed, task.id, *where, name=lambda v: v)[0]
    return [*place.accepted[: place.number], value, *place.accepted[place.number + 1 :]]


def _wrong_values(task: Task, pool: KeyPool, seed: str) -> Iterator[DamagedKey]:
    for place in _places(task.key):
        accepted = _wrong_value(task, place, pool, seed)
        if accepted is not None:
            yield DamagedKey(PlantKind.WRONG_VALUE, _changed(task.key, place, accepted))


def _missing_alternatives(key: Json) -> Iterator[DamagedKey]:
    for place in _places(key):
        rest = [*place.accepted[: place.number], *place.accepted[place.number + 1 :]]
        if any(value != _LEFT_OUT for value in rest):
            yield DamagedKey(PlantKind.MISSING_ALTERNATIVE, _changed(key, place, rest))


def _wrong_functions(task: Task) -> Iterator[DamagedKey]:
    """The key with another offered tool in the place of a call's, which its arguments can fill."""
    named = {function for call in task.key for function in call}
    for number, call in enumerate(task.key):
        ((function, arguments),) = call.items()
        declared = _properties(_tool(task, function))
        for tool in map(_document, task.tools):
            name = str(tool.get("name", ""))
            kept = _fitting(arguments, declared, tool)
            if name and name not in named and kept is not None:
                key = [*task.key[:number], {name: kept}, *task.key[number + 1 :]]
                yield DamagedKey(PlantKind.WRONG_FUNCTION, key)


def _fitting(
    arguments: Mapping[str, Json], declared: Mapping[str, Json], tool: Mapping[str, Json]
) -> dict[str, Json] | None:
    """The arguments that another tool takes in the same type; None where it wants others."""
    properties = _properties(tool)
    kept = {
        name: accepted
        for name, accepted in arguments.items()
        if name in properties and _type(properties[name]) == _type(declared.get(name))
    }
    required = _parameters(tool).get("required") or []
    return kept if kept and set(required) <= set(kept) else None


def _missing_calls(key: Json) -> Iterator[DamagedKey]:
    for number in range(len(key)):
        yield DamagedKey(PlantKind.MISSING_CALL, [*key[:number], *key[number + 1 :]])


def _extra_calls(task: Task, pool: KeyPool, seed: str) -> Iterator[DamagedKey]:
    """The key with one of its calls a second time, in one value another."""
    for place in _places(task.key):
        accepted = _wrong_value(task, place, pool, seed)
        if accepted is not None:
            added = _changed(task.key, place, accepted)[place.call]
            after = place.call + 1
            yield DamagedKey(PlantKind.EXTRA_CALL, [*task.key[:after], added, *task.key[after:]])


def _document(tool: Json) -> Mapping[str, Json]:
    """A tool's document, also where it is wrapped as ``{"type": "function", "function": …}``."""
    document = tool.get("function", tool) if isinstance(tool, dict) else {}
    return document if isinstance(document, dict) else {}


def _tool(task: Task, function: str) -> Mapping[str, Json]:
    return next((t for t in map(_document, task.tools) if t.get("name") == function), {})


def _parameters(tool: Mapping[str, Json]) -> Mapping[str, Json]:
    parameters = tool.get("parameters")
    return parameters if isinstance(parameters, dict) else {}


def _properties(tool: Mapping[str, Json]) -> Mapping[str, Json]:
    properties = _parameters(tool).get("properties")
    return properties if isinstance(properties, dict) else {}


def _type(schema: Json) -> Json:
    return schema.get("type") if isinstance(schema, dict) else None
