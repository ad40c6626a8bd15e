"""Grading the outputs of one task under any key, with the reasons: what a reviewer's screen shows.

Nothing is stored and no model is called. Equal answers of models that are read alike are graded
once.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from audit_app.domain.benchmark import Output, OutputStatus, Task, encode
from audit_app.domain.record import Json
from audit_app.external.simulators import find_simulators
from audit_app.scoring.detection import Reading, usual_reading
from audit_app.scoring.grade import Grade, PreparedScorer, ScoringSettings
from audit_app.scoring.registry import ScorerRegistry
from audit_app.scoring.rules import V4
from audit_app.storage.benchmarks import StoredBenchmark
from audit_app.storage.grades import GradeRepository
from audit_app.storage.workspace import Workspace

MULTI_TURN = "bfcl-multi-turn"


class GradedAnswer(NamedTuple):
    """One output with its grade.

    Attributes:
        output: The output.
        grade: Its grade; None for a failed request, which is no answer.
        prepared: The rule that graded it.
        dots_to_underscores: Whether its model writes dots in names as underscores.
    """

    output: Output
    grade: Grade | None
    prepared: PreparedScorer | None
    dots_to_underscores: bool


class TaskGrader:
    """Grades outputs task by task.

    Args:
        settings: Model → how its outputs are graded; a model that is not in it is read as is
            usual for outputs like those it gave for the task.
        rules: Rule version for such models.
        registry: The scorers.
    """

    def __init__(
        self,
        settings: Mapping[str, ScoringSettings] | None = None,
        *,
        rules: str = V4.version,
        registry: ScorerRegistry | None = None,
    ) -> None:
        self._settings = settings or {}
        self._rules = rules
        self._registry = registry or ScorerRegistry()

    def grade(self, task: Task, key: Json, outputs: Sequence[Output]) -> list[GradedAnswer]:
        """Every output with its grade under ``key``, in their order.

        Args:
            task: The task; its kind and scorer say how ``key`` is read.
            key: The key to grade by.
            outputs: Outputs for its entries.
        """
        settings = self._settings_of(task, outputs)
        prepared: dict[tuple[object, bool], PreparedScorer] = {}
        known: dict[tuple[PreparedScorer, bytes], Grade] = {}
        graded = []
        for output in outputs:
            how = settings[output.model]
            dots = how.dots_to_underscores
            if output.status is OutputStatus.ERROR:
                graded.append(GradedAnswer(output, None, None, dots))
                continue
            way = (how.options.get("form"), dots)
            if way not in prepared:
                prepared[way] = self._registry.prepare(task, key, how)
            scorer = prepared[way]
            body = encode(output.body)
            if (scorer, body) not in known:
                known[scorer, body] = scorer.grade(output.body)
            graded.append(GradedAnswer(output, known[scorer, body], scorer, dots))
        return graded

    def _settings_of(self, task: Task, outputs: Iterable[Output]) -> dict[str, ScoringSettings]:
        bodies: dict[str, list[Json]] = {}
        for output in outputs:
            said = bodies.setdefault(output.model, [])
            if task.scorer != MULTI_TURN:  # where any output is a list, whatever the model's mode
                said.append(output.body)
        plain = ScoringSettings(rules=self._rules)
        return {
            model: self._settings.get(model) or usual_reading(said).settings(plain)
            for model, said in bodies.items()
        }


def task_grader(workspace: Workspace, benchmark: StoredBenchmark, cache: Path) -> TaskGrader:
    """A grader that reads each model's outputs as the last finished score run does.

    Args:
        workspace: The workspace.
        benchmark: The version whose tasks are graded.
        cache: Where the fetched package with the simulators may lie.
    """
    run = GradeRepository(workspace, benchmark.key).latest()
    rules = run.rules if run else benchmark.version.rules or V4.version
    plain = ScoringSettings(rules=rules)
    readings = run.readings if run else {}
    settings = {
        model: Reading(str(r["form"]), bool(r["dots_to_underscores"])).settings(plain)
        for model, r in readings.items()
    }
    simulators = find_simulators(cache)
    grader = TaskGrader(settings, rules=rules, registry=ScorerRegistry(simulators))
    if simulators is not None:
        weakref.finalize(grader, simulators.close)
    return grader
