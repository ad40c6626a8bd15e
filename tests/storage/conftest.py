from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from audit_app.domain.benchmark import BenchmarkVersion, Document, Entry, KeyKind, Message, Task
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


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(tmp_path / "assay.db") as opened:
        yield opened
