"""What the review screen asks for: the queue, one task, and applying what the reviewer did.

The browser sends actions. Each carries an id of its own and the task that was on screen, so a
repeated send changes nothing and nothing lands on another task. Judgements are append-only; a
judgement names the one it replaces, and a stale one is refused.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

from pydantic import Field

from audit_app.domain.record import Record
from audit_app.domain.review import Finding, Judgement, Review


class ActionKind(StrEnum):
    """What a reviewer can do to a task."""

    CLEAN = "clean"
    DEFECT = "defect"
    SKIP = "skip"
    SECOND_LOOK = "second_look"
    UNDO = "undo"
    """Takes back the judgement that the screen showed, or the skip where it showed none."""
    DRAFT = "draft"
    """Working state of the form, kept as it is; ``draft`` None clears it."""


class Action(Record):
    """One thing a reviewer did, as the browser sends it.

    Attributes:
        id: UUID made by the browser; becomes the id of the review.
        kind: What was done.
        task_id: The task that was on screen.
        supersedes: Id of the standing review that the screen showed, None where it showed none.
        findings: For ``DEFECT``.
        note: For ``CLEAN``.
        draft: For ``DRAFT``.
        seconds: Time on the task.
    """

    id: str = Field(pattern=r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
    kind: ActionKind
    task_id: str
    supersedes: str | None = None
    findings: tuple[Finding, ...] = ()
    note: str = ""
    draft: dict[str, Any] | None = None
    seconds: float | None = Field(default=None, ge=0)


@dataclass(frozen=True)
class Ack:
    """What became of an action.

    Attributes:
        id: The action's id.
        error: Empty where it is on disk; else why it is not, in one sentence.
    """

    id: str
    error: str = ""


class TaskState(StrEnum):
    """Where a task of the sample stands for one reviewer."""

    OPEN = "open"
    SKIPPED = "skipped"
    CLEAN = "clean"
    DEFECT = "defect"
    RETURNED = "returned"
    """Judged, and sent back to the reviewer to be judged again; as open as ``OPEN``."""
    TAKEN = "taken"
    """Handed out to others, as many as may judge it; it comes back if their leases expire."""
    CLOSED = "closed"
    """Judged by others, as often as is asked for."""


JUDGED = frozenset({TaskState.CLEAN, TaskState.DEFECT})
"""States of a task that is done for the reviewer."""

TO_JUDGE = frozenset({TaskState.OPEN, TaskState.RETURNED})
"""States of a task to which the screen advances."""


@dataclass(frozen=True, slots=True)
class QueueItem:
    """One task of the sample as one reviewer sees it.

    Attributes:
        task_id: Its id.
        stratum: The stratum it was drawn from.
        category: The task's category in the benchmark.
        state: Where it stands.
        second_look: Whether the reviewer wants to look again.
        review_id: Id of the reviewer's standing judgement.
        reviewed_at: When that was made.
        words: That judgement in a few words.
        tags: Effects and causes of its findings, ``FN``, ``K2``, …, each once.
        seconds: Time it took, where that was measured.
        skipped_at: When the task was skipped, where a skip stands.
        is_held: Whether it can be judged without asking for it first: the reviewer judged it or
            holds a live lease on it, or nobody else is at work.
        returned: Reason of the send-back that waits for the reviewer; empty where none does.
    """

    task_id: str
    stratum: str
    category: str
    state: TaskState
    second_look: bool = False
    review_id: str | None = None
    reviewed_at: datetime | None = None
    words: str = ""
    tags: tuple[str, ...] = ()
    seconds: float | None = None
    skipped_at: datetime | None = None
    is_held: bool = True
    returned: str = ""


@dataclass(frozen=True, slots=True)
class Left:
    """What is left of a queue: six numbers that sum to its length.

    Attributes:
        judged: Done by the reviewer.
        open: To be judged.
        returned: Sent back to the reviewer.
        skipped: Skipped by the reviewer.
        taken: Leased to others.
        closed: Done by others.
    """

    judged: int
    open: int
    returned: int
    skipped: int
    taken: int
    closed: int


def what_is_left(queue: Iterable[QueueItem]) -> Left:
    """How many tasks of a queue stand where."""
    states = Counter(item.state for item in queue)
    return Left(
        judged=sum(states[state] for state in JUDGED),
        open=states[TaskState.OPEN],
        returned=states[TaskState.RETURNED],
        skipped=states[TaskState.SKIPPED],
        taken=states[TaskState.TAKEN],
        closed=states[TaskState.CLOSED],
    )


@dataclass(frozen=True, slots=True)
class Recent:
    """One of the reviewer's standing judgements, in words."""

    task_id: str
    words: str
    is_defect: bool
    reviewed_at: datetime


class FindingInWords(Protocol):
    """What of a finding is put into words."""

    @property
    def effects(self) -> Sequence[str]:
        """Its effects."""

    @property
    def cause(self) -> str | None:
        """Code of its primary cause."""

    @property
    def severity(self) -> int | None:
        """Its severity, where stated."""


def finding_words(finding: FindingInWords) -> str:
    """A finding in a few words: ``FN, FP, K3, severity 1``."""
    parts = [str(effect) for effect in finding.effects]
    parts += [finding.cause] if finding.cause else []
    parts += [] if finding.severity is None else [f"severity {finding.severity}"]
    return ", ".join(parts)


def findings_words(judgement: Judgement, findings: Sequence[FindingInWords]) -> str:
    """A judgement in a few words: ``clean``, or its first finding and how many more there are."""
    if judgement is not Judgement.DEFECT or not findings:
        return judgement.value
    more = len(findings) - 1
    return finding_words(findings[0]) + (f", {more} more" if more else "")


def judgement_words(review: Review) -> str:
    """A review in a few words, as `findings_words` has it."""
    return findings_words(review.judgement, review.findings)
