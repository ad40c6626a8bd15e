"""What people record about an audit beside reviews and answers; each entry is one kind of body."""

from __future__ import annotations

from datetime import date
from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from audit_app.domain.record import Record
from audit_app.domain.review import MAX_TEXT
from audit_app.domain.rubric import Outcome, Rubric
from audit_app.domain.sampling import DrawKind

_MAX_LINK = 2_000


def _web_link(address: str) -> str:
    is_web = address.startswith(("https://", "http://")) and not any(c.isspace() for c in address)
    if not is_web or not address.isprintable() or len(address) > _MAX_LINK:
        raise ValueError(f"{address[:80]!r} is not a link that begins with https://")
    return address


def _stated(text: str) -> str:
    if not text.strip():
        raise ValueError("the text is empty; say why")
    return text.strip()


Link = Annotated[str, AfterValidator(_web_link)]
"""Address of a web page."""

OptionalLink = Annotated[str, AfterValidator(lambda a: _web_link(a) if a else a)]
"""Address of a web page, or an empty text."""

Text = Annotated[str, Field(max_length=MAX_TEXT), AfterValidator(_stated)]
"""A text that says something."""

Key = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,59}$")]
"""A short name that a person gives: lower-case letters, digits and hyphens."""


class Entry(Record):
    """A body of the dossier; its field ``kind`` tells which."""


class OutsideEvidence(Entry):
    """Somebody else's audit of the benchmark: a floor, never mixed into a rate.

    Attributes:
        source: Where it is published.
        examined: Tasks that were examined there.
        confirmed: Of those, found defective.
        of: Tasks of the benchmark in all.
        note: What was examined, and how the tasks were chosen.
    """

    kind: Literal["outside_evidence"] = "outside_evidence"
    source: Link
    examined: int = Field(ge=1)
    confirmed: int = Field(ge=0)
    of: int = Field(ge=1)
    note: Text

    @model_validator(mode="after")
    def _counts_are_nested(self) -> Self:
        if not self.confirmed <= self.examined <= self.of:
            raise ValueError(
                f"{self.confirmed} confirmed, {self.examined} examined and {self.of} in all "
                "do not go together: each must be at most the next"
            )
        return self

    @property
    def floor(self) -> float:
        """Least share of defective tasks of the whole benchmark that this shows."""
        return self.confirmed / self.of


class RootCause(Entry):
    """One shared fault that makes many tasks defective.

    Attributes:
        key: By which it is asked for.
        title: In a few words.
        description: What is at fault.
        cause: Code of the taxonomy, or empty.
        links: Where it can be seen.
    """

    kind: Literal["root_cause"] = "root_cause"
    key: Key
    title: Annotated[str, Field(max_length=200), AfterValidator(_stated)]
    description: str = Field(default="", max_length=MAX_TEXT)
    cause: str = ""
    links: tuple[Link, ...] = ()


class RootCauseLink(Entry):
    """That a task's findings come of a root cause, or no longer.

    Attributes:
        root_cause: Its key.
        task_id: The task.
        is_linked: False takes the task out again.
    """

    kind: Literal["root_cause_link"] = "root_cause_link"
    root_cause: Key
    task_id: str
    is_linked: bool = True


class ScaleIssue(Entry):
    """An issue that damages grading at scale; it may fail the scoring item at any rate.

    Attributes:
        text: What damages grading, and why at scale.
        links: Its evidence.
        root_cause: Key of the root cause that it rests on, or empty.
    """

    kind: Literal["scale_issue"] = "scale_issue"
    text: Text
    links: tuple[Link, ...] = ()
    root_cause: str = ""

    @model_validator(mode="after")
    def _has_evidence(self) -> Self:
        if not self.links and not self.root_cause:
            raise ValueError("an issue at scale needs evidence of its own: a link or a root cause")
        return self


class EarlyStop(Entry):
    """That reviewing was stopped with tasks of the sample unread.

    Attributes:
        reason: Why.
        sampled: Tasks drawn at that time.
        reviewed: Of those, reviewed.
        defective: Of the reviewed, defective.
    """

    kind: Literal["early_stop"] = "early_stop"
    reason: Text
    sampled: int
    reviewed: int
    defective: int


