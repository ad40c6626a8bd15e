from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.importers.bfcl import parse_bfcl
from audit_app.scoring.dispatch import call_count, language_name
from audit_app.scoring.grade import GradeStatus
from audit_app.scoring.registry import ScorerRegistry
from tests.unit.scoring.keys import V4, calls_task, tool, value_task

TOOLSHOP = Path(__file__).parents[3] / "samples" / "toolshop"


@pytest.mark.parametrize(
    ("category", "calls", "tools", "count"),
    [
        pytest.param("live_parallel_multiple", 1, 3, "parallel", id="name beats numbers"),
        pytest.param("multiple", 2, 2, "multiple", id="multiple"),
        pytest.param("simple_java", 2, 3, "simple", id="simple"),
        pytest.param("javascript", 1, 1, "simple", id="category of 2024"),
        pytest.param("multiple_function", 1, 2, "multiple", id="multiple of 2024"),
        pytest.param("choose", 1, 3, "multiple", id="own name: one of several"),
        pytest.param("single", 1, 1, "simple", id="own name: one of one"),
        pytest.param("mixed", 2, 3, "parallel", id="own name: several calls"),
        pytest.param("nothing", 0, 3, "parallel", id="own name: no call"),
        pytest.param("multiple hops", 1, 1, "simple", id="a name that only resembles one"),
    ],
)
def test_rule_by_name_or_numbers(category: str, calls: int, tools: int, count: str) -> None:
    assert call_count(category, [{}] * calls, [{}] * tools) == count


def test_language_is_stated_or_named() -> None:
    task = calls_task(tool("f"), key=[], category="simple_javascript")
    assert language_name(task) == "javascript"
    assert language_name(calls_task(tool("f"), key=[], category="simple_java")) == "java"
    assert language_name(calls_task(tool("f"), key=[], category="choose")) == "python"


def test_numbers_give_the_rule_of_every_bfcl_task(bfcl_v4: Path) -> None:
    tasks = [t for t in parse_bfcl(bfcl_v4).tasks if t.key_kind is KeyKind.CALLS]
    assert len(tasks) == 2_501
    for task in tasks:
        by_numbers = call_count("any", task.key, task.tools)
        assert call_count(task.category, task.key, task.tools) == by_numbers, task.category


def _rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (TOOLSHOP / name).read_text("utf-8").splitlines()]


def test_grades_of_the_sample_are_those_of_its_own_grader() -> None:
    tasks = {
        row["id"]: Task(
            id=row["id"],
            category=row["category"],
            group=row["group"],
            scorer=row["scorer"],
            turns=(),
            tools=tuple(row["tools"]),
            key_kind=KeyKind(row["key_kind"]),
            key=row["key"],
        )
        for row in _rows("tasks.jsonl")
    }
    registry = ScorerRegistry()
    answers = [row for row in _rows("outputs.jsonl") if row["status"] == "answer"]
    assert answers
    for row in answers:
        task = tasks[row["id"]]
        grade = registry.grade(task, task.key, row["output"], V4)
        assert (grade.passed, grade.reason_code) == (row["passed"], row["reason_code"]), row


@pytest.mark.parametrize(
    ("task", "code"),
    [
        pytest.param(value_task("vibes", "x"), "scorer:unknown", id="unknown scorer"),
        pytest.param(value_task("", "x"), "scorer:unknown", id="no scorer"),
        pytest.param(value_task("exact", None), "key:missing", id="no key"),
    ],
)
def test_what_cannot_be_graded_is_not_guessed(task: Task, code: str) -> None:
    grade = ScorerRegistry().grade(task, task.key, "x", V4)
    assert (grade.status, grade.reason_code) == (GradeStatus.NOT_GRADED, code)
    assert not grade.passed
