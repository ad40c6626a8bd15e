from __future__ import annotations

import numpy as np
import pytest

from audit_app.stats.bootstrap import Floats, percentile_interval, resampled_counts


def _all(sizes: list[int], *, seed: str = "s", resamples: int = 300) -> list[Floats]:
    batches = list(resampled_counts(sizes, seed=seed, resamples=resamples))
    return [np.concatenate([batch[h] for batch in batches]) for h in range(len(sizes))]


def test_each_stratum_is_drawn_within_itself() -> None:
    for size, counts in zip([1, 2, 7], _all([1, 2, 7]), strict=True):
        assert counts.shape == (300, size)
        assert (counts.sum(axis=1) == max(1, size - 1)).all()
        assert (counts >= 0).all()


def test_the_seed_decides() -> None:
    assert (_all([9])[0] == _all([9])[0]).all()
    assert (_all([9])[0] != _all([9], seed="t")[0]).any()


def test_batches_are_bounded_and_complete() -> None:
    batches = [batch[0] for batch in resampled_counts([5_000], seed="s", resamples=1_000)]
    assert sum(len(batch) for batch in batches) == 1_000
    assert max(batch.size for batch in batches) <= 2_000_000


def test_replicate_means_vary_as_the_mean_of_a_sample_does() -> None:
    # Two ones among five values: s² = 5 · 0.4 · 0.6 / (5 − 1) = 0.3,
    # so the mean of five varies by 0.3 / 5. A variance from 20,000 draws is good to about 1 %.
    counts = _all([5], resamples=20_000)[0]
    means = counts @ np.array([1.0, 1.0, 0.0, 0.0, 0.0]) / 4
    assert means.mean() == pytest.approx(0.4, abs=0.01)
    assert means.var() == pytest.approx(0.06, rel=0.05)


def test_percentiles_leave_out_what_is_not_defined() -> None:
    values = np.array([np.nan, *range(101)])
    interval = percentile_interval(values, level=0.9)
    assert (interval.lower, interval.upper) == pytest.approx((5.0, 95.0))
