"""Filing what a reviewer did, each action for itself and once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationError

from audit_app.domain.review import Judgement, Review
from audit_app.errors import AuditError, ConflictError, InputError
from audit_app.services.clock import Clock
from audit_app.services.judgement_rules import (
    first_problem,
    require_evidence,
    require_known_causes,
)
from audit_app.services.judging import Ack, Action, ActionKind
from audit_app.services.queue_rows import QueueReader
from audit_app.storage.audits import StoredAudit
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.reviews import Mark, MarkKind, ReviewRepository
from audit_app.storage.standing import StandingRepository
from audit_app.storage.team import TeamRepository
from audit_app.storage.workspace import Workspace

_MAX_ID = 200


class Filing:
    """Files the actions of one reviewer.

    Args:
        workspace: The open workspace.
        clock: The time.
        reviewer: Who judges.
        audit: The audit.
        reader: Reads the reviewer's queue.
    """

    def __init__(
        self,
        workspace: Workspace,
        clock: Clock,
        reviewer: str,
        audit: StoredAudit,
        *,
        reader: QueueReader,
    ) -> None:
        self._clock, self._reviewer, self._audit = clock, reviewer, audit
        self._reviews = ReviewRepository(workspace, audit.id)
        self._standing = StandingRepository(workspace, audit.id)
        self._team = TeamRepository(workspace, audit.id)
        self._benchmarks = BenchmarkRepository(workspace)
        self._reader = reader

    def apply(self, actions: Iterable[Mapping[str, Any]]) -> list[Ack]:
        """File what the browser sent, in order; each action is answered for itself."""
        return [self._apply(action) for action in actions]

    def _apply(self, raw: Mapping[str, Any]) -> Ack:
        id_ = str(raw.get("id", ""))[:_MAX_ID]
        try:
            self._file(Action.model_validate(raw))
        except ValidationError as error:
            return Ack(id_, f"not saved: {first_problem(error)}")
        except AuditError as error:
            return Ack(id_, str(error))
        return Ack(id_)

    def _file(self, action: Action) -> None:
        if action.task_id not in self._reader.order().position:
            raise InputError(f"not saved: task {action.task_id!r} is not in this sample")
        match action.kind:
            case ActionKind.CLEAN:
                require_evidence(self._benchmarks.task(self._audit.benchmark, action.task_id))
                self._judge(action, Judgement.CLEAN)
            case ActionKind.DEFECT:
                self._judge(action, Judgement.DEFECT)
            case ActionKind.UNDO:
                self._undo(action)
            case ActionKind.SKIP:
                if self._mine(action.task_id) is None:
                    self._mark(action, MarkKind.SKIPPED)
            case ActionKind.SECOND_LOOK:
                is_set = action.task_id in self._standing.marks(self._reviewer)[1]
                kind = MarkKind.NO_SECOND_LOOK if is_set else MarkKind.SECOND_LOOK
                self._mark(action, kind)
            case ActionKind.DRAFT:
                self._reviews.save_draft(
                    action.task_id, self._reviewer, action.draft, at=self._clock.now()
                )

    def _judge(self, action: Action, judgement: Judgement) -> None:
        require_known_causes(action.findings, self._audit.taxonomy)
        team = self._team.settings()
        if not self._reviews.is_stored(action.id):  # a repeated send was let in before
            self._require_part(action, is_named=team.may_review(self._reviewer))
        is_defect = judgement is Judgement.DEFECT
        review = Review(
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
        self._reviews.add(review, limit=team.reviews_per_task)

    def _require_part(self, action: Action, *, is_named: bool) -> None:
        """Refuse a judgement by somebody who is not to judge here, or not this task."""
        if not is_named:
            raise InputError(
                f"not saved: {self._reviewer} is not among the reviewers of {self._audit.name!r}"
            )
        assigned = self._reader.rows().assigned.get(action.task_id)
        is_theirs = assigned is None or self._reviewer in assigned
        if not is_theirs and self._mine(action.task_id) is None:
            raise InputError(f"not saved: {action.task_id} is assigned to others")

    def _mine(self, task_id: str) -> Review | None:
        return self._reviews.standing(self._reviewer, [task_id]).get(task_id)

    def _undo(self, action: Action) -> None:
        if self._reviews.is_stored(action.id):
            return  # a repeated send
        review = self._mine(action.task_id)
        if review is None:
            is_skipped = action.task_id in self._standing.marks(self._reviewer)[0]
            if is_skipped and action.supersedes is None:
                self._mark(action, MarkKind.UNSKIPPED)
            return  # nothing stands: taken back before, or never filed
        if review.id != action.supersedes:
            raise ConflictError(
                f"{action.task_id} was judged elsewhere since it was shown here; "
                "that judgement stands, nothing was undone"
            )
        withdrawal = Review(
            id=action.id,
            task_id=action.task_id,
            reviewer=self._reviewer,
            reviewed_at=self._clock.now(),
            judgement=Judgement.WITHDRAWN,
            supersedes=review.id,
        )
        self._reviews.add(withdrawal)

    def _mark(self, action: Action, kind: MarkKind) -> None:
        self._reviews.add_mark(
            Mark(action.id, action.task_id, self._reviewer, kind, self._clock.now())
        )
