from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.scoring.forms import OutputForm
from audit_app.scoring.grade import (
    GradeStatus,
    ScoringSettings,
    Simulation,
)
from audit_app.scoring.multi_turn import (
    NO_SIMULATOR,
    NOT_RESCORABLE,
    MultiTurnScorer,
    decode_turns,
)
from audit_app.scoring.multi_turn_rules import (
    EMPTY_TURN,
    FORCE_TERMINATED,
    INFERENCE_ERROR,
    RESPONSE_MISMATCH,
    STATE_MISMATCH,
)

KEY = [["mkdir(dir_name='a')"], ["ls()"]]
TASK = Task(
    id="multi_turn_base_0",
    category="multi_turn_base",
    group="multi_turn",
    scorer="bfcl-multi-turn",
    turns=(),
    key_kind=KeyKind.CALL_TURNS,
    key=KEY,
)
SETTINGS = ScoringSettings()


class FakeSimulator:
    """Answers with one outcome and keeps what it was asked."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation = simulation
        self.asked: list[tuple[Any, Any]] = []

    def run(
        self, task: Task, turns: Sequence[Sequence[Sequence[str]]], key: Sequence[Sequence[str]]
    ) -> Simulation:
        self.asked.append((turns, key))
        return self.simulation


@pytest.mark.parametrize(
    ("output", "form", "turns"),
    [
        pytest.param(
            [[[{"mkdir": '{"dir_name": "a"}'}], "Done."], []],
            OutputForm.AUTO,
            [[["mkdir(dir_name='a')"]], []],
            id="function calling, prose dropped",
        ),
        pytest.param(
            [["[mkdir(dir_name='a'), ls()]", "Done.", "[]"]],
            OutputForm.AUTO,
            [[["mkdir(dir_name='a')", "ls()"]]],
            id="prompting, prose and empty lists dropped",
        ),
        pytest.param(
            [[[{"a": "{}"}, {"b": "{"}]]],
            OutputForm.AUTO,
            [[]],
            id="one bad call drops its step",
        ),
        pytest.param([["ls()"]], OutputForm.FC, [[]], id="text is no call in function calling"),
        pytest.param(
            [["f(a=g(b=1), c={'d': 2})"]],
            OutputForm.AUTO,
            [[["f(a=g(b=1), c={'d': 2})"]]],
            id="inner call and dict are written out again",
        ),
        pytest.param([["f(a={})"]], OutputForm.AUTO, [[]], id="an empty dict drops the step"),
        pytest.param([["f(1, 2)"]], OutputForm.AUTO, [[["f()"]]], id="positional values dropped"),
        pytest.param(["failed"], OutputForm.AUTO, [[]], id="text for a turn"),
    ],
)
def test_decoded_turns(output: list[Any], form: OutputForm, turns: list[Any]) -> None:
    assert decode_turns(output, form) == turns


@pytest.mark.parametrize(
    ("output", "code"),
    [
        pytest.param("Error during inference: 500", INFERENCE_ERROR, id="text"),
        pytest.param(None, INFERENCE_ERROR, id="nothing"),
        pytest.param([["ls()"]], FORCE_TERMINATED, id="turns missing"),
        pytest.param([[], [], []], FORCE_TERMINATED, id="turns too many"),
        pytest.param([["Sorry."], ["ls()"]], EMPTY_TURN, id="first turn without a call"),
    ],
)
def test_decided_without_simulators(output: Any, code: str) -> None:
    grade = MultiTurnScorer().grade(TASK, KEY, output, SETTINGS)
    assert (grade.passed, grade.status, grade.reason_code) == (False, GradeStatus.GRADED, code)


def test_without_simulators_nothing_is_guessed() -> None:
    output = [["mkdir(dir_name='a')"], ["Done."]]
    grade = MultiTurnScorer().grade(TASK, KEY, output, SETTINGS)
    assert (grade.passed, grade.status) == (False, GradeStatus.NOT_GRADED)
    assert (grade.reason_code, grade.reason) == (NO_SIMULATOR, NOT_RESCORABLE)
    assert grade.decoded == [[["mkdir(dir_name='a')"]], []]


@pytest.mark.parametrize(
    ("key", "output", "reason"),
    [
        pytest.param([["ls()"]], [None], "a turn of the output", id="turn is nothing"),
        pytest.param([["ls()"]], [3], "a turn of the output", id="turn is a number"),
        pytest.param([[{"ls": {}}]], [[]], "the key", id="key of another kind"),
        pytest.param(None, [[]], "the key", id="no key"),
    ],
)
def test_where_the_checker_stops(key: Any, output: Any, reason: str) -> None:
    grade = MultiTurnScorer().grade(TASK, key, output, SETTINGS)
    assert (grade.status, grade.reason_code) == (GradeStatus.RAISES, "TypeError")
    assert reason in grade.reason


@pytest.mark.parametrize(
    ("simulation", "passed", "words"),
    [
        pytest.param(Simulation("valid"), True, "every result", id="valid"),
        pytest.param(
            Simulation(STATE_MISMATCH, turn=1, where="Barn.hay", given="3", expected=("4",)),
            False,
            "After turn 2, Barn.hay is '3' where the key leads to '4'.",
            id="state",
        ),
        pytest.param(
            Simulation(RESPONSE_MISMATCH, turn=0, where="results", expected=("x", "y", "z")),
            False,
            "Up to turn 1 no call of the output gave 'x' and 'y' and 1 more",
            id="results",
        ),
        pytest.param(
            Simulation(EMPTY_TURN, turn=1), False, "In turn 2 the key has calls", id="empty turn"
        ),
        pytest.param(
            Simulation("RecursionError", GradeStatus.RAISES, note="too deep"),
            False,
            "would stop here: too deep.",
            id="raises",
        ),
        pytest.param(
            Simulation("simulator:timeout", GradeStatus.ERROR, note="the calls did not end"),
            False,
            "gave no answer: the calls did not end.",
            id="error",
        ),
        pytest.param(
            Simulation("simulator:refused", GradeStatus.NOT_GRADED, note="it calls open"),
            False,
            "not re-scorable here: it calls open; published verdict kept",
            id="refused",
        ),
    ],
)
def test_outcome_becomes_a_grade(simulation: Simulation, passed: bool, words: str) -> None:
    simulator = FakeSimulator(simulation)
    output = [["[mkdir(dir_name='a')]"], ["ls()", "Here."]]
    grade = MultiTurnScorer(simulator).grade(TASK, KEY, output, SETTINGS)
    assert simulator.asked == [([[["mkdir(dir_name='a')"]], [["ls()"]]], KEY)]
    assert (grade.passed, grade.status) == (passed, simulation.status)
    assert grade.reason_code == simulation.code
    assert words in grade.reason
    if simulation.turn is None:
        assert grade.decision is None
    else:
        assert grade.decision is not None
        assert grade.decision.where.startswith(f"turn {simulation.turn + 1}")
        assert grade.decision.accepted == simulation.expected
