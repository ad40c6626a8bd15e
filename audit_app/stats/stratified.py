"""Estimates that weigh strata as the frame does."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum

from audit_app.domain.estimates import StratumEstimate


def weighted_rate(strata: Iterable[StratumEstimate]) -> float | None:
    """Rate of the frame: the sum over strata of weight W_h times rate p_h.

    Returns:
        A share in [0, 1]; None unless every stratum with a weight has a reviewed task, because
        nothing is known of the others. Equal to the plain rate where the reviewed tasks are
        allocated exactly in proportion to the weights.

    Source: Cochran (1977), Sampling Techniques, 3rd edition, equation 5.1.
    """
    weighed = [stratum for stratum in strata if stratum.weight > 0]
    if not weighed or any(stratum.rate is None for stratum in weighed):
        return None
    return min(1.0, fsum(s.weight * s.rate for s in weighed if s.rate is not None))
