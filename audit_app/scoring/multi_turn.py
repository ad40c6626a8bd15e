"""Multi-turn tasks: the calls of the output and of the key are run on simulated back-ends.

After each turn for which the key has calls, the state and the results must agree; a turn for
which it has none is run and not checked. Running is left to a `Simulator`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from audit_app.domain.benchmark import Task
from audit_app.domain.record import Json
from audit_app.scoring.decoding import known_form
from audit_app.scoring.execution import decode_step, step_form
from audit_app.scoring.faults import DecodeError
from audit_app.scoring.forms import OutputForm
from audit_app.scoring.grade import (
    Decision,
    Grade,
    GradeStatus,
    ScoringSettings,
    Simulation,
    Simulator,
)
from audit_app.scoring.multi_turn_rules import (
    EMPTY_TURN,
    FORCE_TERMINATED,
    INFERENCE_ERROR,
    is_empty_turn,
)
from audit_app.scoring.multi_turn_wording import sentence
from audit_app.scoring.shown import jsonable

NO_SIMULATOR = "simulator:absent"
NOT_RESCORABLE = "not re-scorable here: published verdict kept"

Turns = Sequence[Sequence[Sequence[str]]]


def decode_turns(
    output: Sequence[Json], form: OutputForm = OutputForm.AUTO
) -> list[list[list[str]]]:
    """Turns of steps of call texts; steps that hold no call, or cannot be read, are left out.

    Raises:
        TypeError: A turn is neither a list nor text; the benchmark's checker stops there.
    """
    turns = [list(turn) for turn in output]
    form = step_form([step for turn in turns for step in turn], form)
    return [list(_calls_of_steps(turn, form)) for turn in turns]


def _calls_of_steps(steps: Iterable[Json], form: OutputForm) -> Iterable[list[str]]:
    for step in steps:
        try:
            calls = decode_step(step, form)
        except DecodeError:
            continue
        if calls and calls != [""]:
            yield calls


class PreparedMultiTurn:
    """The key of one task, ready for its outputs."""

    def __init__(
        self,
        task: Task,
        key: Json,
        simulator: Simulator | None,
        form: OutputForm = OutputForm.AUTO,
    ) -> None:
        self._task, self._key, self._simulator, self._form = task, key, simulator, form

    def grade(self, output: Json) -> Grade:
        """The verdict on one output: a list of turns of steps."""
        if not is_call_turns(self._key):
            return _stopped("TypeError", "the key is not a list of turns of call texts")
        if not isinstance(output, list):
            return Grade(
                False, INFERENCE_ERROR, "The output is not a list of turns: the run failed."
            )
        if len(output) != len(self._key):
            reason = (
                f"The output has {len(output)} turns where the key has {len(self._key)}: "
                "the run was cut off."
            )
            return Grade(False, FORCE_TERMINATED, reason)
        try:
            turns = decode_turns(output, self._form)
        except TypeError:
            return _stopped("TypeError", "a turn of the output is not a list of steps")
        return self.grade_turns(turns)

    def grade_turns(self, turns: Turns) -> Grade:
        """The verdict on decoded turns, as many as the key has."""
        decoded = jsonable(turns)
        if self._simulator is not None:
            return _grade(self._simulator.run(self._task, turns, self._key), decoded)
        first = next((i for i, calls in enumerate(self._key) if calls), None)
        if first is not None and is_empty_turn(turns[first]):
            return _grade(Simulation(EMPTY_TURN, turn=first), decoded)
        return Grade(
            False, NO_SIMULATOR, NOT_RESCORABLE, status=GradeStatus.NOT_GRADED, decoded=decoded
        )


class MultiTurnScorer:
    """State and results of the output's calls compared with those of the key's.

    Attributes:
        name: Its name among the scorers.
    """

    name = "bfcl-multi-turn"

    def __init__(self, simulator: Simulator | None = None) -> None:
        self._simulator = simulator

    def prepare(self, task: Task, key: Json, settings: ScoringSettings) -> PreparedMultiTurn:
        """The rule for outputs of ``task`` under ``key``."""
        form = known_form(settings.options.get("form", OutputForm.AUTO))
        return PreparedMultiTurn(task, key, self._simulator, form)

    def grade(self, task: Task, key: Json, output: Json, settings: ScoringSettings) -> Grade:
        """The verdict on one output under ``key``."""
        return self.prepare(task, key, settings).grade(output)


def is_call_turns(key: Json) -> bool:
    """Whether a key is a list of turns, each a list of call texts."""
    return isinstance(key, list) and all(
        isinstance(turn, list) and all(isinstance(call, str) for call in turn) for turn in key
    )


def _grade(simulation: Simulation, decoded: Json) -> Grade:
    decision = None
    if simulation.turn is not None:
        place = f"turn {simulation.turn + 1}"
        decision = Decision(
            where=f"{place}: {simulation.where}" if simulation.where else place,
            given=simulation.given,
            accepted=simulation.expected,
        )
    return Grade(
        passed=simulation.status is GradeStatus.GRADED and simulation.code == "valid",
        reason_code=simulation.code,
        reason=sentence(simulation),
        status=simulation.status,
        decision=decision,
        decoded=decoded,
    )


def _stopped(exception: str, reason: str) -> Grade:
    text = f"The benchmark's own checker would stop here: {reason}."
    return Grade(False, exception, text, status=GradeStatus.RAISES)
