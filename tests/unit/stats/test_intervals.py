from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import binom

from audit_app.domain.estimates import Interval
from audit_app.stats.intervals import (
    clopper_pearson_interval,
    jeffreys_interval,
    wilson_interval,
)

METHODS = [wilson_interval, clopper_pearson_interval, jeffreys_interval]
Z = 1.959963984540054
COUNTS = [(24, 50), (1, 5), (8, 15), (5, 50), (49, 50)]


@pytest.mark.parametrize(
    ("method", "lower", "upper"),
    [
        pytest.param(wilson_interval, 34.8, 61.5, id="wilson"),
        pytest.param(clopper_pearson_interval, 33.7, 62.6, id="clopper_pearson"),
        pytest.param(jeffreys_interval, 34.6, 61.6, id="jeffreys"),
    ],
)
def test_published_rate(method: Callable[[int, int], Interval], lower: float, upper: float) -> None:
    interval = method(24, 50)
    assert (interval.lower * 100, interval.upper * 100) == pytest.approx((lower, upper), abs=0.05)
    assert interval.level == 0.95


@pytest.mark.parametrize(("k", "n"), COUNTS)
def test_wilson_ends_solve_the_score_test(k: int, n: int) -> None:
    def score(p: float) -> float:
        return (k / n - p) / sqrt(p * (1 - p) / n)

    interval = wilson_interval(k, n)
    assert interval.lower == pytest.approx(brentq(lambda p: score(p) - Z, 1e-9, k / n), abs=1e-9)
    assert interval.upper == pytest.approx(
        brentq(lambda p: score(p) + Z, k / n, 1 - 1e-9), abs=1e-9
    )


@pytest.mark.parametrize(("k", "n"), COUNTS)
def test_clopper_pearson_ends_solve_the_exact_tests(k: int, n: int) -> None:
    interval = clopper_pearson_interval(k, n)
    lower = brentq(lambda p: binom.sf(k - 1, n, p) - 0.025, 1e-9, 1 - 1e-9)
    upper = brentq(lambda p: binom.cdf(k, n, p) - 0.025, 1e-9, 1 - 1e-9)
    assert (interval.lower, interval.upper) == pytest.approx((lower, upper), abs=1e-9)


@pytest.mark.parametrize(("k", "n"), COUNTS)
def test_jeffreys_tails_hold_a_fortieth_of_the_posterior_each(k: int, n: int) -> None:
    def posterior(p: float) -> float:
        likelihood: float = binom.pmf(k, n, p) / sqrt(p * (1 - p))
        return likelihood

    interval = jeffreys_interval(k, n)
    ends = (0.0, interval.lower, interval.upper, 1.0)
    parts = [quad(posterior, a, b)[0] for a, b in pairwise(ends)]
    assert [part / sum(parts) for part in parts] == pytest.approx([0.025, 0.95, 0.025], abs=1e-6)


@pytest.mark.parametrize("method", METHODS)
def test_no_successes_or_no_failures_keep_a_width(method: Callable[[int, int], Interval]) -> None:
    assert method(0, 10).lower == 0.0
    assert 0.2 < method(0, 10).upper < 0.35
    assert method(10, 10).upper == 1.0
    assert 0.65 < method(10, 10).lower < 0.8


@pytest.mark.parametrize("method", METHODS)
@given(st.integers(1, 400), st.data())
def test_an_interval_holds_its_share_and_mirrors(
    method: Callable[[int, int], Interval], n: int, data: st.DataObject
) -> None:
    k = data.draw(st.integers(0, n))
    interval, mirror = method(k, n), method(n - k, n)
    assert 0 <= interval.lower <= k / n <= interval.upper <= 1
    assert interval.lower < interval.upper
    assert interval.lower == pytest.approx(1 - mirror.upper, abs=1e-9)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(("k", "n"), [(0, 0), (-1, 5), (6, 5)])
def test_what_is_no_share_has_no_interval(
    method: Callable[[int, int], Interval], k: int, n: int
) -> None:
    with pytest.raises(ValueError, match="share"):
        method(k, n)


@pytest.mark.parametrize("level", [0.0, 1.0, 95.0])
def test_a_level_is_a_share(level: float) -> None:
    with pytest.raises(ValueError, match="level"):
        wilson_interval(1, 2, level=level)


def test_a_higher_level_is_wider() -> None:
    assert wilson_interval(24, 50, level=0.99).lower < wilson_interval(24, 50).lower
