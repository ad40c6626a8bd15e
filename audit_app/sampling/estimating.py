"""Rates of a sample and of its frame under each way of counting, with what they are uncertain by.

Three estimands: the share of the tasks read, and the rate of the frame with strata weighing by the
plan or by their number of tasks. What is not defined is None, with its reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from math import fsum, isclose
from typing import Any, NamedTuple

from audit_app.domain.estimates import (
    Counted,
    Estimand,
    Estimate,
    Interval,
    StandardError,
    StratumEstimate,
)
from audit_app.stats.design import Cell, cells_of, effective_sample, standard_error
from audit_app.stats.intervals import (
    LEVEL,
    clopper_pearson_interval,
    jeffreys_interval,
    wilson_interval,
)
from audit_app.stats.stratified import weighted_rate
from audit_app.stats.stratified_intervals import (
    bayes_interval,
    korn_graubard_interval,
    probability_at_least,
)

NOTHING_READ = "no task is reviewed yet"
UNSTATED = "a counted finding does not state its severity"
EXACT = "every task is reviewed: the rate is exact, not an estimate"
FLOOR = "a census in progress gives a floor, and a floor has no interval"
_FLOOR_RATE = "a census in progress gives a floor: what is read first is no random sample"
_ONE_READ = "one reviewed task shows no variation"
_OF_THE_FRAME = "given for the rates of the frame"
_SIZE, _CHANCE, _ERRORS = "effective_size", "probability_at_least_threshold", "standard_errors"
_UNCERTAINTY = ("intervals", _ERRORS, _SIZE, _CHANCE)

Strata = Sequence[StratumEstimate]


class Evidence(Enum):
    """What the rates come from."""

    SAMPLE = "sample"
    CENSUS = "census"
    CENSUS_IN_PROGRESS = "census in progress"


class _Case(NamedTuple):
    """One estimand under one way of counting.

    Attributes:
        estimand: Which rate.
        counted: Of which tasks.
        rows: The strata as it weighs them, their defective tasks as it counts them.
        is_stated: Whether every counted finding says how it is to be counted.
        outer: Stratum id → its top-level stratum.
        evidence: What it comes from.
        threshold: Rate whose posterior probability to be reached is given.
    """

    estimand: Estimand
    counted: Counted
    rows: Strata
    is_stated: bool
    outer: Mapping[str, str]
    evidence: Evidence
    threshold: float

    @property
    def defective(self) -> int:
        """Tasks that count."""
        return sum(row.defective for row in self.rows)

    @property
    def reviewed(self) -> int:
        """Tasks read."""
        return sum(row.reviewed for row in self.rows)


def build_estimates(
    strata: Strata, *, outer: Mapping[str, str], evidence: Evidence, threshold: float
) -> tuple[Estimate, ...]:
    """Every estimand under every way of counting, in that order.

    Args:
        strata: The strata with their counts, in the order of the plan.
        outer: Stratum id → its top-level stratum.
        evidence: What they come from.
        threshold: Rate whose posterior probability to be reached is given.
    """
    alike = task_weighted(strata)
    return tuple(
        _estimate(
            _Case(
                estimand,
                counted,
                _counted_as(alike if estimand is Estimand.TASK else strata, counted),
                counted is not Counted.STRICT or all(row.strict is not None for row in strata),
                outer,
                evidence,
                threshold,
            )
        )
        for counted in Counted
        for estimand in Estimand
    )


def task_weighted(strata: Strata) -> Strata:
    """The strata, each weighing by its number of tasks."""
    total = sum(row.population for row in strata)
    return [row.model_copy(update={"weight": row.population / total}) for row in strata]


def weights_coincide(strata: Strata) -> bool:
    """Whether the plan's weights are the shares of the frame's tasks."""
    pairs = zip(strata, task_weighted(strata), strict=True)
    return all(isclose(a.weight, b.weight, abs_tol=1e-9) for a, b in pairs)


def plain_intervals(defective: int, reviewed: int) -> tuple[Interval, ...]:
    """Wilson's, Clopper and Pearson's and Jeffreys' interval of a plain sample."""
    methods = (wilson_interval, clopper_pearson_interval, jeffreys_interval)
    return tuple(method(defective, reviewed) for method in methods)


def unread_reason(strata: Iterable[StratumEstimate]) -> str:
    """Why a weighted rate is not defined: the strata without a reviewed task."""
    unread = [row.stratum for row in strata if row.rate is None and row.weight > 0]
    return f"no task is reviewed in {', '.join(unread)}"


