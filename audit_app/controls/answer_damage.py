"""Damaged keys of answers: another option, another task's answer, or one alternative fewer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from string import ascii_uppercase

from audit_app.controls.chance import shuffled
from audit_app.controls.damaged import DamagedKey
from audit_app.controls.plausible import has_same_look, wrong_values
from audit_app.controls.pool import KeyPool
from audit_app.domain.benchmark import KeyKind, Task, encode
from audit_app.domain.planted import PlantKind
from audit_app.domain.record import Json

_LETTER = re.compile(r"(\(?)([A-Za-z])(\)?[.):]?)")
_OF_LISTS = ("list", "set")
_UNTOUCHED = ("regex",)
"""Scorers whose keys are no answers: a pattern changed by a hair is no plausible mistake."""


def answer_damages(task: Task, pool: KeyPool, seed: str) -> Iterator[DamagedKey]:
    """Every way to damage a key of texts or values that this module knows.

    Args:
        task: The task; a list as its key holds alternatives, unless its scorer compares lists.
        pool: What the keys of other tasks are.
        seed: Determines which wrong answer stands in each place.
    """
    choices = task.context.get("choices")
    if task.scorer in _UNTOUCHED:
        return
    if isinstance(choices, list | dict) and choices:
        for wrong in _other_options(task.key, choices):
            yield DamagedKey(PlantKind.OTHER_ANSWER, wrong)
        return
    if isinstance(task.key, list) and task.scorer not in _OF_LISTS:
        yield from _of_alternatives(task.key, task.id, seed)
    else:
        for wrong in wrong_values(task.key):
            yield DamagedKey(PlantKind.WRONG_VALUE, wrong)
    for other in pool.answers(task):
        if _could_be_taken_for(task.key, other):
            yield DamagedKey(PlantKind.OTHER_ANSWER, other)


def _of_alternatives(key: Sequence[Json], task_id: str, seed: str) -> Iterator[DamagedKey]:
    for place, value in enumerate(key):
        rest = [*key[:place], *key[place + 1 :]]
        if rest:
            yield DamagedKey(PlantKind.MISSING_ALTERNATIVE, rest)
        wrong = [v for v in wrong_values(value) if encode(v) not in map(encode, key)]
        if wrong:
            chosen = shuffled(wrong, seed, task_id, str(place), name=lambda v: v)[0]
            changed = [*key[:place], chosen, *key[place + 1 :]]
            yield DamagedKey(PlantKind.WRONG_VALUE, changed)


def _could_be_taken_for(key: Json, other: Json) -> bool:
    """Whether another task's key has the look of this one, and shares no accepted value."""
    ours = key if isinstance(key, list) else [key]
    theirs = other if isinstance(other, list) else [other]
    if isinstance(key, list) is not isinstance(other, list) or not ours or not theirs:
        return False
    shared = {_plain(value) for value in ours} & {_plain(value) for value in theirs}
    return not shared and has_same_look(ours[0], theirs[0])


def _plain(value: Json) -> str:
    return str(value).strip().casefold()


def _other_options(key: Json, choices: Sequence[Json] | Mapping[str, Json]) -> Iterator[Json]:
    """The key naming each of the other options, in the way in which it names its own."""
    if isinstance(key, list):
        if len(key) == 1:
            yield from ([other] for other in _other_options(key[0], choices))
        return
    labels = list(choices) if isinstance(choices, Mapping) else list(range(len(choices)))
    words = list(choices.values()) if isinstance(choices, Mapping) else list(choices)
    if key in words:
        yield from (word for word in words if word != key)
    elif isinstance(key, int) and not isinstance(key, bool):
        yield from (place for place in range(len(words)) if place != key)
    elif isinstance(key, str) and key in labels:
        yield from (label for label in labels if label != key)
    elif isinstance(key, str) and key.isdecimal():
        yield from (str(place) for place in range(len(words)) if str(place) != key)
    elif isinstance(key, str) and (found := _LETTER.fullmatch(key)):
        before, letter, after = found.groups()
        case = str.upper if letter.isupper() else str.lower
        letters = (case(ascii_uppercase[place]) for place in range(min(len(words), 26)))
        yield from (f"{before}{other}{after}" for other in letters if other != letter)


def is_answer(task: Task) -> bool:
    """Whether the task's key is of a kind that this module damages."""
    return task.key_kind in (KeyKind.TEXTS, KeyKind.VALUE)
