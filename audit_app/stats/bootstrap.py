"""The bootstrap of a stratified sample, as counts of how often each task is drawn again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from audit_app.domain.estimates import Interval
from audit_app.stats.intervals import LEVEL

Floats = NDArray[np.float64]

RESAMPLES = 10_000
NAME = "paired_bootstrap"
"""Id of the interval."""

_CELLS_OF_A_BATCH = 2_000_000
"""Counts held at once: bounds memory whatever the size of the sample."""


def resampled_counts(
    sizes: Sequence[int], *, seed: str, resamples: int = RESAMPLES
) -> Iterator[list[Floats]]:
    """Batches of resamples: for each stratum, how often each of its tasks is drawn.

    Within a stratum of n_h tasks, n_h − 1 are drawn with replacement and with equal chances. The
    mean of a resample then varies by s²/n_h, as the mean of a simple random sample does; n_h
    draws would vary by (n_h − 1)/n_h of that, which in strata of a few tasks is far too little.
    A stratum of one task shows no variation and is kept as it is. There is no finite population
    correction.

    Args:
        sizes: Tasks of each stratum, at least 1.
        seed: Text; same seed, same resamples.
        resamples: How many in all.

    Yields:
        For each stratum an array of shape (resamples of the batch, tasks of the stratum).

    Source: Efron and Tibshirani (1993), An Introduction to the Bootstrap, chapters 6 and 8;
    n_h − 1 draws: Rao and Wu (1988), Resampling inference with complex survey data, section 2,
    with m_h = n_h − 1 and the sampling fraction neglected.
    """
    random = np.random.default_rng(int.from_bytes(sha256(seed.encode()).digest()))
    batch = max(1, _CELLS_OF_A_BATCH // max(1, sum(sizes)))
    for start in range(0, resamples, batch):
        rows = min(batch, resamples - start)
        yield [_counts(random, rows, size) for size in sizes]


def _counts(random: np.random.Generator, rows: int, size: int) -> Floats:
    if size == 1:
        return np.ones((rows, 1))
    drawn = random.integers(0, size, (rows, size - 1))
    # One histogram for all rows: each row has bins of its own.
    drawn += size * np.arange(rows)[:, np.newaxis]
    return np.bincount(drawn.ravel(), minlength=rows * size).reshape(rows, size).astype(np.float64)


def percentile_interval(replicates: Floats, *, level: float = LEVEL, name: str = NAME) -> Interval:
    """The middle ``level`` of the replicates.

    Args:
        replicates: One figure a resample, at least one; those not defined (NaN) are left out.
        level: Nominal coverage.
        name: Id of the interval.

    Source: Efron and Tibshirani (1993), section 13.3.
    """
    ends = np.nanquantile(replicates, [(1 - level) / 2, (1 + level) / 2])
    return Interval(name=name, lower=float(ends[0]), upper=float(ends[1]), level=level)
