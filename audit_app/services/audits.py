"""Setting audits up, widening their samples, and saying where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from audit_app.domain.adjudication import Adjudication
from audit_app.domain.benchmark import BenchmarkVersion
from audit_app.domain.dossier import Dossier, Noted
from audit_app.domain.dossier_entries import RubricFile
from audit_app.domain.estimates import NextStep, Status
from audit_app.domain.grounds import Grounds, grounds_of
from audit_app.domain.review import Review
from audit_app.domain.rubric import Answer, Verdict
from audit_app.domain.sampling import Frame, Sample, SamplingPlan
from audit_app.domain.settling import settle
from audit_app.domain.team import SendBack, TeamSettings
from audit_app.domain.verdict import decide
from audit_app.errors import InputError
from audit_app.sampling.draw import draw_sample, ids_from_text, supplied_sample, widen_sample
from audit_app.sampling.frame import build_frame
from audit_app.sampling.plans import plan_from_toml
from audit_app.sampling.standing import audit_status
from audit_app.services.clock import Clock
from audit_app.services.resources import bundled_rubric, bundled_taxonomy, resource
from audit_app.services.rubric_files import RubricChoice, chosen_rubric, file_state
from audit_app.services.seen_work import seen_work
from audit_app.services.targeted import TargetedRead, targeted_reads
from audit_app.storage.audits import AuditRepository, StoredAudit
from audit_app.storage.benchmarks import BenchmarkRepository, StoredBenchmark
from audit_app.storage.dossiers import DossierRepository
from audit_app.storage.team import TeamRepository
from audit_app.storage.workspace import Workspace

_DEFAULT_PLANS = {"v4": ("samples", "bfcl_v4_review", "plan.toml")}
"""Rule version of a benchmark → the shipped plan that knows its score weights."""


@dataclass(frozen=True)
class Preview:
    """What a plan would draw from a benchmark, before anything is stored."""

    plan: SamplingPlan
    frame: Frame
    sample: Sample


@dataclass(frozen=True)
class AuditView:
    """One audit with everything that follows from what is stored, as far as one person may see it.

    Attributes:
        audit: As it was set up.
        benchmark: The version it is pinned to.
        frame: The tasks it draws from.
        samples: Every stage of the sample; the last one counts.
        reviews: Every review of a sampled task that the person may see, replaced ones included.
        answers: Every rubric answer ever given.
        team: How it is shared.
        adjudications: Every adjudication that the person may see.
        send_backs: Every send-back that the person may see.
        hidden: Standing reviews of sampled tasks that are left out, as the person has yet to judge
            their tasks.
        dossier: What is recorded beside reviews and answers.
        targeted: Tasks outside the sample that are read on purpose; they count in nothing.
        rubric_note: That the file of the rubric differs from the rubric that stands, and how; empty
            where it does not.
    """

    audit: StoredAudit
    benchmark: BenchmarkVersion
    frame: Frame
    samples: tuple[Sample, ...]
    reviews: tuple[Review, ...]
    answers: tuple[Answer, ...]
    team: TeamSettings
    adjudications: tuple[Adjudication, ...]
    send_backs: tuple[SendBack, ...]
    hidden: int
    dossier: Dossier = field(default_factory=Dossier)
    targeted: tuple[TargetedRead, ...] = ()
    rubric_note: str = ""

    @property
    def sample(self) -> Sample:
        """The sample that counts."""
        return self.samples[-1]

    @cached_property
    def settled(self) -> Mapping[str, Review]:
        """Task id → the judgement that counts."""
        return settle(
            self.team,
            self.reviews,
            self.adjudications,
            self.send_backs,
            min_severity=self.audit.rubric.counting.min_severity,
        )

    @cached_property
    def status(self) -> Status:
        """Where the audit stands."""
        return audit_status(self.frame, self.sample, self.settled, self.audit.rubric)

    @property
    def current_answers(self) -> Mapping[str, Answer]:
        """Item id → the answer that stands: the latest."""
        return {answer.item: answer for answer in self.answers}

    @cached_property
    def grounds(self) -> Grounds:
        """What is stated beside the numbers."""
        return grounds_of(self.dossier, self.status.threshold)

    @cached_property
    def verdict(self) -> Verdict:
        """What the rubric's answers come to."""
        return self.verdict_with(self.current_answers)

    def verdict_with(self, answers: Mapping[str, Answer]) -> Verdict:
        """What other answers would come to."""
        return decide(self.audit.rubric, answers, self.status, self.grounds)


