"""Estimates under each way of counting: the published figures, what is not defined, laws."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit_app.domain.estimates import Counted, Estimand, Estimate, StratumEstimate
from audit_app.sampling.estimating import Evidence, build_estimates, weights_coincide

SAMPLE, SCORE, TASK = Estimand.SAMPLE, Estimand.SCORE, Estimand.TASK
ONE = (Counted.CONFIRMED,)


def stratum(
    name: str,
    weight: float,
    population: int,
    reviewed: int,
    defective: int,
    *,
    possible: int | None = None,
    strict: int | None = 0,
) -> StratumEstimate:
    return StratumEstimate(
        stratum=name,
        population=population,
        weight=weight,
        sampled=reviewed,
        reviewed=reviewed,
        defective=defective,
        rate=defective / reviewed if reviewed else None,
        possible=defective if possible is None else possible,
        strict=strict,
    )


PUBLISHED = [
    stratum("non_live_ast", 0.1, 1150, 5, 1, strict=None),
    stratum("live_ast", 0.1, 1351, 5, 2, strict=None),
    stratum("irrelevance", 0.1, 1124, 5, 2, strict=None),
    stratum("multi_turn", 0.3, 800, 15, 8, strict=None),
    stratum("memory", 0.2, 155, 10, 7, strict=None),
    stratum("web_search", 0.2, 100, 10, 4, strict=None),
]


def estimates(
    strata: Sequence[StratumEstimate], evidence: Evidence = Evidence.SAMPLE, **outer: str
) -> dict[tuple[Estimand, Counted], Estimate]:
    homes = {row.stratum: outer.get(row.stratum, row.stratum) for row in strata}
    found = build_estimates(strata, outer=homes, evidence=evidence, threshold=0.2)
    return {(e.estimand, e.counted): e for e in found}


def test_r09_the_published_review_with_what_each_figure_rests_on() -> None:
    found = estimates(PUBLISHED, memory="agentic", web_search="agentic")
    plain, score = (found[e, Counted.CONFIRMED] for e in (SAMPLE, SCORE))
    assert plain.rate == 0.48
    ends = {i.name: (round(100 * i.lower, 1), round(100 * i.upper, 1)) for i in plain.intervals}
    assert ends == {
        "wilson": (34.8, 61.5),
        "clopper_pearson": (33.7, 62.6),
        "jeffreys": (34.6, 61.6),
    }
    assert score.rate == pytest.approx(0.48)
    errors = {error.name: round(error.value, 4) for error in score.standard_errors}
    assert errors == {"outer": 0.0727, "cells": 0.0721, "cells_corrected": 0.0707}


def test_task_weighted_by_hand() -> None:
    found = estimates(PUBLISHED, memory="agentic", web_search="agentic")[TASK, Counted.CONFIRMED]
    defective = 1150 / 5 + 2 * 1351 / 5 + 2 * 1124 / 5 + 8 * 800 / 15 + 7 * 155 / 10 + 4 * 100 / 10
    assert found.rate == pytest.approx(defective / 4680)
    # Memory and web search were read alike, but memory has more tasks: merged, they would
    # estimate another rate.
    assert "outer" not in {error.name for error in found.standard_errors}
    assert "agentic" in found.undefined["standard_error_outer"]


def test_strict_is_not_defined_where_a_severity_is_missing() -> None:
    for estimand in Estimand:
        found = estimates(PUBLISHED)[estimand, Counted.STRICT]
        assert (found.defective, found.rate, found.intervals) == (None, None, ())
        assert set(found.undefined) >= {"defective", "rate", "intervals"}
        assert "severity" in found.undefined["rate"]


def test_band_and_strict_rate_side_by_side() -> None:
    strata = [
        stratum("a", 0.5, 500, 10, 3, possible=5, strict=1),
        stratum("b", 0.5, 500, 10, 1, possible=1, strict=1),
    ]
    rates = {key[1]: e.rate for key, e in estimates(strata).items() if key[0] is SCORE}
    assert rates == {Counted.CONFIRMED: 0.2, Counted.POSSIBLE: 0.3, Counted.STRICT: 0.1}


@pytest.mark.parametrize(
    ("strata", "evidence", "estimand", "missing", "reason"),
    [
        pytest.param(
            [stratum("a", 1, 90, 0, 0)], Evidence.SAMPLE, SAMPLE, "rate", "no task is reviewed",
            id="nothing reviewed",
        ),
        pytest.param(
            [stratum("a", 0.5, 90, 9, 1), stratum("b", 0.5, 90, 0, 0)], Evidence.SAMPLE, SCORE,
            "rate", "reviewed in b", id="one stratum empty",
        ),
        pytest.param(
            [stratum("a", 1, 90, 1, 1)], Evidence.SAMPLE, SCORE, "intervals", "no variation",
            id="a single task",
        ),
        pytest.param(
            [stratum("a", 1, 9, 9, 1)], Evidence.CENSUS, TASK, "intervals", "exact",
            id="census complete",
        ),
        pytest.param(
            [stratum("a", 1, 9, 4, 1)], Evidence.CENSUS_IN_PROGRESS, SAMPLE, "rate", "floor",
            id="census in progress",
        ),
        pytest.param(
            [stratum("a", 0.5, 4, 4, 1), stratum("b", 0.5, 5, 5, 0)], Evidence.SAMPLE, SCORE,
            "intervals", "exact", id="a supplied draw of everything",
        ),
    ],
)  # fmt: skip
def test_r09_undefined_is_said_and_no_number_invented(
    strata: list[StratumEstimate],
    evidence: Evidence,
    estimand: Estimand,
    missing: str,
    reason: str,
) -> None:
    found = estimates(strata, evidence)[estimand, Counted.CONFIRMED]
    assert reason in found.undefined[missing]
    assert found.intervals == ()
    assert found.probability_at_least_threshold is None
    if missing == "rate":
        assert found.rate is None


def test_a_census_has_exact_rates() -> None:
    found = estimates([stratum("a", 0.5, 6, 6, 3), stratum("b", 0.5, 4, 4, 1)], Evidence.CENSUS)
    rates = [found[estimand, Counted.CONFIRMED].rate for estimand in Estimand]
    assert rates == pytest.approx([0.4, 0.5 * 0.5 + 0.5 * 0.25, 0.4])


@pytest.mark.parametrize("defective", [0, 10])
def test_all_and_none_defective_keep_an_interval(defective: int) -> None:
    strata = [stratum(name, 0.5, 500, 10, defective) for name in "ab"]
    found = estimates(strata)[SCORE, Counted.CONFIRMED]
    share = defective / 10
    for interval in found.intervals:
        assert 0 <= interval.lower <= share <= interval.upper <= 1
        assert interval.upper - interval.lower > 0.05
    assert [error.value for error in found.standard_errors] == [0, 0]


def test_weights_coincide_where_strata_weigh_by_tasks() -> None:
    assert weights_coincide([stratum("a", 0.25, 10, 2, 0), stratum("b", 0.75, 30, 2, 0)])
    assert not weights_coincide(PUBLISHED)


_rows = st.lists(
    st.tuples(st.integers(2, 60), st.integers(0, 400), st.integers(0, 60), st.integers(1, 9)),
    min_size=1,
    max_size=5,
)


def _strata(rows: Sequence[tuple[int, int, int, int]]) -> list[StratumEstimate]:
    total = sum(weight for *_, weight in rows)
    return [
        stratum(f"s{i}", weight / total, read + more, read, min(found, read))
        for i, (read, more, found, weight) in enumerate(rows)
    ]


@given(_rows)
@settings(deadline=None, max_examples=60)
def test_shares_stay_shares_and_the_order_of_strata_is_irrelevant(
    rows: list[tuple[int, int, int, int]],
) -> None:
    strata = _strata(rows)
    one, other = estimates(strata), estimates(strata[::-1])
    for key, estimate in one.items():
        twin = other[key]
        assert estimate.rate == pytest.approx(twin.rate)
        assert estimate.effective_size == pytest.approx(twin.effective_size)
        assert [e.value for e in estimate.standard_errors] == pytest.approx(
            [e.value for e in twin.standard_errors]
        )
        for mine, theirs in zip(estimate.intervals, twin.intervals, strict=True):
            assert (mine.lower, mine.upper) == pytest.approx((theirs.lower, theirs.upper))
            assert estimate.rate is not None
            assert 0 <= mine.lower <= estimate.rate + 1e-9
            assert estimate.rate - 1e-9 <= mine.upper <= 1


@given(_rows)
@settings(deadline=None, max_examples=60)
def test_more_defects_never_lower_a_rate(rows: list[tuple[int, int, int, int]]) -> None:
    strata = _strata(rows)
    more = [
        row.model_copy(
            update={
                "defective": min(row.defective + 1, row.reviewed),
                "rate": min(row.defective + 1, row.reviewed) / row.reviewed,
            }
        )
        for row in strata
    ]
    before, after = estimates(strata), estimates(more)
    for estimand in Estimand:
        low, high = before[estimand, Counted.CONFIRMED], after[estimand, Counted.CONFIRMED]
        assert low.rate is not None
        assert high.rate is not None
        assert low.rate <= high.rate + 1e-12


def test_a_collapsed_stratum_keeps_the_weighted_rate() -> None:
    strata = [stratum("a", 0.5, 100, 1, 1), stratum("b", 0.5, 100, 9, 0)]
    found = estimates(strata)[SCORE, Counted.CONFIRMED]
    assert found.rate == 0.5
    assert all(i.lower <= 0.5 <= i.upper for i in found.intervals)
