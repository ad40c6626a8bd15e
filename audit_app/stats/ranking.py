"""Rankings by score: ranks, and how far two rankings agree."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

import numpy as np


class Tau(NamedTuple):
    """Kendall's tau-b, or why there is none."""

    value: float | None
    undefined: str = ""


def competition_ranks(scores: Sequence[float]) -> list[int]:
    """Rank of each score, the highest first; ties share the better rank (1, 2, 2, 4)."""
    ordered = sorted(scores, reverse=True)
    first: dict[float, int] = {}
    for rank, score in enumerate(ordered, start=1):
        first.setdefault(score, rank)
    return [first[score] for score in scores]


def kendall_tau_b(first: Sequence[float], second: Sequence[float]) -> Tau:
    """Agreement of two rankings of the same models, corrected for ties.

    With C pairs in the same order, D in opposite order, T1 tied in the first ranking only and T2
    in the second only: (C − D) / √((C + D + T1)(C + D + T2)).

    Returns:
        1 for the same order with the same ties, −1 for the reverse; not defined for fewer than
        two models, or where one ranking ties them all.

    Source: Kendall (1938), A new measure of rank correlation; with ties Kendall (1945), The
    treatment of ties in ranking problems.
    """
    if len(first) < 2:
        return Tau(None, "fewer than two models have a score, so there is no order to compare")
    a, b = (np.sign(np.subtract.outer(np.array(s), np.array(s))) for s in (first, second))
    untied_a, untied_b = int(np.count_nonzero(a)), int(np.count_nonzero(b))
    if not untied_a or not untied_b:
        return Tau(None, "all models have the same score, so there is no order to compare")
    # Every pair is counted twice, above and below the line: the ratio is the same. The rounding
    # of the root must not carry full agreement past 1.
    return Tau(max(-1.0, min(1.0, float((a * b).sum()) / sqrt(untied_a * untied_b))))
