"""Refusals in a row: an endpoint that says no to everybody should not be asked K times over.

A trial that the endpoint refused is held back until another outcome shows that it does not refuse
everything. Where refusals of one kind keep coming, those trials stay not run: they say something
of the key, the model's name or the address, and nothing of the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from audit_app.domain.trials import CompletionStatus, TrialRun

T = TypeVar("T")

ENOUGH = 3
"""Refusals of one kind in a row, with none answered between, after which a job stops."""


class Refusal(NamedTuple):
    """A kind of refusal."""

    status: CompletionStatus
    http_status: int


class Refusals(Generic[T]):
    """Counts refusals in a row, and keeps what is held back meanwhile."""

    def __init__(self) -> None:
        self._held: list[T] = []
        self._kind: Refusal | None = None
        self._said = ""
        self.is_enough = False

    @property
    def sentence(self) -> str:
        """What the endpoint said last."""
        return f"the endpoint refused {ENOUGH} trials in a row: {self._said}"

    def hold(self, held: T, kind: Refusal, said: str) -> Sequence[T]:
        """Hold a refusal back; earlier ones of another kind, which are let go."""
        if self.is_enough:
            return []
        free = self.let_go() if kind != self._kind else []
        self._kind, self._said = kind, said
        self._held.append(held)
        self.is_enough = len(self._held) >= ENOUGH
        return free

    def let_go(self) -> list[T]:
        """What is held back, which is counted after all."""
        free, self._held, self._kind = self._held, [], None
        return free


def refusal(trial: TrialRun) -> Refusal | None:
    """Which kind of refusal a trial ended with, None where with none.

    A filter that withheld an answer (HTTP 200) judged that answer; a connection that was cut says
    nothing of the next one.
    """
    if not trial.completions:
        return None
    last = trial.completions[-1]
    match trial.status:
        case CompletionStatus.REFUSED if last.http_status >= 400:
            return Refusal(trial.status, last.http_status)
        case CompletionStatus.REDIRECTED:
            return Refusal(trial.status, last.http_status)
        case CompletionStatus.CONNECTION if not any(a.was_sent for a in last.attempts):
            return Refusal(trial.status, 0)
    return None
