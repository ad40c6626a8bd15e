"""How an audit is shared, in the workspace.

Settings, assignments and send-backs are append-only and sealed; for each the latest stands. Leases
are working state: who has which task on the desk, and until when.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from audit_app.domain.handing_out import Lease
from audit_app.domain.review import Judgement
from audit_app.domain.team import Assignment, SendBack, TeamSettings
from audit_app.errors import ConflictError
from audit_app.storage.workspace import Workspace

_SEND_BACK = "id, task_id, reviewer, review, reason, sent_at, sent_by"


class TeamRepository:
    """Reads and writes how one audit is shared.

    Args:
        workspace: The open workspace.
        audit_id: UUID of the audit.
    """

    def __init__(self, workspace: Workspace, audit_id: str) -> None:
        self._workspace, self._audit = workspace, audit_id

    def settings(self) -> TeamSettings:
        """The settings that stand: those saved last, else the ones everybody begins with."""
        row = self._workspace.row(
            "select body from team_settings where audit = ? order by rowid desc limit 1",
            (self._audit,),
        )
        with self._workspace.decoding():
            return TeamSettings() if row is None else TeamSettings.model_validate_json(row[0])

    def set(self, settings: TeamSettings, *, id_: str, set_at: datetime, set_by: str) -> None:
        """Append settings, which stand from now on."""
        with self._workspace.write():
            self._workspace.run(
                "insert into team_settings (id, audit, body, set_at, set_by) "
                "values (?, ?, ?, ?, ?)",
                (id_, self._audit, settings.model_dump_json(), set_at.isoformat(), set_by),
            )
            self._workspace.seal("team_settings", id_)

    def assign(self, assignments: Iterable[Assignment]) -> None:
        """Append assignments, or none of them."""
        with self._workspace.write():
            for a in assignments:
                self._workspace.run(
                    "insert into assignments (id, audit, task_id, reviewer, is_assigned, "
                    "assigned_at, assigned_by) values (?, ?, ?, ?, ?, ?, ?)",
                    (
                        a.id,
                        self._audit,
                        a.task_id,
                        a.reviewer,
                        int(a.is_assigned),
                        a.assigned_at.isoformat(),
                        a.assigned_by,
                    ),
                )
                self._workspace.seal("assignments", a.id)

    def assigned(self) -> Mapping[str, frozenset[str]]:
        """Task id → who has it assigned, for the tasks that are assigned to anyone."""
        people: dict[str, set[str]] = {}
        for task_id, reviewer, is_assigned in self._workspace.rows(
            "select task_id, reviewer, is_assigned from assignments where audit = ? order by rowid",
            (self._audit,),
        ):
            assigned = people.setdefault(task_id, set())
            (assigned.add if is_assigned else assigned.discard)(reviewer)
        return {task_id: frozenset(names) for task_id, names in people.items() if names}

    def assignments_version(self) -> int:
        """A number that grows with each assignment in the workspace."""
        row = self._workspace.row("select coalesce(max(rowid), 0) from assignments")
        return int(row[0]) if row else 0

    def send_back(self, send_back: SendBack) -> None:
        """Append a send-back; a repeated one changes nothing.

        Raises:
            ConflictError: The review does not stand any more, or waits for its reviewer already.
        """
        s, db = send_back, self._workspace
        with db.write():
            known = db.row("select audit, review from send_backs where id = ?", (s.id,))
            if known is not None:
                if known == (self._audit, s.review_id):
                    return
                raise ConflictError(f"send-back {s.id} is stored already for another review")
            self._require_standing(s)
            db.run(
                f"insert into send_backs (audit, {_SEND_BACK}) values (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    self._audit,
                    s.id,
                    s.task_id,
                    s.reviewer,
                    s.review_id,
                    s.reason,
                    s.sent_at.isoformat(),
                    s.sent_by,
                ),
            )
            db.seal("send_backs", s.id)

    def _require_standing(self, send_back: SendBack) -> None:
        s, db = send_back, self._workspace
        where = f"the review of {s.task_id} by {s.reviewer}"
        row = db.row(
            "select 1 from reviews r where r.id = ? and r.audit = ? and r.task_id = ? "
            "and r.reviewer = ? and r.judgement <> ? and not exists "
            "(select 1 from reviews n where n.supersedes = r.id)",
            (s.review_id, self._audit, s.task_id, s.reviewer, Judgement.WITHDRAWN.value),
        )
        if row is None:
            raise ConflictError(f"not sent back: {where} does not stand any more")
        if db.row("select 1 from send_backs where review = ?", (s.review_id,)):
            raise ConflictError(f"not sent back: {where} was sent back already, with no answer yet")

    def send_backs(self) -> list[SendBack]:
        """Every send-back, in the order of saving."""
        rows = self._workspace.rows(
            f"select {_SEND_BACK} from send_backs where audit = ? order by rowid", (self._audit,)
        )
        with self._workspace.decoding():
            return [
                SendBack(
                    id=r[0],
                    task_id=r[1],
                    reviewer=r[2],
                    review_id=r[3],
                    reason=r[4],
                    sent_at=datetime.fromisoformat(r[5]),
                    sent_by=r[6],
                )
                for r in rows
            ]

    def returned_to(self, reviewer: str) -> dict[str, str]:
        """Id of a review → the reason for which it was sent back to its reviewer."""
        rows = self._workspace.rows(
            "select review, reason from send_backs where audit = ? and reviewer = ? order by rowid",
            (self._audit, reviewer),
        )
        return dict(rows)

    def leases(self) -> list[Lease]:
        """Every lease, live or not, on a task that its holder has not judged."""
        rows = self._workspace.rows(
            "select l.task_id, l.reviewer, l.expires_at from leases l where l.audit = ? "
            "and not exists (select 1 from reviews r where r.audit = l.audit "
            "and r.task_id = l.task_id and r.reviewer = l.reviewer and r.judgement <> ? "
            "and not exists (select 1 from reviews n where n.supersedes = r.id))",
            (self._audit, Judgement.WITHDRAWN.value),
        )
        with self._workspace.decoding():
            return [Lease(r[0], r[1], datetime.fromisoformat(r[2])) for r in rows]

    def put_leases(
        self, reviewer: str, task_ids: Iterable[str], *, taken_at: datetime, expires_at: datetime
    ) -> None:
        """Take or renew leases, inside `Workspace.write`."""
        self._workspace.run_many(
            "insert into leases (audit, task_id, reviewer, taken_at, expires_at) "
            "values (?, ?, ?, ?, ?) on conflict (audit, task_id, reviewer) do update "
            "set taken_at = excluded.taken_at, expires_at = excluded.expires_at",
            (
                (self._audit, task_id, reviewer, taken_at.isoformat(), expires_at.isoformat())
                for task_id in task_ids
            ),
        )

    def drop_leases(self, leases: Iterable[Lease]) -> None:
        """Give leases back, inside `Workspace.write`."""
        self._workspace.run_many(
            "delete from leases where audit = ? and task_id = ? and reviewer = ?",
            ((self._audit, lease.task_id, lease.reviewer) for lease in leases),
        )
