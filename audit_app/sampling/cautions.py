"""What a reader of the rates must bear in mind, as plain sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from audit_app.domain.estimates import (
    INTERVAL_NAMES,
    Counted,
    Estimand,
    Estimate,
    Interval,
    StratumEstimate,
)
from audit_app.stats.known_coverage import SIMULATED, falling_short

_ESTIMANDS = {
    Estimand.SAMPLE: "of the tasks read",
    Estimand.SCORE: "score-weighted",
    Estimand.TASK: "task-weighted",
}
_COUNTED = {
    Counted.CONFIRMED: "confirmed",
    Counted.POSSIBLE: "with disputed, uncertain and unsure findings",
    Counted.STRICT: "strict",
}


def cautions(
    estimates: Sequence[Estimate],
    strata: Sequence[StratumEstimate],
    *,
    threshold: float,
    coincide: bool,
) -> tuple[str, ...]:
    """The sentences, the weightiest first; none where nothing is estimated.

    Args:
        estimates: Every estimand under every way of counting.
        strata: The strata of the plan.
        threshold: Rate at or above which there is an issue.
        coincide: Whether the score-weighted and the task-weighted rate are the same.
    """
    shown = [e for e in estimates if not (coincide and e.estimand is Estimand.TASK)]
    confirmed = [e for e in shown if e.counted is Counted.CONFIRMED]
    if not any(estimate.intervals for estimate in confirmed):
        return tuple(_other_side(shown, threshold))
    return tuple(
        [
            *_spanning(confirmed, threshold),
            *_other_side(shown, threshold),
            *_unread(strata),
            *_collapsed(strata),
            *_coverage(confirmed),
        ]
    )


def _spanning(confirmed: Iterable[Estimate], threshold: float) -> Iterator[str]:
    """Intervals with the threshold inside."""
    inside = {
        e.estimand: [i for i in e.intervals if i.lower < threshold <= i.upper] for e in confirmed
    }
    parts = [
        f"{', '.join(f'{INTERVAL_NAMES[i.name]} {_ends(i)}' for i in found)} "
        f"({_ESTIMANDS[estimand]})"
        for estimand, found in inside.items()
        if found
    ]
    if parts:
        one = sum(map(len, inside.values())) == 1
        these = "this interval is" if one else "these intervals are"
        yield (
            f"The threshold of {_percent(threshold)} lies inside {'; '.join(parts)}. The point "
            f"rate decides, but the true rate that {these} for may lie on either side."
        )


def _other_side(shown: Sequence[Estimate], threshold: float) -> Iterator[str]:
    """Rates that lie on the other side of the threshold than the one that decides."""
    rates = {(e.estimand, e.counted): e.rate for e in shown}
    decides = rates[Estimand.SAMPLE, Counted.CONFIRMED]
    if decides is None:
        return
    others = [
        f"{name} {_percent(rate)}"
        for key, name in (
            ((Estimand.SCORE, Counted.CONFIRMED), _ESTIMANDS[Estimand.SCORE]),
            ((Estimand.TASK, Counted.CONFIRMED), _ESTIMANDS[Estimand.TASK]),
            ((Estimand.SAMPLE, Counted.POSSIBLE), _COUNTED[Counted.POSSIBLE]),
            ((Estimand.SAMPLE, Counted.STRICT), _COUNTED[Counted.STRICT]),
        )
        if (rate := rates.get(key)) is not None and (rate >= threshold) != (decides >= threshold)
    ]
    if others:
        side = "at or above" if decides >= threshold else "below"
        yield (
            f"The rate that decides, {_percent(decides)}, is {side} the threshold of "
            f"{_percent(threshold)}; on its other side: {', '.join(others)}."
        )


def _unread(strata: Iterable[StratumEstimate]) -> Iterator[str]:
    rows = list(strata)
    sampled, reviewed = sum(r.sampled for r in rows), sum(r.reviewed for r in rows)
    if reviewed < sampled:
        yield (
            f"{reviewed} of {sampled} sampled tasks have been read; every figure takes these for a "
            "random part of their stratum."
        )


def _collapsed(strata: Iterable[StratumEstimate]) -> Iterator[str]:
    """Strata that are counted together with a neighbour, where there is one."""
    weighed = [row for row in strata if row.weight > 0]
    alone = [row.stratum for row in weighed if row.reviewed == 1]
    if not alone or len(weighed) == 1 or any(row.reviewed == 0 for row in weighed):
        return
    yield (
        f"With one reviewed task, {', '.join(alone)} shows no variation: for the standard errors "
        "and the intervals of the weighted rates it is counted together with its neighbour."
        if len(alone) == 1
        else f"With one reviewed task each, {', '.join(alone)} show no variation: for the standard "
        "errors and the intervals of the weighted rates they are counted together with neighbours."
    )


def _coverage(confirmed: Sequence[Estimate]) -> Iterator[str]:
    """Intervals that cover less than they say, and numbers of tasks nobody simulated."""
    reviewed = max(e.reviewed for e in confirmed)
    least, most = SIMULATED
    if reviewed < least:
        yield (
            f"How often the intervals hold the true rate was simulated for {least} and {most} "
            f"tasks read, not for {reviewed}."
        )
    parts = []
    short = falling_short(confirmed, reviewed=reviewed)
    for low in short:
        first, last = (f"{100 * rate:g}" for rate in low.rates)
        where = f"{first} %" if first == last else f"{first} to {last} %"
        weighted = f" ({_ESTIMANDS[low.estimand]})" if low.method == "bayes" else ""
        parts.append(
            f"{INTERVAL_NAMES[low.method]}{weighted} in {_percent(low.lowest)}, where it was "
            f"{where}"
        )
    if parts:
        yield (
            f"In simulated samples of {short[0].read} tasks some 95 % intervals held the true "
            f"rate more rarely: {'; '.join(parts)}. Such a rate is not ruled out here."
        )


def _ends(interval: Interval) -> str:
    return f"{100 * interval.lower:.1f}–{_percent(interval.upper)}"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
