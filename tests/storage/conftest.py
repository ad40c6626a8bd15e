from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import pytest

from audit_app.domain.benchmark import BenchmarkVersion, Document, Entry, KeyKind, Message, Task
from audit_app.domain.review import Effect, Finding, Judgement, Review
from audit_app.domain.sampling import Draw, DrawKind, Sample, SamplingPlan
from audit_app.services.resources import bundled_rubric, bundled_taxonomy
from audit_app.storage.audits import AuditRepository, StoredAudit
from audit_app.storage.benchmarks import BenchmarkRepository, StoredBenchmark, encode_benchmark
from audit_app.storage.workspace import Workspace

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def task(id_: str, *, category: str = "simple", prompt: str = "Open bay three.") -> Task:
    return Task(
        id=id_,
        category=category,
        group=category,
        scorer="exact",
        turns=((Message("user", prompt),),),
        key_kind=KeyKind.VALUE,
        key={"n": 10**20, "x": 1.0, "s": "007"},
        fields={"hops": "2"},
    )


def store(workspace: Workspace, tasks: list[Task], *, name: str = "greenhouse") -> StoredBenchmark:
    entries = [(t.id, Entry(t.id, 0.5)) for t in tasks]
    encoded = encode_benchmark(tasks, entries, [Document("tools/Vent", [{"name": "vent"}])])
    version = BenchmarkVersion(
        name=name,
        content_hash=encoded.content_hash,
        format="table",
        rules="",
        source="tasks.jsonl",
        imported_at=NOON,
        imported_by="ada",
        tasks=len(tasks),
        entries=len(entries),
    )
    return BenchmarkRepository(workspace).add(version, encoded)


def make_audit(workspace: Workspace, ids: tuple[str, ...] = ("a", "b")) -> str:
    key = store(workspace, [task(id_) for id_ in ids]).key
    audit = StoredAudit(
        id=str(uuid4()),
        name="first",
        benchmark=key,
        plan=SamplingPlan(size=2, widen_to=4, seed="s"),
        frame_hash="0" * 64,
        rubric=bundled_rubric(),
        taxonomy=bundled_taxonomy(),
        created_at=NOON,
        created_by="ada",
    )
    sample = Sample(stage=1, kind=DrawKind.CENSUS, draws=(Draw(stratum="simple", task_ids=ids),))
    AuditRepository(workspace).add(audit, sample, sample_id=str(uuid4()))
    found = AuditRepository(workspace).find("first")
    assert found == audit
    assert AuditRepository(workspace).samples(audit.id) == [sample]
    return audit.id


def a_review(
    task_id: str = "a",
    *,
    reviewer: str = "ada",
    judgement: Judgement = Judgement.CLEAN,
    supersedes: str | None = None,
    note: str = "",
) -> Review:
    findings = (
        (
            Finding(
                effects=(Effect.FP, Effect.FN),
                cause="K3",
                causes=("T1", "G1"),
                severity=0,
                note="pipes | and `ticks`",
                evidence=("https://example.org/a?b=c|d",),
                proposed_key='{"a": [1, ""]}',
            ),
            Finding(effects=(Effect.UNSURE,), note="‮ 日本 \x00 \n"),
        )
        if judgement is Judgement.DEFECT
        else ()
    )
    return Review(
        id=str(uuid4()),
        task_id=task_id,
        reviewer=reviewer,
        reviewed_at=NOON,
        judgement=judgement,
        findings=findings,
        supersedes=supersedes,
        note=note,
    )


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "assay.db") as opened:
        yield opened
