"""What the filters of the review screen need besides the queue: outcomes by model, fields of tasks.

An outcome is the published grade; a model without any published grade has those of the latest
score run. Planted checks get the grades that fit the key that reviewers see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

import msgspec

from audit_app.domain.benchmark import OutputStatus
from audit_app.domain.planted import PlantedTask
from audit_app.services.planted_views import outputs_as_planted, verdicts_as_planted
from audit_app.services.task_grading import TaskGrader
from audit_app.services.view_grading import screen_grader
from audit_app.storage.audits import AuditRepository
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.grades import GradeRepository, ScoreRun
from audit_app.storage.outcomes import GradeRange, OutcomeRepository
from audit_app.storage.outputs import OutputRepository
from audit_app.storage.planted import PlantedRepository
from audit_app.storage.workspace import Workspace

PUBLISHED = "published grades"

_MOST_VALUES = 200
"""A field with more values than this tells tasks apart rather than sorting them."""


class Outcome(StrEnum):
    """How a model did on a task, in one letter."""

    RIGHT = "r"
    WRONG = "w"
    MIXED = "m"
    """Right in some entries or trials, wrong in others."""
    NONE = "-"
    """No grade: no output, a failed request, or nothing that can be graded."""


@dataclass(frozen=True)
class ModelOutcomes:
    """How one model did.

    Attributes:
        model: Its name.
        source: Where the grades are from, in words.
        by_task: Task id → outcome; tasks without one are left out.
    """

    model: str
    source: str
    by_task: Mapping[str, Outcome]


@dataclass(frozen=True)
class Facets:
    """What models did on the tasks of a queue, and the fields of those tasks.

    Attributes:
        task_ids: The tasks, in queue order.
        models: By name; those without any grade are left out.
        fields: Field → task id → value.
    """

    task_ids: Sequence[str]
    models: Sequence[ModelOutcomes] = ()
    fields: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def as_data(self) -> dict[str, Any]:
        """Compact data: one letter a task and model, values by number, all in queue order."""
        return {
            "tasks": len(self.task_ids),
            "models": [
                {
                    "name": model.model,
                    "source": model.source,
                    "did": "".join(model.by_task.get(t, Outcome.NONE) for t in self.task_ids),
                }
                for model in self.models
            ],
            "fields": [
                {"name": name, **self._numbered(by_task)} for name, by_task in self.fields.items()
            ],
        }

    def _numbered(self, by_task: Mapping[str, str]) -> dict[str, Any]:
        values = sorted(set(by_task.values()))
        number = {value: i for i, value in enumerate(values)}
        rows = [number.get(by_task.get(task, ""), -1) for task in self.task_ids]
        return {"values": values, "rows": rows}


class OutcomeService:
    """Reads outcomes of the tasks of one audit.

    Args:
        workspace: The open workspace.
        audit: Name of the audit.
        cache: Where fetched packages lie, for grading planted checks.
    """

    def __init__(self, workspace: Workspace, audit: str, cache: Path = Path()) -> None:
        self._workspace, self._cache = workspace, cache
        self._audit = AuditRepository(workspace).find(audit)
        self._outcomes = OutcomeRepository(workspace, self._audit.benchmark)

    def facets(self, task_ids: Sequence[str]) -> Facets:
        """Outcomes and fields of the tasks of a queue; nothing in it tells planted checks apart."""
        run = GradeRepository(self._workspace, self._audit.benchmark).latest()
        wanted = set(task_ids)
        planted = {
            p.task_id: p
            for p in PlantedRepository(self._workspace, self._audit.id).all()
            if p.task_id in wanted
        }
        plain = [task for task in task_ids if task not in planted]
        found, sources = self._stored(plain, run)
        for task_id, check in planted.items():
            for model, outcome in self._planted(task_id, check, sources).items():
                found.setdefault(model, {})[task_id] = outcome
        models = [
            ModelOutcomes(model, sources.get(model, PUBLISHED), found[model])
            for model in sorted(found)
        ]
        return Facets(task_ids, models, self._fields(task_ids))

    def _stored(
        self, task_ids: Sequence[str], run: ScoreRun | None
    ) -> tuple[dict[str, dict[str, Outcome]], dict[str, str]]:
        """Model → task id → outcome, and model → source."""
        found = _by_model(self._outcomes.published(task_ids))
        sources = dict.fromkeys(found, PUBLISHED)
        if run is not None:
            scored = _by_model(self._outcomes.scored(run.key, task_ids))
            when = run.finished_at or run.started_at
            words = f"score run of {when:%Y-%m-%d %H:%M}, rules {run.rules}"
            for model in scored.keys() - found.keys():
                found[model], sources[model] = scored[model], words
        return found, sources

    def _planted(
        self, task_id: str, check: PlantedTask, sources: Mapping[str, str]
    ) -> dict[str, Outcome]:
        task = BenchmarkRepository(self._workspace).task(self._audit.benchmark, task_id)
        outputs = [
            output
            for output in OutputRepository(self._workspace, self._audit.benchmark).of_task(task_id)
            if output.status is OutputStatus.ANSWER
        ]
        masked = outputs_as_planted(task, check, outputs, self._grader)
        verdicts = verdicts_as_planted(task, check, outputs, self._grader)
        by_model: dict[str, list[bool | None]] = {}
        for output in masked:
            ours = verdicts.get((output.model, output.entry_id, output.trial))
            is_published = sources.get(output.model) == PUBLISHED
            by_model.setdefault(output.model, []).append(output.passed if is_published else ours)
        graded = {model: [p for p in said if p is not None] for model, said in by_model.items()}
        return {
            model: _outcome(min(said), max(said))
            for model, said in graded.items()
            if said and model in sources
        }

    @property
    def _grader(self) -> TaskGrader:
        benchmark = BenchmarkRepository(self._workspace).by_key(self._audit.benchmark)
        return screen_grader(self._workspace, benchmark, self._cache)

    def _fields(self, task_ids: Sequence[str]) -> dict[str, dict[str, str]]:
        fields: dict[str, dict[str, str]] = {}
        with self._workspace.decoding():
            for task_id, text in self._outcomes.fields(task_ids):
                for name, value in msgspec.json.decode(text).items():
                    fields.setdefault(name, {})[task_id] = str(value)
        return {
            n: rows for n, rows in fields.items() if 1 < len(set(rows.values())) <= _MOST_VALUES
        }


def _by_model(ranges: Iterable[GradeRange]) -> dict[str, dict[str, Outcome]]:
    found: dict[str, dict[str, Outcome]] = {}
    for row in ranges:
        found.setdefault(row.model, {})[row.task_id] = _outcome(row.worst, row.best)
    return found


def _outcome(worst: bool, best: bool) -> Outcome:
    if worst == best:
        return Outcome.RIGHT if worst else Outcome.WRONG
    return Outcome.MIXED
