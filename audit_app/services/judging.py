"""What the review screen asks for: the queue, one task, and applying what the reviewer did.

The browser sends actions. Each carries an id of its own and the task that was on screen, so a
repeated send changes nothing and nothing lands on another task. Judgements are append-only; a
judgement names the one it replaces, and a stale one is refused.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import Field

from audit_app.domain.record import Record
from audit_app.domain.review import Finding, Review


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


@dataclass(frozen=True)
class QueueItem:
    """One task of the sample as one reviewer sees it.

    Attributes:
        task_id: Its id.
        stratum: The stratum it was drawn from.
        state: Where it stands.
        second_look: Whether the reviewer wants to look again.
        review: The reviewer's standing judgement.
        skipped_at: When it was skipped, where a skip stands.
    """

    task_id: str
    stratum: str
    state: TaskState
    second_look: bool = False
    review: Review | None = None
    skipped_at: datetime | None = None
