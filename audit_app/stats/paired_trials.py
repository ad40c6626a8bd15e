"""Two models over the same tasks and the same number of trials, compared task by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import product
from math import comb
from typing import NamedTuple

import numpy as np

from audit_app.domain.estimates import Interval
from audit_app.stats.repeat_counts import Tally
from audit_app.stats.trial_bootstrap import RESAMPLES, draws, percentile

EXACT_UP_TO = 16
"""Tasks that differ, up to which every sign pattern is gone through."""
FLIPS = 20_000
NAME = "paired_task_bootstrap"


class SolvedClass(StrEnum):
    """How often a task was solved."""

    NEVER = "never"
    MIXED = "mixed"
    ALL = "all"


def solved_class(row: Tally) -> SolvedClass:
    """The class of a task; errors count as trials not passed."""
    if not row.passed:
        return SolvedClass.NEVER
    return SolvedClass.ALL if row.passed == row.trials else SolvedClass.MIXED


class McNemar(NamedTuple):
    """Tasks on which only one of two models succeeds, and the exact two-sided p-value.

    Attributes:
        first_only: Tasks that only the first model solved (b).
        second_only: Tasks that only the second solved (c).
        p: None where no task tells the models apart.
    """

    first_only: int
    second_only: int
    p: float | None


class Paired(NamedTuple):
    """A comparison of two models on the same tasks.

    Attributes:
        tasks: Number of tasks.
        k: Trials of each task and model.
        mean_difference: Mean of the first minus that of the second, as a share.
        mean_interval: Its bootstrap interval; None for one task.
        all_difference: The same for the share of tasks solved every time.
        all_interval: Its interval.
        p_mean: Sign-flip permutation p-value of the mean difference; None where no task differs.
        p_mean_is_exact: Whether all sign patterns were gone through.
        mcnemar_all: For solved every time.
        mcnemar_ever: For solved at least once.
        classes: (class of the first, class of the second) → task ids, all nine cells.
    """

    tasks: int
    k: int
    mean_difference: float
    mean_interval: Interval | None
    all_difference: float
    all_interval: Interval | None
    p_mean: float | None
    p_mean_is_exact: bool
    mcnemar_all: McNemar
    mcnemar_ever: McNemar
    classes: Mapping[tuple[SolvedClass, SolvedClass], tuple[str, ...]]


def compare_paired(
    first: Mapping[str, Tally], second: Mapping[str, Tally], *, seed: int = 0
) -> Paired:
    """Compare two models on the tasks both ran.

    Args:
        first: Task id → trials of the first model.
        second: The same of the second model.
        seed: Of the bootstrap and of random sign flips.

    Raises:
        ValueError: The tasks differ, there is none, or the number of trials is not one and the
            same: such rows are no pairs.
    """
    if first.keys() != second.keys() or not first:
        raise ValueError("a paired comparison needs the same tasks on both sides, at least one")
    sizes = {row.trials for row in (*first.values(), *second.values())}
    if len(sizes) != 1:
        raise ValueError(f"the number of trials differs ({min(sizes)} to {max(sizes)})")
    k = sizes.pop()
    if not k:
        raise ValueError("the tasks have no trial")
    ids = sorted(first)
    a, b = [first[i] for i in ids], [second[i] for i in ids]
    gaps = [x.passed - y.passed for x, y in zip(a, b, strict=True)]
    all_gaps = [(x.passed == k) - (y.passed == k) for x, y in zip(a, b, strict=True)]
    ever_gaps = [(x.passed > 0) - (y.passed > 0) for x, y in zip(a, b, strict=True)]
    p, is_exact = sign_flip_p(gaps, seed=seed)
    return Paired(
        tasks=len(ids),
        k=k,
        mean_difference=sum(gaps) / (k * len(ids)),
        mean_interval=_interval(gaps, scale=k, seed=seed),
        all_difference=sum(all_gaps) / len(ids),
        all_interval=_interval(all_gaps, scale=1, seed=seed),
        p_mean=p,
        p_mean_is_exact=is_exact,
        mcnemar_all=_mcnemar(all_gaps),
        mcnemar_ever=_mcnemar(ever_gaps),
        classes=_class_table(ids, a, b),
    )


def _interval(gaps: Sequence[int], *, scale: int, seed: int) -> Interval | None:
    if len(gaps) < 2:
        return None
    values = np.array(gaps, dtype=np.float64) / scale
    found = [
        values[batch].mean(axis=1) for batch in draws(len(gaps), seed=seed, resamples=RESAMPLES)
    ]
    return percentile(np.concatenate(found), name=NAME)


def sign_flip_p(gaps: Sequence[int], *, seed: int = 0) -> tuple[float | None, bool]:
    """Two-sided p-value of a sum of paired differences, under flips of their signs.

    Returns:
        The share of sign patterns with a sum at least as far from 0 (with 20,000 random flips
        counted as one of 20,001), and whether all patterns were gone through; None where every
        difference is 0.

    Source: Fisher (1935), The Design of Experiments, section 21.
    """
    moved = np.array([gap for gap in gaps if gap], dtype=np.int64)
    if not len(moved):
        return None, True
    observed = abs(int(moved.sum()))
    if len(moved) <= EXACT_UP_TO:
        signs = np.array(list(product((1, -1), repeat=len(moved))), dtype=np.int64)
        return float(np.mean(np.abs(signs @ moved) >= observed)), True
    random = np.random.default_rng(seed)
    reached, left = 0, FLIPS
    while left:
        rows = min(left, 2_000)
        signs = random.integers(0, 2, (rows, len(moved))) * 2 - 1
        reached += int(np.count_nonzero(np.abs(signs @ moved) >= observed))
        left -= rows
    return (1 + reached) / (1 + FLIPS), False


def mcnemar_p(first_only: int, second_only: int) -> float | None:
    """Exact two-sided p-value of McNemar's test: binomial with chance 1/2 over discordant tasks.

    Returns:
        None where no task is discordant.

    Source: McNemar (1947), Note on the sampling error of the difference between correlated
    proportions; exact form as in Agresti (2013), Categorical Data Analysis, section 11.1.2.
    """
    discordant = first_only + second_only
    if not discordant:
        return None
    tail = sum(comb(discordant, i) for i in range(min(first_only, second_only) + 1))
    return min(1.0, float(2 * tail / 2**discordant))


def _mcnemar(gaps: Sequence[int]) -> McNemar:
    b, c = sum(gap > 0 for gap in gaps), sum(gap < 0 for gap in gaps)
    return McNemar(b, c, mcnemar_p(b, c))


def _class_table(
    ids: Sequence[str], first: Sequence[Tally], second: Sequence[Tally]
) -> dict[tuple[SolvedClass, SolvedClass], tuple[str, ...]]:
    cells: dict[tuple[SolvedClass, SolvedClass], list[str]] = {
        (x, y): [] for x in SolvedClass for y in SolvedClass
    }
    for task, x, y in zip(ids, first, second, strict=True):
        cells[solved_class(x), solved_class(y)].append(task)
    return {cell: tuple(tasks) for cell, tasks in cells.items()}


class MarginalP(NamedTuple):
    """McNemar's test for one overlap that two published totals allow."""

    overlap: int
    first_only: int
    second_only: int
    p: float | None


def p_from_totals(first: int, second: int, *, tasks: int) -> tuple[MarginalP, ...]:
    """Every p-value that two totals of the same tasks allow; the totals alone do not fix one.

    Args:
        first: Tasks that the first model solved.
        second: Tasks that the second solved.
        tasks: All tasks.

    Returns:
        One row for each possible number of tasks that both solved, the least first.

    Raises:
        ValueError: A total is no count of so many tasks.
    """
    if not (0 <= first <= tasks and 0 <= second <= tasks):
        raise ValueError(f"{first} and {second} are no counts of {tasks} tasks")
    return tuple(
        MarginalP(both, first - both, second - both, mcnemar_p(first - both, second - both))
        for both in range(max(0, first + second - tasks), min(first, second) + 1)
    )
