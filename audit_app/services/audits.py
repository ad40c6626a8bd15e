"""Setting audits up, widening their samples, and saying where they stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from audit_app.domain.benchmark import BenchmarkVersion
from audit_app.domain.estimates import NextStep, Status
from audit_app.domain.review import Review, settled_reviews
from audit_app.domain.rubric import Answer, Verdict
from audit_app.domain.sampling import Frame, Sample, SamplingPlan
from audit_app.domain.verdict import decide
from audit_app.errors import InputError
from audit_app.sampling.draw import draw_sample, ids_from_text, supplied_sample, widen_sample
from audit_app.sampling.frame import build_frame
from audit_app.sampling.plans import plan_from_toml
from audit_app.sampling.standing import audit_status
from audit_app.services.clock import Clock
from audit_app.services.resources import bundled_rubric, bundled_taxonomy, resource
from audit_app.storage.audits import AuditRepository, StoredAudit
from audit_app.storage.benchmarks import BenchmarkRepository, StoredBenchmark
from audit_app.storage.reviews import ReviewRepository
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
    """One audit with everything that follows from what is stored.

    Attributes:
        audit: As it was set up.
        benchmark: The version it is pinned to.
        frame: The tasks it draws from.
        samples: Every stage of the sample; the last one counts.
        reviews: Every review ever saved.
        answers: Every rubric answer ever given.
    """

    audit: StoredAudit
    benchmark: BenchmarkVersion
    frame: Frame
    samples: tuple[Sample, ...]
    reviews: tuple[Review, ...]
    answers: tuple[Answer, ...]

    @property
    def sample(self) -> Sample:
        """The sample that counts."""
        return self.samples[-1]

    @cached_property
    def settled(self) -> Mapping[str, Review]:
        """Task id → the judgement that counts."""
        return settled_reviews(self.reviews)

    @cached_property
    def status(self) -> Status:
        """Where the audit stands."""
        return audit_status(self.frame, self.sample, self.settled, self.audit.rubric)

    @property
    def current_answers(self) -> Mapping[str, Answer]:
        """Item id → the answer that stands: the latest."""
        return {answer.item: answer for answer in self.answers}

    @cached_property
    def verdict(self) -> Verdict:
        """What the rubric's answers come to."""
        return decide(self.audit.rubric, self.current_answers, self.status)


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
        frame = self._frame(stored, plan)
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

    def _frame(self, stored: StoredBenchmark, plan: SamplingPlan) -> Frame:
        return build_frame(plan, self._benchmarks.field_values(stored.key))

    def create(self, name: str, benchmark: str, preview: Preview) -> AuditView:
        """Store an audit with its plan and first draw.

        Raises:
            ConflictError: The name is taken.
            InputError: The name cannot be used.
        """
        name = name.strip()
        if not name or len(name) > 200 or not name.isprintable() or "/" in name:
            raise InputError(
                f"{name[:80]!r} cannot name an audit: use 1 to 200 printable characters without /"
            )
        audit = StoredAudit(
            id=self._clock.new_id(),
            name=name,
            benchmark=self._benchmarks.find(benchmark).key,
            plan=preview.plan,
            frame_hash=preview.frame.digest,
            rubric=bundled_rubric(),
            taxonomy=bundled_taxonomy(),
            created_at=self._clock.now(),
            created_by=self._person,
        )
        self._audits.add(audit, preview.sample, sample_id=self._clock.new_id())
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
        """One audit with all that follows from what is stored."""
        audit = self._audits.find(name)
        stored = self._benchmarks.by_key(audit.benchmark)
        return AuditView(
            audit=audit,
            benchmark=stored.version,
            frame=self._frame(stored, audit.plan),
            samples=tuple(self._audits.samples(audit.id)),
            reviews=tuple(ReviewRepository(self._workspace, audit.id).all()),
            answers=tuple(self._audits.answers(audit.id)),
        )
