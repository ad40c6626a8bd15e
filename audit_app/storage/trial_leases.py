"""Who runs a job of live trials: one holder at a time, which renews its hold while it lives."""

from __future__ import annotations

from datetime import datetime

from audit_app.domain.live_jobs import EventKind, Lease
from audit_app.errors import ConflictError
from audit_app.storage.workspace import Workspace


class TrialLeaseRepository:
    """Reads and changes the hold on one job.

    Args:
        workspace: The open workspace.
        job: UUID of the job.
    """

    def __init__(self, workspace: Workspace, job: str) -> None:
        self._workspace, self._job = workspace, job

    def lease(self) -> Lease | None:
        """The hold as it stands, None where nobody has it."""
        row = self._workspace.row(
            "select holder, expires_at from trial_job_leases where job = ?", (self._job,)
        )
        if row is None:
            return None
        with self._workspace.decoding():
            return Lease(holder=row[0], expires_at=datetime.fromisoformat(row[1]))

    def take(self, holder: str, expires_at: datetime, *, instead_of: Lease | None) -> None:
        """Take the hold, inside `Workspace.write`.

        Args:
            holder: Who takes it.
            expires_at: Until when.
            instead_of: The hold that was found, and found to be dead.

        Raises:
            ConflictError: Somebody else was quicker.
        """
        if self.lease() != instead_of:
            raise ConflictError(f"job {self._job} is being run by another process")
        self._workspace.run(
            "insert or replace into trial_job_leases (job, holder, expires_at) values (?, ?, ?)",
            (self._job, holder, expires_at.isoformat()),
        )

    def require(self, holder: str) -> None:
        """Make sure, inside `Workspace.write`, that the hold is still this holder's.

        Raises:
            ConflictError: Another process has taken over.
        """
        found = self.lease()
        if found is None or found.holder != holder:
            raise ConflictError(f"job {self._job} was taken over by another process")

    def renew(self, expires_at: datetime) -> None:
        """Hold it for longer, inside `Workspace.write`."""
        self._workspace.run(
            "update trial_job_leases set expires_at = ? where job = ?",
            (expires_at.isoformat(), self._job),
        )

    def release(self, holder: str) -> None:
        """Give it up, inside `Workspace.write`; nothing where it is not this holder's."""
        self._workspace.run(
            "delete from trial_job_leases where job = ? and holder = ?", (self._job, holder)
        )

    def is_cancelled(self) -> bool:
        """Whether somebody cancelled the job."""
        row = self._workspace.row(
            "select 1 from trial_job_events where job = ? and kind = ?",
            (self._job, EventKind.CANCELLED.value),
        )
        return row is not None
