"""Rows of the files beside a report as the values they stand for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime

from audit_app.domain.conditions import Condition, Endpoint
from audit_app.domain.evidence import Evidence
from audit_app.domain.live_jobs import Job
from audit_app.domain.planted import PlantedTask, PlantKind
from audit_app.domain.record import Json
from audit_app.domain.review import Effect, Review
from audit_app.domain.sampling import Draw
from audit_app.stats.reviewer_checks import Judged

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
"""A time that no report shows."""
_UNNAMED = Endpoint(name="endpoint", url="endpoint")
"""What a report says of an endpoint stands in the condition."""


def last_replaced(replaced: Iterable[Review]) -> dict[tuple[str, str], str]:
    """(task, reviewer) → the replaced review that no other replaced one supersedes."""
    rows = list(replaced)
    superseded = {review.supersedes for review in rows}
    return {(r.task_id, r.reviewer): r.id for r in rows if r.id not in superseded}


def draws_of(rows: Iterable[Mapping[str, Json]]) -> tuple[Draw, ...]:
    """The draws of a stage, strata in the order of the file."""
    drawn: dict[str, list[tuple[int, str]]] = {}
    for cells in rows:
        drawn.setdefault(cells["stratum"], []).append((int(cells["position"]), cells["task_id"]))
    return tuple(
        Draw(stratum=stratum, task_ids=tuple(task for _, task in sorted(ids)))
        for stratum, ids in drawn.items()
    )


def share_of(cell: str) -> float | None:
    """A share or weight, None for an empty cell."""
    return float(cell) if cell else None


def check_of(cells: Mapping[str, Json]) -> PlantedTask:
    """A planted check, as far as a report shows it."""
    return PlantedTask(
        id="",
        task_id=cells["task_id"],
        stratum=cells["stratum"],
        kind=PlantKind(cells["kind"]),
        cause=cells["cause"],
        effects=tuple(Effect(effect) for effect in cells["effects"].split()),
        key=None,
        basis=cells["basis"],
        planted_at=EPOCH,
        planted_by="",
    )


def judged_of(cells: Mapping[str, Json]) -> Judged:
    """One judgement of a planted check."""
    return Judged(
        task_id=cells["task_id"],
        kind=PlantKind(cells["kind"]),
        reviewer=cells["reviewer"],
        is_defective=cells["defective"] == "1",
        is_cause_right=cells["cause_right"] == "1",
    )


def job_of(stated: Mapping[str, Json], evidence: Evidence) -> Job:
    """A job of trials, as far as a report shows it."""
    return Job(
        id=stated["id"],
        benchmark=0,
        endpoint=_UNNAMED,
        condition=Condition.model_validate(stated["condition"]),
        tasks=(evidence.task_id,),
        trials=stated["trials"],
        created_at=EPOCH,
        created_by="",
    )
