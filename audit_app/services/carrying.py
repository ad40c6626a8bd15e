"""Re-review: a new audit of another version of the benchmark, with the reviews that still hold.

A task's review holds where its canonical record, the documents it refers to included, is the same
in both versions. Membership of the new sample follows from the plan and the seed alone: a task
keeps its permanent random number, so most of the sample stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from audit_app.domain.adjudication import Adjudication
from audit_app.domain.benchmark import content_digest, encode
from audit_app.domain.dossier_entries import Carry
from audit_app.domain.review import Judgement, Review, current_reviews
from audit_app.domain.sampling import DrawKind, Frame, Sample
from audit_app.domain.team import TeamSettings
from audit_app.errors import ConflictError, InputError
from audit_app.sampling.draw import ListedIds, draw_sample, supplied_sample, widen_sample
from audit_app.services.audits import AuditService, AuditView, Preview
from audit_app.services.clock import Clock
from audit_app.services.dossier_entry import noted
from audit_app.services.rubric_files import RubricChoice
from audit_app.storage.adjudications import AdjudicationRepository
from audit_app.storage.audits import AuditRepository
from audit_app.storage.benchmarks import BenchmarkRepository, StoredBenchmark
from audit_app.storage.dossiers import DossierRepository
from audit_app.storage.planted import PlantedRepository
from audit_app.storage.reviews import ReviewRepository
from audit_app.storage.team import TeamRepository
from audit_app.storage.workspace import Workspace


class _Work(NamedTuple):
    """What stands of an audit, whoever may see it.

    Attributes:
        reviews: Standing reviews of sampled tasks that nobody sent back, in the order of saving.
        adjudications: Standing adjudications that rest on just these.
    """

    reviews: tuple[Review, ...]
    adjudications: tuple[Adjudication, ...]


class CarryingService:
    """Continues audits on other versions of their benchmark."""

    def __init__(self, workspace: Workspace, clock: Clock, person: str) -> None:
        self._workspace = workspace
        self._views = AuditService(workspace, clock, person)
        self._benchmarks = BenchmarkRepository(workspace)
        self._clock, self._person = clock, person

    def carry(self, name: str, *, to: str, as_: str) -> AuditView:
        """A new audit of another version, with the reviews of unchanged tasks carried over.

        Rubric answers, statements, trials, planted and targeted tasks are not: a new version starts
        a new review.

        Args:
            name: The earlier audit.
            to: The version, ``NAME`` for the latest or ``NAME@HASH``.
            as_: Name of the new audit.

        Raises:
            NotFoundError: There is no such audit or version.
            InputError: It is the same version, or has none of the tasks of the sample.
            ConflictError: The name is taken.
        """
        view, target = self._views.view(name), self._benchmarks.find(to)
        as_ = as_.strip()
        if target.key == view.audit.benchmark:
            raise InputError(
                f"{name!r} is an audit of {target.version.name} {target.version.version} already; "
                "import the new version first"
            )
        if as_ in self._views.names():
            raise ConflictError(f"there is an audit {as_!r} already; choose another name")
        frame = self._views.frame(target, view.audit.plan)
        known = {task for task, _ in self._benchmarks.field_values(target.key)}
        stages = _stages(view, frame, known, target)
        with self._workspace.write():
            return self._store(view, target, frame, stages, known, as_)

    def _store(
        self,
        view: AuditView,
        target: StoredBenchmark,
        frame: Frame,
        stages: Sequence[Sample],
        known: set[str],
        as_: str,
    ) -> AuditView:
        own = DossierRepository(self._workspace, view.audit.id).rubric_path()
        created = self._views.create(
            as_,
            f"{target.version.name}@{target.version.content_hash}",
            Preview(plan=view.audit.plan, frame=frame, sample=stages[0]),
            RubricChoice(view.audit.rubric, own),
        )
        id_ = created.audit.id
        for stage in stages[1:]:
            AuditRepository(self._workspace).add_sample(
                id_,
                stage,
                sample_id=self._clock.new_id(),
                drawn_at=self._clock.now(),
                drawn_by=self._person,
            )
        if view.team != TeamSettings():
            TeamRepository(self._workspace, id_).set(
                view.team,
                id_=self._clock.new_id(),
                set_at=self._clock.now(),
                set_by=self._person,
            )
        carry = self._carried(view, target, stages[-1], known, id_)
        DossierRepository(self._workspace, id_).add(noted(carry, self._clock, self._person))
        return self._views.view(as_)

    def _carried(
        self, view: AuditView, target: StoredBenchmark, sample: Sample, known: set[str], id_: str
    ) -> Carry:
        """The entry that says what became of each task, with the reviews stored under new ids."""
        work = self._work(view)
        reviewed = dict.fromkeys(review.task_id for review in work.reviews)
        unchanged = self._unchanged(view.audit.benchmark, target.key, reviewed)
        sampled = dict.fromkeys(sample.task_ids)
        kept = [task for task in sampled if task in reviewed and task in unchanged]
        ids = {r.id: self._clock.new_id() for r in work.reviews if r.task_id in set(kept)}
        ReviewRepository(self._workspace, id_).add_all(
            r.model_copy(update={"id": ids[r.id], "supersedes": None})
            for r in work.reviews
            if r.id in ids
        )
        settled = [a for a in work.adjudications if set(a.basis) <= ids.keys()]
        new = {a.id: self._clock.new_id() for a in settled}
        AdjudicationRepository(self._workspace, id_).add_all(
            a.model_copy(
                update={
                    "id": new[a.id],
                    "basis": tuple(sorted(ids[review] for review in a.basis)),
                    "supersedes": None,
                }
            )
            for a in settled
        )
        return Carry(
            audit=view.audit.name,
            audit_id=view.audit.id,
            version=view.benchmark.version,
            rules=view.benchmark.rules,
            reviews={ids[r]: r for r in ids},
            adjudications={new[a]: a for a in new},
            tasks=tuple(kept),
            changed=tuple(t for t in sampled if t in reviewed and t not in unchanged),
            fresh=tuple(t for t in sampled if t not in reviewed),
            left=tuple(t for t in reviewed if t in known and t not in sampled),
            gone=tuple(t for t in view.sample.task_ids if t not in known),
        )

    def _work(self, view: AuditView) -> _Work:
        audit = view.audit.id
        planted = {check.task_id for check in PlantedRepository(self._workspace, audit).all()}
        sampled = set(view.sample.task_ids) - planted
        every = ReviewRepository(self._workspace, audit).all()
        returned = {s.review_id for s in TeamRepository(self._workspace, audit).send_backs()}
        standing = {r.id for r in current_reviews(every) if r.task_id in sampled} - returned
        stored = AdjudicationRepository(self._workspace, audit).all()
        superseded = {a.supersedes for a in stored}
        by_task: dict[str, set[str]] = {}
        for review in every:
            if review.id in standing:
                by_task.setdefault(review.task_id, set()).add(review.id)
        return _Work(
            tuple(r for r in every if r.id in standing),
            tuple(
                a
                for a in stored
                if a.id not in superseded
                and a.judgement is not Judgement.WITHDRAWN
                and set(a.basis) == by_task.get(a.task_id)
            ),
        )

    def _unchanged(self, before: int, after: int, task_ids: Iterable[str]) -> set[str]:
        """Those of the tasks whose record, documents included, is the same in both versions."""
        ids = list(task_ids)
        old, new = self._fingerprints(before, ids), self._fingerprints(after, ids)
        return {task for task in ids if old.get(task) == new.get(task) is not None}

    def _fingerprints(self, key: int, task_ids: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
        tasks = self._benchmarks.tasks(key, task_ids)
        named = dict.fromkeys(id_ for task in tasks.values() for id_ in task.documents)
        documents = {
            id_: content_digest(encode(body))
            for id_, body in self._benchmarks.documents(key, named).items()
        }
        return {
            id_: (content_digest(encode(task)), *(documents.get(d, "") for d in task.documents))
            for id_, task in tasks.items()
        }


def _stages(
    view: AuditView, frame: Frame, known: set[str], target: StoredBenchmark
) -> list[Sample]:
    """The sample by the same plan and seed, widened where it was; a supplied one without what left.

    Raises:
        InputError: Nothing of the sample is left.
    """
    plan = view.audit.plan
    home = frame.stratum_of()
    remaining = [task for task in view.sample.task_ids if task in home]
    if not remaining:
        raise InputError(
            f"{target.version.name} {target.version.version} has none of the "
            f"{len(view.sample.task_ids)} sampled tasks of {view.audit.name!r} in its frame"
        )
    if view.sample.kind is DrawKind.SUPPLIED:
        listed = ListedIds(view.audit.name, tuple(enumerate(remaining, start=1)))
        return [supplied_sample(frame, listed, benchmark_ids=known)]
    first = draw_sample(plan, frame)
    is_wider = view.sample.stage > 1 and first.kind is DrawKind.RANDOM
    if not is_wider or plan.widen_to <= len(first.task_ids):
        return [first]
    return [first, widen_sample(plan, frame, first, reason=f"as in {view.audit.name}")]
