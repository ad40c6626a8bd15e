"""What a scorer takes and gives: settings, grade, and the protocol between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Protocol

import msgspec

from audit_app.domain.benchmark import Task
from audit_app.domain.record import Json


class GradeStatus(StrEnum):
    """What a grade is."""

    GRADED = "graded"
    """The rule was applied; ``passed`` is its verdict."""
    RAISES = "raises"
    """The benchmark's own checker would stop with an exception on this pair, and not grade it."""
    NOT_GRADED = "not_graded"
    """It cannot be graded here (the simulators are absent, the scorer is unknown): a published
    grade is kept, nothing is guessed."""
    ERROR = "error"
    """The output is a failed request, not an answer; never counted as wrong."""


class Decision(msgspec.Struct, frozen=True, gc=False):
    """The point at which a verdict fell.

    Attributes:
        where: The argument, turn or part, for example ``include_status`` or ``turn 2``.
        given: What the output has there.
        accepted: What would have been accepted there; empty where nothing could be.
        may_omit: Whether leaving it out would have been accepted.
    """

    where: str
    given: Json = None
    accepted: tuple[Json, ...] = ()
    may_omit: bool = False


class Grade(msgspec.Struct, frozen=True, gc=False):
    """The result of comparing one output with one key.

    Attributes:
        passed: The verdict; False unless ``status`` is ``graded``.
        reason_code: The benchmark's own code, ``valid`` where it passed; for ``raises`` the name
            of the exception.
        reason: One sentence for a person, on passes too.
        status: Whether this is a verdict at all.
        decision: The point that decided, None where there is no single one.
        decoded: What the output was read as, None where it could not be read.
    """

    passed: bool
    reason_code: str
    reason: str
    status: GradeStatus = GradeStatus.GRADED
    decision: Decision | None = None
    decoded: Json = None


class ScoringSettings(msgspec.Struct, frozen=True):
    """What a grade depends on besides task, key and output.

    Attributes:
        rules: Rule version of the benchmark: ``v4`` or ``2024-08``.
        dots_to_underscores: Whether the model writes ``a.b`` as ``a_b`` in function names (a
            property of the model's entry in the benchmark's registry).
        options: Further settings of single scorers (tolerance, pattern, …).
    """

    rules: str = "v4"
    dots_to_underscores: bool = False
    options: Mapping[str, Json] = {}


class PreparedScorer(Protocol):
    """One rule made ready for one task and key: what to use for many outputs of the task."""

    def grade(self, output: Json) -> Grade:
        """The verdict on one output."""
        ...


class Scorer(Protocol):
    """One rule."""

    name: str

    def prepare(self, task: Task, key: Json, settings: ScoringSettings) -> PreparedScorer:
        """The rule for outputs of ``task`` under ``key``, which may differ from the task's own."""
        ...

    def grade(self, task: Task, key: Json, output: Json, settings: ScoringSettings) -> Grade:
        """The verdict on one output under ``key``, which may differ from the task's own."""
        ...


class Simulation(msgspec.Struct, frozen=True):
    """What came of a multi-turn output and its key on the simulated back-ends.

    Attributes:
        code: ``valid``, the benchmark's reason code, the name of the exception with which its
            checker would stop, or ``simulator:`` and what kept the simulators from an answer.
        status: Whether this is a verdict.
        turn: The turn at which it fell, from 0; None where no single one decided.
        where: What differs: a back-end and its attribute, as ``TradingBot.orders``.
        given: What the output led to there.
        expected: What the key led to there; results that the output lacks.
        note: What there is to say about a missing verdict.
    """

    code: str
    status: GradeStatus = GradeStatus.GRADED
    turn: int | None = None
    where: str = ""
    given: Json = None
    expected: tuple[Json, ...] = ()
    note: str = ""


class Simulator(Protocol):
    """Runs the calls of a multi-turn task on simulated back-ends, outside this process."""

    def run(
        self, task: Task, turns: Sequence[Sequence[Sequence[str]]], key: Sequence[Sequence[str]]
    ) -> Simulation:
        """Outcome of the benchmark's own multi-turn check for decoded turns of steps of calls."""
        ...
