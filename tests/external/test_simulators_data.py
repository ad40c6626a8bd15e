"""Published multi-turn grades of whole result trees, and keys under their own rule."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.external.simulators import SimulatorPool
from audit_app.scoring.grade import Grade, GradeStatus, ScoringSettings
from audit_app.scoring.multi_turn import MultiTurnScorer

CATEGORIES = ("base", "miss_func", "miss_param", "long_context")


def records(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


@pytest.fixture(scope="module")
def tasks(bfcl_v4: Path) -> dict[str, Task]:
    found = {}
    for category in CATEGORIES:
        name = f"BFCL_v4_multi_turn_{category}.json"
        keys = {r["id"]: r["ground_truth"] for r in records(bfcl_v4 / "possible_answer" / name)}
        for record in records(bfcl_v4 / name):
            found[record["id"]] = Task(
                id=record["id"],
                category=f"multi_turn_{category}",
                group="multi_turn",
                scorer="bfcl-multi-turn",
                turns=(),
                key_kind=KeyKind.CALL_TURNS,
                key=keys[record["id"]],
                context=record,
            )
    return found


def grade_all(pool: SimulatorPool, jobs: list[tuple[Task, Any, str]]) -> list[Grade]:
    scorer = MultiTurnScorer(pool)

    def grade(job: tuple[Task, Any, str]) -> Grade:
        task, output, form = job
        return scorer.grade(task, task.key, output, ScoringSettings(options={"form": form}))

    with ThreadPoolExecutor(pool.workers) as threads:
        return list(threads.map(grade, jobs))


def test_published_grades_are_reproduced(
    pool: SimulatorPool, tasks: dict[str, Task], bfcl_v4_results: Path
) -> None:
    jobs, published = [], []
    for path in sorted((bfcl_v4_results / "result").glob("*/multi_turn/*_result.json")):
        model = path.parts[-3]
        score = bfcl_v4_results / "score" / model / "multi_turn"
        failures = {
            record["id"]: record["error"]["error_type"]
            for record in records(score / path.name.replace("_result.json", "_score.json"))
            if "id" in record
        }
        for record in records(path):
            form = "fc" if model.endswith("-FC") else "prompt"
            jobs.append((tasks[record["id"]], record["result"], form))
            published.append((model, record["id"], failures.get(record["id"], "valid")))
    assert len(jobs) > 700
    grades = grade_all(pool, jobs)
    assert {grade.status for grade in grades} == {GradeStatus.GRADED}
    differing = [
        (*whose, grade.reason_code)
        for whose, grade in zip(published, grades, strict=True)
        if grade.reason_code != whose[2]
    ]
    assert differing == []


def test_every_key_satisfies_itself(pool: SimulatorPool, tasks: dict[str, Task]) -> None:
    def outcome(task: Task) -> str:
        turns = [[calls] if calls else [] for calls in task.key]
        return pool.run(task, turns, task.key).code

    with ThreadPoolExecutor(pool.workers) as threads:
        codes = dict(zip(tasks, threads.map(outcome, tasks.values()), strict=True))
    assert len(codes) == 800
    assert {id for id, code in codes.items() if code != "valid"} == set()
