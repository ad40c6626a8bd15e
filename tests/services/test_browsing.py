"""Looking at any task: pages, neighbours, and what is kept back from a reviewer's queue."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from audit_app.errors import NotFoundError
from audit_app.services.browsing import TaskQuery
from audit_app.services.context import Services


@pytest.fixture
def queue(services: Services, audit: str, tmp_path: Path) -> set[str]:
    """Ids of the reviewer's queue; every task has the outputs of two models, one of them right."""
    rows = [
        {"model": model, "task": f"{group}_{i}", "output": str(i), "passed": model == "a"}
        for model in ("a", "b")
        for group, count in (("ferry", 40), ("kiln", 20))
        for i in range(count)
    ]
    path = tmp_path / "outputs.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    services.benchmarks.import_outputs(
        "table", path, benchmark="harbour", columns={"id": "task", "score": "passed"}
    )
    return {item.task_id for item in services.reviewing(audit).desk().queue}


def test_pages_hold_every_task_once(services: Services, audit: str) -> None:
    browsing = services.browsing(audit=audit)
    pages = [browsing.tasks(TaskQuery(), page=number, size=25) for number in (1, 2, 3)]
    ids = [row.task_id for page in pages for row in page.rows]
    assert len(set(ids)) == len(ids) == 60
    assert {(page.found, page.pages) for page in pages} == {(60, 3)}
    assert browsing.tasks(TaskQuery(), page=99, size=25) == pages[-1]
    assert (pages[0].groups, pages[0].rows[0].excerpt) == ({"ferry": 40, "kiln": 20}, "Do 0.")


def test_the_queue_is_named_but_not_shown(services: Services, audit: str, queue: set[str]) -> None:
    browsing = services.browsing(benchmark="harbour")
    rows = browsing.tasks(TaskQuery(), size=60).rows
    assert {row.task_id for row in rows if row.audit == audit} == queue
    for row in rows:
        opened = browsing.open(row.task_id, TaskQuery())
        assert opened.row.audit == row.audit
        if row.task_id in queue:
            assert (row.outcome, opened.view) == (None, None)
        else:
            assert row.outcome is not None
            assert (row.outcome.outputs, row.outcome.graded, row.outcome.right) == (2, 2, 1)
            assert opened.view is not None
            assert opened.view.models == 2


def test_a_key_of_the_queue_is_not_found_by_its_text(services: Services, tmp_path: Path) -> None:
    rows = [{"id": f"t{i}", "prompt": "Say it.", "key": f"answer{i}"} for i in range(6)]
    path = tmp_path / "keys.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    services.benchmarks.import_tasks("table", path, name="keys")
    assert services.browsing(benchmark="keys").tasks(TaskQuery("answer3")).found == 1
    plan = services.audits.default_plan("keys")
    services.audits.create("all of it", "keys", services.audits.preview("keys", plan))
    browsing = services.browsing(benchmark="keys")
    assert browsing.tasks(TaskQuery("answer3")).found == 0
    assert browsing.tasks(TaskQuery("say t3")).found == 1


def test_neighbours_are_those_of_the_search(services: Services, audit: str) -> None:
    browsing = services.browsing(audit=audit)
    query = TaskQuery("do", group="kiln")
    opened = browsing.open("kiln_0", query)
    assert (opened.position, opened.found, opened.previous, opened.next) == (1, 20, "", "kiln_1")
    last = browsing.open("kiln_19", query)
    assert (last.position, last.previous, last.next) == (20, "kiln_18", "")
    other = browsing.open("ferry_3", query)
    assert (other.position, other.previous, other.next) == (None, "", "")


def test_what_is_not_there_is_named(services: Services, audit: str) -> None:
    with pytest.raises(NotFoundError, match="no task 'kiln_99'"):
        services.browsing(audit=audit).open("kiln_99", TaskQuery())
    with pytest.raises(NotFoundError, match="there are: harbour"):
        services.browsing(benchmark="nowhere")
