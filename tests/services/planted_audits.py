"""An audit of the bundled benchmark with planted checks, and reviewers who do as they are told."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from audit_app.domain.planted import PlantedTask
from audit_app.domain.team import TeamSettings
from audit_app.services.audits import AuditView
from audit_app.services.context import Services
from audit_app.services.resources import resource
from audit_app.storage.team import TeamRepository

NAME, SEED = "shop", "a secret"


def as_person(services: Services, person: str) -> Services:
    """The same workspace, asked by somebody else."""
    return replace(services, person=person)


def share(services: Services, settings: TeamSettings, audit: str = NAME) -> None:
    """Let settings stand for the audit."""
    view = services.audits.view(audit)
    TeamRepository(services.workspace, view.audit.id).set(
        settings, id_=str(uuid4()), set_at=services.clock.now(), set_by="op"
    )


def toolshop_file(name: str) -> Path:
    """One file of the bundled benchmark."""
    return Path(str(resource("samples", "toolshop", name)))


def toolshop_audit(services: Services, settings: TeamSettings, *, size: int = 50) -> AuditView:
    """An audit of the bundled benchmark, shared as the settings say; nothing is planted yet."""
    services.benchmarks.import_tasks("table", toolshop_file("tasks.jsonl"), name="toolshop")
    services.benchmarks.import_outputs(
        "table", toolshop_file("outputs.jsonl"), benchmark="toolshop"
    )
    plan = services.audits.default_plan("toolshop").model_copy(
        update={"size": size, "widen_to": max(size, 100)}
    )
    services.audits.create(NAME, "toolshop", services.audits.preview("toolshop", plan))
    share(services, settings)
    return services.audits.view(NAME)


def judge(
    services: Services,
    person: str,
    task_ids: Collection[str],
    defective: Collection[str] = (),
    *,
    cause: str = "K1",
) -> None:
    """Judge tasks: those of ``defective`` with one confirmed finding, the others clean."""
    finding = {"effects": ["FN"], "cause": cause, "severity": 2, "note": "wrong"}
    acks = (
        as_person(services, person)
        .reviewing(NAME)
        .apply(
            {
                "id": str(uuid4()),
                "task_id": task_id,
                **(
                    {"kind": "defect", "findings": [finding]}
                    if task_id in defective
                    else {"kind": "clean"}
                ),
            }
            for task_id in task_ids
        )
    )
    assert [ack.error for ack in acks if ack.error] == []


def of(planted: list[PlantedTask], *, damaged: bool) -> list[str]:
    """Ids of the checks whose key is damaged, or of those left as they are."""
    return [check.task_id for check in planted if check.is_defective is damaged]
