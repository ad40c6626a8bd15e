"""Variance of a stratified rate, and the size of the plain sample that would be as precise."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum, sqrt
from typing import NamedTuple

from audit_app.domain.estimates import StratumEstimate


class Cell(NamedTuple):
    """One stratum, or several collapsed into one, as the variance takes it.

    Attributes:
        weight: Share of the frame's weight, W_h.
        population: Tasks in the frame, N_h.
        reviewed: Tasks read, n_h.
        defective: Of those, defective.
    """

    weight: float
    population: int
    reviewed: int
    defective: int

    @property
    def rate(self) -> float:
        """Share of the tasks read that are defective."""
        return self.defective / self.reviewed


def cells_of(strata: Iterable[StratumEstimate]) -> tuple[Cell, ...]:
    """Strata with a weight; those with one reviewed task are collapsed into a neighbour.

    A single task shows no variation within its stratum. It is counted together with the stratum
    before it (the first one with the one after it), their weights added. The variance is then too
    large rather than too small.

    Raises:
        ValueError: A stratum with a weight has no reviewed task: nothing is known of it.

    Source: Cochran (1977), Sampling Techniques, 3rd edition, section 5A.12 (collapsed strata).
    """
    rows = [Cell(s.weight, s.population, s.reviewed, s.defective) for s in strata if s.weight > 0]
    if any(not row.reviewed for row in rows):
        raise ValueError("a stratum has no reviewed task")
    merged: list[Cell] = []
    for row in rows:
        if merged and (row.reviewed == 1 or merged[-1].reviewed == 1):
            merged[-1] = _together(merged[-1], row)
        else:
            merged.append(row)
    return tuple(merged)


def _together(a: Cell, b: Cell) -> Cell:
    return Cell(
        a.weight + b.weight,
        a.population + b.population,
        a.reviewed + b.reviewed,
        a.defective + b.defective,
    )


def standard_error(cells: Sequence[Cell], *, corrected: bool = False) -> float | None:
    """√ Σ W_h² · p_h q_h / (n_h − 1), with (1 − n_h / N_h) in each term where ``corrected``.

    Args:
        cells: The strata, each with a reviewed task.
        corrected: Whether the finite population correction is applied: the rate is that of the
            tasks of the frame, not of all tasks that might have been written.

    Returns:
        None where a stratum of more than one task has a single reviewed one.

    Source: Cochran (1977), equations 5.10 and 5.53 (5.7 without the correction).
    """
    variance = _variance(cells, corrected=corrected)
    return None if variance is None else sqrt(variance)


def _variance(cells: Sequence[Cell], *, corrected: bool) -> float | None:
    terms = []
    for cell in cells:
        if cell.reviewed == cell.population and corrected:
            continue  # read whole: nothing of it is estimated
        if cell.reviewed < 2:
            return None
        spread = cell.rate * (1 - cell.rate) / (cell.reviewed - 1)
        rest = 1 - cell.reviewed / cell.population if corrected else 1.0
        terms.append(cell.weight**2 * rest * spread)
    return fsum(terms)


class EffectiveSample(NamedTuple):
    """A plain sample as precise as the stratified one.

    Attributes:
        rate: The weighted rate.
        size: Its number of tasks, which need not be whole; corrected for degrees of freedom.
    """

    rate: float
    size: float


def effective_sample(
    cells: Sequence[Cell], *, level: float, rate: float | None = None
) -> EffectiveSample | None:
    """The plain sample whose rate would vary as the stratified one does.

    n* = p(1 − p) / v, with v the variance under the finite population correction, times the square
    of t(n − 1) / t(n − H), because v itself is estimated with n − H degrees of freedom. It is at
    most 1 / Σ W_h² (1 − n_h / N_h) / n_h, its value where every stratum has the same rate: strata
    of a few tasks often show no variation by chance, and v is then far too small.

    Args:
        cells: The strata, each with a reviewed task.
        level: Nominal coverage of the intervals that are made of it.
        rate: The weighted rate over the strata before they were collapsed; None takes that of
            the cells, which is the same where none was.

    Returns:
        None where the whole frame is read, or the variance is not defined.

    Source: Korn and Graubard (1998), Confidence intervals for proportions with small expected
    number of positive counts estimated from survey data, section 2. The bound is ours: the
    effective sample size of Kish (1965), Survey Sampling, with the finite population correction.
    """
    if all(cell.reviewed == cell.population for cell in cells):
        return None
    variance = _variance(cells, corrected=True)
    if variance is None:
        return None
    read = sum(cell.reviewed for cell in cells)
    total = fsum(cell.weight for cell in cells)
    if rate is None:
        rate = min(1.0, fsum(cell.weight * cell.rate for cell in cells) / total)
    spread, most = rate * (1 - rate), total**2 / _weighting(cells)
    size = min(most, spread / variance * total**2) if variance > 0 and spread > 0 else most
    free = read - len(cells)
    if free < 1:
        return EffectiveSample(rate, size)
    # Imported here, as in stats.intervals: it takes longer to load than most commands to run.
    from scipy.special import stdtrit

    tail = (1 + level) / 2
    loss = float(stdtrit(read - 1, tail) / stdtrit(free, tail))
    return EffectiveSample(rate, size * loss**2)


def _weighting(cells: Sequence[Cell]) -> float:
    """Variance of the weighted rate over p(1 − p), were p the rate of every stratum."""
    return fsum(
        cell.weight**2 * (1 - cell.reviewed / cell.population) / cell.reviewed for cell in cells
    )
