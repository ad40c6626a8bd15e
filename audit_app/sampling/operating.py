"""How the sequential rule behaves: chances of each outcome, and tasks read, at a true defect rate.

Exact for a plain sample, by summing over its counts. For a stratified one the number of defective
tasks in each stratum is fixed and the sample's total is a sum of hypergeometric counts, whose
distribution is had by convolution: exact as well, no simulation is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit_app.domain.estimates import NextStep
from audit_app.domain.rubric import SamplingRule
from audit_app.sampling.sequential import outcome_of

Floats = NDArray[np.float64]


class Course(NamedTuple):
    """What the rule does at one true defect rate.

    Attributes:
        rate: The true rate.
        issue_first: Chance of an issue after the first sample.
        widen: Chance of widening.
        pass_first: Chance of a pass after the first sample.
        issue: Chance of an issue in the end.
        mean_read: Expected number of tasks read.
    """

    rate: float
    issue_first: float
    widen: float
    pass_first: float
    issue: float
    mean_read: float


class StratumDraw(NamedTuple):
    """One stratum of a plan.

    Attributes:
        population: Its tasks, N_h.
        defective: Of those, truly defective.
        first: Tasks of the first sample, n_h.
        wider: Tasks of the widened sample, the first ones included.
    """

    population: int
    defective: int
    first: int
    wider: int


def plain_course(
    rule: SamplingRule, threshold: float, rate: float, *, frame_size: int | None = None
) -> Course:
    """The course of a plain random sample.

    Args:
        rule: Sizes and band.
        threshold: Rate at or above which there is an issue.
        rate: True rate, 0 to 1.
        frame_size: Tasks of the frame; None for one so large that draws are independent.

    Raises:
        ValueError: The rate is no share, or the frame is read whole (then nothing is left to
            chance).
    """
    if not 0 <= rate <= 1:
        raise ValueError(f"rate {rate} is no share")
    if frame_size is not None:
        if frame_size <= rule.census_at_or_below:
            raise ValueError(f"a frame of {frame_size} tasks is read whole")
        wider = min(rule.widen_to, frame_size)
        stratum = StratumDraw(frame_size, round(rate * frame_size), rule.base, wider)
        return stratified_course(rule, threshold, [stratum])._replace(rate=rate)
    from scipy import stats  # here, as in stats.intervals: it is slow to load

    first: Floats = stats.binom.pmf(np.arange(rule.base + 1), rule.base, rate)
    more = rule.widen_to - rule.base
    joint = np.outer(first, stats.binom.pmf(np.arange(more + 1), more, rate))
    return _course(rule, threshold, rate, joint, sizes=(rule.base, rule.widen_to))


def stratified_course(
    rule: SamplingRule, threshold: float, strata: Sequence[StratumDraw]
) -> Course:
    """The course of a stratified sample, drawn without replacement in every stratum.

    The rule looks at the plain rate, defective of read, as it does in an audit.

    Args:
        rule: The band.
        threshold: Rate at or above which there is an issue.
        strata: The plan, with the truth in each stratum.

    Raises:
        ValueError: No task is drawn.
    """
    first, wider = sum(s.first for s in strata), sum(s.wider for s in strata)
    if not first:
        raise ValueError("the plan draws no task")
    joint = np.ones((1, 1))
    for stratum in strata:
        joint = _convolve(joint, _joint(stratum))
    rate = sum(s.defective for s in strata) / sum(s.population for s in strata)
    return _course(rule, threshold, rate, joint, sizes=(first, wider))


def _joint(stratum: StratumDraw) -> Floats:
    """Chances of (defective in the first draw, defective among the tasks added)."""
    from scipy import stats

    n, k, first, more = (
        stratum.population,
        stratum.defective,
        stratum.first,
        stratum.wider - stratum.first,
    )
    rows: Floats = stats.hypergeom.pmf(np.arange(first + 1), n, k, first)
    joint = np.zeros((first + 1, more + 1))
    for found, chance in enumerate(rows):
        if chance > 0:
            rest = stats.hypergeom.pmf(np.arange(more + 1), n - first, k - found, more)
            joint[found] = chance * rest
    return joint


def _convolve(a: Floats, b: Floats) -> Floats:
    """Distribution of the sum of two independent pairs of counts."""
    out = np.zeros((a.shape[0] + b.shape[0] - 1, a.shape[1] + b.shape[1] - 1))
    for (i, j), chance in np.ndenumerate(b):
        if chance > 0:
            out[i : i + a.shape[0], j : j + a.shape[1]] += chance * a
    return out


def _course(
    rule: SamplingRule, threshold: float, rate: float, joint: Floats, *, sizes: tuple[int, int]
) -> Course:
    first, wider = sizes
    found = dict.fromkeys(NextStep, 0.0)
    issue = 0.0
    # Issues only grow with the count, so that a row's chance of one is the tail from there on.
    least = next(
        (k for k in range(wider + 1) if _final(rule, threshold, k, wider) is NextStep.ISSUE),
        wider + 1,
    )
    for count, row in enumerate(joint):
        step = outcome_of(rule, threshold, count, first, wider=wider if wider > first else None)
        found[step] += float(row.sum())
        if step is NextStep.ISSUE:
            issue += float(row.sum())
        elif step is NextStep.WIDEN:
            issue += float(row[max(0, least - count) :].sum())
    return Course(
        rate=rate,
        issue_first=found[NextStep.ISSUE],
        widen=found[NextStep.WIDEN],
        pass_first=found[NextStep.PASS],
        issue=issue,
        mean_read=first + found[NextStep.WIDEN] * (wider - first),
    )


def _final(rule: SamplingRule, threshold: float, defective: int, read: int) -> NextStep:
    """What the widened sample leads to."""
    return outcome_of(rule, threshold, defective, read, wider=None)
