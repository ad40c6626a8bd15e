"""Everything a report is built from: one audit as it stands, gathered by the caller."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from audit_app.domain.benchmark import BenchmarkVersion, Task
from audit_app.domain.estimates import Status
from audit_app.domain.record import Json
from audit_app.domain.review import Review
from audit_app.domain.rubric import Answer, Rubric, Taxonomy, Verdict
from audit_app.domain.sampling import Frame, Sample, SamplingPlan
from audit_app.reporting.evidence import EvidencePart
from audit_app.reporting.planted import PlantedPart
from audit_app.reporting.records import RecordsPart
from audit_app.reporting.report import ImpactPart
from audit_app.reporting.reviewers import ReviewersPart


@dataclass(frozen=True, kw_only=True)
class AuditRecord:
    """One audit as it stands. Equal records give equal reports, byte for byte.

    Attributes:
        audit_id: UUID of the audit.
        audit_name: Its name.
        created_at: When it was made.
        created_by: By whom.
        benchmark: The version it is pinned to.
        plan: How the sample was to be drawn.
        frame: What it was drawn from.
        samples: All stages in order; the last one counts.
        reviews: Task id → the judgement that counts.
        standing_reviews: Every judgement that stands, of all reviewers.
        tasks: The sampled tasks.
        status: Where the audit stands, computed from the above.
        rubric: The rubric it is judged by.
        answers: Item id → the answer that stands.
        verdict: What the answers come to.
        taxonomy: The defect taxonomy.
        statements: The auditors' own words, any of which may be left out: ``lead`` (what the
            benchmark measures and was for), ``original_link``, ``developer_contact``,
            ``developer_response`` (a link, or the answer), ``representative`` (task ids from low
            to high severity, separated by spaces), ``access_note``.
        generated_on: The day the report carries.
        versions: Name → version of what the figures rest on (assay, python, scipy, …).
        simulated: Whether outputs shown to the reviewers are said to be simulated.
        impact: What the confirmed defects do to the leaderboard, None where no output is stored.
        planted: What reviewers made of planted checks, None where none are planted.
        reviewers: How several people came to one judgement, None where one judges each task.
        evidence: Trials attached to findings, None where none are.
        records: What is recorded beside the sample's figures, None where nothing is.
        trial_files: Name → content of the files with which they can be graded and counted again.
        cases: Task id → answers that show its defect, as ``assay grade`` reads them.
        input_files: Name → content of the files from which the report can be recomputed.
    """

    audit_id: str
    audit_name: str
    created_at: datetime
    created_by: str
    benchmark: BenchmarkVersion
    plan: SamplingPlan
    frame: Frame
    samples: tuple[Sample, ...]
    reviews: Mapping[str, Review]
    standing_reviews: tuple[Review, ...]
    tasks: Mapping[str, Task]
    status: Status
    rubric: Rubric
    answers: Mapping[str, Answer]
    verdict: Verdict
    taxonomy: Taxonomy
    statements: Mapping[str, str] = field(default_factory=dict)
    generated_on: date
    versions: Mapping[str, str] = field(default_factory=dict)
    simulated: bool = False
    impact: ImpactPart | None = None
    planted: PlantedPart | None = None
    reviewers: ReviewersPart | None = None
    evidence: EvidencePart | None = None
    records: RecordsPart | None = None
    trial_files: Mapping[str, bytes] = field(default_factory=dict)
    cases: Mapping[str, Sequence[Mapping[str, Json]]] = field(default_factory=dict)
    input_files: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def sample(self) -> Sample:
        """The sample that counts."""
        return self.samples[-1]

    @property
    def reviewed(self) -> dict[str, Review]:
        """Task id → settled judgement, for the sampled tasks, in the order of the sample."""
        return {t: self.reviews[t] for t in self.sample.task_ids if t in self.reviews}

    def is_defective(self, review: Review) -> bool:
        """Whether the task counts as defective under the rubric's counting rule."""
        return review.is_defective(min_severity=self.rubric.counting.min_severity)
