"""Choosing a damage that a reviewer can find: well formed, winnable, and seen in a grade."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain, islice, zip_longest
from typing import TypeAlias

import msgspec

from audit_app.controls.answer_damage import answer_damages, is_answer
from audit_app.controls.call_damage import call_damages
from audit_app.controls.chance import shuffled
from audit_app.controls.damaged import DamagedKey
from audit_app.controls.pool import KeyPool
from audit_app.controls.turn_damage import turn_damages
from audit_app.domain.benchmark import KeyKind, Task, encode
from audit_app.domain.record import Json
from audit_app.scoring.agentic import AgenticScorer
from audit_app.scoring.dispatch import language_name
from audit_app.scoring.grade import ScoringSettings
from audit_app.scoring.key_shapes import key_fault
from audit_app.scoring.own_answers import renderings
from audit_app.scoring.unwinnable import find_obstacle

MOST_TRIED = 24
"""Damages of one key that are tried: each is graded, which may run simulators."""

Verdicts: TypeAlias = Callable[[Json], Sequence[bool | None]]
"""The verdicts on a fixed row of answers under a key: the task's outputs, and the key's own answer
where it can be written down. None stands where there is no verdict."""


def damaged_key(
    task: Task, verdicts: Verdicts, *, pool: KeyPool, seed: str, settings: ScoringSettings
) -> DamagedKey | None:
    """The task's key with one known defect, the same for the same seed and task.

    It has the shape of its kind, some answer satisfies it, and it refuses at least one of the
    answers that the task's own key accepts.

    Args:
        task: A task whose key is taken to be right.
        verdicts: Grades its answers under a key.
        pool: What the keys of the benchmark accept.
        seed: Text.
        settings: How the benchmark grades.

    Returns:
        None where no such damage is found.
    """
    right = verdicts(task.key)
    if True not in right or key_fault(task.key_kind, task.key):
        return None
    for damaged in islice(_in_order(task, pool, seed), MOST_TRIED):
        if _is_sound(task, damaged.key, settings) and _refuses(right, verdicts(damaged.key)):
            return damaged
    return None


def own_answer(task: Task) -> Json:
    """An answer made of the key's first accepted values; None where none can be written down."""
    key = task.key
    match task.key_kind:
        case KeyKind.CALLS if language_name(task) == "python" and not key_fault(task.key_kind, key):
            calls = [_call_text(*expected) for call in key for expected in call.items()]
            return f"[{', '.join(calls)}]"
        case KeyKind.CALL_TURNS:
            return [[f"[{', '.join(turn)}]"] if turn else [""] for turn in key]
        case KeyKind.TEXTS if isinstance(key, list) and key and task.scorer == AgenticScorer.name:
            return [[key[0]]]  # one turn whose only step is the final message
        case KeyKind.TEXTS | KeyKind.VALUE if isinstance(key, list) and key:
            return key if task.scorer in ("list", "set") else key[0]
        case KeyKind.TEXTS | KeyKind.VALUE:
            return key
    return None


def _call_text(function: str, arguments: Mapping[str, Sequence[Json]]) -> str:
    """A call of the function with the first accepted value of each argument."""
    given = [
        f"{name}={next(renderings(values[0], 'python', '', None))!r}"
        for name, values in arguments.items()
        if values[0] != ""
    ]
    return f"{function}({', '.join(given)})"


def _in_order(task: Task, pool: KeyPool, seed: str) -> Iterator[DamagedKey]:
    """All damages, kind by kind in turns: one with many places does not crowd out the others."""
    by_kind: dict[str, list[DamagedKey]] = {}
    for damaged in _damages(task, pool, seed):
        by_kind.setdefault(damaged.kind.value, []).append(damaged)
    kinds = shuffled(by_kind, seed, task.id, "kind", name=lambda kind: kind)
    rows = [
        shuffled(by_kind[kind], seed, task.id, kind, name=lambda damaged: damaged.key)
        for kind in kinds
    ]
    turns = chain.from_iterable(zip_longest(*rows))
    return (damaged for damaged in turns if damaged is not None)


def _damages(task: Task, pool: KeyPool, seed: str) -> Iterator[DamagedKey]:
    if task.key_kind is KeyKind.CALLS:
        yield from call_damages(task, pool, seed)
    elif task.key_kind is KeyKind.CALL_TURNS:
        yield from turn_damages(task, pool, seed)
    elif is_answer(task):
        yield from answer_damages(task, pool, seed)


def _is_sound(task: Task, key: Json, settings: ScoringSettings) -> bool:
    if encode(key) == encode(task.key) or key_fault(task.key_kind, key, published=task.key):
        return False
    return find_obstacle(msgspec.structs.replace(task, key=key), key, settings) is None


def _refuses(right: Sequence[bool | None], damaged: Sequence[bool | None]) -> bool:
    """Whether a verdict falls from pass to fail, and none is lost."""
    pairs = list(zip(right, damaged, strict=True))
    is_graded = all(after is not None for before, after in pairs if before is not None)
    return is_graded and any(before and after is False for before, after in pairs)
