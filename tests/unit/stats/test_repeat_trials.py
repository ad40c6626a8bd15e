"""Laws of repeated trials, checked against counting by hand."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from audit_app.stats.paired_trials import (
    compare_paired,
    mcnemar_p,
    p_from_totals,
    sign_flip_p,
)
from audit_app.stats.pass_at_k import curve, pass_at_k, pass_hat_k
from audit_app.stats.published_counts import check_published
from audit_app.stats.repeat_counts import (
    Tally,
    count_errors_as_failures,
    count_without_errors,
    error_bounds,
    ranking_depends_on_errors,
    successes_per_task,
)
from audit_app.stats.trial_bootstrap import draws, task_bootstrap

_rows = st.builds(Tally, st.integers(0, 4), st.integers(0, 4), st.integers(0, 3))
_tallies = st.lists(_rows, min_size=1, max_size=6)


@given(_tallies)
def test_identities(tallies: list[Tally]) -> None:
    for counts in (count_errors_as_failures(tallies), count_without_errors(tallies)):
        assert counts.never + counts.mixed + counts.all == counts.tasks
        assert counts.ever == counts.mixed + counts.all
        assert counts.tasks <= len(tallies)
    assert sum(successes_per_task(tallies).values()) == sum(row.trials > 0 for row in tallies)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=30))
def test_real_counts_are_possible_published_ones(passed: list[int]) -> None:
    counts = count_errors_as_failures(Tally(c, 5 - c) for c in passed)
    assert counts.mean is not None
    check = check_published(
        round(counts.mean, 3), counts.ever, counts.all, tasks=len(passed), k=5, rounding=0.0005
    )
    assert check.is_possible, check.reason
    assert check.successes[0] <= sum(passed) <= check.successes[1]


@pytest.mark.parametrize(
    ("mean", "ever", "solved", "reason"),
    [
        pytest.param(0.67, 50, 57, "more tasks are solved every time", id="all above ever"),
        pytest.param(0.67, 101, 57, "than there are", id="more than all tasks"),
        pytest.param(0.90, 76, 57, "450 to 450", id="mean too high"),
        pytest.param(0.58, 76, 57, "290 to 290", id="mean too low"),
        pytest.param(0.6711, 76, 57, "no whole number", id="no such mean"),
    ],
)
def test_impossible_published_figures(mean: float, ever: int, solved: int, reason: str) -> None:
    check = check_published(mean, ever, solved, tasks=100, k=5)
    assert not check.is_possible
    assert reason in check.reason


def _outcomes(row: Tally) -> list[Tally]:
    """Every way in which the errors of a task could have been graded."""
    return [
        Tally(row.passed + extra, row.failed + row.errors - extra)
        for extra in range(row.errors + 1)
    ]


@given(st.lists(_rows, min_size=1, max_size=4).filter(lambda rows: any(r.trials for r in rows)))
@settings(max_examples=60)
def test_bounds_are_those_of_all_outcomes(tallies: list[Tally]) -> None:
    bounds = error_bounds(tallies)
    counted = [count_errors_as_failures(rows) for rows in product(*map(_outcomes, tallies))]
    for name in ("mean", "ever", "all", "mixed", "never"):
        values = [getattr(counts, name) for counts in counted]
        assert getattr(bounds, name) == pytest.approx((min(values), max(values))), name


@given(st.integers(1, 7), st.data())
def test_at_k_is_what_drawing_trials_gives(n: int, data: st.DataObject) -> None:
    c = data.draw(st.integers(0, n))
    k = data.draw(st.integers(1, n))
    drawn = list(combinations([True] * c + [False] * (n - c), k))
    assert pass_at_k(n, c, k) * len(drawn) == sum(map(any, drawn))
    assert pass_hat_k(n, c, k) * len(drawn) == sum(map(all, drawn))


@given(st.lists(st.integers(0, 4), min_size=1, max_size=9))
def test_curve_starts_at_the_mean_and_ends_at_ever_and_all(passed: list[int]) -> None:
    tallies = [Tally(c, 4 - c) for c in passed]
    counts, points = count_errors_as_failures(tallies), curve(tallies)
    assert points[0].pass_at_k == pytest.approx(counts.mean)
    assert points[0].pass_hat_k == pytest.approx(counts.mean)
    assert points[-1].pass_at_k == pytest.approx(counts.ever / counts.tasks)
    assert points[-1].pass_hat_k == pytest.approx(counts.all / counts.tasks)
    assert [p.pass_at_k for p in points] == sorted(p.pass_at_k for p in points)
    assert [p.pass_hat_k for p in points] == sorted((p.pass_hat_k for p in points), reverse=True)


def test_curve_stops_at_the_least_number_of_trials() -> None:
    assert [point.k for point in curve([Tally(2, 3), Tally(1, 1)])] == [1, 2]
    assert curve([]) == ()


def test_batches_draw_what_one_call_draws() -> None:
    whole = np.random.default_rng(7).integers(0, 3_001, size=(2_000, 3_001))
    assert np.array_equal(np.concatenate(list(draws(3_001, seed=7, resamples=2_000))), whole)


def test_bootstrap_needs_two_tasks() -> None:
    assert task_bootstrap([Tally(1, 2)]) == {}


def _distance(gaps: NDArray[np.int64], axis: int = -1) -> NDArray[np.int64]:
    sums: NDArray[np.int64] = gaps.sum(axis=axis)
    return np.abs(sums)


@given(st.lists(st.integers(-3, 3), min_size=2, max_size=8))
@settings(max_examples=40)
def test_sign_flips_are_those_of_scipy(gaps: list[int]) -> None:
    p, is_exact = sign_flip_p(gaps)
    assert is_exact
    if not any(gaps):
        assert p is None
        return
    reference = stats.permutation_test(
        (np.array(gaps),),
        _distance,
        vectorized=True,
        permutation_type="samples",
        alternative="greater",
        n_resamples=2**9,  # more than there are patterns: all are gone through
    )
    # scipy flips zeros as well, which changes no sum: the shares are the same.
    assert p == pytest.approx(reference.pvalue)


def test_many_differences_are_flipped_at_random() -> None:
    p, is_exact = sign_flip_p([1] * 20 + [-1] * 10, seed=3)
    assert not is_exact
    assert p == pytest.approx(mcnemar_p(20, 10), abs=0.006)  # equal differences: the same test
    assert p == sign_flip_p([1] * 20 + [-1] * 10, seed=3)[0]


@given(st.integers(0, 30), st.integers(0, 30))
def test_mcnemar_is_a_doubled_binomial_tail(b: int, c: int) -> None:
    if b + c == 0:
        assert mcnemar_p(b, c) is None
        return
    tail = stats.binom.cdf(min(b, c), b + c, 0.5)
    assert mcnemar_p(b, c) == pytest.approx(min(1.0, 2 * tail))


@given(st.integers(1, 40), st.data())
def test_totals_cover_the_true_overlap(tasks: int, data: st.DataObject) -> None:
    first = data.draw(st.sets(st.integers(1, tasks)))
    second = data.draw(st.sets(st.integers(1, tasks)))
    found = {row.overlap: row for row in p_from_totals(len(first), len(second), tasks=tasks)}
    row = found[len(first & second)]
    assert (row.first_only, row.second_only) == (len(first - second), len(second - first))
    assert all(r.first_only - r.second_only == len(first) - len(second) for r in found.values())


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        pytest.param({"a": Tally(1, 1)}, {"b": Tally(1, 1)}, "same tasks", id="other tasks"),
        pytest.param({}, {}, "at least one", id="none"),
        pytest.param({"a": Tally(1, 1)}, {"a": Tally(1, 2)}, "2 to 3", id="other k"),
        pytest.param({"a": Tally(0, 0)}, {"a": Tally(0, 0)}, "no trial", id="no trial"),
    ],
)
def test_what_is_no_pair_is_refused(
    first: dict[str, Tally], second: dict[str, Tally], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        compare_paired(first, second)


def test_swapping_the_models_mirrors_the_comparison() -> None:
    first = {"a": Tally(5, 0), "b": Tally(2, 3), "c": Tally(0, 5)}
    second = {"a": Tally(3, 2), "b": Tally(2, 3), "c": Tally(5, 0)}
    one, other = compare_paired(first, second), compare_paired(second, first)
    assert one.mean_difference == -other.mean_difference
    assert one.p_mean == other.p_mean
    assert {(y, x): tasks for (x, y), tasks in one.classes.items()} == other.classes
    assert one.mcnemar_all.p == other.mcnemar_all.p


def test_error_handling_can_decide_a_ranking() -> None:
    solid, shaky = [Tally(6, 4, 0)], [Tally(5, 1, 4)]
    assert ranking_depends_on_errors(solid, shaky)
    assert not ranking_depends_on_errors(solid, [Tally(2, 6, 2)])
