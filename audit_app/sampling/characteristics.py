"""The sequential rule's behaviour over a range of true rates, for the plan of one frame.

How a true rate is spread over the strata matters: a sample drawn by stratum varies most where the
rate is the same everywhere, and least where the defective tasks fill some strata and spare the
others. Both ends are computed; what is true lies between them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from audit_app.domain.rubric import SamplingRule
from audit_app.domain.sampling import Frame
from audit_app.sampling.operating import Course, StratumDraw, plain_course, stratified_course

RATES = tuple(percent / 100 for percent in range(51))
"""True rates for which the courses are given."""


class PlannedStratum(NamedTuple):
    """A stratum of a plan: its tasks N_h, its weight, and its draws at both stages."""

    population: int
    weight: float
    first: int
    wider: int


class Characteristics(NamedTuple):
    """What the rule does, by true rate.

    Attributes:
        first: Tasks of the first sample.
        wider: Tasks of the widened one.
        frame_size: Tasks of the frame.
        threshold: Rate at or above which there is an issue.
        band: Rates at which the sample is widened.
        plain: Draws that do not depend on each other, as from a frame without end.
        even: The plan, with the same rate in every stratum.
        uneven: The plan, with the defective tasks in as few strata as can hold them.
    """

    first: int
    wider: int
    frame_size: int
    threshold: float
    band: tuple[float, float]
    plain: tuple[Course, ...]
    even: tuple[Course, ...]
    uneven: tuple[Course, ...]

    def reading(self, rate: float | None = None) -> str:
        """What the rule does at one of the rates (the one nearest the threshold), in a sentence."""
        wanted = self.threshold if rate is None else rate
        even, uneven = (
            min(courses, key=lambda c: abs(c.rate - wanted)) for courses in (self.even, self.uneven)
        )
        return (
            f"At a true rate of {100 * even.rate:.0f} % the rule calls an issue in "
            f"{100 * even.issue:.0f} % of samples and reads {even.mean_read:.0f} tasks on average "
            f"({100 * uneven.issue:.0f} % and {uneven.mean_read:.0f} where the defects are spread "
            "as unevenly as can be)."
        )


def planned_strata(
    frame: Frame, first: Mapping[str, int], wider: Mapping[str, int]
) -> tuple[PlannedStratum, ...]:
    """The strata of a frame with their draws at both stages, without those that have no task."""
    return tuple(
        PlannedStratum(s.population, s.weight, first.get(s.id, 0), wider.get(s.id, 0))
        for s in frame.strata
        if s.population
    )


@lru_cache(maxsize=32)
def characteristics(
    rule: SamplingRule, threshold: float, strata: tuple[PlannedStratum, ...]
) -> Characteristics:
    """The courses at ``RATES``.

    Args:
        rule: The band.
        threshold: Rate at or above which there is an issue.
        strata: The plan.

    Raises:
        ValueError: The plan draws no task, or the whole frame at first: nothing is left to chance.
    """
    first, wider = sum(s.first for s in strata), sum(s.wider for s in strata)
    if first >= sum(s.population for s in strata):
        raise ValueError("the whole frame is read: nothing is left to chance")
    sized = rule.model_copy(update={"base": first, "widen_to": wider})
    return Characteristics(
        first=first,
        wider=wider,
        frame_size=sum(s.population for s in strata),
        threshold=threshold,
        band=rule.widen_band,
        plain=tuple(plain_course(sized, threshold, rate) for rate in RATES),
        even=_courses(sized, threshold, strata, [even_defects(strata, r) for r in RATES]),
        uneven=_courses(sized, threshold, strata, [uneven_defects(strata, r) for r in RATES]),
    )


def even_defects(strata: Sequence[PlannedStratum], rate: float) -> tuple[int, ...]:
    """Defective tasks of each stratum where all have one rate, rounded so that the total is too."""
    counts, tasks, given = [], 0, 0
    for stratum in strata:
        tasks += stratum.population
        total = round(rate * tasks)
        counts.append(min(max(total - given, 0), stratum.population))
        given += counts[-1]
    return tuple(counts)


def uneven_defects(strata: Sequence[PlannedStratum], rate: float) -> tuple[int, ...]:
    """Defective tasks of each stratum where the heaviest are wholly so, up to the weighted rate."""
    left = rate * sum(s.weight for s in strata)
    counts = [0] * len(strata)
    for place in sorted(range(len(strata)), key=lambda i: (-strata[i].weight, i)):
        stratum = strata[place]
        share = min(1.0, left / stratum.weight) if stratum.weight > 0 else 0.0
        counts[place] = round(share * stratum.population)
        left = max(0.0, left - share * stratum.weight)
    return tuple(counts)


def _courses(
    rule: SamplingRule,
    threshold: float,
    strata: Sequence[PlannedStratum],
    truths: Iterable[Sequence[int]],
) -> tuple[Course, ...]:
    return tuple(
        stratified_course(
            rule,
            threshold,
            [
                StratumDraw(s.population, defective, s.first, s.wider)
                for s, defective in zip(strata, truth, strict=True)
            ],
        )._replace(rate=rate)
        for rate, truth in zip(RATES, truths, strict=True)
    )
