"""Intervals for a share from k of n: Wilson, Clopper-Pearson and Jeffreys.

All speak of a plain random sample with no finite population correction. The share k/n lies in
each of them; with no trial there is nothing to estimate, and they refuse.
"""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

from audit_app.domain.estimates import Interval

LEVEL = 0.95
"""Nominal coverage unless told otherwise."""


def wilson_interval(successes: int, trials: int, *, level: float = LEVEL) -> Interval:
    """The shares that the score test does not reject.

    Raises:
        ValueError: There is no trial, the counts contradict each other, or the level is not
            between 0 and 1.

    Source: Wilson (1927), Probable inference, the law of succession, and statistical inference;
    as given in Brown, Cai and DasGupta (2001), Interval estimation for a binomial proportion,
    section 3.1.1.
    """
    _require_counts(successes, trials, level)
    z = NormalDist().inv_cdf((1 + level) / 2)
    share = successes / trials
    shrink = 1 + z * z / trials
    centre = (share + z * z / (2 * trials)) / shrink
    half = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials)) / shrink
    return Interval(
        name="wilson",
        lower=0.0 if successes == 0 else centre - half,
        upper=1.0 if successes == trials else centre + half,
        level=level,
    )


def clopper_pearson_interval(successes: int, trials: int, *, level: float = LEVEL) -> Interval:
    """The shares that neither one-sided exact binomial test rejects; never covers too little.

    Raises:
        ValueError: As for ``wilson_interval``.

    Source: Clopper and Pearson (1934), The use of confidence or fiducial limits; the ends as
    beta quantiles, Brown, Cai and DasGupta (2001), section 4.2.1.
    """
    _require_counts(successes, trials, level)
    k, n, tail = successes, trials, (1 - level) / 2
    return Interval(
        name="clopper_pearson",
        lower=0.0 if k == 0 else _beta_quantile(k, n - k + 1, tail),
        upper=1.0 if k == n else _beta_quantile(k + 1, n - k, 1 - tail),
        level=level,
    )


def jeffreys_interval(successes: int, trials: int, *, level: float = LEVEL) -> Interval:
    """Equal-tailed posterior interval under the prior Beta(1/2, 1/2).

    Raises:
        ValueError: As for ``wilson_interval``.

    Source: Brown, Cai and DasGupta (2001), section 3.1.3; the lower end is 0 without successes
    and the upper end 1 without failures, as they set it.
    """
    _require_counts(successes, trials, level)
    k, n, tail = successes, trials, (1 - level) / 2
    return Interval(
        name="jeffreys",
        lower=0.0 if k == 0 else _beta_quantile(k + 0.5, n - k + 0.5, tail),
        upper=1.0 if k == n else _beta_quantile(k + 0.5, n - k + 0.5, 1 - tail),
        level=level,
    )


def _require_counts(successes: int, trials: int, level: float) -> None:
    if trials < 1:
        raise ValueError("an interval for a share of no trials is not defined")
    if not 0 <= successes <= trials:
        raise ValueError(f"{successes} of {trials} is not a share")
    if not 0 < level < 1:
        raise ValueError(f"level {level} is not between 0 and 1")


def _beta_quantile(a: float, b: float, share: float) -> float:
    # Imported here: it takes longer to load than most commands to run, and NumPy's own modules
    # fail on a bad SOURCE_DATE_EPOCH before the settings can say what is wrong with it.
    from scipy.special import betaincinv

    return float(betaincinv(a, b, share))
