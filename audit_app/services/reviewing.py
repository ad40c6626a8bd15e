"""The review screen's service: the queue, one task, and filing what the reviewer did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from audit_app.domain.benchmark import BenchmarkVersion, KeyKind
from audit_app.domain.record import Json
from audit_app.domain.review import Judgement, Review, current_reviews
from audit_app.errors import AuditError, ConflictError, InputError, NotFoundError
from audit_app.services.clock import Clock
from audit_app.services.judging import Ack, Action, ActionKind, QueueItem, TaskState
from audit_app.services.key_trial import KeyRequest, KeyTrial, try_key
from audit_app.services.regrade import RegradeService
from audit_app.services.task_grading import TaskGrader
from audit_app.services.task_views import TaskView, group_outputs
from audit_app.services.view_grading import screen_grader
from audit_app.storage.audits import AuditRepository, StoredAudit
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.outputs import OutputRepository
from audit_app.storage.reviews import Mark, MarkKind, ReviewRepository
from audit_app.storage.workspace import Workspace

_MAX_ID = 200


@dataclass(frozen=True)
class Desk:
    """Everything a reviewer's screen shows besides the task itself.

    Attributes:
        audit: The audit.
        benchmark: The version it is pinned to.
        queue: The sample in the order of the work: stage by stage, stratum by stratum.
        drafts: Task id → unfinished form.
        recent: The reviewer's standing judgements, the latest first.
    """

    audit: StoredAudit
    benchmark: BenchmarkVersion
    queue: tuple[QueueItem, ...]
    drafts: Mapping[str, Json]
    recent: tuple[Review, ...]


class ReviewService:
    """Shows tasks to one reviewer and files the judgements.

    Args:
        workspace: The open workspace.
        clock: The time and fresh ids.
        reviewer: Who judges.
        audit: Name of the audit.
        cache: Where fetched packages lie, for grading multi-turn tasks.
    """

    def __init__(
        self,
        workspace: Workspace,
        clock: Clock,
        reviewer: str,
        audit: str,
        cache: Path = Path(),
    ) -> None:
        self._workspace, self._cache = workspace, cache
        self._clock, self._reviewer = clock, reviewer
        self._audit = AuditRepository(workspace).find(audit)
        self._reviews = ReviewRepository(workspace, self._audit.id)
        self._benchmarks = BenchmarkRepository(workspace)
        self._outputs = OutputRepository(workspace, self._audit.benchmark)
        self._strata = _sampled(AuditRepository(workspace), self._audit)
        self._simulated = any(source.simulated for source in self._outputs.sources())

    def desk(self) -> Desk:
        """The queue with its states, drafts and recent judgements."""
        mine = self._mine()
        standing = {review.task_id: review for review in current_reviews(mine)}
        skipped, second_look = _standing_marks(self._reviews.marks(self._reviewer))
        queue = tuple(
            QueueItem(
                task_id=task_id,
                stratum=stratum,
                state=_state(standing.get(task_id), is_skipped=task_id in skipped),
                skipped_at=skipped.get(task_id),
                second_look=task_id in second_look,
                review=standing.get(task_id),
            )
            for task_id, stratum in self._strata.items()
        )
        recent = sorted(standing.values(), key=lambda r: (r.reviewed_at, r.id), reverse=True)
        return Desk(
            audit=self._audit,
            benchmark=self._benchmarks.by_key(self._audit.benchmark).version,
            queue=queue,
            drafts=self._reviews.drafts(self._reviewer),
            recent=tuple(recent),
        )

    def task_view(self, task_id: str) -> TaskView:
        """One task with its key, documents and outputs.

        Raises:
            NotFoundError: The benchmark has no such task.
        """
        key = self._audit.benchmark
        task = self._benchmarks.task(key, task_id)
        return TaskView(
            task=task,
            entries=self._benchmarks.entries(key, task_id),
            documents=self._benchmarks.documents(key, task.documents),
            groups=group_outputs(task, self._outputs.of_task(task_id), self._grader),
            stratum=self._strata.get(task_id, ""),
            simulated=self._simulated,
        )

    @cached_property
    def _grader(self) -> TaskGrader:
        benchmark = self._benchmarks.by_key(self._audit.benchmark)
        return screen_grader(self._workspace, benchmark, self._cache)

    def try_key(self, request: KeyRequest) -> KeyTrial:
        """What a proposed key would do to the outputs of a task; nothing is stored."""
        regrade = RegradeService(self._workspace, self._audit.name, grader=self._grader)
        try:
            task = self._benchmarks.task(self._audit.benchmark, request.task_id)
        except NotFoundError as error:
            return KeyTrial(request, request.text, error=str(error))
        return try_key(task, request, regrade.flips)

    def apply(self, actions: Iterable[Mapping[str, Any]]) -> list[Ack]:
        """File what the browser sent, in order; each action is answered for itself.

        An action that was filed before changes nothing and is acknowledged again.
        """
        return [self._apply(action) for action in actions]

    def _apply(self, raw: Mapping[str, Any]) -> Ack:
        id_ = str(raw.get("id", ""))[:_MAX_ID]
        try:
            action = Action.model_validate(raw)
            self._file(action)
        except ValidationError as error:
            return Ack(id_, f"not saved: {_first_problem(error)}")
        except AuditError as error:
            return Ack(id_, str(error))
        return Ack(id_)

    def _file(self, action: Action) -> None:
        if action.task_id not in self._strata:
            raise InputError(f"not saved: task {action.task_id!r} is not in this sample")
        match action.kind:
            case ActionKind.CLEAN:
                self._require_evidence(action.task_id)
                self._judge(action, Judgement.CLEAN)
            case ActionKind.DEFECT:
                self._judge(action, Judgement.DEFECT)
            case ActionKind.UNDO:
                self._undo(action)
            case ActionKind.SKIP:
                if self._standing(self._mine(), action.task_id) is None:
                    self._mark(action, MarkKind.SKIPPED)
            case ActionKind.SECOND_LOOK:
                _, second_look = _standing_marks(self._reviews.marks(self._reviewer))
                is_set = action.task_id in second_look
                kind = MarkKind.NO_SECOND_LOOK if is_set else MarkKind.SECOND_LOOK
                self._mark(action, kind)
            case ActionKind.DRAFT:
                self._reviews.save_draft(
                    action.task_id, self._reviewer, action.draft, at=self._clock.now()
                )

    def _require_evidence(self, task_id: str) -> None:
        """Refuse to call a key right that is not there, or that answers no prompt."""
        task = self._benchmarks.task(self._audit.benchmark, task_id)
        missing = "key" if task.key_kind is KeyKind.MISSING else "" if task.turns else "prompt"
        if missing:
            raise InputError(
                f"not saved: the source gives no {missing} for this task, so its key cannot be "
                "called right; record a defect or skip it"
            )

    def _judge(self, action: Action, judgement: Judgement) -> None:
        unknown = [
            code
            for finding in action.findings
            for code in (finding.cause, *finding.causes)
            if code is not None and code not in self._audit.taxonomy.causes
        ]
        if unknown:
            raise InputError(f"not saved: there is no cause {unknown[0]!r} in the taxonomy")
        is_defect = judgement is Judgement.DEFECT
        self._reviews.add(
            Review(
                id=action.id,
                task_id=action.task_id,
                reviewer=self._reviewer,
                reviewed_at=self._clock.now(),
                judgement=judgement,
                findings=action.findings if is_defect else (),
                note="" if is_defect else action.note,
                supersedes=action.supersedes,
                seconds=action.seconds,
            )
        )

    def _mine(self) -> list[Review]:
        return [r for r in self._reviews.all() if r.reviewer == self._reviewer]

    def _standing(self, reviews: Iterable[Review], task_id: str) -> Review | None:
        return next((r for r in current_reviews(reviews) if r.task_id == task_id), None)

    def _undo(self, action: Action) -> None:
        mine = self._mine()
        if any(review.id == action.id for review in mine):
            return  # a repeated send
        review = self._standing(mine, action.task_id)
        if review is None:
            skipped, _ = _standing_marks(self._reviews.marks(self._reviewer))
            if action.task_id in skipped and action.supersedes is None:
                self._mark(action, MarkKind.UNSKIPPED)
            return  # nothing stands: taken back before, or never filed
        if review.id != action.supersedes:
            raise ConflictError(
                f"{action.task_id} was judged elsewhere since it was shown here; "
                "that judgement stands, nothing was undone"
            )
        self._reviews.add(
            Review(
                id=action.id,
                task_id=action.task_id,
                reviewer=self._reviewer,
                reviewed_at=self._clock.now(),
                judgement=Judgement.WITHDRAWN,
                supersedes=review.id,
            )
        )

    def _mark(self, action: Action, kind: MarkKind) -> None:
        self._reviews.add_mark(
            Mark(action.id, action.task_id, self._reviewer, kind, self._clock.now())
        )


def _sampled(audits: AuditRepository, audit: StoredAudit) -> dict[str, str]:
    """Task id → stratum, tasks of an earlier stage before those of a later one."""
    strata: dict[str, str] = {}
    for sample in audits.samples(audit.id):
        for draw in sample.draws:
            for task_id in draw.task_ids:
                strata.setdefault(task_id, draw.stratum)
    return strata


def _standing_marks(marks: Sequence[Mark]) -> tuple[dict[str, datetime], set[str]]:
    """Tasks that stand skipped, with the time, and those marked for a second look."""
    skipped: dict[str, datetime] = {}
    second_look: set[str] = set()
    for mark in marks:
        match mark.kind:
            case MarkKind.SKIPPED:
                skipped[mark.task_id] = mark.marked_at
            case MarkKind.UNSKIPPED:
                skipped.pop(mark.task_id, None)
            case MarkKind.SECOND_LOOK:
                second_look.add(mark.task_id)
            case MarkKind.NO_SECOND_LOOK:
                second_look.discard(mark.task_id)
    return skipped, second_look


def _state(review: Review | None, *, is_skipped: bool) -> TaskState:
    if review is None:
        return TaskState.SKIPPED if is_skipped else TaskState.OPEN
    return TaskState.DEFECT if review.judgement is Judgement.DEFECT else TaskState.CLEAN


def _first_problem(error: ValidationError) -> str:
    problem = error.errors(include_url=False, include_context=False)[0]
    where = ".".join(str(part) for part in problem["loc"])
    text = problem["msg"].removeprefix("Value error, ")
    return f"{where}: {text}" if where else text
