"""Our statistics against statsmodels, scipy and the krippendorff package, on random inputs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from math import sqrt
from statistics import fmean, pvariance, variance

import krippendorff
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

from audit_app.domain.estimates import Interval
from audit_app.stats.agreement import agreement
from audit_app.stats.design import Cell, EffectiveSample, effective_sample, standard_error
from audit_app.stats.intervals import (
    clopper_pearson_interval,
    jeffreys_interval,
    wilson_interval,
)
from audit_app.stats.paired_trials import mcnemar_p
from audit_app.stats.ranking import kendall_tau_b
from audit_app.stats.stratified_intervals import (
    bayes_interval,
    korn_graubard_interval,
    probability_at_least,
)

_TWO = ("yes", "no")


@pytest.mark.parametrize(
    ("method", "theirs"),
    [
        pytest.param(wilson_interval, "wilson", id="wilson"),
        pytest.param(clopper_pearson_interval, "beta", id="clopper_pearson"),
        pytest.param(jeffreys_interval, "jeffreys", id="jeffreys"),
    ],
)
@given(n=st.integers(1, 400), data=st.data(), level=st.sampled_from([0.8, 0.9, 0.95, 0.99]))
@settings(max_examples=60, deadline=None)
def test_intervals_are_those_of_statsmodels(
    method: Callable[..., Interval], theirs: str, n: int, data: st.DataObject, level: float
) -> None:
    k = data.draw(st.integers(0, n))
    mine = method(k, n, level=level)
    lower, upper = proportion_confint(k, n, alpha=1 - level, method=theirs)
    # At no success and at nothing but successes we set the ends of Jeffreys' interval to 0 and 1.
    assert mine.lower == pytest.approx(0.0 if k == 0 else lower, abs=1e-9)
    assert mine.upper == pytest.approx(1.0 if k == n else upper, abs=1e-9)


@given(rate=st.floats(0.001, 0.999), size=st.floats(1.5, 500), threshold=st.floats(0.01, 0.99))
@settings(max_examples=60, deadline=None)
def test_intervals_of_a_size_that_is_not_whole(rate: float, size: float, threshold: float) -> None:
    sample = EffectiveSample(rate, size)
    found, missed = rate * size, (1 - rate) * size
    exact = korn_graubard_interval(sample)
    assert exact.lower == pytest.approx(stats.beta.ppf(0.025, found, missed + 1), abs=1e-8)
    assert exact.upper == pytest.approx(stats.beta.ppf(0.975, found + 1, missed), abs=1e-8)
    posterior, mine = stats.beta(found + 0.5, missed + 0.5), bayes_interval(sample)
    assert (mine.lower, mine.upper) == pytest.approx(posterior.interval(0.95), abs=1e-8)
    assert probability_at_least(sample, threshold) == pytest.approx(posterior.sf(threshold))


_table = st.lists(st.integers(0, 30), min_size=4, max_size=4).filter(lambda t: sum(t) > 1)


@given(_table)
@settings(max_examples=25, deadline=None)
def test_kappa_is_that_of_statsmodels(cells: list[int]) -> None:
    table = np.array(cells).reshape(2, 2)
    assume(table.sum(axis=0).all() or table.sum(axis=1).all())
    said = [pair for pair, n in zip(product(_TWO, _TWO), cells, strict=True) for _ in range(n)]
    assume(len({value for pair in said for value in pair}) == 2)
    ratings = {f"t{i}": {"ann": a, "bob": b} for i, (a, b) in enumerate(said)}
    assert agreement(ratings, seed="s").kappa == pytest.approx(
        cohens_kappa(table, return_results=False)
    )


@given(st.lists(st.lists(st.sampled_from([None, 0, 1, 2, 3]), min_size=3, max_size=3), min_size=2,
                max_size=25))  # fmt: skip
@settings(max_examples=25, deadline=None)
def test_alpha_is_that_of_the_package(units: list[list[int | None]]) -> None:
    ratings = {
        f"t{i}": {name: str(v) for name, v in zip("abc", unit, strict=True) if v is not None}
        for i, unit in enumerate(units)
    }
    shared = [unit for unit in units if sum(v is not None for v in unit) > 1]
    assume(len(shared) > 1 and len({v for unit in shared for v in unit} - {None}) > 1)
    matrix = np.array(shared, dtype=float).T
    alpha = krippendorff.alpha(matrix, value_domain=[0, 1, 2, 3], level_of_measurement="nominal")
    found = agreement({k: v for k, v in ratings.items() if len(v) > 1}, seed="s")
    assert found.alpha == pytest.approx(alpha)


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_that_of_statsmodels(first: int, second: int) -> None:
    assume(first + second > 0)
    theirs = mcnemar([[5, first], [second, 5]], exact=True).pvalue
    assert mcnemar_p(first, second) == pytest.approx(theirs)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=2, max_size=12))
def test_tau_is_that_of_scipy(pairs: list[tuple[int, int]]) -> None:
    first, second = map(list, zip(*pairs, strict=True))
    assume(len(set(first)) > 1 and len(set(second)) > 1)
    tau = kendall_tau_b(first, second).value
    assert tau == pytest.approx(stats.kendalltau(first, second).statistic, abs=1e-9)


_units = st.lists(st.integers(0, 1), min_size=2, max_size=30)


@given(st.lists(st.tuples(_units, st.integers(0, 500)), min_size=1, max_size=6))
def test_the_variance_from_single_tasks(strata: list[tuple[list[int], int]]) -> None:
    """Σ W² (1 − f) s² / n with the sample variance of the zeros and ones themselves."""
    weight = 1 / len(strata)
    cells = [Cell(weight, len(u) + more, len(u), sum(u)) for u, more in strata]
    plain = sum(weight**2 * variance(u) / len(u) for u, _ in strata)
    corrected = sum(
        weight**2 * variance(u) / len(u) * (1 - len(u) / (len(u) + more)) for u, more in strata
    )
    assert standard_error(cells) == pytest.approx(sqrt(plain), abs=1e-12)
    assert standard_error(cells, corrected=True) == pytest.approx(sqrt(corrected), abs=1e-9)


def test_the_corrected_variance_is_right_on_average() -> None:
    """Over all samples of a small frame its mean is the variance of the weighted rate."""
    frame = [(0.3, [1, 0, 0, 1, 0], 2), (0.7, [1, 1, 0, 1], 3)]
    rates, variances = [], []
    for drawn in product(*(list(combinations(tasks, n)) for _, tasks, n in frame)):
        cells = [
            Cell(weight, len(tasks), n, sum(found))
            for (weight, tasks, n), found in zip(frame, drawn, strict=True)
        ]
        rates.append(sum(cell.weight * cell.rate for cell in cells))
        error = standard_error(cells, corrected=True)
        assert error is not None
        variances.append(error**2)
    assert fmean(variances) == pytest.approx(pvariance(rates))


def test_kish_bounds_the_effective_size() -> None:
    """(Σ w)² / Σ w² over the tasks read, each with the weight W_h / n_h; the frame without end."""
    read = [(0.7, 5, 0), (0.2, 15, 0), (0.1, 30, 9)]
    weights = [weight / n for weight, n, _ in read for _ in range(n)]
    kish = sum(weights) ** 2 / sum(w * w for w in weights)
    sample = effective_sample([Cell(w, 10**9, n, k) for w, n, k in read], level=0.95)
    assert sample is not None
    ratio = stats.t.ppf(0.975, 49) / stats.t.ppf(0.975, 47)
    assert sample.size == pytest.approx(kish * ratio**2)
