"""Damaged keys of several turns: one call of one turn is changed, dropped or added."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from audit_app.controls.chance import shuffled
from audit_app.controls.damaged import DamagedKey
from audit_app.controls.plausible import wrong_values
from audit_app.controls.pool import KeyPool
from audit_app.controls.turn_text import CallConstant, call_constants, with_constant
from audit_app.domain.benchmark import Task
from audit_app.domain.planted import PlantKind
from audit_app.domain.record import Json


class _WrongCall(NamedTuple):
    """A call of the key with one value that is wrong."""

    turn: int
    position: int
    text: str


def turn_damages(task: Task, pool: KeyPool, seed: str) -> Iterator[DamagedKey]:
    """Every way to damage a key of turns that this module knows.

    A call is dropped only from a turn that keeps another, and added only where a turn has some:
    a turn that changes between calls and no calls would stand out.

    Args:
        task: The task with a key of turns.
        pool: What other keys accept.
        seed: Determines which wrong value stands in each place.
    """
    key = task.key
    for wrong in _wrong_calls(task, pool, seed):
        turn, here = key[wrong.turn], wrong.position
        replaced = [*turn[:here], wrong.text, *turn[here + 1 :]]
        yield DamagedKey(PlantKind.WRONG_VALUE, _changed(key, wrong.turn, replaced))
        added = [*turn[: here + 1], wrong.text, *turn[here + 1 :]]
        yield DamagedKey(PlantKind.EXTRA_CALL, _changed(key, wrong.turn, added))
    for number, turn in enumerate(key):
        for here in range(len(turn) if len(turn) > 1 else 0):
            rest = [*turn[:here], *turn[here + 1 :]]
            yield DamagedKey(PlantKind.MISSING_CALL, _changed(key, number, rest))


def _changed(key: Json, turn: int, calls: list[Json]) -> list[Json]:
    return [*key[:turn], calls, *key[turn + 1 :]]


def _wrong_calls(task: Task, pool: KeyPool, seed: str) -> Iterator[_WrongCall]:
    for number, turn in enumerate(task.key):
        for position, text in enumerate(turn):
            for constant in call_constants(text):
                wrong = wrong_values(constant.value, others=_others(pool, constant))
                if wrong:
                    where = (str(number), str(position), str(constant.start))
                    value = shuffled(wrong, seed, task.id, *where, name=lambda v: v)[0]
                    yield _WrongCall(number, position, with_constant(text, constant, value))


def _others(pool: KeyPool, constant: CallConstant) -> list[Json]:
    return list(pool.values(constant.function, constant.argument))
