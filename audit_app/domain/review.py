"""Reviews: one reviewer's judgement of one task, and what counts as a defect."""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum
from typing import Self

from pydantic import Field, field_validator, model_validator

from audit_app.domain.record import Record

MAX_TEXT = 200_000
"""Longest note or proposed key (characters): far above real ones, below what stalls a page."""


class Effect(StrEnum):
    """What a defect does to a score."""

    FN = "FN"
    """A right answer can be marked wrong."""
    FP = "FP"
    """A wrong answer can be marked right."""
    NEUTRAL = "NEUTRAL"
    """Cannot change a score."""
    UNSURE = "UNSURE"
    """Not settled; the upper end of a band, never counted."""


COUNTED_EFFECTS = frozenset({Effect.FN, Effect.FP})


class FindingState(StrEnum):
    """Where a finding stands."""

    FLAGGED = "flagged"
    CONFIRMED = "confirmed"
    REJECTED = "rejected"
    DISPUTED = "disputed"
    UNCERTAIN = "uncertain"


class Judgement(StrEnum):
    """What a review says of its task."""

    CLEAN = "clean"
    DEFECT = "defect"
    WITHDRAWN = "withdrawn"
    """The reviewer took the earlier judgement back; the task is open again."""


class Finding(Record):
    """One defect on one task.

    Attributes:
        effects: At least one; NEUTRAL and UNSURE stand alone.
        cause: Code of the primary cause (``K1`` …), or None where it was left open.
        causes: Codes of secondary causes.
        severity: 0 to 3, or None where it was not stated.
        state: Where it stands; a person's saved finding is confirmed unless set otherwise.
        note: The reason, in the reviewer's words.
        evidence: Links with the scheme http or https.
        proposed_key: JSON text of the key that should stand instead, or None.
    """

    effects: tuple[Effect, ...] = Field(min_length=1)
    cause: str | None = None
    causes: tuple[str, ...] = ()
    severity: int | None = Field(default=None, ge=0, le=3)
    state: FindingState = FindingState.CONFIRMED
    note: str = Field(default="", max_length=MAX_TEXT)
    evidence: tuple[str, ...] = ()
    proposed_key: str | None = Field(default=None, max_length=MAX_TEXT)

    @field_validator("effects")
    @classmethod
    def _in_fixed_order(cls, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        ordered = tuple(effect for effect in Effect if effect in effects)
        if len(ordered) > 1 and not set(ordered) <= COUNTED_EFFECTS:
            raise ValueError("NEUTRAL and UNSURE cannot stand beside another effect")
        return ordered

    @field_validator("evidence")
    @classmethod
    def _are_links(cls, links: tuple[str, ...]) -> tuple[str, ...]:
        for link in links:
            if not link.startswith(("https://", "http://")) or any(c.isspace() for c in link):
                raise ValueError(f"evidence {link[:80]!r} is not a link that begins with https://")
        return links

    @field_validator("proposed_key")
    @classmethod
    def _is_json(cls, text: str | None) -> str | None:
        if text is None or not text.strip():
            return None
        try:
            json.loads(text)
        except json.JSONDecodeError as error:
            raise ValueError(
                f"the proposed key is not valid JSON: {error.msg}, "
                f"line {error.lineno} column {error.colno}"
            ) from error
        except RecursionError as error:
            raise ValueError("the proposed key is nested too deeply to be read") from error
        return text

    def counts(self, *, min_severity: int = 1) -> bool:
        """Whether it makes its task defective: confirmed, FN or FP, severe enough or not stated."""
        return (
            self.state is FindingState.CONFIRMED
            and bool(COUNTED_EFFECTS & set(self.effects))
            and (self.severity is None or self.severity >= min_severity)
        )

    def may_count(self, *, min_severity: int = 1) -> bool:
        """Whether it could yet make its task defective: the upper end of the band."""
        open_state = self.state in (FindingState.DISPUTED, FindingState.UNCERTAIN)
        unsure = self.state is FindingState.CONFIRMED and Effect.UNSURE in self.effects
        severe = self.severity is None or self.severity >= min_severity
        return severe and (unsure or (open_state and Effect.NEUTRAL not in self.effects))


class Review(Record):
    """One reviewer's judgement of one task; never changed, only superseded.

    Attributes:
        id: UUID, made by whoever makes the review, so that a repeated save is recognised.
        task_id: The task that was on screen.
        reviewer: Who judged.
        reviewed_at: When (aware).
        judgement: Clean, defect, or withdrawn (an undo).
        findings: The defects; at least one for ``DEFECT``, none otherwise.
        note: Remark on a clean task.
        supersedes: Id of the review this one replaces, None for the first.
        seconds: Time spent, where it was measured.
    """

    id: str
    task_id: str
    reviewer: str = Field(min_length=1)
    reviewed_at: datetime
    judgement: Judgement
    findings: tuple[Finding, ...] = ()
    note: str = Field(default="", max_length=MAX_TEXT)
    supersedes: str | None = None
    seconds: float | None = Field(default=None, ge=0)

    @model_validator(mode="after")
    def _holds_together(self) -> Self:
        if self.reviewed_at.tzinfo is None:
            raise ValueError("the review time has no time zone")
        if (self.judgement is Judgement.DEFECT) != bool(self.findings):
            raise ValueError("a defect needs a finding, and only a defect has findings")
        return self

    def is_defective(self, *, min_severity: int = 1) -> bool:
        """Whether the task counts as defective under this review."""
        return any(finding.counts(min_severity=min_severity) for finding in self.findings)

    def may_be_defective(self, *, min_severity: int = 1) -> bool:
        """Whether the task is defective or could yet be: the upper end of the band."""
        return any(
            f.counts(min_severity=min_severity) or f.may_count(min_severity=min_severity)
            for f in self.findings
        )


def current_reviews(reviews: Iterable[Review]) -> list[Review]:
    """The judgement that stands for each (task, reviewer), withdrawn ones left out.

    A review stands when no other supersedes it. The result is sorted by task and reviewer.
    """
    rows = list(reviews)
    superseded = {review.supersedes for review in rows}
    standing = [
        r for r in rows if r.id not in superseded and r.judgement is not Judgement.WITHDRAWN
    ]
    return sorted(standing, key=lambda r: (r.task_id, r.reviewer))
