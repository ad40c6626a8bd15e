"""Variance and intervals of a stratified rate: published numbers, limits, laws."""

from __future__ import annotations

from math import sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from audit_app.domain.estimates import StratumEstimate
from audit_app.stats.design import Cell, cells_of, effective_sample, standard_error
from audit_app.stats.intervals import clopper_pearson_interval, jeffreys_interval
from audit_app.stats.stratified_intervals import (
    bayes_interval,
    korn_graubard_interval,
    probability_at_least,
)

_SIX = [
    Cell(0.1, 1150, 5, 1),
    Cell(0.1, 1351, 5, 2),
    Cell(0.1, 1124, 5, 2),
    Cell(0.3, 800, 15, 8),
    Cell(0.2, 155, 10, 7),
    Cell(0.2, 100, 10, 4),
]
_FIVE = [*_SIX[:4], Cell(0.4, 255, 20, 11)]


@pytest.mark.parametrize(
    ("cells", "corrected", "published"),
    [
        pytest.param(_FIVE, False, 0.0727, id="five score strata"),
        pytest.param(_SIX, False, 0.0721, id="six cells"),
        pytest.param(_SIX, True, 0.0707, id="six cells, corrected over keys"),
    ],
)
def test_published_standard_errors(cells: list[Cell], corrected: bool, published: float) -> None:
    assert standard_error(cells, corrected=corrected) == pytest.approx(published, abs=0.5e-4)


_cell = st.builds(
    lambda population, reviewed, defective: Cell(
        0.0, population, min(population, reviewed), min(population, reviewed, defective)
    ),
    st.integers(2, 300),
    st.integers(2, 40),
    st.integers(0, 40),
)
_cells = st.lists(_cell, min_size=1, max_size=5).map(
    lambda rows: [row._replace(weight=1 / len(rows)) for row in rows]
)


@given(_cells)
def test_the_correction_only_narrows(cells: list[Cell]) -> None:
    plain, corrected = standard_error(cells), standard_error(cells, corrected=True)
    assert plain is not None
    assert corrected is not None
    assert 0 <= corrected <= plain + 1e-12


@given(_cells)
def test_intervals_hold_the_rate_and_mirror(cells: list[Cell]) -> None:
    sample = effective_sample(cells, level=0.95)
    if sample is None:
        assert all(cell.reviewed == cell.population for cell in cells)
        return
    mirrored = effective_sample(
        [cell._replace(defective=cell.reviewed - cell.defective) for cell in cells], level=0.95
    )
    assert mirrored is not None
    for method in (korn_graubard_interval, bayes_interval):
        interval, other = method(sample), method(mirrored)
        assert 0 <= interval.lower <= sample.rate + 1e-9
        assert sample.rate - 1e-9 <= interval.upper <= 1
        assert interval.lower == pytest.approx(1 - other.upper, abs=1e-6)
    assert probability_at_least(sample, 0.0) == 1
    assert probability_at_least(sample, 0.2) >= probability_at_least(sample, 0.3)


@given(st.integers(2, 60), st.data())
def test_one_stratum_of_a_huge_frame_is_a_plain_sample(n: int, data: st.DataObject) -> None:
    k = data.draw(st.integers(0, n))
    sample = effective_sample([Cell(1.0, 10**9, n, k)], level=0.95)
    assert sample is not None
    # The variance has n − 1 where the binomial one has n; without variation all of n count.
    size = n - 1 if 0 < k < n else n
    assert sample.size == pytest.approx(size)
    if size == n:
        exact, posterior = clopper_pearson_interval(k, n), jeffreys_interval(k, n)
        kg, bayes = korn_graubard_interval(sample), bayes_interval(sample)
        assert (kg.lower, kg.upper) == pytest.approx((exact.lower, exact.upper))
        assert (bayes.lower, bayes.upper) == pytest.approx((posterior.lower, posterior.upper))


def test_the_correction_for_degrees_of_freedom() -> None:
    cells = [Cell(0.5, 10**9, 10, 5), Cell(0.5, 10**9, 10, 5)]
    sample = effective_sample(cells, level=0.95)
    assert sample is not None
    variance = 2 * 0.25 * 0.25 / 9
    ratio = stats.t.ppf(0.975, 19) / stats.t.ppf(0.975, 18)
    assert sample.size == pytest.approx(0.25 / variance * ratio**2)


def test_a_frame_read_whole_has_no_interval() -> None:
    assert effective_sample([Cell(0.5, 4, 4, 1), Cell(0.5, 9, 9, 3)], level=0.95) is None


def test_a_stratum_read_whole_adds_no_variance() -> None:
    rest = Cell(0.5, 100, 10, 3)
    alone = standard_error([rest], corrected=True)
    assert standard_error([rest, Cell(0.5, 4, 4, 2)], corrected=True) == alone
    assert standard_error([rest, Cell(0.5, 1, 1, 1)], corrected=True) == alone


def _stratum(weight: float, reviewed: int, defective: int = 0) -> StratumEstimate:
    return StratumEstimate(
        stratum="s",
        population=100,
        weight=weight,
        sampled=reviewed,
        reviewed=reviewed,
        defective=defective,
        rate=defective / reviewed if reviewed else None,
    )


@pytest.mark.parametrize(
    ("sizes", "merged"),
    [
        pytest.param([5, 5], [5, 5], id="none alone"),
        pytest.param([1, 5, 4], [6, 4], id="the first"),
        pytest.param([5, 1, 4], [6, 4], id="one between"),
        pytest.param([5, 4, 1], [5, 5], id="the last"),
        pytest.param([1, 1, 5], [2, 5], id="two alone"),
        pytest.param([1], [1], id="a single one"),
    ],
)
def test_single_tasks_are_collapsed(sizes: list[int], merged: list[int]) -> None:
    cells = cells_of(_stratum(1 / len(sizes), size) for size in sizes)
    assert [cell.reviewed for cell in cells] == merged
    assert sum(cell.weight for cell in cells) == pytest.approx(1)


def test_one_task_alone_has_no_variance() -> None:
    cells = cells_of([_stratum(1.0, 1)])
    assert standard_error(cells) is None
    assert effective_sample(cells, level=0.95) is None


def test_a_stratum_without_a_review_is_refused() -> None:
    with pytest.raises(ValueError, match="no reviewed task"):
        cells_of([_stratum(0.5, 3), _stratum(0.5, 0)])


def test_weight_0_is_outside() -> None:
    assert cells_of([_stratum(1.0, 3), _stratum(0.0, 0)]) == (Cell(1.0, 100, 3, 0),)


def test_proportional_strata_by_hand() -> None:
    cells = [Cell(0.4, 10**9, 4, 1), Cell(0.6, 10**9, 6, 3)]
    by_hand = sqrt(0.4**2 * 0.25 * 0.75 / 3 + 0.6**2 * 0.25 / 5)
    assert standard_error(cells) == pytest.approx(by_hand)
