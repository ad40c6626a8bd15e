"""How models did on given tasks: published grades, and those of a score run."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import NamedTuple

from audit_app.storage.workspace import Workspace

_GRADED = (
    "from json_each(?) asked join tasks t on t.benchmark = ? and t.id = asked.value "
    "join entries e on e.task = t.key join outputs o on o.entry = e.key "
    "join models m on m.key = o.model"
)


class GradeRange(NamedTuple):
    """The worst and the best grade of a model on one task, over its entries and trials."""

    model: str
    task_id: str
    worst: bool
    best: bool


class OutcomeRepository:
    """Reads outcomes of one benchmark version; a failed request is none."""

    def __init__(self, workspace: Workspace, benchmark: int) -> None:
        self._workspace, self._benchmark = workspace, benchmark

    def published(self, task_ids: Collection[str]) -> Iterator[GradeRange]:
        """Published grades, where there are any."""
        return self._ranges(
            f"select m.name, t.id, min(o.passed), max(o.passed) {_GRADED} "
            "where o.status = 'answer' and o.passed is not null group by m.key, t.key",
            (json.dumps(list(task_ids)), self._benchmark),
        )

    def scored(self, run: int, task_ids: Collection[str]) -> Iterator[GradeRange]:
        """Grades of a score run, outputs without a verdict left out."""
        return self._ranges(
            f"select m.name, t.id, min(g.passed), max(g.passed) {_GRADED} "
            "join grades g on g.run = ? and g.output = o.key "
            "where g.status = 'graded' group by m.key, t.key",
            (json.dumps(list(task_ids)), self._benchmark, run),
        )

    def _ranges(self, sql: str, parameters: tuple[object, ...]) -> Iterator[GradeRange]:
        for model, task_id, worst, best in self._workspace.each(sql, parameters):
            yield GradeRange(model, task_id, bool(worst), bool(best))

    def fields(self, task_ids: Collection[str]) -> Iterator[tuple[str, str]]:
        """(task id, JSON object of the task's short fields)."""
        return self._workspace.each(
            "select t.id, t.fields from json_each(?) asked "
            "join tasks t on t.benchmark = ? and t.id = asked.value",
            (json.dumps(list(task_ids)), self._benchmark),
        )
