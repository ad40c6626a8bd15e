"""Reviews in the workspace: append-only judgements and marks, and drafts beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

import msgspec

from audit_app.domain.benchmark import encode
from audit_app.domain.record import Json
from audit_app.domain.review import Finding, Judgement, Review
from audit_app.errors import ConflictError
from audit_app.storage.findings import FINDING, finding_of, finding_row
from audit_app.storage.workspace import Workspace


class MarkKind(StrEnum):
    """What a reviewer puts on a task without judging it."""

    SKIPPED = "skipped"
    UNSKIPPED = "unskipped"
    SECOND_LOOK = "second_look"
    NO_SECOND_LOOK = "no_second_look"


@dataclass(frozen=True)
class Mark:
    """One mark; of each pair (skip, second look) the latest stands."""

    id: str
    task_id: str
    reviewer: str
    kind: MarkKind
    marked_at: datetime


_REVIEW = "id, task_id, reviewer, reviewed_at, judgement, note, supersedes, seconds"
STANDS = (
    f"r.judgement <> '{Judgement.WITHDRAWN.value}' "
    "and not exists (select 1 from reviews n where n.supersedes = r.id)"
)
"""Whether the row ``r`` of the table reviews stands, in SQL."""


class ReviewRepository:
    """Reads and writes the reviews of one audit."""

    def __init__(self, workspace: Workspace, audit_id: str) -> None:
        self._workspace = workspace
        self._audit = audit_id

    def add(self, review: Review, *, limit: int | None = None) -> None:
        """Append one review, drop the reviewer's draft of the task and free the lease on it.

        A review whose id is stored already, for the same task and reviewer, is a repeated send
        and changes nothing.

        Args:
            review: The review.
            limit: How many people may judge the task; None for any number. It is kept by the
                transaction that stores the review, so that no race can exceed it.

        Raises:
            ConflictError: The review it replaces is not the last one, or none is named although
                the reviewer has one, or the task has its reviews already.
        """
        with self._workspace.write():
            self._append(review, limit)

    def add_all(self, reviews: Iterable[Review]) -> None:
        """Append many reviews made elsewhere, whatever their number, or none of them."""
        with self._workspace.write():
            for review in reviews:
                self._append(review)

    def _append(self, review: Review, limit: int | None = None) -> None:
        db = self._workspace
        known = db.row("select audit, task_id, reviewer from reviews where id = ?", (review.id,))
        if known is not None:
            if known == (self._audit, review.task_id, review.reviewer):
                return
            raise ConflictError(f"review {review.id} is stored already for another task")
        last = self._last(review.task_id, review.reviewer)
        stands = last is not None and last[1] != Judgement.WITHDRAWN
        if limit is not None and not stands:
            self._require_room(review, limit)
        supersedes = review.supersedes
        if last is not None and supersedes is None and last[1] == Judgement.WITHDRAWN:
            supersedes = last[0]  # the screen showed an open task: its judgement was taken back
        if supersedes != (last[0] if last else None):
            raise ConflictError(
                f"{review.task_id} was judged elsewhere since it was shown here; "
                "look at the judgement that stands before saving over it"
            )
        db.run(
            f"insert into reviews (audit, {_REVIEW}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self._audit,
                review.id,
                review.task_id,
                review.reviewer,
                review.reviewed_at.isoformat(),
                review.judgement.value,
                review.note,
                supersedes,
                review.seconds,
            ),
        )
        db.run_many(
            f"insert into findings (review, position, {FINDING}) "
            "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((review.id, i, *finding_row(finding)) for i, finding in enumerate(review.findings)),
        )
        db.seal("reviews", review.id)
        if review.judgement is not Judgement.WITHDRAWN:
            self._drop_draft(review.task_id, review.reviewer)
            self._drop_lease(review.task_id, review.reviewer)

    def _require_room(self, review: Review, limit: int) -> None:
        row = self._workspace.row(
            f"select count(*) from reviews r where r.audit = ? and r.task_id = ? "
            f"and r.reviewer <> ? and {STANDS}",
            (self._audit, review.task_id, review.reviewer),
        )
        if row is not None and row[0] >= limit:
            raise ConflictError(
                f"not saved: {review.task_id} has its {limit} review{'s' * (limit > 1)} already"
            )

    def _last(self, task_id: str, reviewer: str) -> tuple[str, str] | None:
        row = self._workspace.row(
            "select r.id, r.judgement from reviews r where r.audit = ? and r.task_id = ? "
            "and r.reviewer = ? and not exists "
            "(select 1 from reviews n where n.supersedes = r.id)",
            (self._audit, task_id, reviewer),
        )
        return None if row is None else (row[0], row[1])

    def all(self) -> list[Review]:
        """Every review ever saved, in the order of saving."""
        return self._read("r.audit = ?", (self._audit,))

    def standing(self, reviewer: str, task_ids: Iterable[str]) -> dict[str, Review]:
        """Task id → the reviewer's standing judgement, for those of the tasks that have one."""
        ids = encode(list(task_ids)).decode()
        where = (
            f"r.audit = ? and r.reviewer = ? and r.task_id in (select value from json_each(?)) "
            f"and {STANDS}"
        )
        return {r.task_id: r for r in self._read(where, (self._audit, reviewer, ids))}

    def is_stored(self, review_id: str) -> bool:
        """Whether a review of that id is stored."""
        return self._workspace.row("select 1 from reviews where id = ?", (review_id,)) is not None

    def _read(self, where: str, parameters: Sequence[object]) -> list[Review]:
        with self._workspace.decoding():
            return self._decoded(where, parameters)

    def _decoded(self, where: str, parameters: Sequence[object]) -> list[Review]:
        findings: dict[str, list[Finding]] = {}
        for row in self._workspace.rows(
            "select f.review, f.effects, f.cause, f.causes, f.severity, f.state, f.note, "
            "f.evidence, f.proposed_key from findings f join reviews r on r.id = f.review "
            f"where {where} order by f.review, f.position",
            parameters,
        ):
            findings.setdefault(row[0], []).append(finding_of(row[1:]))
        rows = self._workspace.rows(
            f"select {_REVIEW} from reviews r where {where} order by rowid", parameters
        )
        return [
            Review(
                id=r[0],
                task_id=r[1],
                reviewer=r[2],
                reviewed_at=datetime.fromisoformat(r[3]),
                judgement=Judgement(r[4]),
                note=r[5],
                supersedes=r[6],
                seconds=r[7],
                findings=tuple(findings.get(r[0], ())),
            )
            for r in rows
        ]

    def add_mark(self, mark: Mark) -> None:
        """Append one mark; a repeated send changes nothing, and a skip frees the lease."""
        with self._workspace.write():
            is_new = self._workspace.added(
                "insert into marks (id, audit, task_id, reviewer, kind, marked_at) "
                "values (?, ?, ?, ?, ?, ?) on conflict (id) do nothing",
                (
                    mark.id,
                    self._audit,
                    mark.task_id,
                    mark.reviewer,
                    mark.kind.value,
                    mark.marked_at.isoformat(),
                ),
            )
            if is_new and mark.kind is MarkKind.SKIPPED:
                self._drop_lease(mark.task_id, mark.reviewer)

    def marks(self, reviewer: str) -> Sequence[Mark]:
        """Every mark a reviewer ever put, the first one first."""
        rows = self._workspace.rows(
            "select id, task_id, reviewer, kind, marked_at from marks "
            "where audit = ? and reviewer = ? order by rowid",
            (self._audit, reviewer),
        )
        with self._workspace.decoding():
            return [
                Mark(r[0], r[1], r[2], MarkKind(r[3]), datetime.fromisoformat(r[4])) for r in rows
            ]

    def save_draft(self, task_id: str, reviewer: str, body: Json, *, at: datetime) -> None:
        """Keep the working state of a form, or clear it where ``body`` is None."""
        with self._workspace.write():
            if body is None:
                self._drop_draft(task_id, reviewer)
                return
            self._workspace.run(
                "insert into drafts (audit, task_id, reviewer, body, updated_at) "
                "values (?, ?, ?, ?, ?) on conflict (audit, task_id, reviewer) "
                "do update set body = excluded.body, updated_at = excluded.updated_at",
                (self._audit, task_id, reviewer, encode(body).decode(), at.isoformat()),
            )

    def _drop_draft(self, task_id: str, reviewer: str) -> None:
        self._workspace.run(
            "delete from drafts where audit = ? and task_id = ? and reviewer = ?",
            (self._audit, task_id, reviewer),
        )

    def _drop_lease(self, task_id: str, reviewer: str) -> None:
        self._workspace.run(
            "delete from leases where audit = ? and task_id = ? and reviewer = ?",
            (self._audit, task_id, reviewer),
        )

    def drafts(self, reviewer: str) -> dict[str, Json]:
        """Task id → working state of the reviewer's form."""
        rows = self._workspace.rows(
            "select task_id, body from drafts where audit = ? and reviewer = ? order by task_id",
            (self._audit, reviewer),
        )
        with self._workspace.decoding():
            return {task_id: msgspec.json.decode(body) for task_id, body in rows}

    def reviewers(self) -> list[str]:
        """Everyone with a review in this audit, by name."""
        rows = self._workspace.rows(
            "select distinct reviewer from reviews where audit = ? order by reviewer",
            (self._audit,),
        )
        return [row[0] for row in rows]
