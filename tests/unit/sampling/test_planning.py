"""How many tasks to read, against the intervals and binomial sums themselves."""

from __future__ import annotations

from math import ceil, comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.sampling.planning import tasks_for_decision, tasks_for_half_width
from audit_app.stats.intervals import wilson_interval


@given(st.sampled_from([0.02, 0.05, 0.1, 0.15]), st.sampled_from([0.1, 0.25, 0.5]))
def test_the_number_is_just_enough(half_width: float, rate: float) -> None:
    n = tasks_for_half_width(half_width, rate=rate)
    assert n is not None
    # Where the expected count is whole, Wilson's own interval has that width.
    exact = ceil(n * 20 / 20) - n % 20 + 20
    interval = wilson_interval(round(rate * exact), exact)
    assert (interval.upper - interval.lower) / 2 <= half_width
    fewer = max(1, n - n % 20 - 20)
    wider = wilson_interval(round(rate * fewer), fewer)
    assert (wider.upper - wider.lower) / 2 > half_width or fewer == 1


@pytest.mark.parametrize(
    ("half_width", "frame", "least", "most"),
    [
        pytest.param(0.05, None, 381, 386, id="the textbook's 384"),
        pytest.param(0.05, 384, 190, 195, id="half of a frame of as many"),
        pytest.param(0.0001, 30, 30, 30, id="a small frame is read whole"),
    ],
)
def test_known_numbers(half_width: float, frame: int | None, least: int, most: int) -> None:
    n = tasks_for_half_width(half_width, rate=0.5, frame_size=frame)
    assert n is not None
    assert least <= n <= most


def test_no_number_is_enough() -> None:
    assert tasks_for_half_width(0.0001, rate=0.5) is None
    assert tasks_for_decision(0.2, margin=0.0001, error=0.01) is None


def _tail(n: int, p: float, least: int) -> float:
    return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(least, n + 1))


@pytest.mark.parametrize("margin", [0.1, 0.15])
def test_decisions_seldom_err(margin: float) -> None:
    n = tasks_for_decision(0.2, margin=margin, error=0.05)
    assert n is not None

    def errors(size: int) -> tuple[float, float]:
        least = -(-size // 5)  # a fifth, rounded up
        return 1 - _tail(size, 0.2 + margin, least), _tail(size, 0.2 - margin, least)

    assert all(max(errors(size)) <= 0.05 for size in range(n, n + n // 3))
    assert max(errors(n - 1)) > 0.05


@pytest.mark.parametrize("bad", [0.0, -0.1, 1.0])
def test_what_is_no_share_is_refused(bad: float) -> None:
    with pytest.raises(ValueError, match="no share"):
        tasks_for_half_width(bad, rate=0.2)
    with pytest.raises(ValueError, match="no share"):
        tasks_for_decision(0.2, margin=bad, error=0.05)