class AuditService:
    """Makes, widens and reads audits."""

    def __init__(self, workspace: Workspace, clock: Clock, person: str) -> None:
        self._workspace = workspace
        self._audits = AuditRepository(workspace)
        self._benchmarks = BenchmarkRepository(workspace)
        self._clock, self._person = clock, person

    def names(self) -> list[str]:
        """Names of all audits, the latest first."""
        return self._audits.names()

    def default_plan(self, benchmark: str) -> SamplingPlan:
        """The plan a benchmark is audited by unless told otherwise.

        For BFCL v4 that is the shipped plan with its score weights; elsewhere the strata are the
        groups, weighing by number of tasks.
        """
        version = self._benchmarks.find(benchmark).version
        rule = bundled_rubric().sampling
        parts = _DEFAULT_PLANS.get(version.rules)
        if parts is not None:
            path = resource(*parts)
            return plan_from_toml(path.read_text(encoding="utf-8"), source=path.name, rule=rule)
        return SamplingPlan(
            size=rule.base,
            widen_to=rule.widen_to,
            census_at_or_below=rule.census_at_or_below,
            seed=version.name,
        )

    def preview(self, benchmark: str, plan: SamplingPlan) -> Preview:
        """Frame, allocation and draw of a plan; nothing is stored."""
        stored = self._benchmarks.find(benchmark)
        frame = self.frame(stored, plan)
        return Preview(plan=plan, frame=frame, sample=draw_sample(plan, frame))

    def preview_supplied(
        self, benchmark: str, ids_text: str, *, source: str, plan: SamplingPlan | None = None
    ) -> Preview:
        """Frame and sample of a draw that was made elsewhere; nothing is stored."""
        stored = self._benchmarks.find(benchmark)
        listed = ids_from_text(ids_text, source=source)
        plan = plan or self.default_plan(benchmark)
        size = len(listed.ids)
        plan = plan.model_copy(
            update={"size": size, "widen_to": max(size, plan.widen_to), "seed": ""}
        )
        values = list(self._benchmarks.field_values(stored.key))
        frame = build_frame(plan, values)
        sample = supplied_sample(frame, listed, benchmark_ids={task for task, _ in values})
        return Preview(plan=plan, frame=frame, sample=sample)

    def frame(self, stored: StoredBenchmark, plan: SamplingPlan) -> Frame:
        """What a plan draws from in a benchmark version."""
        return build_frame(plan, self._benchmarks.field_values(stored.key))

    def create(
        self, name: str, benchmark: str, preview: Preview, rubric: RubricChoice | None = None
    ) -> AuditView:
        """Store an audit with its plan, its rubric (by default the usual one) and first draw.

        Raises:
            ConflictError: The name is taken.
            InputError: The name cannot be used.
        """
        name = name.strip()
        if not name or len(name) > 200 or not name.isprintable() or "/" in name:
            raise InputError(
                f"{name[:80]!r} cannot name an audit: use 1 to 200 printable characters without /"
            )
        choice = rubric or chosen_rubric(None)
        audit = StoredAudit(
            id=self._clock.new_id(),
            name=name,
            benchmark=self._benchmarks.find(benchmark).key,
            plan=preview.plan,
            frame_hash=preview.frame.digest,
            rubric=choice.rubric,
            taxonomy=bundled_taxonomy(),
            created_at=self._clock.now(),
            created_by=self._person,
        )
        self._audits.add(audit, preview.sample, sample_id=self._clock.new_id())
        if choice.path:
            file = Noted(
                self._clock.new_id(), RubricFile(path=choice.path), audit.created_at, self._person
            )
            DossierRepository(self._workspace, audit.id).add(file)
        return self.view(name)

    def expand(self, name: str, *, reason: str = "") -> AuditView:
        """Widen the sample by the plan, keeping the first draw.

        Raises:
            InputError: The rule does not ask for it and no reason is given, or the draw cannot
                be widened (supplied, a census, widened already).
        """
        view = self.view(name)
        widened = widen_sample(view.audit.plan, view.frame, view.sample, reason=reason.strip())
        if view.status.next is not NextStep.WIDEN and not reason.strip():
            raise InputError(
                f"the rule does not ask to widen {name!r}: {view.status.next_text} "
                "Give a reason to widen all the same."
            )
        self._audits.add_sample(
            view.audit.id,
            widened,
            sample_id=self._clock.new_id(),
            drawn_at=self._clock.now(),
            drawn_by=self._person,
        )
        return self.view(name)

    def view(self, name: str) -> AuditView:
        """One audit with all that follows from what is stored, as far as this person may see it."""
        audit = self._audits.find(name)
        stored = self._benchmarks.by_key(audit.benchmark)
        samples = tuple(self._audits.samples(audit.id))
        team = TeamRepository(self._workspace, audit.id).settings()
        seen = seen_work(self._workspace, audit.id, samples, team=team, viewer=self._person)
        recorded = DossierRepository(self._workspace, audit.id)
        dossier, file = recorded.read(), file_state(audit.rubric, recorded.rubric_path())
        return AuditView(
            audit=audit,
            benchmark=stored.version,
            frame=self.frame(stored, audit.plan),
            samples=samples,
            reviews=seen.reviews,
            answers=tuple(self._audits.answers(audit.id)),
            team=team,
            adjudications=seen.adjudications,
            send_backs=seen.send_backs,
            hidden=seen.hidden,
            dossier=dossier,
            rubric_note=file.sentence if file else "",
            targeted=targeted_reads(
                self._workspace,
                audit.id,
                samples,
                dossier,
                team=team,
                viewer=self._person,
                min_severity=audit.rubric.counting.min_severity,
            ),
        )
