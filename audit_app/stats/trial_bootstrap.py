"""Intervals of repeat figures by resampling whole tasks, each with all its trials.

What they cover: variation over tasks like these, with the trials as they were observed. Trials of
one task depend on each other, so that no binomial interval over trials is given.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from audit_app.domain.estimates import Interval
from audit_app.stats.intervals import LEVEL
from audit_app.stats.repeat_counts import Tally

NAME = "task_bootstrap"
"""Id of the interval."""
RESAMPLES = 10_000
_CELLS_OF_A_BATCH = 2_000_000
"""Draws held at once: bounds memory whatever the number of tasks."""

Floats = NDArray[np.float64]

_FIGURES: Mapping[str, Callable[[Tally], float]] = {
    "ever": lambda row: row.passed > 0,
    "all": lambda row: row.passed == row.trials,
    "mixed": lambda row: 0 < row.passed < row.trials,
    "never": lambda row: row.passed == 0,
}
"""Figures that are a mean of one value a task."""


def draws(tasks: int, *, seed: int, resamples: int = RESAMPLES) -> Iterator[NDArray[np.int64]]:
    """Batches of resamples, as indices of shape (resamples of the batch, tasks).

    The batches together are ``default_rng(seed).integers(0, tasks, (resamples, tasks))``.
    """
    random = np.random.default_rng(seed)
    batch = max(1, _CELLS_OF_A_BATCH // tasks)
    for start in range(0, resamples, batch):
        yield random.integers(0, tasks, size=(min(batch, resamples - start), tasks))


def task_bootstrap(
    tallies: Sequence[Tally], *, seed: int = 0, resamples: int = RESAMPLES, level: float = LEVEL
) -> dict[str, Interval]:
    """Percentile intervals of ``mean, ever, all, mixed, never``, all as shares (errors as fails).

    Args:
        tallies: The tasks, each with at least one trial.
        seed: Same seed, same intervals.
        resamples: How many resamples.
        level: Nominal coverage.

    Returns:
        Figure → interval; empty for fewer than two tasks, over which nothing varies.

    Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, section 13.3.
    """
    if len(tallies) < 2:
        return {}
    values = {name: np.array([float(of(row)) for row in tallies]) for name, of in _FIGURES.items()}
    passed = np.array([float(row.passed) for row in tallies])
    trials = np.array([float(row.trials) for row in tallies])
    replicates: dict[str, list[Floats]] = {name: [] for name in ("mean", *values)}
    for indices in draws(len(tallies), seed=seed, resamples=resamples):
        replicates["mean"].append(passed[indices].sum(axis=1) / trials[indices].sum(axis=1))
        for name, value in values.items():
            replicates[name].append(value[indices].mean(axis=1))
    return {
        name: percentile(np.concatenate(parts), level=level) for name, parts in replicates.items()
    }


def percentile(replicates: Floats, *, level: float = LEVEL, name: str = NAME) -> Interval:
    """The middle ``level`` of the replicates, by linear interpolation."""
    ends = np.percentile(replicates, [50 * (1 - level), 50 * (1 + level)])
    return Interval(name=name, lower=float(ends[0]), upper=float(ends[1]), level=level)
