"""The report as data: every figure with its denominator, nothing laid out yet.

What is not defined is None, and ``undefined`` of the same object says why. Shares are in [0, 1].
"""

from __future__ import annotations

from datetime import date, datetime

from pydantic import Field

from audit_app.domain.estimates import EffectCounts, Estimate, Interval, NextStep
from audit_app.domain.record import Json, Record
from audit_app.domain.rubric import Outcome, SectionKind
from audit_app.domain.sampling import DrawKind
from audit_app.reporting.evidence import EvidencePart
from audit_app.reporting.planted import PlantedPart
from audit_app.reporting.records import RecordsPart
from audit_app.reporting.reviewers import ReviewersPart
from audit_app.stats.impact_model import Impact


class Share(Record):
    """A count over its denominator.

    Attributes:
        count: Numerator.
        of: Denominator.
        of_what: What the denominator counts.
        share: count / of, None where ``of`` is 0.
        undefined: ``share`` → why it is not defined.
    """

    count: int
    of: int
    of_what: str
    share: float | None
    undefined: dict[str, str] = Field(default_factory=dict)


class Heading(Record):
    """What the report is about."""

    benchmark: str
    version: str
    rules: str
    audit: str
    audit_id: str
    original_link: str
    lead: str
    generated_on: date


class VerdictPart(Record):
    """The verdict with the reasoning behind it.

    Attributes:
        outcome: The verdict.
        label: As printed.
        partial: Whether a stop was reached with items not reviewed.
        trace: The sentences, in order.
        decided_by: Index in ``trace`` of the step that decides, None while in progress.
    """

    outcome: Outcome
    label: str
    partial: bool
    trace: tuple[str, ...]
    decided_by: int | None


class StratumRow(Record):
    """One line of the strata table.

    Attributes:
        stratum: Its id; empty in the line for all.
        outer: The top-level stratum it belongs to.
        merged: Whether it sums the lines of its inner strata (or all lines).
        population: Tasks in the frame.
        weight: Share of the frame's weight.
        sampled: Tasks drawn.
        reviewed: Of those, judged.
        defective: Share of the reviewed that is defective.
        interval: Wilson's for that share, None where nothing is reviewed, and in a census.
    """

    stratum: str
    outer: str
    merged: bool
    population: int
    weight: float
    sampled: int
    reviewed: int
    defective: Share
    interval: Interval | None = None


class Methodology(Record):
    """How the figures came about.

    Attributes:
        evidence: Random sample, census, or a draw made elsewhere.
        population: Tasks in the frame.
        benchmark_tasks: Tasks of the benchmark.
        benchmark_entries: Scored entries of the benchmark.
        outside: Field value → tasks outside the frame.
        stratify_by: Fields whose values are the strata.
        stages: Tasks drawn up to each stage.
        widen_reason: Why the sample was widened, where a person gave a reason.
        reviewers: Reviewer → sampled tasks judged by him or her.
        min_severity: Least severity that counts.
        strict_severity: Least severity of the strict rate.
    """

    evidence: DrawKind
    population: int
    benchmark_tasks: int
    benchmark_entries: int
    outside: dict[str, int]
    stratify_by: tuple[str, ...]
    stages: tuple[int, ...]
    widen_reason: str
    reviewers: dict[str, int]
    min_severity: int
    strict_severity: int


class RulePart(Record):
    """The sampling rule that says when the sample is widened.

    Attributes:
        widen_band: Rates, two shares, between which the sample is widened once.
        band_inclusive: Whether a rate on an end of the band widens.
        base: Tasks read at first.
        widen_to: Tasks read after widening.
        census_at_or_below: Frames of at most this many tasks are read whole.
    """

    widen_band: tuple[float, float]
    band_inclusive: bool
    base: int
    widen_to: int
    census_at_or_below: int


class Figures(Record):
    """The counts and rates.

    Attributes:
        sampled: Tasks drawn.
        reviewed: Of those, judged.
        defective: Of the reviewed.
        floor: In a census, defective tasks of all tasks of the frame, whether read or not.
        possible: Of the reviewed: defective, or disputed, uncertain or unsure.
        strict: Of the reviewed, at the strict severity; None where not defined.
        weighted_rate: Rate weighted to the frame, None where not defined.
        intervals: For the rate of defective tasks.
        strata: The strata table, merged lines after their inner ones, the line for all last.
        lowest: Stratum with the lowest rate, None unless two or more strata have one.
        highest: Stratum with the highest rate.
        effects: Defective tasks by effect.
        stale: Defective tasks with cause K2.
        next: What the sampling rule asks for.
        next_text: The same in a sentence.
        undefined: Figure → why it is not defined.
        threshold: Rate at or above which the scoring item has an issue.
        estimates: Every estimand under every way of counting, each with its uncertainty.
        weights_coincide: Whether the score-weighted and the task-weighted rate are the same.
        warnings: What a reader of the rates must bear in mind.
    """

    sampled: int
    reviewed: int
    defective: Share
    floor: Share | None
    possible: Share
    strict: Share | None
    weighted_rate: float | None
    intervals: tuple[Interval, ...]
    strata: tuple[StratumRow, ...]
    lowest: StratumRow | None
    highest: StratumRow | None
    effects: EffectCounts
    stale: int
    next: NextStep
    next_text: str
    undefined: dict[str, str]
    threshold: float | None = None
    estimates: tuple[Estimate, ...] = ()
    weights_coincide: bool = False
    warnings: tuple[str, ...] = ()

    @property
    def is_complete(self) -> bool:
        """Whether the whole sample is reviewed."""
        return self.reviewed == self.sampled


