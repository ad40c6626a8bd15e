"""Jobs of live trials in the workspace, and what happened to them; append-only."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import msgspec

from audit_app.domain.live_jobs import EventKind, Job, JobEvent
from audit_app.errors import NotFoundError
from audit_app.storage.workspace import Workspace

_JOB = "id, benchmark, audit, endpoint, condition, tasks, trials, budget, created_at, created_by"
_SHORTEST_ID = 8
"""Characters of a beginning that may stand for an id."""


class TrialJobRepository:
    """Reads and writes jobs."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def add_job(self, job: Job) -> None:
        """Store a job, sealed."""
        db = self._workspace
        with db.write():
            db.run(
                f"insert into trial_jobs ({_JOB}, condition_id) "
                "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    job.id,
                    job.benchmark,
                    job.audit,
                    job.endpoint.model_dump_json(),
                    job.condition.model_dump_json(),
                    msgspec.json.encode(job.tasks).decode(),
                    job.trials,
                    job.budget.model_dump_json(),
                    job.created_at.isoformat(),
                    job.created_by,
                    job.condition.digest,
                ),
            )
            db.seal("trial_jobs", job.id)

    def job(self, given: str) -> Job:
        """The job of that id, or of the only id that begins so.

        Raises:
            NotFoundError: There is none, or there are several.
        """
        hint = "see assay rerun NAME --list"
        if len(given) < _SHORTEST_ID:
            raise NotFoundError("job", given, hint)
        rows = self._workspace.rows(
            f"select {_JOB} from trial_jobs where substr(id, 1, ?) = ? limit 2",
            (len(given), given),
        )
        if len(rows) != 1:
            raise NotFoundError("job", given, hint if not rows else "several begin so")
        return self._job(rows[0])

    def jobs(self, *, benchmark: int, audit: str | None = None) -> list[Job]:
        """Jobs of a benchmark version, or of one audit on it; the latest first."""
        rows = self._workspace.rows(
            f"select {_JOB} from trial_jobs where benchmark = ? and (? is null or audit = ?) "
            "order by rowid desc",
            (benchmark, audit, audit),
        )
        return [self._job(row) for row in rows]

    def _job(self, row: Sequence[object]) -> Job:
        values = dict(zip(_JOB.split(", "), row, strict=True))
        with self._workspace.decoding():
            decoded = {
                name: msgspec.json.decode(str(values[name]))
                for name in ("endpoint", "condition", "tasks", "budget")
            }
            return Job.model_validate(
                {**values, **decoded, "created_at": datetime.fromisoformat(str(row[8]))}
            )

    def add_event(self, event: JobEvent) -> None:
        """Note what happened to a job."""
        with self._workspace.write():
            self.append_event(event)

    def append_event(self, event: JobEvent) -> None:
        """As `add_event`, inside a transaction that is open already."""
        self._workspace.run(
            "insert into trial_job_events (id, job, kind, note, happened_at, happened_by) "
            "values (?, ?, ?, ?, ?, ?)",
            (
                event.id,
                event.job,
                event.kind.value,
                event.note,
                event.happened_at.isoformat(),
                event.happened_by,
            ),
        )

    def events(self, job: str) -> list[JobEvent]:
        """What happened to a job, in the order of storing."""
        rows = self._workspace.rows(
            "select id, job, kind, note, happened_at, happened_by from trial_job_events "
            "where job = ? order by rowid",
            (job,),
        )
        with self._workspace.decoding():
            return [
                JobEvent(
                    id=row[0],
                    job=row[1],
                    kind=EventKind(row[2]),
                    note=row[3],
                    happened_at=datetime.fromisoformat(row[4]),
                    happened_by=row[5],
                )
                for row in rows
            ]
