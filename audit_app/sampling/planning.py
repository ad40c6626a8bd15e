"""How many tasks to read: for an interval of a given width, or for a decision that seldom errs."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

MOST = 20_000
"""Tasks up to which a number is looked for; nobody reads more."""


def tasks_for_half_width(
    half_width: float, *, rate: float, frame_size: int | None = None, level: float = 0.95
) -> int | None:
    """The least number of tasks whose Wilson interval reaches no further than ``half_width``.

    Args:
        half_width: Half the width of the interval, as a share, above 0.
        rate: The rate that is expected, 0 to 1; 0.5 is the worst.
        frame_size: Tasks of the frame, of which a sample of n counts as n(N − 1)/(N − n)
            independent ones; None for a frame without end.
        level: Nominal coverage.

    Returns:
        None where no number up to 20,000, or up to the frame, is enough; a frame read whole is.

    Raises:
        ValueError: A share is none.

    Source: Wilson (1927), as in ``stats.intervals``; Cochran (1977), equation 3.8 for the finite
    population.
    """
    if not (0 < half_width < 1 and 0 <= rate <= 1 and 0 < level < 1):
        raise ValueError(f"half-width {half_width}, rate {rate} or level {level} is no share")
    z = NormalDist().inv_cdf((1 + level) / 2)
    most = MOST if frame_size is None else min(MOST, frame_size)
    low, high = 1, most
    if _half_width(high, rate, frame_size, z) > half_width:
        return None
    while low < high:
        middle = (low + high) // 2
        if _half_width(middle, rate, frame_size, z) <= half_width:
            high = middle
        else:
            low = middle + 1
    return low


def _half_width(n: int, rate: float, frame_size: int | None, z: float) -> float:
    if frame_size is not None and n >= frame_size:
        return 0.0
    size = float(n) if frame_size is None else n * (frame_size - 1) / (frame_size - n)
    spread = rate * (1 - rate) / size + z * z / (4 * size * size)
    return z * sqrt(spread) / (1 + z * z / size)


def tasks_for_decision(threshold: float, *, margin: float, error: float) -> int | None:
    """The least number of tasks from which on a wrong decision at ``margin`` is rare.

    Decided is by the plain rate of one sample: an issue at or above the threshold. Wrong is a pass
    at a true rate of threshold + margin, and an issue at threshold − margin.

    Args:
        threshold: Between the two true rates, 0 to 1.
        margin: How far the true rate is from the threshold, as a share, above 0.
        error: Chance allowed for each of the two errors.

    Returns:
        A number from which on both chances stay within ``error`` up to a third more tasks (they
        move in small steps as counts are whole); None where none up to 20,000 does.

    Raises:
        ValueError: A share is none, or threshold ± margin leaves 0 to 1.
    """
    low, high = threshold - margin, threshold + margin
    if not (0 <= low < threshold < high <= 1 and 0 < error < 1):
        raise ValueError(f"threshold {threshold} ± {margin} or error {error} is no share")
    import numpy as np
    from scipy.stats import binom  # here, as in stats.intervals: it is slow to load

    sizes = np.arange(1, MOST + 1)
    # The least count at or above the threshold; 1e-9 keeps 0.2 · 50 at 10 and not at 11.
    least = np.ceil(threshold * sizes - 1e-9)
    wrong_pass = binom.cdf(least - 1, sizes, high)
    wrong_issue = binom.sf(least - 1, sizes, low)
    bad = np.flatnonzero(np.maximum(wrong_pass, wrong_issue) > error)
    if not len(bad):
        return 1
    for place, size in enumerate(bad):
        after = int(bad[place + 1]) if place + 1 < len(bad) else MOST
        candidate = int(size) + 2
        if after + 1 > candidate + candidate // 3 and candidate <= MOST:
            return candidate
    return None
