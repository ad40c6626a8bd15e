"""Rubrics: sections of questions that yield a verdict, and the defect taxonomy. Data, no logic."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Self

from pydantic import Field, model_validator

from audit_app.domain.record import Json, Record

NOT_REVIEWED = "not_reviewed"
"""The status of an item nobody has answered; it never reads as a pass."""


class Label(Record):
    """A text in the languages of the product.

    Attributes:
        en: English.
        ja: Japanese; empty where there is none, and English is shown.
    """

    en: str
    ja: str = ""

    def text(self, language: str = "en") -> str:
        """The text in ``language``, else in English."""
        return self.ja if language == "ja" and self.ja else self.en


class Outcome(StrEnum):
    """What a verdict can be."""

    IN_PROGRESS = "in_progress"
    VERIFIED = "verified"
    FLAWED = "flawed"
    NEI = "nei"


class SectionKind(StrEnum):
    """How a section bears on the verdict."""

    GATE = "gate"
    """Each answer opens the next section, or a later one, or stops with a verdict."""
    ALL_MUST_PASS = "all_must_pass"
    """One issue stops with the section's verdict; all passed gives Verified."""
    ADVISORY = "advisory"
    """Shown, never changes the verdict."""


class ValueType(StrEnum):
    """What an item takes beside, or instead of, a status."""

    NONE = "none"
    TEXT = "text"
    INTEGER = "integer"
    RANGE = "range"
    """Two numbers, ``floor,ceiling``; either may be blank."""


class Status(Record):
    """A status an item can have.

    Attributes:
        id: Stable key.
        label: What is shown.
        verdict: The outcome this status stops with, None where it goes on.
        passes: Whether it counts as passed in an ``all_must_pass`` section.
        go: Section that this answer of a gate opens; empty for the next one.
    """

    id: str
    label: Label
    verdict: Outcome | None = None
    passes: bool = False
    go: str = ""


class Threshold(Record):
    """When an item has an issue by default.

    Attributes:
        text: The rule in words.
        metric: ``defect_rate`` where the numbers propose the answer, else an empty string.
        value: Share in [0, 1] at or above which the metric is an issue.
    """

    text: Label
    metric: str = ""
    value: float | None = Field(default=None, ge=0, le=1)


class Example(Record):
    """One example under an item.

    Attributes:
        text: The example.
        ours: Whether it is this project's reconstruction and not the source's wording.
    """

    text: Label
    ours: bool = False


class Item(Record):
    """One question of a rubric.

    Attributes:
        id: Stable key, unique in the rubric.
        number: As printed, for example ``2.1``.
        label: The question.
        guidance: A sentence of help.
        statuses: What can be answered; always with ``not_reviewed``.
        value: What is taken beside the status.
        value_status: Status that a given value implies, for items that take one.
        threshold: When it has an issue, None for advisory items.
        examples: Examples, each marked where it is ours.
    """

    id: str
    number: str
    label: Label
    guidance: Label = Label(en="")
    statuses: tuple[Status, ...]
    value: ValueType = ValueType.NONE
    value_status: str = ""
    threshold: Threshold | None = None
    examples: tuple[Example, ...] = ()

    def status(self, status_id: str) -> Status | None:
        """The status of that id, or None."""
        return next((status for status in self.statuses if status.id == status_id), None)

    @model_validator(mode="after")
    def _statuses_are_sound(self) -> Self:
        ids = [status.id for status in self.statuses]
        if len(set(ids)) != len(ids):
            raise ValueError(f"item {self.id!r} lists a status twice")
        if NOT_REVIEWED not in ids:
            raise ValueError(f"item {self.id!r} has no status {NOT_REVIEWED!r}")
        if self.value_status and self.value_status not in ids:
            raise ValueError(f"item {self.id!r} names an unknown status {self.value_status!r}")
        return self


class Section(Record):
    """A section of a rubric.

    Attributes:
        id: Stable key.
        number: As printed.
        label: Its title.
        kind: How it bears on the verdict.
        intro: A sentence under the title.
        items: Its questions.
    """

    id: str
    number: str
    label: Label
    kind: SectionKind
    intro: Label = Label(en="")
    items: tuple[Item, ...]


