"""pass@k and pass^k from n trials of each task, exact and never extrapolated."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb
from typing import NamedTuple

from audit_app.stats.repeat_counts import Tally


class AtK(NamedTuple):
    """The chance that at least one (pass@k), or every one (pass^k), of k trials passes."""

    k: int
    pass_at_k: float
    pass_hat_k: float


def pass_at_k(n: int, c: int, k: int) -> Fraction:
    """The chance that k of n trials, drawn without replacement, hold a pass: 1 − C(n−c,k)/C(n,k).

    Raises:
        ValueError: k is not 1 to n, or c not 0 to n. Nothing is extrapolated beyond n.

    Source: Chen et al. (2021), Evaluating Large Language Models Trained on Code, equation 1.
    """
    _check(n, c, k)
    return 1 - Fraction(comb(n - c, k), comb(n, k))


def pass_hat_k(n: int, c: int, k: int) -> Fraction:
    """The chance that k of n trials, drawn without replacement, all pass: C(c,k)/C(n,k).

    Raises:
        ValueError: As for ``pass_at_k``.

    Source: Yao et al. (2024), tau-bench, section 3 (pass^k).
    """
    _check(n, c, k)
    return Fraction(comb(c, k), comb(n, k))


def _check(n: int, c: int, k: int) -> None:
    if not 1 <= k <= n:
        raise ValueError(f"k is {k}, and {n} trials define it for 1 to {n} only")
    if not 0 <= c <= n:
        raise ValueError(f"{c} of {n} trials cannot have passed")


def mean_over_tasks(
    estimator: Callable[[int, int, int], Fraction], tallies: Sequence[Tally], k: int
) -> float:
    """The mean of an estimator over tasks; errors count as trials not passed.

    Args:
        estimator: ``pass_at_k`` or ``pass_hat_k``.
        tallies: The tasks, at least one, each with at least k trials.
        k: 1 to the least number of trials.
    """
    known: dict[tuple[int, int], Fraction] = {}
    total = Fraction(0)
    for row in tallies:
        key = (row.trials, row.passed)
        if key not in known:
            known[key] = estimator(*key, k)
        total += known[key]
    return float(total / len(tallies))


def curve(tallies: Sequence[Tally]) -> tuple[AtK, ...]:
    """Both figures for every k up to the least number of trials; empty without a trial."""
    least = min((row.trials for row in tallies), default=0)
    return tuple(
        AtK(k, mean_over_tasks(pass_at_k, tallies, k), mean_over_tasks(pass_hat_k, tallies, k))
        for k in range(1, least + 1)
    )
