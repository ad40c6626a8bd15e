"""Where the intervals are known to cover less than they say, from the simulation in the docs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from audit_app.domain.estimates import Estimand, Estimate, Interval

SIMULATED = (50, 100)
"""Numbers of tasks read for which coverage was simulated."""

LEAST = 0.93
"""Coverage below which an interval of 95 % is said to fall short."""


class LowCoverage(NamedTuple):
    """A method that covered less than ``LEAST``.

    Attributes:
        method: Id of the method.
        estimand: The rate it was for; the sample's counts as the score-weighted one.
        read: Tasks read.
        lowest: Its lowest simulated coverage.
        rates: The least and the greatest true rate at which it fell short.
    """

    method: str
    estimand: Estimand
    read: int
    lowest: float
    rates: tuple[float, float]


LOW_COVERAGE = (
    LowCoverage("wilson", Estimand.SCORE, 50, 0.9247, (0.02, 0.02)),
    LowCoverage("jeffreys", Estimand.SCORE, 50, 0.8927, (0.05, 0.05)),
    LowCoverage("jeffreys", Estimand.SCORE, 100, 0.9295, (0.03, 0.03)),
    LowCoverage("bayes", Estimand.SCORE, 50, 0.8940, (0.05, 0.05)),
    LowCoverage("bayes", Estimand.SCORE, 100, 0.9295, (0.03, 0.03)),
    LowCoverage("bayes", Estimand.TASK, 50, 0.8927, (0.10, 0.12)),
    LowCoverage("bayes", Estimand.TASK, 100, 0.9054, (0.06, 0.06)),
)
"""As docs/coverage.csv has it for these numbers of tasks; no other method fell short."""


def falling_short(estimates: Iterable[Estimate], *, reviewed: int) -> tuple[LowCoverage, ...]:
    """Methods whose interval holds a rate at which they are known to fall short.

    A rate of 1 − p counts as p: the methods treat defective and sound tasks alike.
    """
    read = SIMULATED[reviewed >= SIMULATED[-1]]
    held: dict[tuple[Estimand, str], Interval] = {
        (Estimand.SCORE if e.estimand is Estimand.SAMPLE else e.estimand, i.name): i
        for e in estimates
        for i in e.intervals
    }
    return tuple(
        low
        for low in LOW_COVERAGE
        if low.read == read
        and (low.estimand, low.method) in held
        and _holds(held[low.estimand, low.method], low.rates)
    )


def _holds(interval: Interval, rates: tuple[float, float]) -> bool:
    least, most = rates
    return any(
        interval.lower <= upper and lower <= interval.upper
        for lower, upper in ((least, most), (1 - most, 1 - least))
    )
