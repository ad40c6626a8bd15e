from __future__ import annotations

import sqlite3

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.domain.benchmark import Output, OutputSource, OutputStatus, benchmark_digest
from audit_app.errors import NotFoundError
from audit_app.storage.benchmarks import BenchmarkRepository, encode_benchmark
from audit_app.storage.outputs import Added, OutputRepository
from audit_app.storage.workspace import Workspace
from tests.storage.conftest import NOON, store, task

ODD_IDS = ["a/b c", "007", "7", "日本語", "‮rtl", "", "x'; drop table tasks;--", "é"]


def test_a_task_comes_back_as_it_was(workspace: Workspace) -> None:
    tasks = [task(id_) for id_ in ODD_IDS]
    key = store(workspace, tasks).key
    repository = BenchmarkRepository(workspace)
    assert [repository.task(key, id_) for id_ in ODD_IDS] == tasks
    found = repository.task(key, "007").key
    assert found == {"n": 10**20, "x": 1.0, "s": "007"}
    assert isinstance(found["x"], float)


def test_the_content_hash_ignores_order_and_sees_every_change() -> None:
    tasks = [("a", "1"), ("b", "2")]
    entries: list[tuple[str, str, float | None]] = [("a", "a", 0.5), ("b", "b", None)]
    base = benchmark_digest(tasks, entries, [])
    assert benchmark_digest(tasks[::-1], entries[::-1], []) == base
    assert benchmark_digest([("a", "1"), ("b", "3")], entries, []) != base
    assert benchmark_digest(tasks, [("a", "a", 0.25), ("b", "b", None)], []) != base
    assert benchmark_digest(tasks, entries, [("d", "1")]) != base


def test_a_changed_benchmark_is_a_new_version_beside_the_old_one(workspace: Workspace) -> None:
    first = store(workspace, [task("a")])
    second = store(workspace, [task("a", prompt="Close it.")])
    repository = BenchmarkRepository(workspace)
    assert repository.find("greenhouse") == second
    assert repository.find(f"greenhouse@{first.version.version}") == first
    with pytest.raises(NotFoundError, match="there are: greenhouse"):
        repository.find("glasshouse")
    assert store(workspace, [task("a")]) == first


def test_an_id_is_kept_to_its_last_character(workspace: Workspace) -> None:
    ids = ["nul\0one", "nul\0two", "nul", " lead", "a/b", "\u2028", "é", "e\u0301", "x" * 10_000]
    key = store(workspace, [task(id_) for id_ in ids]).key
    assert set(BenchmarkRepository(workspace).tasks(key, ids)) == set(ids)


def test_verification_sees_a_changed_task(workspace: Workspace) -> None:
    key = store(workspace, [task("a"), task("b")]).key
    repository = BenchmarkRepository(workspace)
    assert repository.content_problems(key) == []
    raw = sqlite3.connect(workspace.path)
    raw.execute("drop trigger tasks_no_update")
    raw.execute("update tasks set body = replace(body, '007', '008') where id = 'b'")
    raw.commit()
    raw.close()
    assert repository.content_problems(key) == ["greenhouse: task b is not what was imported"]


def _source(added: Added) -> OutputSource:
    return OutputSource(
        format="table",
        source="o.jsonl",
        imported_at=NOON,
        imported_by="ada",
        models=tuple(sorted(added.models)),
        outputs=added.outputs,
        simulated=True,
    )


def test_outputs_are_filed_under_their_entry_and_strays_are_named(workspace: Workspace) -> None:
    key = store(workspace, [task("a")]).key
    repository = OutputRepository(workspace, key)
    good = Output(entry_id="a", model="m", body={"x": [1.0, None]}, passed=False, reason="no")
    error = Output(entry_id="a", model="n", body="cut", status=OutputStatus.ERROR)
    stray = Output(entry_id="zz", model="m", body="?")
    added = repository.add([good, error, stray, good], source=_source)
    assert (added.outputs, added.models) == (2, {"m", "n"})
    assert [reason for _, reason in added.refused] == [
        "no entry 'zz'",
        "this entry, model and trial are there already",
    ]
    assert repository.of_task("a") == [good, error]
    assert repository.sources()[0].simulated


@given(st.lists(st.text(st.characters(exclude_categories=["Cs"])), unique=True, max_size=6))
def test_encoding_is_the_same_whatever_the_order(ids: list[str]) -> None:
    tasks = [task(id_) for id_ in ids]
    forwards = encode_benchmark(tasks, [], [])
    backwards = encode_benchmark(tasks[::-1], [], [])
    assert forwards.content_hash == backwards.content_hash
