"""What the planted checks of an audit come to, as far as one person may see it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit_app.domain.planted import PlantedTask, PlantKind
from audit_app.domain.team import Mode
from audit_app.services.audits import AuditView
from audit_app.stats.reviewer_checks import (
    CheckRates,
    CorrectedRate,
    Judged,
    check_rates,
    corrected_rate,
)

ADJUDICATED = (
    "the settled judgements are an adjudicator's, and what reviewers find alone does not measure "
    "them"
)


class Scope(StrEnum):
    """Which judgements of planted checks a person may see."""

    ALL = "all"
    OWN = "own"
    NONE = "none"


@dataclass(frozen=True)
class CheckRow:
    """One planted check with its judgements.

    Attributes:
        planted: The check.
        judged: The judgements that stand, by reviewer.
    """

    planted: PlantedTask
    judged: tuple[Judged, ...]


@dataclass(frozen=True)
class CheckFigures:
    """What the judgements of the checks come to.

    Attributes:
        rows: Every check, by task id.
        rates: Over all judgements.
        by_kind: Kind → over the judgements of its checks; kinds that are planted, in their order.
        by_reviewer: Reviewer → over his or her judgements.
        corrected: The defect rate of the sample corrected for them; None where only a part of the
            judgements may be seen.
    """

    rows: tuple[CheckRow, ...]
    rates: CheckRates
    by_kind: Mapping[PlantKind, CheckRates]
    by_reviewer: Mapping[str, CheckRates]
    corrected: CorrectedRate | None


@dataclass(frozen=True)
class PlantedResults:
    """Where the planted checks of an audit stand, as far as the person may see it.

    Attributes:
        planted: Number of checks.
        sampled: Tasks of the sample, which the checks are no part of.
        scope: Whose judgements are shown.
        hidden: Why not all are, empty where they are.
        figures: The results; None where nothing may be seen yet.
    """

    planted: int
    sampled: int
    scope: Scope
    hidden: str
    figures: CheckFigures | None


def bases(rows: Iterable[CheckRow]) -> dict[str, int]:
    """Why keys were taken to be right → how many checks rest on it, most first."""
    return dict(Counter(row.planted.basis for row in rows).most_common())


def check_figures(
    planted: Sequence[PlantedTask], judged: Sequence[Judged], corrected: CorrectedRate | None
) -> CheckFigures:
    """What judgements of checks come to.

    Args:
        planted: The checks, by task id.
        judged: Their judgements that may be shown, by task and reviewer.
        corrected: The rate of the sample corrected for them, where all may be shown.
    """
    kinds = [kind for kind in PlantKind if any(p.kind is kind for p in planted)]
    reviewers = sorted({row.reviewer for row in judged})
    return CheckFigures(
        rows=tuple(
            CheckRow(p, tuple(j for j in judged if j.task_id == p.task_id)) for p in planted
        ),
        rates=check_rates(judged),
        by_kind={k: check_rates(j for j in judged if j.kind is k) for k in kinds},
        by_reviewer={r: check_rates(j for j in judged if j.reviewer == r) for r in reviewers},
        corrected=corrected,
    )


def corrected_by_checks(
    view: AuditView, planted: Sequence[PlantedTask], found: Mapping[str, bool]
) -> CorrectedRate:
    """The sample's rate, corrected by what the same settling makes of the checks.

    Args:
        view: The audit.
        planted: The checks.
        found: Task id → whether its settled judgement finds a defect, for the settled ones.
    """
    if view.team.mode is Mode.ADJUDICATED:
        undefined = {"rate": ADJUDICATED, "interval": ADJUDICATED}
        return CorrectedRate(view.status.rate, None, None, undefined=undefined)
    least = view.audit.rubric.counting.min_severity
    judged = [check for check in planted if check.task_id in found]
    return corrected_rate(
        [
            [
                view.settled[t].is_defective(min_severity=least)
                for t in draw.task_ids
                if t in view.settled
            ]
            for draw in view.sample.draws
        ],
        [found[check.task_id] for check in judged if check.is_defective],
        [found[check.task_id] for check in judged if not check.is_defective],
        seed=f"checks of {view.audit.id}",
    )