class CauseName(Record):
    """A cause with its name in the taxonomy (empty where the taxonomy does not know it)."""

    code: str
    label: str


class ErrorRow(Record):
    """One defective task.

    Attributes:
        task_id: Its id.
        category: The benchmark's category.
        group: The coarser class.
        stratum: The stratum it was drawn from.
        effects: FN, FP or both, of the findings that count.
        causes: Primary causes of those findings; empty where none was stated.
        severity: The highest one stated, None where none is.
        severity_label: Its name in the taxonomy.
    """

    task_id: str
    category: str
    group: str
    stratum: str
    effects: tuple[str, ...]
    causes: tuple[CauseName, ...]
    severity: int | None
    severity_label: str


class Representative(Record):
    """One representative error.

    Attributes:
        error: The line of the error table.
        asks: The first user message of the task, shortened.
        reasons: Notes of the findings that count.
        evidence: Their links.
    """

    error: ErrorRow
    asks: str
    reasons: tuple[str, ...]
    evidence: tuple[str, ...]


class RepresentativePart(Record):
    """The representative errors and how they were chosen.

    Attributes:
        chosen_by: ``auditors`` or ``rule``.
        errors: From low to high severity; those without one come last unless auditors ordered them.
        not_defective: Ids the auditors named that do not count as defective: left out.
    """

    chosen_by: str
    errors: tuple[Representative, ...]
    not_defective: tuple[str, ...]


class OpenTask(Record):
    """A reviewed task that is neither defective nor found right: its findings do not count."""

    task_id: str
    findings: tuple[str, ...]


class TaskLists(Record):
    """Sampled tasks that are not in the error table; with it they are the whole sample."""

    found_right: tuple[str, ...]
    not_counted: tuple[OpenTask, ...]
    not_reviewed: tuple[str, ...]


class ItemPart(Record):
    """One item of the rubric with its answer.

    Attributes:
        id: Item id.
        number: As printed.
        question: Its label.
        threshold: When it has an issue by default, or an empty string.
        status: Status id.
        status_label: As printed.
        stops_with: The outcome this status stops with, or an empty string.
        value: Text, integer or ``[floor, ceiling]``, None where there is none.
        note: The reviewer's remark.
        examples: Examples.
        own_examples: Whether any of them is this project's reconstruction.
    """

    id: str
    number: str
    question: str
    threshold: str
    status: str
    status_label: str
    stops_with: str
    value: Json
    note: str
    examples: tuple[str, ...]
    own_examples: bool


class SectionPart(Record):
    """One section of the rubric with its answers."""

    id: str
    number: str
    title: str
    kind: SectionKind
    intro: str
    items: tuple[ItemPart, ...]


class Criteria(Record):
    """The rubric with its answers.

    Attributes:
        rubric: Its title.
        source: Where it comes from and what is ours.
        access_note: How the reviewers had access, where tasks are private.
        sections: In order.
        not_reviewed: Numbers of the items nobody has answered.
    """

    rubric: str
    source: str
    access_note: str
    sections: tuple[SectionPart, ...]
    not_reviewed: tuple[str, ...]


class Disclaimer(Record):
    """What readers must bear in mind."""

    sample_incomplete: bool
    rubric_incomplete: bool
    developer_contact: str
    developer_response: str


class Reproducibility(Record):
    """What it takes to make the figures again."""

    audit_created_at: datetime
    audit_created_by: str
    benchmark_hash: str
    benchmark_format: str
    benchmark_source: str
    frame_hash: str
    evidence: DrawKind
    seed: str
    algorithm: str
    plan: Json
    rubric_id: str
    rubric_version: str
    taxonomy_id: str
    taxonomy_version: str
    versions: dict[str, str]
    simulated_outputs: bool


class ImpactPart(Record):
    """What the confirmed defects do to the leaderboard.

    Attributes:
        basis: Whose verdicts the scores are made of, in a sentence.
        impact: Scores, ranks and pairs before and after, with their denominators.
    """

    basis: str
    impact: Impact


class Report(Record):
    """A whole report.

    ``impact`` is None where no output is stored, ``planted`` without checks, ``reviewers`` where
    one person judges each task, ``evidence`` where no trials are attached, ``records``
    where nothing is recorded beside the sample's figures.
    """

    heading: Heading
    verdict: VerdictPart
    methodology: Methodology
    rule: RulePart
    figures: Figures
    representative: RepresentativePart
    errors: tuple[ErrorRow, ...]
    tasks: TaskLists
    criteria: Criteria
    disclaimer: Disclaimer
    reproducibility: Reproducibility
    impact: ImpactPart | None = None
    planted: PlantedPart | None = None
    reviewers: ReviewersPart | None = None
    evidence: EvidencePart | None = None
    records: RecordsPart | None = None