class SamplingRule(Record):
    """The sequential sampling rule.

    Attributes:
        base: Tasks read at first.
        widen_to: Tasks read after widening.
        widen_band: Rates (shares) at which the sample is widened, ends included or not.
        band_inclusive: Whether a rate on an end of the band widens.
        census_at_or_below: Frames of at most this many tasks are read whole.
    """

    base: int = Field(ge=1)
    widen_to: int = Field(ge=1)
    widen_band: tuple[float, float]
    band_inclusive: bool = True
    census_at_or_below: int = Field(ge=0)

    @model_validator(mode="after")
    def _band_is_ordered(self) -> Self:
        lower, upper = self.widen_band
        if not 0 <= lower <= upper <= 1:
            raise ValueError(f"widen_band {self.widen_band} is not two shares in order")
        if self.widen_to < self.base:
            raise ValueError(f"widen_to {self.widen_to} is smaller than base {self.base}")
        return self


class Counting(Record):
    """What counts as a defect: least severity by default, and for the strict rate."""

    min_severity: int = Field(default=1, ge=0, le=3)
    strict_severity: int = Field(default=2, ge=0, le=3)


class Rubric(Record):
    """A whole rubric file.

    Attributes:
        id: Stable key, for example ``epoch``.
        version: Version of the file.
        title: Its name.
        source: Where it comes from and what is ours, in a sentence.
        sampling: The sequential sampling rule.
        counting: What counts as a defect.
        outcomes: Labels of the four outcomes.
        sections: In order.
    """

    id: str
    version: str
    title: Label
    source: Label
    sampling: SamplingRule
    counting: Counting = Counting()
    outcomes: dict[Outcome, Label]
    sections: tuple[Section, ...]

    @property
    def items(self) -> dict[str, Item]:
        """Item id → item, in order."""
        return {item.id: item for section in self.sections for item in section.items}

    @property
    def scoring_item(self) -> Item | None:
        """The item that the defect rate proposes an answer for."""
        return next((i for i in self.items.values() if i.threshold and i.threshold.metric), None)

    @model_validator(mode="after")
    def _items_are_unique(self) -> Self:
        ids = [item.id for section in self.sections for item in section.items]
        double = sorted({i for i in ids if ids.count(i) > 1})
        if double:
            raise ValueError(f"item {double[0]!r} stands twice in the rubric")
        missing = [outcome.value for outcome in Outcome if outcome not in self.outcomes]
        if missing:
            raise ValueError(f"the rubric has no label for the outcome {missing[0]!r}")
        return self


class Answer(Record):
    """One answer to one item; append-only, the latest stands.

    Attributes:
        id: UUID.
        item: Item id.
        status: Status id.
        value: Text, integer or ``[floor, ceiling]`` where the item takes one.
        note: Remark.
        answered_at: When (aware).
        answered_by: Who.
    """

    id: str
    item: str
    status: str
    value: Json = None
    note: str = ""
    answered_at: datetime
    answered_by: str


class TraceStep(Record):
    """One line of the reasoning behind a verdict.

    Attributes:
        text: The sentence.
        item: The item it speaks of, or an empty string.
        decides: Whether this step decides the verdict.
    """

    text: str
    item: str = ""
    decides: bool = False


class Verdict(Record):
    """What a rubric's answers come to.

    Attributes:
        outcome: The verdict.
        partial: Whether a stop was reached with items not reviewed.
        trace: The reasoning, in order; exactly one step decides unless in progress.
        not_reviewed: Ids of items nobody has answered.
    """

    outcome: Outcome
    partial: bool
    trace: tuple[TraceStep, ...]
    not_reviewed: tuple[str, ...]


class Cause(Record):
    """A cause of the defect taxonomy.

    Attributes:
        code: For example ``K3``.
        label: Its name.
        definition: One sentence.
        example: An invented example.
        usual_effect: What it mostly does, in words.
    """

    code: str
    label: Label
    definition: Label
    example: Label
    usual_effect: str


class CauseFamily(Record):
    """A family of causes, chosen by one key and then a number."""

    letter: str
    key: str
    label: Label
    causes: tuple[Cause, ...]


class Described(Record):
    """An effect, severity or state with its definition."""

    id: str
    label: Label
    definition: Label


class Taxonomy(Record):
    """The defect taxonomy: effects, causes, severities."""

    id: str
    version: str
    effects: tuple[Described, ...]
    severities: tuple[Described, ...]
    states: tuple[Described, ...]
    families: tuple[CauseFamily, ...]

    @property
    def causes(self) -> dict[str, Cause]:
        """Code → cause."""
        return {cause.code: cause for family in self.families for cause in family.causes}
