"""Checks published repeat figures: can a mean, an ever and an all belong to one set of trials?"""

from __future__ import annotations

from math import ceil, floor
from typing import NamedTuple


class PublishedCheck(NamedTuple):
    """What a published row comes to.

    Attributes:
        is_possible: Whether some set of trials has these figures.
        reason: Why not; empty where it is possible.
        mixed: ever − all.
        never: tasks − ever.
        successes: Least and largest number of passed trials that print as this mean.
        allowed: Least and largest number of passed trials under this ever and all.
        per_mixed_task: Mean passes in a mixed task, for the middle of ``successes``; None where no
            task is mixed.
    """

    is_possible: bool
    reason: str
    mixed: int
    never: int
    successes: tuple[int, int]
    allowed: tuple[int, int]
    per_mixed_task: float | None


def check_published(
    mean: float, ever: int, solved_all: int, *, tasks: int, k: int, rounding: float = 0.0
) -> PublishedCheck:
    """Whether a published mean, ever and all can belong together.

    A task that is mixed passed 1 to k − 1 of its trials, so that
    all·k + mixed ≤ successes ≤ all·k + mixed·(k − 1).

    Args:
        mean: Share of passed trials, 0 to 1, as printed.
        ever: Tasks solved at least once.
        solved_all: Tasks solved in every trial.
        tasks: All tasks.
        k: Trials of each task.
        rounding: How far the printed mean may be from the true one (0.0005 for ``62.8 %``).

    Raises:
        ValueError: The figures are no shares or counts of so many tasks and trials.
    """
    if tasks < 1 or k < 1 or not 0 <= mean <= 1 or min(ever, solved_all) < 0 or rounding < 0:
        raise ValueError(
            f"mean {mean}, ever {ever} and all {solved_all} are no figures of "
            f"{tasks} tasks with {k} trials"
        )
    total = tasks * k
    slack = 1e-9 * total  # of the printed decimal, not of the count
    successes = (
        max(0, ceil((mean - rounding) * total - slack)),
        min(total, floor((mean + rounding) * total + slack)),
    )
    mixed, never = ever - solved_all, tasks - ever
    allowed = (solved_all * k + mixed, solved_all * k + mixed * (k - 1))
    reason = _contradiction(successes, allowed, mixed=mixed, never=never, k=k)
    middle = mean * total - solved_all * k
    return PublishedCheck(
        is_possible=not reason,
        reason=reason,
        mixed=mixed,
        never=never,
        successes=successes,
        allowed=allowed,
        per_mixed_task=middle / mixed if mixed > 0 else None,
    )


def _contradiction(
    successes: tuple[int, int], allowed: tuple[int, int], *, mixed: int, never: int, k: int
) -> str:
    if mixed < 0:
        return "more tasks are solved every time than at least once"
    if never < 0:
        return "more tasks are solved at least once than there are"
    if mixed and k == 1:
        return "one trial of each task cannot be mixed"
    if successes[0] > successes[1]:
        return "no whole number of passed trials prints as this mean"
    if successes[1] < allowed[0] or successes[0] > allowed[1]:
        return (
            f"the mean means {successes[0]} to {successes[1]} passed trials, but these tasks have "
            f"{allowed[0]} to {allowed[1]}"
        )
    return ""
