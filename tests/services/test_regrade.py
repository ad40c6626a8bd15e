"""Trying a key on stored outputs: which verdicts flip, with how many grades."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from audit_app.domain.benchmark import Task
from audit_app.domain.record import Json
from audit_app.errors import NotFoundError
from audit_app.scoring.grade import Grade, PreparedScorer, ScoringSettings
from audit_app.scoring.key_edits import AcceptValue, DropTask
from audit_app.scoring.registry import ScorerRegistry
from audit_app.services.context import Services
from audit_app.services.regrade import NO_OUTPUT, Change, RegradeService
from audit_app.services.task_grading import TaskGrader
from audit_app.services.view_grading import screen_grader
from audit_app.storage.benchmarks import BenchmarkRepository
from tests.services.leaderboards import add_outputs, audit, board, write_rows

ACCEPTS_WRONG = '["0", "wrong"]'


class CountingRegistry(ScorerRegistry):
    """Counts every grade that is made."""

    def __init__(self) -> None:
        super().__init__()
        self.grades = 0

    def prepare(self, task: Task, key: Json, settings: ScoringSettings) -> PreparedScorer:
        return _Counting(super().prepare(task, key, settings), self)


class _Counting:
    def __init__(self, scorer: PreparedScorer, registry: CountingRegistry) -> None:
        self._scorer, self._registry = scorer, registry

    def grade(self, output: Json) -> Grade:
        self._registry.grades += 1
        return self._scorer.grade(output)


def _regrading(services: Services) -> RegradeService:
    """As the review screen opens it."""
    name = audit(services, size=1)
    benchmark = BenchmarkRepository(services.workspace).find("board")
    grader = screen_grader(services.workspace, benchmark, services.cache)
    return RegradeService(services.workspace, name, grader=grader)


@pytest.fixture
def regrading(services: Services, tmp_path: Path) -> RegradeService:
    board(services, tmp_path, {"kiln": 2}, {"right": "11", "wrong": "01"})
    return _regrading(services)


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        pytest.param(ACCEPTS_WRONG, {Change.KEPT: 1, Change.GAINED: 1}, id="accepts more"),
        pytest.param('["wrong"]', {Change.LOST: 1, Change.GAINED: 1}, id="another key"),
        pytest.param('"0"', {Change.KEPT: 2}, id="the same key"),
        pytest.param('["7"]', {Change.LOST: 1, Change.KEPT: 1}, id="nobody is right"),
    ],
)
def test_a_proposed_key_flips_the_outputs_it_decides_otherwise(
    regrading: RegradeService, key: str, expected: dict[Change, int]
) -> None:
    flips = regrading.flips("kiln_0", key)
    assert flips.error == ""
    assert Counter(flip.change for flip in flips.outputs) == expected
    assert {f.model for f in flips.outputs} == set(flips.models) == {"right", "wrong"}
    assert all(flip.reason for flip in flips.outputs)


def test_flips_are_counted_by_model_and_said_in_words(regrading: RegradeService) -> None:
    flips = regrading.flips("kiln_0", AcceptValue((), "wrong"))
    assert flips.count(Change.GAINED, "wrong") == 1
    assert flips.count(Change.GAINED, "right") == 0
    assert [flip.model for flip in flips.flipped] == ["wrong"]
    assert flips.sentence == "Of 2 outputs: 1 fail → pass, 1 unchanged."
    assert flips.differences == ('the key now accepts "wrong"',)


@pytest.mark.parametrize(
    ("key", "says"),
    [
        pytest.param('["0",', "line 1 column", id="no JSON"),
        pytest.param("[]", "accepts nothing", id="accepts nothing"),
        pytest.param('{"a": 1, "a": 2}', "twice", id="a name twice"),
    ],
)
def test_a_text_that_is_no_key_is_one_sentence_and_grades_nothing(
    regrading: RegradeService, key: str, says: str
) -> None:
    flips = regrading.flips("kiln_0", key)
    assert says in flips.error
    assert flips.outputs == ()
    assert flips.sentence == flips.error


def test_a_dropped_task_has_no_verdict_afterwards(regrading: RegradeService) -> None:
    flips = regrading.flips("kiln_0", DropTask())
    assert flips.is_left_out
    assert {(flip.before, flip.after) for flip in flips.outputs} == {(True, None), (False, None)}


def test_an_unknown_task_is_refused(regrading: RegradeService) -> None:
    with pytest.raises(NotFoundError):
        regrading.flips("kiln_9", "[]")


@pytest.mark.parametrize(
    ("is_scored", "grades"),
    [pytest.param(False, 2 * 5, id="before and after"), pytest.param(True, 5, id="only after")],
)
def test_two_hundred_outputs_cost_a_grade_for_each_distinct_one(
    services: Services, tmp_path: Path, is_scored: bool, grades: int
) -> None:
    board(services, tmp_path, {"kiln": 1}, {"right": "1"})
    add_outputs(
        services,
        tmp_path,
        [
            {"id": "kiln_0", "model": f"m{i % 20}", "trial": 1 + i // 20, "output": f"say {i % 4}"}
            for i in range(200)
        ],
    )
    if is_scored:
        services.scoring.score("board", workers=1)
    registry = CountingRegistry()
    regrading = RegradeService(
        services.workspace, audit(services, size=1), grader=TaskGrader(registry=registry)
    )
    flips = regrading.flips("kiln_0", '["say 1"]')
    assert len(flips.outputs) == 201
    assert flips.count(Change.GAINED) == 50
    assert registry.grades == grades


def test_what_is_no_answer_has_no_verdict_on_either_side(
    services: Services, tmp_path: Path
) -> None:
    board(services, tmp_path, {"kiln": 1}, {"right": "1"})
    add_outputs(
        services, tmp_path, [{"id": "kiln_0", "model": "b", "output": "?", "status": "error"}]
    )
    outcome = [{"id": "kiln_0", "model": "c", "passed": True}]
    services.benchmarks.import_outputs(
        "table", write_rows(tmp_path / "outcomes.jsonl", outcome), benchmark="board"
    )
    flips = _regrading(services).flips("kiln_0", '["1"]')
    found = {f.model: (f.before, f.after, f.change) for f in flips.outputs}
    assert found == {
        "right": (True, False, Change.LOST),
        "b": (None, None, Change.NONE),
        "c": (True, None, Change.NONE),
    }
    assert next(f.reason for f in flips.outputs if f.model == "c") == NO_OUTPUT


def test_multi_turn_without_simulators_says_that_it_cannot_be_graded_again(
    services: Services, tmp_path: Path
) -> None:
    task = {
        "id": "t",
        "key": [["cd('a')"]],
        "key_kind": "call_turns",
        "scorer": "bfcl-multi-turn",
    }
    path = write_rows(tmp_path / "tasks.jsonl", [task])
    services.benchmarks.import_tasks("table", path, name="board")
    said = {"id": "t", "model": "m", "output": [["[cd(folder='a')]"]], "passed": True}
    add_outputs(services, tmp_path, [said])
    flips = _regrading(services).flips("t", json.dumps([["ls()"]]))
    (flip,) = flips.outputs
    assert (flip.before, flip.after) == (True, None)
    assert "not re-scorable here" in flip.reason
