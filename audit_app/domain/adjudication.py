"""Adjudications: the settled judgement of a task that several people reviewed."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from audit_app.domain.record import Record
from audit_app.domain.review import MAX_TEXT, Finding, Judgement, Review


class How(StrEnum):
    """How an adjudication came about."""

    IDENTICAL = "identical"
    """The reviews said the same and were accepted in one action."""
    TOOK = "took"
    """One of the reviews was taken as it is."""
    OWN = "own"
    """The adjudicator wrote the judgement."""


class Adjudication(Record):
    """The settled judgement of one task; never changed, only superseded.

    Attributes:
        id: UUID, made by whoever adjudicates, so that a repeated save is recognised.
        task_id: The task.
        adjudicator: Who settled it; never counted in an agreement figure.
        adjudicated_at: When (aware).
        judgement: Clean, defect, or withdrawn (an undo).
        findings: The defects; at least one for ``DEFECT``, none otherwise.
        note: The reason.
        basis: Ids of the reviews it settles, sorted. Where other reviews stand now, it no longer
            counts and the task is open again.
        how: How it came about.
        supersedes: Id of the adjudication it replaces, None for the first.
    """

    id: str
    task_id: str
    adjudicator: str = Field(min_length=1)
    adjudicated_at: datetime
    judgement: Judgement
    findings: tuple[Finding, ...] = ()
    note: str = Field(default="", max_length=MAX_TEXT)
    basis: tuple[str, ...] = ()
    how: How
    supersedes: str | None = None

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        if self.adjudicated_at.tzinfo is None:
            raise ValueError("the time of the adjudication has no time zone")
        if (self.judgement is Judgement.DEFECT) != bool(self.findings):
            raise ValueError("a defect needs a finding, and only a defect has findings")
        return self

    def as_review(self) -> Review:
        """The judgement in the form in which judgements are counted."""
        return Review(
            id=self.id,
            task_id=self.task_id,
            reviewer=self.adjudicator,
            reviewed_at=self.adjudicated_at,
            judgement=self.judgement,
            findings=self.findings,
            note=self.note,
        )