def _counted_as(strata: Strata, counted: Counted) -> Strata:
    if counted is Counted.CONFIRMED:
        return strata
    rows = []
    for row in strata:
        number = row.possible if counted is Counted.POSSIBLE else row.strict or 0
        rate = number / row.reviewed if row.reviewed else None
        rows.append(row.model_copy(update={"defective": number, "rate": rate}))
    return rows


def _estimate(case: _Case) -> Estimate:
    reason = _why_no_rate(case)
    if reason:
        names = ("rate", *_UNCERTAINTY) if case.is_stated else ("defective", "rate", *_UNCERTAINTY)
        return _made(case, None, undefined=dict.fromkeys(names, reason))
    if case.estimand is Estimand.SAMPLE:
        return _of_sample(case)
    rate = weighted_rate(case.rows)
    if rate is None:
        missing = dict.fromkeys(("rate", *_UNCERTAINTY), unread_reason(case.rows))
        return _made(case, None, undefined=missing)
    if case.evidence is Evidence.CENSUS:
        return _made(case, rate, undefined=dict.fromkeys(_UNCERTAINTY, EXACT))
    return _of_frame(case, rate)


def _made(case: _Case, rate: float | None, **given: Any) -> Estimate:
    return Estimate(
        estimand=case.estimand,
        counted=case.counted,
        defective=case.defective if case.is_stated else None,
        reviewed=case.reviewed,
        rate=rate,
        **given,
    )


def _why_no_rate(case: _Case) -> str:
    if not case.reviewed:
        return NOTHING_READ
    if not case.is_stated:
        return UNSTATED
    return _FLOOR_RATE if case.evidence is Evidence.CENSUS_IN_PROGRESS else ""


def _of_sample(case: _Case) -> Estimate:
    rate, missing = case.defective / case.reviewed, dict.fromkeys(_UNCERTAINTY[1:], _OF_THE_FRAME)
    if case.evidence is Evidence.CENSUS:
        return _made(case, rate, undefined=dict.fromkeys(_UNCERTAINTY, EXACT))
    intervals = plain_intervals(case.defective, case.reviewed)
    return _made(case, rate, intervals=intervals, undefined=missing)


def _of_frame(case: _Case, rate: float) -> Estimate:
    """A weighted rate: every stratum with a weight has a reviewed task, no census."""
    cells = cells_of(case.rows)
    errors, missing = _standard_errors(case, cells)
    sample = effective_sample(cells, level=LEVEL, rate=rate)
    if sample is None:
        whole = all(cell.reviewed == cell.population for cell in cells)
        reason = EXACT if whole else _ONE_READ
        missing |= dict.fromkeys(("intervals", _SIZE, _CHANCE), reason)
        return _made(case, rate, standard_errors=errors, undefined=missing)
    return _made(
        case,
        rate,
        intervals=(korn_graubard_interval(sample), bayes_interval(sample)),
        standard_errors=errors,
        effective_size=sample.size,
        probability_at_least_threshold=probability_at_least(sample, case.threshold),
        undefined=missing,
    )


def _standard_errors(
    case: _Case, cells: Sequence[Cell]
) -> tuple[tuple[StandardError, ...], dict[str, str]]:
    """The standard errors that are defined, and why the others are not."""
    merged, reason = _over_outer(case)
    values = {
        "outer": None if reason else standard_error(cells_of(merged)),
        "cells": standard_error(cells),
        "cells_corrected": standard_error(cells, corrected=True),
    }
    found = tuple(StandardError(name=n, value=v) for n, v in values.items() if v is not None)
    missing = {
        f"standard_error_{name}": reason if name == "outer" and reason else _ONE_READ
        for name, value in values.items()
        if value is None
    }
    return found, missing


def _over_outer(case: _Case) -> tuple[Strata, str]:
    """The strata merged by top-level stratum, or why that would estimate another rate."""
    inner: dict[str, list[StratumEstimate]] = {}
    for row in case.rows:
        if row.weight > 0:
            inner.setdefault(case.outer[row.stratum], []).append(row)
    if all(len(rows) == 1 for rows in inner.values()):
        return [], "no stratum is divided: the same as over the strata"
    merged = []
    for outer, rows in inner.items():
        weight, read = fsum(row.weight for row in rows), sum(row.reviewed for row in rows)
        if not all(isclose(r.weight / weight, r.reviewed / read, abs_tol=1e-9) for r in rows):
            return [], f"the tasks read are not shared by weight within {outer}"
        defective = sum(row.defective for row in rows)
        merged.append(
            StratumEstimate(
                stratum=outer,
                population=sum(row.population for row in rows),
                weight=weight,
                sampled=sum(row.sampled for row in rows),
                reviewed=read,
                defective=defective,
                rate=defective / read,
            )
        )
    return merged, ""
