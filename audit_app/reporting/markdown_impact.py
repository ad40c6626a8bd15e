"""Effect on the leaderboard: scores and ranks before and after, pairs that swap, the method."""

from __future__ import annotations

from collections.abc import Iterable

from audit_app.reporting.impact_chart import impact_slopes
from audit_app.reporting.markup import code, md, percent, table
from audit_app.reporting.report import ImpactPart, Report
from audit_app.stats.impact_model import (
    Impact,
    ModelImpact,
    OrderChange,
    PairImpact,
    RankingImpact,
    ScoreChange,
)
from audit_app.stats.impact_text import ranking_sentence, signed_points

CHART = "impact.svg"
"""The chart, a file beside the report."""

CHART_LINE = f"![Scores of the models before and after the corrections]({CHART})"

MOST_PAIRS = 20
"""Pairs that are written out; all of them stand in report.json."""


def impact_blocks(report: Report) -> Iterable[str]:
    """The section; nothing where no output is stored."""
    part = report.impact
    if part is None:
        return
    yield "## Effect on the leaderboard"
    if not report.figures.reviewed:
        yield "Not defined yet: no task has been reviewed."
        return
    yield from _figures(part)


def _figures(part: ImpactPart) -> Iterable[str]:
    impact = part.impact
    yield md(impact.sentence)
    yield f"{md(impact.method)} {md(part.basis)}"
    if impact.models:
        yield _models_table(impact)
    if impact_slopes(impact):
        yield CHART_LINE
    yield from _undefined(impact)
    yield from _pairs(impact.correcting, "With corrected keys, where there are any")
    if impact.corrected:
        ranking = impact.excluding
        yield f"With all defective tasks taken out instead, {md(ranking_sentence(ranking))}."
        yield from _pairs(ranking, "With all defective tasks taken out")
    if impact.resamples:
        seed = code(impact.seed)
        yield f"Resamples: {impact.resamples:,}, within the strata, from the seed {seed}."
    if impact.notes:
        yield "\n".join(f"- {md(note)}" for note in impact.notes)


def _models_table(impact: Impact) -> str:
    header = ("Model", "Before", "After", "Shift (points)", "Interval", "Rank", "Entries counted")
    return table(header, map(_row, impact.models), right=range(1, 7))


def _row(model: ModelImpact) -> tuple[str, ...]:
    change = model.correcting
    left_out = f", {model.missing} without a verdict" if model.missing else ""
    left_out += f", {model.not_regraded} not regraded" if model.not_regraded else ""
    after = "" if change.entries == model.entries else f", then {change.entries}"
    return (
        code(model.model, in_table=True),
        _share(model.before),
        _share(change.score),
        "not defined" if change.shift is None else signed_points(change.shift),
        _interval(change, is_exact="interval" in model.undefined),
        f"{_rank(model.rank_before)} → {_rank(change.rank)}",
        f"{model.entries}{after}{left_out}",
    )


def _share(share: float | None) -> str:
    return "not defined" if share is None else percent(share)


def _rank(rank: int | None) -> str:
    return "—" if rank is None else str(rank)


def _interval(change: ScoreChange, *, is_exact: bool) -> str:
    if change.interval is None:
        return "exact" if is_exact and change.shift is not None else "not defined"
    ends = (change.interval.lower, change.interval.upper)
    return " to ".join(signed_points(end) for end in ends)


def _undefined(impact: Impact) -> Iterable[str]:
    """Why figures are not defined, each reason once."""
    reasons: dict[str, list[str]] = {}
    for model in impact.models:
        if model.before is None or model.correcting.score is None:
            reason = model.undefined.get("before") or model.undefined.get("correcting", "")
            reasons.setdefault(reason, []).append(model.model)
    for reason, models in reasons.items():
        names = ", ".join(code(name) for name in models)
        yield f"Not defined for {names}: {md(reason)}."


def _pairs(ranking: RankingImpact, heading: str) -> Iterable[str]:
    swapped = [pair for pair in ranking.pairs if pair.change is OrderChange.SWAPPED]
    if not swapped:
        return
    yield f"{heading}, these {len(swapped)} of {len(ranking.pairs)} pairs of models swap order:"
    lines = [f"- {_pair(pair)}" for pair in swapped[:MOST_PAIRS]]
    if len(swapped) > MOST_PAIRS:
        lines.append(f"- and {len(swapped) - MOST_PAIRS} more, listed in report.json")
    yield "\n".join(lines)


def _pair(pair: PairImpact) -> str:
    text = (
        f"{code(pair.behind)} passes {code(pair.ahead)}: the gap goes from "
        f"{signed_points(pair.gap_before)} to {signed_points(pair.gap_after)} points"
    )
    return (
        text if pair.swap_share is None else f"{text} (in {percent(pair.swap_share)} of resamples)"
    )
