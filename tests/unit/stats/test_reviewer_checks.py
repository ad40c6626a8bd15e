"""Planted checks: recall, false alarms, and the rate corrected by Rogan and Gladen."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from audit_app.domain.planted import PlantKind
from audit_app.stats.reviewer_checks import Judged, check_rates, corrected_rate

CLEAN, WRONG, CALL = PlantKind.CLEAN, PlantKind.WRONG_VALUE, PlantKind.MISSING_CALL

flags = st.lists(st.booleans(), min_size=1, max_size=12)


def split(defective: int, of: int) -> list[bool]:
    return [i < defective for i in range(of)]


def test_each_judgement_is_counted_once_with_its_denominator() -> None:
    rates = check_rates(
        [
            Judged("a", WRONG, "ada", is_defective=True, is_cause_right=True),
            Judged("a", WRONG, "ben", is_defective=True),
            Judged("b", CALL, "ada", is_defective=False),
            Judged("b", CALL, "ben", is_defective=True, is_cause_right=True),
            Judged("c", CLEAN, "ada", is_defective=False),
            Judged("c", CLEAN, "ben", is_defective=True),
            Judged("d", CLEAN, "ada", is_defective=False),
        ]
    )
    assert (rates.recall.count, rates.recall.of, rates.recall.rate) == (3, 4, 0.75)
    assert (rates.false_alarms.count, rates.false_alarms.of) == (1, 3)
    assert (rates.cause_right.count, rates.cause_right.of) == (2, 3)
    # Wilson's ends for 3 of 4 at z = 1.959964: (p + z²/2n ± z√(p(1-p)/n + z²/4n²)) / (1 + z²/n),
    # with z²/n = 0.960365: (0.75 + 0.480182 ± 1.959964·√(0.046875 + 0.060023)) / 1.960365.
    assert rates.recall.interval is not None
    assert (rates.recall.interval.lower, rates.recall.interval.upper) == pytest.approx(
        (0.300642, 0.954413), abs=1e-5
    )


def test_nothing_judged_is_not_zero() -> None:
    rates = check_rates([])
    assert (rates.recall.rate, rates.recall.of, rates.recall.interval) == (None, 0, None)


@pytest.mark.parametrize(
    ("observed", "damaged", "clean", "rate", "clipped"),
    [
        # (12/50 - 1/10) / (8/10 - 1/10) = 0.14 / 0.7
        pytest.param((12, 50), (8, 10), (1, 10), 0.2, "", id="corrected downwards"),
        # (15/50 - 0) / (6/10 - 0) = 0.5
        pytest.param((15, 50), (6, 10), (0, 10), 0.5, "", id="misses only"),
        pytest.param((7, 50), (10, 10), (0, 10), 0.14, "", id="perfect reviewers change nothing"),
        # (2/50 - 1/10) / 0.9 = -0.0667
        pytest.param((2, 50), (10, 10), (1, 10), 0.0, "the formula gives -0.067", id="below 0"),
        # (40/50) / (5/10) = 1.6
        pytest.param((40, 50), (5, 10), (0, 10), 1.0, "the formula gives 1.600", id="above 1"),
        # recall − false alarms = 0.7 − 0.5, in doubles a hair below 0.2: not refused
        pytest.param((30, 50), (7, 10), (5, 10), 0.5, "", id="at the least difference"),
    ],
)
def test_corrected_rate_by_hand(
    observed: tuple[int, int],
    damaged: tuple[int, int],
    clean: tuple[int, int],
    rate: float,
    clipped: str,
) -> None:
    found = corrected_rate(
        [split(*observed)], split(*damaged), split(*clean), seed="s", resamples=200
    )
    assert found.rate == pytest.approx(rate)
    assert found.clipped.startswith(clipped)
    assert bool(found.clipped) == bool(clipped)


@pytest.mark.parametrize(
    ("strata", "damaged", "clean", "says"),
    [
        pytest.param([[]], [True], [False], "no task of the sample", id="nothing reviewed"),
        pytest.param([[True]], [], [False], "damaged key is judged", id="no damaged check"),
        pytest.param([[True]], [True], [], "right key is judged", id="no clean check"),
        pytest.param(
            [[True, False]],
            split(5, 10),
            split(4, 10),
            r"0\.500 − 0\.400 = 0\.100, below 0\.2",
            id="reviewers say too little",
        ),
    ],
)
def test_a_correction_that_says_nothing_is_refused_with_its_reason(
    strata: list[list[bool]], damaged: list[bool], clean: list[bool], says: str
) -> None:
    found = corrected_rate(strata, damaged, clean, seed="s", resamples=50)
    assert (found.rate, found.interval) == (None, None)
    assert re.search(says, found.undefined["rate"])


def test_too_few_checks_give_a_rate_without_an_interval() -> None:
    # One of 3 damaged keys found and no false alarm: in a resample of 2 draws none is found
    # with chance (2/3)² = 4/9, far more than may be left out.
    found = corrected_rate([split(1, 10)], split(1, 3), split(0, 3), seed="s", resamples=2_000)
    assert found.rate == pytest.approx(0.3)
    assert found.interval is None
    assert "too few checks" in found.undefined["interval"]


@given(st.lists(flags, min_size=1, max_size=3), flags, flags)
def test_laws_of_the_correction(
    strata: list[list[bool]], damaged: list[bool], clean: list[bool]
) -> None:
    found = corrected_rate(strata, damaged, clean, seed="law", resamples=40)
    again = corrected_rate(strata, damaged, clean, seed="law", resamples=40)
    assert found == again
    assert (found.rate is None) == ("rate" in found.undefined)
    if found.rate is None:
        return
    assert 0 <= found.rate <= 1
    if all(damaged) and not any(clean):
        assert found.rate == pytest.approx(found.observed)
    if not found.clipped and found.recall is not None and found.false_alarm_rate is not None:
        # Seen through such reviewers the corrected rate looks like the observed one.
        seen = found.rate * found.recall + (1 - found.rate) * found.false_alarm_rate
        assert seen == pytest.approx(found.observed)
    if found.interval is not None:
        assert 0 <= found.interval.lower <= found.interval.upper <= 1


def test_with_perfect_checks_the_interval_is_the_bootstrap_of_the_rate() -> None:
    """Independent route: the n − 1 draws of one stratum are binomial."""
    found = corrected_rate(
        [split(10, 50)], [True] * 5, [False] * 5, seed="binomial", resamples=20_000
    )
    ends = [binom.ppf(q, 49, 0.2) / 49 for q in (0.025, 0.975)]
    assert found.interval is not None
    # Quantiles of resamples may fall one step beside those of the distribution.
    assert (found.interval.lower, found.interval.upper) == pytest.approx(ends, abs=1 / 49)


def test_the_correction_is_unbiased_for_known_reviewers() -> None:
    """Reviewers of recall 0.6 and 0.1 false alarms judge 3,000 tasks, 0.3 of them defective.

    One rate with many checks deviates by its Monte-Carlo error; the mean over 200 audits must lie
    within four standard errors of 0.3.
    """
    random = np.random.default_rng(20261129)
    recall, alarms, truth = 0.6, 0.1, 0.3
    rates = []
    for _ in range(200):
        defective = random.random(3_000) < truth
        judged = np.where(defective, random.random(3_000) < recall, random.random(3_000) < alarms)
        found = corrected_rate(
            [judged.tolist()],
            (random.random(1_000) < recall).tolist(),
            (random.random(1_000) < alarms).tolist(),
            seed="simulation",
            resamples=1,
        )
        assert found.rate is not None
        rates.append(found.rate)
    error = float(np.std(rates, ddof=1) / np.sqrt(len(rates)))
    assert np.mean(rates) == pytest.approx(truth, abs=4 * error)
    uncorrected = truth * recall + (1 - truth) * alarms  # 0.25
    assert abs(np.mean(rates) - truth) < abs(uncorrected - truth)
