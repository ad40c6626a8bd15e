"""The bundled audit as two reviewers leave it: 46 tasks judged alike, 4 that differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from audit_app.domain.team import Mode
from audit_app.services.context import Services, open_services
from audit_app.services.demo import ensure_demo
from audit_app.services.team import TeamChange
from audit_app.settings import Settings

AUDIT = "toolshop"
Judged = Sequence[Mapping[str, Any]]
"""Findings of one review, none for a clean one."""

STALE = {"effects": ["FN"], "cause": "K2", "severity": 2, "note": "The old name is in the key."}
DIFFERENT: tuple[tuple[Judged, Judged], ...] = (
    ([STALE], [{**STALE, "effects": ["FN", "FP"], "severity": 3, "note": "It still passes."}]),
    ([], [{"effects": ["FP"], "cause": "K3", "severity": 1, "note": "Any city passes."}]),
    ([STALE], []),
    ([{"effects": ["UNSURE"], "severity": 2}], [{"effects": ["FN"], "severity": 2}]),
)
"""What ada and ben say of the first four tasks."""


def as_person(settings: Settings, person: str) -> Settings:
    """The same workspace for someone else."""
    return replace(settings, reviewer=person)


def set_team(services: Services, **changes: Any) -> None:
    """Two reviewers and an adjudicator, unless said otherwise."""
    wanted = {"mode": Mode.ADJUDICATED, "reviews_per_task": 2, **changes}
    services.team(AUDIT).change(TeamChange(**wanted))


def judge(settings: Settings, person: str, said: Mapping[str, Judged]) -> None:
    """File one reviewer's judgements, through the service."""
    with open_services(as_person(settings, person)) as services:
        acks = services.reviewing(AUDIT).apply(
            {
                "id": str(uuid5(NAMESPACE_URL, f"{person}/{task}/{findings}")),
                "kind": "defect" if findings else "clean",
                "task_id": task,
                "findings": findings,
            }
            for task, findings in said.items()
        )
    assert [ack.error for ack in acks if ack.error] == []


def reviewed_by_two(
    settings: Settings, different: Sequence[tuple[Judged, Judged]] = DIFFERENT
) -> list[str]:
    """A workspace in which ada and ben judged all 50 tasks; the tasks in order, the differing
    ones first."""
    ensure_demo(settings)
    with open_services(settings) as services:
        set_team(services)
        tasks = [item.task_id for item in services.reviewing(AUDIT).desk().queue]
    for index, person in enumerate(("ada", "ben")):
        alike: list[tuple[Judged, Judged]] = [([], [])] * (len(tasks) - len(different))
        pairs = zip(tasks, [*different, *alike], strict=True)
        judge(settings, person, {task: pair[index] for task, pair in pairs})
    return tasks
