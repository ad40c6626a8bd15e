"""How several people share one audit: the mode, who may take part, assignments, tasks sent back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from audit_app.domain.record import Record

MAX_REVIEWS_PER_TASK = 9
PLANTED_SHARES = (0.10, 0.20)
"""Least and largest share of planted checks in a queue, where there are any."""


class Mode(StrEnum):
    """How the reviews of one task become one settled judgement."""

    SINGLE = "single"
    """The latest review that stands."""
    ADJUDICATED = "two_and_adjudicator"
    """An adjudicator settles what differs, and accepts what does not."""
    WORST = "worst_wins"
    """The review that finds the worst defect, once a task has all its reviews."""


class TeamSettings(Record):
    """How an audit is shared; the settings saved last stand.

    Attributes:
        mode: How reviews become one judgement.
        reviews_per_task: How many people judge each task; at least two unless the mode is single.
        lease_minutes: How long a task handed out stays with a reviewer who does nothing.
        reviewers: Who may review; empty for anyone.
        adjudicators: Who may adjudicate; empty for anyone who did not review the task.
        planted_share: Share of planted checks in a reviewer's queue, 0 or 0.10 to 0.20.
    """

    mode: Mode = Mode.SINGLE
    reviews_per_task: int = Field(default=1, ge=1, le=MAX_REVIEWS_PER_TASK)
    lease_minutes: int = Field(default=15, ge=1, le=24 * 60)
    reviewers: tuple[str, ...] = ()
    adjudicators: tuple[str, ...] = ()
    planted_share: float = 0.0

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        if self.mode is not Mode.SINGLE and self.reviews_per_task < 2:
            raise ValueError(f"the mode {self.mode.value} needs at least two reviews per task")
        low, high = PLANTED_SHARES
        if self.planted_share and not low <= self.planted_share <= high:
            raise ValueError(
                f"the share of planted checks is {self.planted_share}, not 0 or {low} to {high}"
            )
        if self.reviewers and len(set(self.reviewers)) < self.reviews_per_task:
            raise ValueError(
                f"{self.reviews_per_task} reviews per task need as many reviewers; "
                f"{len(set(self.reviewers))} are named"
            )
        return self

    @property
    def is_blind(self) -> bool:
        """Whether people judge the same task, and so must not see each other's work before."""
        return self.reviews_per_task > 1

    def may_review(self, person: str) -> bool:
        """Whether the person may judge tasks of this audit."""
        return not self.reviewers or person in self.reviewers

    def may_adjudicate(self, person: str, reviewers: Iterable[str]) -> bool:
        """Whether the person may settle a task that ``reviewers`` judged: never one's own."""
        named = not self.adjudicators or person in self.adjudicators
        return named and person not in set(reviewers)


class Assignment(Record):
    """One task given to one reviewer, or taken back; for each pair the latest stands.

    A task with a standing assignment is handed out to those it is assigned to and no one else.
    """

    id: str
    task_id: str
    reviewer: str
    is_assigned: bool
    assigned_at: datetime
    assigned_by: str


class SendBack(Record):
    """A judged task returned to its reviewer with a reason.

    It is answered by any review of that reviewer which supersedes the returned one.

    Attributes:
        id: UUID.
        task_id: The task.
        reviewer: To whom.
        review_id: The review that is to be looked at again; it stays stored as it is.
        reason: Why, for the reviewer to read.
        sent_at: When.
        sent_by: By whom.
    """

    id: str
    task_id: str
    reviewer: str
    review_id: str
    reason: str = Field(min_length=1, max_length=20_000)
    sent_at: datetime
    sent_by: str
