"""A planted task cannot be told from a sampled one: it is what it would be with that key published.

The witness is a second workspace, whose benchmark has the planted keys as its published ones and
whose outputs were graded under them by the bundled benchmark's own generator.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.planted import PlantedTask
from audit_app.domain.team import TeamSettings
from audit_app.services.browsing import TaskQuery
from audit_app.services.context import Services, open_services
from audit_app.services.key_trial import KeyRequest
from audit_app.services.outcomes import OutcomeService
from audit_app.settings import Settings
from audit_app.ui.rendering import render_task
from samples.toolshop.grading import grade
from samples.toolshop.source import Category, load_tools
from tests.services.planted_audits import (
    NAME,
    SEED,
    as_person,
    share,
    toolshop_audit,
    toolshop_file,
)

ALONE = TeamSettings(planted_share=0.2)
TOOLS = load_tools()


def _rows(name: str) -> list[dict[str, Any]]:
    lines = toolshop_file(name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _write(path: Path, rows: list[dict[str, Any]]) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def _regraded(output: dict[str, Any], task: dict[str, Any]) -> dict[str, Any]:
    if output["status"] == "error":
        return output
    offered = {tool["name"]: TOOLS[tool["name"]] for tool in task["tools"]}
    category, key = Category(task["category"]), task["key"]
    given = grade(output["output"], category=category, tools=offered, key=key)
    return {**output, "passed": given.passed, "reason_code": given.code, "reason": given.reason}


@pytest.fixture
def planted(services: Services) -> list[PlantedTask]:
    toolshop_audit(services, ALONE)
    return services.planted(NAME).plant(SEED)


@pytest.fixture
def witness(services: Services, planted: list[PlantedTask], tmp_path: Path) -> Iterator[Services]:
    """A workspace in which the checks are sampled tasks with these keys."""
    keys = {check.task_id: check.key for check in planted if check.is_defective}
    tasks = [{**row, "key": keys.get(row["id"], row["key"])} for row in _rows("tasks.jsonl")]
    by_id = {task["id"]: task for task in tasks}
    outputs = [
        _regraded(row, by_id[row["id"]]) if row["id"] in keys else row
        for row in _rows("outputs.jsonl")
    ]
    settings = Settings(db=tmp_path / "witness.db", reviewer="ada", cache=tmp_path / "cache")
    with open_services(settings) as other:
        path = _write(tmp_path / "tasks.jsonl", tasks)
        other.benchmarks.import_tasks("table", path, name="toolshop")
        path = _write(tmp_path / "outputs.jsonl", outputs)
        other.benchmarks.import_outputs("table", path, benchmark="toolshop")
        ids = [item.task_id for item in services.reviewing(NAME).desk().queue]
        preview = other.audits.preview_supplied("toolshop", "\n".join(ids), source="ids.txt")
        other.audits.create(NAME, "toolshop", preview)
        share(other, ALONE)
        yield other


def test_the_screen_of_a_planted_task_is_that_of_a_sampled_one(
    services: Services, witness: Services, planted: list[PlantedTask]
) -> None:
    here, there = services.reviewing(NAME), witness.reviewing(NAME)
    for check in planted:
        shown = here.task_view(check.task_id)
        assert render_task(shown) == render_task(there.task_view(check.task_id))
        assert "≠ published" not in render_task(shown).right


def test_the_queue_has_nothing_in_which_planted_tasks_differ(
    services: Services, witness: Services, planted: list[PlantedTask]
) -> None:
    here = {i.task_id: i for i in services.reviewing(NAME).desk().queue}
    there = {i.task_id: i for i in witness.reviewing(NAME).desk().queue}
    assert here == there
    assert {check.task_id for check in planted} < set(here)


def test_planted_tasks_stand_anywhere_in_their_stratum(
    services: Services, planted: list[PlantedTask]
) -> None:
    ids = {check.task_id for check in planted}
    places = set()
    for n in range(20):
        queue = as_person(services, f"r{n}").reviewing(NAME).desk().queue
        strata: dict[str, list[str]] = {}
        for item in queue:
            strata.setdefault(item.stratum, []).append(item.task_id)
        for members in strata.values():
            places |= {members.index(t) / (len(members) - 1) for t in members if t in ids}
    assert (min(places), max(places)) == (0.0, 1.0)
    assert sum(0.2 < place < 0.8 for place in places) > len(places) / 3


def test_the_filters_by_model_know_the_planted_keys_verdicts(
    services: Services, witness: Services, planted: list[PlantedTask]
) -> None:
    ids = [item.task_id for item in services.reviewing(NAME).desk().queue]
    here = OutcomeService(services.workspace, NAME).facets(ids).as_data()
    there = OutcomeService(witness.workspace, NAME).facets(ids).as_data()
    assert here == there


def test_trying_a_key_starts_from_the_planted_one(
    services: Services, witness: Services, planted: list[PlantedTask]
) -> None:
    published = {row["id"]: row["key"] for row in _rows("tasks.jsonl")}
    for check in planted:
        for key in (check.key, published[check.task_id]):
            request = KeyRequest(1, check.task_id, json.dumps(key))
            here = services.reviewing(NAME).try_key(request)
            assert asdict(here) == asdict(witness.reviewing(NAME).try_key(request))


def test_browsing_shows_no_key_or_outcome_of_any_task_in_the_queue(
    services: Services, planted: list[PlantedTask]
) -> None:
    browsing = services.browsing(audit=NAME)
    rows = {row.task_id: row for row in browsing.tasks(TaskQuery(), size=300).rows}
    for item in services.reviewing(NAME).desk().queue:
        assert rows[item.task_id].audit == NAME
        assert rows[item.task_id].outcome is None
        assert browsing.open(item.task_id, TaskQuery()).view is None
