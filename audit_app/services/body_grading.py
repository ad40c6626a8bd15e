"""Grading the outputs of one task: equal ones once, the rule made ready once for each reading."""

from __future__ import annotations

import msgspec

from audit_app.domain.benchmark import Task
from audit_app.scoring.grade import Grade, GradeStatus, PreparedScorer, ScoringSettings
from audit_app.scoring.registry import ScorerRegistry

NOTHING_STORED = Grade(
    False,
    "output:missing",
    "Only the outcome was imported, not the output: the published grade is kept.",
    status=GradeStatus.NOT_GRADED,
)
"""Stands where there is nothing to grade."""

_REMEMBERED, _LONGEST_REMEMBERED = 2_048, 4_000


class BodyGrader:
    """Grades stored outputs of one task under its own key.

    Args:
        task: The task; to grade under another key, give the task with that key.
        registry: The scorers.
    """

    def __init__(self, task: Task, registry: ScorerRegistry) -> None:
        self._task, self._registry = task, registry
        self._prepared: dict[tuple[object, bool], PreparedScorer] = {}
        self._known: dict[tuple[PreparedScorer, str], Grade] = {}

    def grade(self, body: str, settings: ScoringSettings, *, is_stored: bool = True) -> Grade:
        """The verdict on one output.

        Args:
            body: The raw output as JSON text.
            settings: How its model's outputs are read.
            is_stored: Whether there is an output at all.
        """
        if not is_stored:
            return NOTHING_STORED
        way = (settings.options.get("form"), settings.dots_to_underscores)
        scorer = self._prepared.get(way)
        if scorer is None:
            scorer = self._registry.prepare(self._task, self._task.key, settings)
            self._prepared[way] = scorer
        grade = self._known.get((scorer, body))
        if grade is None:
            grade = scorer.grade(msgspec.json.decode(body))
            if len(self._known) < _REMEMBERED and len(body) <= _LONGEST_REMEMBERED:
                self._known[scorer, body] = grade
        return grade
