"""What repeated trials of one task hint at: the key, the scorer, the environment, or a hard task.

Signatures, not counts, tell a suspicious key from a hard task: models that fail in one and the
same way, again and again, may well be right. A hint is never evidence by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

MOSTLY = 0.5
"""Share of trials without a grade above which the environment comes first."""


class Triage(StrEnum):
    """Where to look first."""

    SOLVED = "solved"
    """Every graded trial passed."""
    KEY_OR_SCORER = "key_or_scorer"
    """Never solved, and every failure looks the same."""
    HARD = "hard"
    """Never solved, and the failures differ."""
    MIXED = "mixed"
    """Solved sometimes: look at the scorer's steadiness and at errors before the model."""
    ENVIRONMENT = "environment"
    """Most trials ended without a grade."""
    NOT_RUN = "not_run"
    """There is no trial."""


class Trials(NamedTuple):
    """The trials of one task by one model.

    Attributes:
        passed: Trials that passed.
        signatures: What each failed trial looked like; empty where nobody noted it.
        errors: Trials without a grade.
    """

    passed: int
    signatures: tuple[str, ...] = ()
    errors: int = 0


class TaskTriage(NamedTuple):
    """The hint for one task.

    Attributes:
        triage: Where to look first.
        models: Models whose every graded trial failed alike, strong ones only where
            strength is known; the more, the stronger the hint.
        signatures: Distinct signatures of the failures, sorted.
        is_noted: Whether every failure has a signature; without them nothing tells a suspicious
            key from a hard task.
    """

    triage: Triage
    models: tuple[str, ...]
    signatures: tuple[str, ...]
    is_noted: bool


def triage(trials: Mapping[str, Trials], *, strong: Iterable[str] | None = None) -> TaskTriage:
    """Where to look first, from the trials of one task.

    Args:
        trials: Model → its trials of the task.
        strong: Models that are known to be strong; None where that is not known, and then every
            model speaks.
    """
    speaking = set(trials) if strong is None else set(strong) & set(trials)
    passed = sum(row.passed for row in trials.values())
    failures = [s for row in trials.values() for s in row.signatures]
    errors = sum(row.errors for row in trials.values())
    total = passed + len(failures) + errors
    noted = tuple(sorted({s for s in failures if s}))
    is_noted = all(failures)
    alike = tuple(sorted(m for m in speaking if trials[m].signatures and not trials[m].passed))
    found = _class(passed, failures, errors, total)
    if found is Triage.KEY_OR_SCORER:
        found = _of_strong(trials, alike, is_noted=is_noted)
    return TaskTriage(found, alike if found is Triage.KEY_OR_SCORER else (), noted, is_noted)


def _class(passed: int, failures: Sequence[str], errors: int, total: int) -> Triage:
    if not total:
        return Triage.NOT_RUN
    if errors > MOSTLY * total:
        return Triage.ENVIRONMENT
    if not failures:
        return Triage.SOLVED
    return Triage.MIXED if passed else Triage.KEY_OR_SCORER


def _of_strong(trials: Mapping[str, Trials], alike: Sequence[str], *, is_noted: bool) -> Triage:
    """Of a task never solved: whether the models that speak all failed in one way."""
    ways = {s for model in alike for s in trials[model].signatures}
    return Triage.KEY_OR_SCORER if is_noted and len(ways) == 1 else Triage.HARD
