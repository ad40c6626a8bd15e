"""What confirmed defects do to a leaderboard: scores, ranks and pairs, before and after."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

import numpy as np

from audit_app.domain.estimates import Interval
from audit_app.stats.bootstrap import RESAMPLES, Floats, percentile_interval, resampled_counts
from audit_app.stats.impact_model import (
    Impact,
    ImpactData,
    ModelImpact,
    OrderChange,
    PairImpact,
    RankingImpact,
    Remedy,
    ScoreChange,
    Weighting,
)
from audit_app.stats.impact_table import (
    BEFORE,
    CORRECTING,
    EXCLUDING,
    Table,
    build_table,
    require_coherent,
    scores,
)
from audit_app.stats.impact_text import impact_notes, impact_sentence, method_text
from audit_app.stats.intervals import LEVEL
from audit_app.stats.ranking import competition_ranks, kendall_tau_b

_NO_MODEL = "no model has a verdict on any of these tasks"


class _Replicates(NamedTuple):
    """Scores of all resamples, shape (3 scores, resamples, models)."""

    values: Floats

    def interval(self, after: int, model: int, level: float) -> Interval | None:
        shifts = self.values[after, :, model] - self.values[BEFORE, :, model]
        return None if np.isnan(shifts).all() else percentile_interval(shifts, level=level)

    def swap_share(self, after: int, first: int, second: int) -> float:
        gap, new_gap = (
            self.values[which, :, first] - self.values[which, :, second]
            for which in (BEFORE, after)
        )
        return float(np.count_nonzero(gap * new_gap < 0)) / len(gap)


def compute_impact(
    data: ImpactData,
    weighting: Weighting,
    *,
    seed: str,
    resamples: int = RESAMPLES,
    level: float = LEVEL,
) -> Impact:
    """The leaderboard before and after excluding or correcting the confirmed defects.

    Scores are compared paired by task: the same entries before and after, and an entry without a
    verdict on either side is left out of both and counted. Of a sample, each resample is drawn
    within the strata and scored before and after, so that a shift keeps its pairing.

    Args:
        data: Tasks, grades and defects; the order of tasks, entries and models is irrelevant.
        weighting: What the scores give weight to.
        seed: Of the resamples.
        resamples: How many.
        level: Nominal coverage of the intervals.

    Raises:
        ValueError: A task or entry repeats, a defect is on no task, a cell has no weight, or a
            grade is no share.
    """
    require_coherent(data)
    table = build_table(data, weighting)
    reasons = _reasons(data, table, weighting)
    point = scores(table)[:, 0]
    point[:, [model in reasons for model in table.models]] = np.nan
    is_exact = data.strata is None
    drawn = None if is_exact or np.isnan(point).all() else _replicates(table, seed, resamples)
    models = _models(table, point, drawn, reasons, level)
    remedies = [data.defects[task.id] for task in data.tasks if task.id in data.defects]
    impact = Impact(
        weighting=weighting,
        method=method_text(data, weighting),
        is_exact=is_exact,
        tasks=table.tasks,
        ungraded=len(data.tasks) - table.tasks,
        unreviewed=data.unreviewed,
        defects=len(remedies),
        corrected=remedies.count(Remedy.CORRECTED),
        excluded=remedies.count(Remedy.EXCLUDED),
        models=models,
        excluding=_ranking(table, point, EXCLUDING, drawn),
        correcting=_ranking(table, point, CORRECTING, drawn),
        resamples=0 if drawn is None else resamples,
        seed=seed,
        notes=impact_notes(data, table, models),
        sentence="",
        undefined={"models": _why_none(reasons)} if np.isnan(point[BEFORE]).all() else {},
    )
    return impact.model_copy(update={"sentence": impact_sentence(impact)})


def _replicates(table: Table, seed: str, resamples: int) -> _Replicates:
    sizes = [cell.size for cell in table.cells]
    batches = resampled_counts(sizes, seed=seed, resamples=resamples)
    return _Replicates(np.concatenate([scores(table, counts) for counts in batches], axis=1))


def _reasons(data: ImpactData, table: Table, weighting: Weighting) -> dict[str, str]:
    """Model → why it has no score."""
    if not table.cells:
        return dict.fromkeys(table.models, _NO_MODEL)
    if weighting is Weighting.SCORE and _lacks_points(data):
        return dict.fromkeys(table.models, "the benchmark defines no overall score")
    reasons: dict[str, str] = {}
    for cell in table.cells:
        for model, possible in zip(table.models, cell.possible[BEFORE].sum(axis=0), strict=True):
            if not possible:
                where = f" in {cell.id}" if cell.id else ""
                reasons.setdefault(model, f"the model has no verdict on any task{where}")
    return reasons


def _lacks_points(data: ImpactData) -> bool:
    entries = any(entry.weight is None for task in data.tasks for entry in task.entries)
    return entries or any(s.points is None for s in (data.strata or {}).values())


def _why_none(reasons: dict[str, str]) -> str:
    return next(iter(reasons.values()), "no model is given")


def _models(
    table: Table,
    point: Floats,
    drawn: _Replicates | None,
    reasons: dict[str, str],
    level: float,
) -> tuple[ModelImpact, ...]:
    ranks = [_ranks(which) for which in point]
    rows = [
        ModelImpact(
            model=model,
            entries=int(table.entries[BEFORE, column]),
            missing=int(table.missing[column]),
            not_regraded=int(table.not_regraded[column]),
            before=_number(point[BEFORE, column]),
            rank_before=ranks[BEFORE][column],
            excluding=_change(table, point, EXCLUDING, column, ranks, drawn, level),
            correcting=_change(table, point, CORRECTING, column, ranks, drawn, level),
            undefined=_undefined(model, point[:, column], reasons, drawn),
        )
        for column, model in enumerate(table.models)
    ]
    return tuple(sorted(rows, key=lambda row: (row.before is None, -(row.before or 0), row.model)))


def _change(
    table: Table,
    point: Floats,
    after: int,
    column: int,
    ranks: list[list[int | None]],
    drawn: _Replicates | None,
    level: float,
) -> ScoreChange:
    score = _number(point[after, column])
    shift = _number(point[after, column] - point[BEFORE, column])
    has_interval = drawn is not None and shift is not None
    return ScoreChange(
        score=score,
        shift=shift,
        interval=drawn.interval(after, column, level) if drawn and has_interval else None,
        rank=ranks[after][column],
        entries=int(table.entries[after, column]),
    )


def _undefined(
    model: str, point: Floats, reasons: dict[str, str], drawn: _Replicates | None
) -> dict[str, str]:
    if model in reasons:
        return dict.fromkeys(("before", "excluding", "correcting"), reasons[model])
    found = {}
    if drawn is None:
        found["interval"] = "the whole benchmark is counted: the shift is exact, not an estimate"
    for name, after in (("excluding", EXCLUDING), ("correcting", CORRECTING)):
        if np.isnan(point[after]):
            found[name] = "every task with a verdict is taken out"
    return found


def _ranks(scores_of_models: Floats) -> list[int | None]:
    known = [i for i, score in enumerate(scores_of_models) if not np.isnan(score)]
    ranks: list[int | None] = [None] * len(scores_of_models)
    for i, rank in zip(known, competition_ranks([scores_of_models[i] for i in known]), strict=True):
        ranks[i] = rank
    return ranks


def _number(value: float) -> float | None:
    return None if np.isnan(value) else round(float(value), 12)


def _ranking(table: Table, point: Floats, after: int, drawn: _Replicates | None) -> RankingImpact:
    before, then = point[BEFORE], point[after]
    known = [i for i in range(len(table.models)) if not np.isnan(before[i] + then[i])]
    known.sort(key=lambda i: (-before[i], table.models[i]))
    pairs = []
    for first, second in combinations(known, 2):
        gap, new_gap = (round(float(s[first] - s[second]), 12) for s in (before, then))
        pairs.append(
            PairImpact(
                ahead=table.models[first],
                behind=table.models[second],
                gap_before=gap,
                gap_after=new_gap,
                change=_order_change(gap, new_gap),
                swap_share=None if drawn is None else drawn.swap_share(after, first, second),
            )
        )
    tau = kendall_tau_b([before[i] for i in known], [then[i] for i in known])
    return RankingImpact(
        pairs=tuple(pairs),
        swapped=sum(pair.change is OrderChange.SWAPPED for pair in pairs),
        tau=tau.value,
        undefined={"tau": tau.undefined} if tau.value is None else {},
    )


def _order_change(before: float, after: float) -> OrderChange:
    if before * after < 0:
        return OrderChange.SWAPPED
    if (before == 0) is (after == 0):
        return OrderChange.KEPT
    return OrderChange.TIED if after == 0 else OrderChange.UNTIED