class RubricFile(Entry):
    """The file that an audit took its rubric from; it leaves the workspace with no report.

    Attributes:
        path: Where it was, as an absolute path; empty for a rubric that travels with Assay.
    """

    kind: Literal["rubric_file"] = "rubric_file"
    path: str


class AdoptedRubric(Entry):
    """Another state of the rubric, adopted while the audit was under way.

    Attributes:
        rubric: It stands from now on.
        before: The one that stood until then.
        reason: Why.
        differences: How it differs from the one before, a sentence each.
    """

    kind: Literal["adopted_rubric"] = "adopted_rubric"
    rubric: Rubric
    before: Rubric
    reason: Text
    differences: tuple[str, ...]


class VerdictNumbers(Entry):
    """Where an audit stood when its verdict changed.

    Attributes:
        event: Id of the answer, or of the adopted rubric, that changed it.
        outcome: The verdict from then on.
        partial: Whether it was a partial review.
        evidence: Where the sample came from.
        sampled: Tasks drawn.
        reviewed: Of those, reviewed.
        defective: Of the reviewed, defective.
    """

    kind: Literal["verdict_numbers"] = "verdict_numbers"
    event: str
    outcome: Outcome
    partial: bool
    evidence: DrawKind
    sampled: int
    reviewed: int
    defective: int


class ResponseStatus(StrEnum):
    """What the developers say to a finding."""

    ACCEPTED = "accepted"
    FIXED = "fixed"
    DISPUTED = "disputed"


class Response(Entry):
    """What the developers answered to the findings on one task; it changes no count by itself.

    Attributes:
        task_id: The task.
        status: Accepted, fixed, or disputed.
        version: Version of the benchmark in which it is fixed.
        on: Day of the response.
        link: Where it can be read, or empty.
        text: In their words, or empty.
    """

    kind: Literal["response"] = "response"
    task_id: str
    status: ResponseStatus
    version: str = Field(default="", max_length=200)
    on: date
    link: OptionalLink = ""
    text: str = Field(default="", max_length=MAX_TEXT)

    @model_validator(mode="after")
    def _says_enough(self) -> Self:
        if self.status is ResponseStatus.FIXED and not self.version.strip():
            raise ValueError("a fix needs the version that brings it")
        if self.status is not ResponseStatus.FIXED and self.version:
            raise ValueError(f"a version goes with fixed only, not with {self.status}")
        if self.status is ResponseStatus.DISPUTED and not (self.link or self.text.strip()):
            raise ValueError("a dispute needs a link or a text that says what is disputed")
        return self


class Carry(Entry):
    """That this audit continues one of another version of the benchmark.

    Attributes:
        audit: Name of the earlier audit.
        audit_id: Its UUID.
        version: Version of the benchmark that it is pinned to.
        rules: Grading rules of that version.
        reviews: Id of a review here → id of the review that it was carried over from.
        adjudications: The same for adjudications.
        tasks: Tasks of the new sample with carried reviews.
        changed: Tasks reviewed there whose record differs now: to be looked at again.
        fresh: Tasks of the new sample that were not reviewed there.
        left: Tasks reviewed there that are in the benchmark but not in the new sample.
        gone: Tasks of the earlier sample that the benchmark no longer has.
    """

    kind: Literal["carry"] = "carry"
    audit: str
    audit_id: str
    version: str
    rules: str
    reviews: dict[str, str]
    adjudications: dict[str, str]
    tasks: tuple[str, ...]
    changed: tuple[str, ...]
    fresh: tuple[str, ...]
    left: tuple[str, ...]
    gone: tuple[str, ...]


class Withdrawal(Entry):
    """That an earlier entry no longer stands.

    Attributes:
        entry: Its id.
        reason: Why.
    """

    kind: Literal["withdrawal"] = "withdrawal"
    entry: str
    reason: Text


AnyEntry = Annotated[
    OutsideEvidence
    | RootCause
    | RootCauseLink
    | ScaleIssue
    | EarlyStop
    | AdoptedRubric
    | VerdictNumbers
    | Response
    | Carry
    | Withdrawal,
    Field(discriminator="kind"),
]
"""An entry of whatever kind; the file of a rubric is none, as it says nothing of the audit."""
