"""Scorers by name."""

from __future__ import annotations

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.domain.record import Json
from audit_app.scoring.agentic import AgenticScorer
from audit_app.scoring.ast_rules import BfclAstScorer
from audit_app.scoring.grade import (
    Grade,
    GradeStatus,
    PreparedScorer,
    Scorer,
    ScoringSettings,
    Simulator,
)
from audit_app.scoring.json_rules import json_equal, same_list, same_set
from audit_app.scoring.mathematics import equivalent
from audit_app.scoring.multi_turn import MultiTurnScorer
from audit_app.scoring.multiple_choice import multiple_choice
from audit_app.scoring.numeric import numeric
from audit_app.scoring.relevance import RelevanceScorer
from audit_app.scoring.text_rules import contains, exact, matches, normalised_text
from audit_app.scoring.value_scorer import ValueScorer

UNKNOWN_SCORER, NO_KEY = "scorer:unknown", "key:missing"
_KEYLESS = (KeyKind.NO_CALL, KeyKind.SOME_CALL)


class Ungraded:
    """Stands where nothing can be graded: every output keeps its published grade."""

    def __init__(self, code: str, reason: str) -> None:
        self._grade = Grade(False, code, reason, status=GradeStatus.NOT_GRADED)

    def grade(self, output: Json) -> Grade:
        """The same for every output."""
        return self._grade


class ScorerRegistry:
    """All scorers there are.

    Args:
        simulator: Runs multi-turn calls; without it those tasks are not re-scorable.
    """

    def __init__(self, simulator: Simulator | None = None) -> None:
        scorers: tuple[Scorer, ...] = (
            BfclAstScorer(),
            RelevanceScorer("bfcl-irrelevance", wants_call=False),
            RelevanceScorer("bfcl-relevance", wants_call=True),
            MultiTurnScorer(simulator),
            AgenticScorer(),
            ValueScorer("exact", exact),
            ValueScorer("normalised_text", normalised_text),
            ValueScorer("numeric", numeric),
            ValueScorer("multiple_choice", multiple_choice),
            ValueScorer("regex", matches),
            ValueScorer("contains", contains),
            ValueScorer("json", json_equal),
            ValueScorer("list", same_list, of_lists=True),
            ValueScorer("set", same_set, of_lists=True),
            ValueScorer("math", equivalent),
        )
        self._scorers = {scorer.name: scorer for scorer in scorers}

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all scorers, sorted."""
        return tuple(sorted(self._scorers))

    def prepare(self, task: Task, key: Json, settings: ScoringSettings) -> PreparedScorer:
        """The task's scorer made ready for one key; it never guesses.

        Raises:
            InputError: A setting has a value that is not known.
        """
        scorer = self._scorers.get(task.scorer)
        if scorer is None:
            what = f"The scorer {task.scorer!r} is not known here" if task.scorer else "No scorer"
            return Ungraded(UNKNOWN_SCORER, f"{what}: the published grade is kept.")
        if task.key_kind not in _KEYLESS and (key is None or task.key_kind is KeyKind.MISSING):
            return Ungraded(NO_KEY, "The task has no key to grade by: the published grade is kept.")
        return scorer.prepare(task, key, settings)

    def grade(self, task: Task, key: Json, output: Json, settings: ScoringSettings) -> Grade:
        """The verdict on one output under ``key``."""
        return self.prepare(task, key, settings).grade(output)
