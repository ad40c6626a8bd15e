"""How many tasks each stratum gives: proportional allocation within bounds, in exact arithmetic.

A level is allocated by clamped proportional scaling: the one factor λ is found for which the
quotas λ·w, each held between its least and its most, sum to the number wanted; whole parts are
given, and what is left goes to the largest remainders. Where no bound binds this is the plain
largest-remainder method (Hamilton).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from audit_app.domain.sampling import Frame
from audit_app.errors import InputError

_LARGEST_DENOMINATOR = 10**7
"""Weights that are ratios of counts up to this size are taken back exactly from their doubles."""


class _Share(NamedTuple):
    """One claimant at a level: its id, weight, and the bounds of what it can be given."""

    id: str
    weight: Fraction
    least: int
    most: int


def allocate(frame: Frame, n: int, *, floor: Mapping[str, int] | None = None) -> dict[str, int]:
    """Tasks to draw from each stratum of the frame.

    Outer strata are allocated first, then the strata within each. Every stratum that has a task
    gets at least one where ``n`` allows it, and at least its floor. Ties between remainders go to
    the larger weight, then to the smaller id by code point.

    Args:
        frame: Strata with populations and weights.
        n: Tasks to allocate in all.
        floor: Stratum id → tasks it has already, when a sample is widened.

    Returns:
        Stratum id → n_h, in the order of the frame, summing to ``n``.

    Raises:
        InputError: ``n`` is negative or larger than the frame, or a floor cannot be kept.
    """
    kept = dict(floor or {})
    _require_feasible(frame, n, kept)
    inner: dict[str, list[_Share]] = {}
    outer_weight: dict[str, Fraction] = {}
    for s in frame.strata:
        share = _Share(s.id, _exact(s.weight), kept.get(s.id, 0), s.population)
        inner.setdefault(s.outer, []).append(share)
        outer_weight[s.outer] = _exact(s.outer_weight)
    outer = [_outer_share(o, outer_weight[o], shares) for o, shares in inner.items()]
    # Room for one in every inner stratum where it fits, else one in every outer one, else none.
    each_inner = [o._replace(least=sum(_at_least_one(inner[o.id]))) for o in outer]
    roomy = each_inner if sum(o.least for o in each_inner) <= n else _with_one_each(outer, n)
    allocation: dict[str, int] = {}
    for outer_id, count in _apportion(roomy, n).items():
        allocation |= _apportion(_with_one_each(inner[outer_id], count), count)
    return {s.id: allocation[s.id] for s in frame.strata}


def _require_feasible(frame: Frame, n: int, floor: Mapping[str, int]) -> None:
    if not 0 <= n <= frame.size:
        raise InputError(f"cannot draw {n} tasks from a frame of {frame.size}")
    for s in frame.strata:
        if s.population and not s.weight:
            raise InputError(f"stratum {s.id!r} weighs too little to be drawn from; give it 0")
    population = {s.id: s.population for s in frame.strata}
    for stratum, least in floor.items():
        if not 0 <= least <= population.get(stratum, 0):
            raise InputError(
                f"stratum {stratum!r} cannot keep {least} tasks: "
                f"it has {population.get(stratum, 0)} in the frame"
            )
    if sum(floor.values()) > n:
        raise InputError(f"{n} tasks are fewer than the {sum(floor.values())} to be kept")


def _exact(weight: float) -> Fraction:
    """The simplest fraction that the double stands for: 1/3 for 0.333…, 1/10 for 0.1."""
    simplest = Fraction(weight).limit_denominator(_LARGEST_DENOMINATOR)
    return simplest if float(simplest) == weight else Fraction(str(weight))


def _outer_share(outer: str, weight: Fraction, inner: Sequence[_Share]) -> _Share:
    return _Share(outer, weight, sum(s.least for s in inner), sum(s.most for s in inner))


def _at_least_one(shares: Sequence[_Share]) -> list[int]:
    return [max(s.least, min(1, s.most)) for s in shares]


def _with_one_each(shares: Sequence[_Share], n: int) -> list[_Share]:
    """The shares with at least one each, or as they are where ``n`` does not allow that."""
    least = _at_least_one(shares)
    if sum(least) > n:
        return list(shares)
    return [s._replace(least=one) for s, one in zip(shares, least, strict=True)]


def _apportion(shares: Sequence[_Share], n: int) -> dict[str, int]:
    """Allocate one level; needs Σ least ≤ n ≤ Σ most."""
    factor = _scale(shares, n)
    quotas = {s.id: _clamped(s, factor) for s in shares}
    given = {s.id: int(quotas[s.id]) for s in shares}
    # A quota at a bound is whole, so only claimants between their bounds have a remainder.
    by_remainder = sorted(shares, key=lambda s: (given[s.id] - quotas[s.id], -s.weight, s.id))
    for share in by_remainder[: n - sum(given.values())]:
        given[share.id] += 1
    return given


def _scale(shares: Sequence[_Share], n: int) -> Fraction:
    """The factor λ at which the clamped quotas sum to ``n``.

    The sum grows piecewise linearly in λ and bends only where a quota meets a bound, so the
    bends are searched by halves and the stretch between two of them is solved directly.
    """
    bends = sorted({b / s.weight for s in shares if s.weight for b in (s.least, s.most)} | {0})
    low, high = 0, len(bends) - 1
    while low < high:
        middle = (low + high) // 2
        if _total(shares, bends[middle]) >= n:
            high = middle
        else:
            low = middle + 1
    end = Fraction(bends[low])
    at_end = _total(shares, end)
    if low == 0 or at_end == n:
        return end
    start = Fraction(bends[low - 1])
    at_start = _total(shares, start)
    return start + (n - at_start) * (end - start) / (at_end - at_start)


def _total(shares: Sequence[_Share], factor: Fraction | int) -> Fraction:
    return sum((_clamped(s, factor) for s in shares), Fraction())


def _clamped(share: _Share, factor: Fraction | int) -> Fraction:
    return min(max(share.weight * factor, Fraction(share.least)), Fraction(share.most))
