"""The impact of defects in words: the finding, the method, and what a reader must know besides."""

from __future__ import annotations

from collections.abc import Sequence

from audit_app.stats.impact_model import (
    Impact,
    ImpactData,
    ModelImpact,
    RankingImpact,
    ScoreChange,
    Weighting,
)
from audit_app.stats.impact_table import Table

_LISTED = 5


def impact_sentence(impact: Impact) -> str:
    """What correcting the defects, or taking their tasks out, does; with its denominators."""
    if impact.undefined:
        return f"The effect on the leaderboard is not defined: {impact.undefined['models']}."
    where = f"{_count(impact.tasks, 'task')} counted"
    if not impact.defects:
        return f"No defect is confirmed in the {where}, so no score and no rank moves."
    scored = [m for m in impact.models if m.correcting.shift is not None]
    if not scored:
        return f"{_action(impact)} leaves no task with a verdict, so no score is left to compare."
    top = max(scored, key=lambda m: (abs(m.correcting.shift or 0.0), m.model))
    moved = (
        f"moves no score of the {_count(len(scored), 'model')}"
        if not top.correcting.shift
        else f"moves {top.model} the most, by {_points(top.correcting)}"
    )
    return f"{_action(impact)} {moved} ({where}); {ranking_sentence(impact.correcting)}."


def ranking_sentence(ranking: RankingImpact) -> str:
    """How many pairs swap, and tau-b; without its full stop."""
    pairs = _count(len(ranking.pairs), "pair")
    verb = "swaps" if ranking.swapped == 1 else "swap"
    tau = (
        f"Kendall's tau-b is not defined ({ranking.undefined['tau']})"
        if ranking.tau is None
        else f"Kendall's tau-b between the rankings is {ranking.tau:.3f}"
    )
    return f"{ranking.swapped} of {pairs} of models {verb} order; {tau}"


def method_text(data: ImpactData, weighting: Weighting) -> str:
    """What the scores give weight to, and what they speak of."""
    by_score = weighting is Weighting.SCORE
    name = "Benchmark-score-weighted" if by_score else "Task-weighted"
    if data.strata is None:
        rule = (
            "each entry weighs what it earns in the benchmark's overall score, and tasks that "
            "share points go on sharing them when one drops out"
            if by_score
            else "each task counts alike, one that feeds several entries by their mean"
        )
        return f"{name}: {rule}. The whole benchmark is counted, so the figures are exact."
    rule = (
        "each stratum's mean, by what its tasks earn in the benchmark's overall score, times the "
        "points of the stratum in the frame"
        if by_score
        else "each stratum's mean over tasks times its weight in the frame"
    )
    return (
        f"{name}, weighted to the frame: {rule}. The figures are estimates from "
        f"{_count(len(data.tasks), 'reviewed task')}; intervals are percentiles of a bootstrap "
        "paired by task within the strata."
    )


def impact_notes(data: ImpactData, table: Table, models: Sequence[ModelImpact]) -> tuple[str, ...]:
    """What was left out, and where figures are weaker than they look."""
    notes = [
        (data.unreviewed, f"{_count(data.unreviewed, 'sampled task')} not reviewed yet: left out."),
        (
            ungraded := len(data.tasks) - table.tasks,
            f"{_count(ungraded, 'task')} without a verdict of any model: left out.",
        ),
        (
            unfilled := [name for name in table.unfilled if name],
            f"No model has a verdict in {_listed(unfilled)}: the figures speak of the rest.",
        ),
        (
            gone := _emptied(table),
            f"Every task of {_listed(gone)} is taken out in one of the rankings: there its "
            "weight is shared among the others.",
        ),
        (
            single := [c.id for c in table.cells if data.strata and c.size == 1],
            f"One task only in {_listed(single)}: the intervals show nothing of its chance.",
        ),
        (
            uneven := [m.model for m in models if m.missing or m.not_regraded],
            f"{_listed(uneven)} {'lacks' if len(uneven) == 1 else 'lack'} some verdicts: each "
            "model is scored on the entries it has, the same before and after.",
        ),
    ]
    return tuple(text for matters, text in notes if matters)


def _emptied(table: Table) -> list[str]:
    """Cells of which no task is left in one of the rankings."""
    return [c.id for c in table.cells if c.id and not c.possible.sum(axis=(1, 2)).all()]


def _action(impact: Impact) -> str:
    if not impact.excluded:
        return f"Correcting {_count(impact.corrected, 'confirmed defect')}"
    if not impact.corrected:
        return f"Taking out {_count(impact.excluded, 'task')} with a confirmed defect"
    return (
        f"Correcting {impact.corrected} of {_count(impact.defects, 'confirmed defect')} and "
        f"taking out the other {_count(impact.excluded, 'task')}"
    )


def _points(change: ScoreChange) -> str:
    text = f"{signed_points(change.shift or 0.0)} points"
    if change.interval is None:
        return text
    low, high = signed_points(change.interval.lower), signed_points(change.interval.upper)
    return f"{text}, {100 * change.interval.level:g} % interval {low} to {high}"


def signed_points(share: float) -> str:
    """A difference of shares in points of 100, with as many decimals as a small one needs."""
    points = 100 * share
    if not points:
        return "0.0"
    if abs(points) < 0.05:
        return f"{points:+.2g}".replace("-", "−")
    return f"{points:+.1f}".replace("-", "−")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _LISTED} more" if len(names) > _LISTED else ""
    return ", ".join(names[:_LISTED]) + more
