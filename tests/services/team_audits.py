"""An audit of 50 tasks that two people judge, for tests of adjudication and agreement.

Of the tasks in the order of the sample, ann finds a defect (FN, K1, severity 2) in 0 to 24. bob
finds one in 0 to 19 and in 25 to 34: in 0 to 4 it is FN, K2, severity 3, in the others as ann's. So
they say the same of 5 to 19 and of 35 to 49, and differ on 0 to 4 and on 20 to 34.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from audit_app.domain.team import Mode, TeamSettings
from audit_app.services.context import Services
from audit_app.storage.team import TeamRepository
from tests.services.conftest import write_tasks

NAME = "shared"
ADJUDICATED = TeamSettings(
    mode=Mode.ADJUDICATED,
    reviews_per_task=2,
    reviewers=("ann", "bob"),
    adjudicators=("eve", "ida"),
)
OWN_FINDING = {"effects": ["FN"], "cause": "K1", "severity": 2}
STALE_FINDING = {"effects": ["FN"], "cause": "K2", "severity": 3}


def make_audit(
    services: Services, folder: Path, *, tasks: int = 50, team: TeamSettings = ADJUDICATED
) -> str:
    """A census of so many tasks, shared as ``team`` says."""
    path = write_tasks(folder, {"ferry": tasks})
    services.benchmarks.import_tasks("table", path, name="harbour")
    plan = services.audits.default_plan("harbour")
    services.audits.create(NAME, "harbour", services.audits.preview("harbour", plan))
    share(services, team)
    return NAME


def share(services: Services, team: TeamSettings) -> None:
    """Settings that stand from now on."""
    TeamRepository(services.workspace, services.audits.view(NAME).audit.id).set(
        team, id_=services.clock.new_id(), set_at=services.clock.now(), set_by="eve"
    )


def sampled(services: Services) -> list[str]:
    """Ids of the tasks in the order of the sample."""
    return list(services.audits.view(NAME).sample.task_ids)


def as_person(services: Services, person: str) -> Services:
    """The same workspace for somebody else."""
    return replace(services, person=person)


def said(position: int) -> Iterator[tuple[str, dict[str, Any] | None]]:
    """Who judges the task, and the finding or None for clean."""
    yield "ann", OWN_FINDING if position < 25 else None
    bob = OWN_FINDING if 5 <= position < 20 or 25 <= position < 35 else None
    yield "bob", STALE_FINDING if position < 5 else bob


def judge(services: Services, person: str, task_id: str, finding: dict[str, Any] | None) -> None:
    """One judgement through the review screen's service."""
    reviewing = as_person(services, person).reviewing(NAME)
    standing = reviewing.my_reviews([task_id]).get(task_id)
    action = {
        "id": services.clock.new_id(),
        "kind": "defect" if finding else "clean",
        "task_id": task_id,
        "findings": [finding] if finding else [],
        "supersedes": standing.id if standing else None,
    }
    (ack,) = reviewing.apply([action])
    assert ack.error == ""


def judge_all(services: Services) -> None:
    """All reviews of both."""
    for position, task_id in enumerate(sampled(services)):
        for person, finding in said(position):
            judge(services, person, task_id, finding)
