from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kendalltau, rankdata

from audit_app.stats.ranking import competition_ranks, kendall_tau_b

rankings = st.integers(2, 9).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 4), min_size=n, max_size=n)] * 2)
)


@given(rankings)
def test_tau_b_agrees_with_scipy(pair: tuple[list[int], list[int]]) -> None:
    first, second = pair
    tau = kendall_tau_b(first, second)
    if len(set(first)) == 1 or len(set(second)) == 1:
        assert tau.value is None
        assert tau.undefined == "all models have the same score, so there is no order to compare"
    else:
        assert tau.value == pytest.approx(kendalltau(first, second, variant="b").statistic)


@pytest.mark.parametrize(
    ("first", "second", "tau"),
    [
        pytest.param([3, 2, 1], [9, 8, 7], 1.0, id="same order"),
        pytest.param([3, 2, 1], [1, 2, 3], -1.0, id="reversed"),
        pytest.param([3, 2, 1], [3, 1, 2], 1 / 3, id="one of three pairs turned"),
        pytest.param([2, 2, 1], [2, 2, 1], 1.0, id="same ties"),
    ],
)
def test_tau_b_of_small_rankings(first: list[float], second: list[float], tau: float) -> None:
    assert kendall_tau_b(first, second).value == pytest.approx(tau)


@pytest.mark.parametrize("scores", [[], [0.5]])
def test_fewer_than_two_models_have_no_order(scores: list[float]) -> None:
    assert kendall_tau_b(scores, scores).undefined.startswith("fewer than two models")


@given(st.lists(st.integers(0, 5), max_size=9))
def test_ties_share_the_better_rank(scores: list[int]) -> None:
    expected = rankdata([-score for score in scores], method="min").tolist() if scores else []
    assert competition_ranks(scores) == expected
