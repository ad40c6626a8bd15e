from __future__ import annotations

from uuid import uuid4

import pytest

from audit_app.domain.planted import PlantedTask, PlantKind
from audit_app.domain.record import Json
from audit_app.domain.review import Effect
from audit_app.domain.sampling import Draw, DrawKind, Sample, SamplingPlan
from audit_app.errors import ConflictError
from audit_app.services.resources import bundled_rubric, bundled_taxonomy
from audit_app.storage.audits import AuditRepository, StoredAudit
from audit_app.storage.planted import PlantedRepository
from audit_app.storage.workspace import Workspace
from tests.storage.conftest import NOON, store, task


@pytest.fixture
def planted(workspace: Workspace) -> PlantedRepository:
    audit = StoredAudit(
        id=str(uuid4()),
        name="first",
        benchmark=store(workspace, [task("a"), task("b")]).key,
        plan=SamplingPlan(size=1, widen_to=1, seed="s"),
        frame_hash="0" * 64,
        rubric=bundled_rubric(),
        taxonomy=bundled_taxonomy(),
        created_at=NOON,
        created_by="ada",
    )
    sample = Sample(stage=1, kind=DrawKind.RANDOM, draws=(Draw(stratum="s", task_ids=("a",)),))
    AuditRepository(workspace).add(audit, sample, sample_id=str(uuid4()))
    return PlantedRepository(workspace, audit.id)


def check(task_id: str, key: Json = None, kind: PlantKind = PlantKind.CLEAN) -> PlantedTask:
    is_clean = kind is PlantKind.CLEAN
    return PlantedTask(
        id=str(uuid4()),
        task_id=task_id,
        stratum="s",
        kind=kind,
        cause="" if is_clean else "K1",
        effects=() if is_clean else (Effect.FN, Effect.FP),
        key=key,
        basis="listed in ids.txt: “by hand”",
        planted_at=NOON,
        planted_by="op",
    )


def test_checks_come_back_as_they_were_sealed_and_by_id(
    workspace: Workspace, planted: PlantedRepository
) -> None:
    one = check("b", [{"f": {"n": [10**20, 1.0, ""]}}], PlantKind.MISSING_CALL)
    two = check("a")
    planted.add_all([one, two])
    assert planted.all() == [two, one]
    assert workspace.problems() == []


def test_checks_are_planted_once_or_not_at_all(planted: PlantedRepository) -> None:
    with pytest.raises(ConflictError):
        planted.add_all([check("a"), check("a")])
    assert planted.all() == []
    planted.add_all([check("a")])
    with pytest.raises(ConflictError, match="planted in this audit already"):
        planted.add_all([check("b")])
