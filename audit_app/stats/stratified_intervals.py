"""Intervals for the rate of a stratified sample, and the chance that it reaches a threshold.

Both rest on the plain sample that would be as precise (``stats.design``), so that they hold for a
handful of tasks in each stratum, where the normal interval does not. Their simulated coverage is
in docs/methods.md.
"""

from __future__ import annotations

from audit_app.domain.estimates import Interval
from audit_app.stats.design import EffectiveSample
from audit_app.stats.intervals import LEVEL

KORN_GRAUBARD = "korn_graubard"
BAYES = "bayes"


def korn_graubard_interval(sample: EffectiveSample, *, level: float = LEVEL) -> Interval:
    """The Clopper–Pearson interval of the effective sample.

    Source: Korn and Graubard (1998), section 2; compared with others in Franco, Little, Louis and
    Slud (2019), Comparative study of confidence intervals for proportions in complex sample
    surveys.
    """
    from scipy.special import betaincinv

    found, missed, tail = (
        sample.rate * sample.size,
        (1 - sample.rate) * sample.size,
        (1 - level) / 2,
    )
    return Interval(
        name=KORN_GRAUBARD,
        lower=0.0 if found <= 0 else float(betaincinv(found, missed + 1, tail)),
        upper=1.0 if missed <= 0 else float(betaincinv(found + 1, missed, 1 - tail)),
        level=level,
    )


def bayes_interval(sample: EffectiveSample, *, level: float = LEVEL) -> Interval:
    """Equal-tailed posterior interval of the effective sample under the prior Beta(1/2, 1/2).

    The lower end is 0 where nothing was found and the upper one 1 where nothing else was.

    Source: Franco, Little, Louis and Slud (2019), the Jeffreys interval.
    """
    from scipy.special import betaincinv

    a, b = _posterior(sample)
    tail = (1 - level) / 2
    return Interval(
        name=BAYES,
        lower=0.0 if sample.rate <= 0 else float(betaincinv(a, b, tail)),
        upper=1.0 if sample.rate >= 1 else float(betaincinv(a, b, 1 - tail)),
        level=level,
    )


def probability_at_least(sample: EffectiveSample, threshold: float) -> float:
    """Posterior probability that the rate is at or above ``threshold``, under the same prior."""
    from scipy.special import betaincc

    a, b = _posterior(sample)
    return float(betaincc(a, b, threshold))


def _posterior(sample: EffectiveSample) -> tuple[float, float]:
    return sample.rate * sample.size + 0.5, (1 - sample.rate) * sample.size + 0.5
