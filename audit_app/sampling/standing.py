"""Where an audit stands: counts and rates of the sample, by stratum, and the rule's next step."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from audit_app.domain.estimates import EffectCounts, Interval, NextStep, Status, StratumEstimate
from audit_app.domain.review import COUNTED_EFFECTS, Effect, Finding, Review
from audit_app.domain.rubric import Counting, Rubric
from audit_app.domain.sampling import DrawKind, Frame, Sample
from audit_app.sampling.cautions import cautions
from audit_app.sampling.estimating import (
    EXACT,
    FLOOR,
    NOTHING_READ,
    UNSTATED,
    Evidence,
    build_estimates,
    plain_intervals,
    unread_reason,
    weights_coincide,
)
from audit_app.sampling.sequential import next_step
from audit_app.stats.intervals import wilson_interval
from audit_app.stats.stratified import weighted_rate

STALE_CAUSE = "K2"
"""The cause that says a key was true when written and is not now."""


class _Counts(NamedTuple):
    """Defective tasks among reviews, by each way of counting."""

    defective: int
    possible: int
    strict: int | None
    effects: EffectCounts
    stale: int


def audit_status(
    frame: Frame, sample: Sample, reviews: Mapping[str, Review], rubric: Rubric
) -> Status:
    """Where an audit stands under its settled reviews.

    The rate is plain, defective of reviewed, and decides: an allocation in proportion to the
    weights makes it equal to the score-weighted one. That one, the task-weighted one, the upper
    end of the band and the strict rate are among the estimates.

    Args:
        frame: The frame of the draw.
        sample: The draw that stands.
        reviews: Task id → the judgement that counts; those outside the sample are passed over.
        rubric: Its sampling rule, threshold and counting rule.

    Raises:
        ValueError: The rubric has no item with a threshold for the defect rate.
    """
    read = [reviews[task] for task in sample.task_ids if task in reviews]
    counts = _count(read, rubric.counting)
    strata = _by_stratum(frame, sample, reviews, rubric.counting)
    sampled, reviewed = len(sample.task_ids), len(read)
    threshold = _threshold(rubric)
    step, text = _next(frame, sample, reviewed, counts.defective, rubric)
    weighted = weighted_rate(strata)
    estimates = build_estimates(
        strata,
        outer={stratum.id: stratum.outer for stratum in frame.strata},
        evidence=_evidence(sample, reviewed),
        threshold=threshold,
    )
    coincide = weights_coincide(strata)
    return Status(
        sampled=sampled,
        reviewed=reviewed,
        defective=counts.defective,
        possible=counts.possible,
        strict=counts.strict,
        rate=_rate(counts.defective, reviewed),
        strict_rate=None if counts.strict is None else _rate(counts.strict, reviewed),
        weighted_rate=weighted,
        intervals=_intervals(sample, counts.defective, reviewed),
        by_stratum=strata,
        by_outer=_by_outer(frame, strata),
        effects=counts.effects,
        stale=counts.stale,
        next=step,
        next_text=text,
        undefined=_undefined(sample, reviewed, counts, strata, weighted),
        threshold=threshold,
        estimates=estimates,
        weights_coincide=coincide,
        warnings=cautions(estimates, strata, threshold=threshold, coincide=coincide),
    )


def _evidence(sample: Sample, reviewed: int) -> Evidence:
    if sample.kind is not DrawKind.CENSUS:
        return Evidence.SAMPLE
    whole = reviewed == len(sample.task_ids)
    return Evidence.CENSUS if whole else Evidence.CENSUS_IN_PROGRESS


def _threshold(rubric: Rubric) -> float:
    item = rubric.scoring_item
    if item is None or item.threshold is None or item.threshold.value is None:
        raise ValueError(f"rubric {rubric.id!r} has no threshold for the defect rate")
    return item.threshold.value


def _rate(defective: int, reviewed: int) -> float | None:
    return defective / reviewed if reviewed else None


def _counted(review: Review, counting: Counting) -> list[Finding]:
    return [f for f in review.findings if f.counts(min_severity=counting.min_severity)]


def _count(reviews: Iterable[Review], counting: Counting) -> _Counts:
    defective = possible = strict = fn = fp = both = stale = 0
    is_stated = True
    for review in reviews:
        found = _counted(review, counting)
        effects = {e for f in found for e in f.effects} & COUNTED_EFFECTS
        defective += bool(found)
        possible += review.may_be_defective(min_severity=counting.min_severity)
        strict += review.is_defective(min_severity=counting.strict_severity)
        is_stated = is_stated and all(f.severity is not None for f in found)
        fn += Effect.FN in effects
        fp += Effect.FP in effects
        both += effects == COUNTED_EFFECTS
        stale += any(STALE_CAUSE in (f.cause, *f.causes) for f in found)
    return _Counts(
        defective=defective,
        possible=possible,
        strict=strict if is_stated else None,
        effects=EffectCounts(fn=fn, fp=fp, both=both),
        stale=stale,
    )


def _by_stratum(
    frame: Frame, sample: Sample, reviews: Mapping[str, Review], counting: Counting
) -> tuple[StratumEstimate, ...]:
    drawn = {draw.stratum: draw.task_ids for draw in sample.draws}
    rows: list[StratumEstimate] = []
    for stratum in frame.strata:
        tasks = drawn.get(stratum.id, ())
        read = [reviews[task] for task in tasks if task in reviews]
        counts = _count(read, counting)
        rows.append(
            StratumEstimate(
                stratum=stratum.id,
                population=stratum.population,
                weight=stratum.weight,
                sampled=len(tasks),
                reviewed=len(read),
                defective=counts.defective,
                rate=_rate(counts.defective, len(read)),
                possible=counts.possible,
                strict=counts.strict,
                interval=_wilson(sample, counts.defective, len(read)),
            )
        )
    return tuple(rows)


def _by_outer(frame: Frame, strata: Iterable[StratumEstimate]) -> tuple[StratumEstimate, ...]:
    """The rows merged by top-level stratum; none where no stratum is divided."""
    if all(stratum.id == stratum.outer for stratum in frame.strata):
        return ()
    inner: dict[str, list[StratumEstimate]] = {}
    for stratum, row in zip(frame.strata, strata, strict=True):
        inner.setdefault(stratum.outer, []).append(row)
    weights = {stratum.outer: stratum.outer_weight for stratum in frame.strata}
    return tuple(_merged(outer, weights[outer], rows) for outer, rows in inner.items())


def _merged(outer: str, weight: float, rows: list[StratumEstimate]) -> StratumEstimate:
    reviewed, defective = sum(r.reviewed for r in rows), sum(r.defective for r in rows)
    strict = [r.strict for r in rows if r.strict is not None]
    sampled_only = all(r.interval is not None or not r.reviewed for r in rows)
    return StratumEstimate(
        stratum=outer,
        population=sum(r.population for r in rows),
        weight=weight,
        sampled=sum(r.sampled for r in rows),
        reviewed=reviewed,
        defective=defective,
        rate=_rate(defective, reviewed),
        possible=sum(r.possible for r in rows),
        strict=sum(strict) if len(strict) == len(rows) else None,
        interval=wilson_interval(defective, reviewed) if reviewed and sampled_only else None,
    )


def _wilson(sample: Sample, defective: int, reviewed: int) -> Interval | None:
    if not reviewed or sample.kind is DrawKind.CENSUS:
        return None
    return wilson_interval(defective, reviewed)


def _intervals(sample: Sample, defective: int, reviewed: int) -> tuple[Interval, ...]:
    if not reviewed or sample.kind is DrawKind.CENSUS:
        return ()
    return plain_intervals(defective, reviewed)


def _next(
    frame: Frame, sample: Sample, reviewed: int, defective: int, rubric: Rubric
) -> tuple[NextStep, str]:
    step, text = next_step(
        rubric.sampling,
        _threshold(rubric),
        frame_size=frame.size,
        stage=sample.stage,
        sampled=len(sample.task_ids),
        reviewed=reviewed,
        defective=defective,
    )
    if step is NextStep.WIDEN and sample.kind is DrawKind.SUPPLIED:
        text += " A draw made outside Assay cannot be widened here: supply a wider list of ids."
    return step, text


def _undefined(
    sample: Sample,
    reviewed: int,
    counts: _Counts,
    strata: Iterable[StratumEstimate],
    weighted: float | None,
) -> dict[str, str]:
    """Name of a figure → why it is not defined."""
    reasons: dict[str, str] = {}
    if not reviewed:
        reasons |= dict.fromkeys(("rate", "strict_rate", "intervals"), NOTHING_READ)
    if counts.strict is None:
        reasons |= dict.fromkeys(("strict", "strict_rate"), UNSTATED)
    if weighted is None:
        reasons["weighted_rate"] = unread_reason(strata)
    if sample.kind is DrawKind.CENSUS:
        reasons["intervals"] = EXACT if reviewed == len(sample.task_ids) else FLOOR
    return reasons
