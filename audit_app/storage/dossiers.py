"""The dossier of an audit in the workspace: append-only, sealed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from pydantic import TypeAdapter

from audit_app.domain.dossier import Dossier, Noted, Recorded, TargetedTask
from audit_app.domain.dossier_entries import AnyEntry, Entry, RubricFile
from audit_app.storage.workspace import Workspace

_BODY: TypeAdapter[AnyEntry] = TypeAdapter(AnyEntry)
_FILE = "rubric_file"


class DossierRepository:
    """Reads and writes the dossier of one audit.

    Args:
        workspace: The open workspace.
        audit_id: UUID of the audit.
    """

    def __init__(self, workspace: Workspace, audit_id: str) -> None:
        self._workspace, self._audit = workspace, audit_id

    def add(self, *entries: Noted[Entry]) -> None:
        """Append entries, or none of them."""
        with self._workspace.write():
            for entry in entries:
                self.append(entry)

    def append(self, entry: Noted[Entry]) -> None:
        """The same for one entry, inside `Workspace.write`."""
        self._workspace.run(
            "insert into dossier_records (id, audit, kind, body, recorded_at, recorded_by) "
            "values (?, ?, ?, ?, ?, ?)",
            (
                entry.id,
                self._audit,
                entry.body.model_dump()["kind"],
                entry.body.model_dump_json(),
                entry.at.isoformat(),
                entry.by,
            ),
        )
        self._workspace.seal("dossier_records", entry.id)

    def add_targeted(self, tasks: Iterable[TargetedTask]) -> list[str]:
        """Append targeted tasks; the ids of those that were not there yet."""
        added = []
        with self._workspace.write():
            for task in tasks:
                if self._is_targeted(task.task_id):
                    continue
                self._workspace.run(
                    "insert into targeted_tasks (id, audit, task_id, reason, targeted_at, "
                    "targeted_by) values (?, ?, ?, ?, ?, ?)",
                    (
                        task.id,
                        self._audit,
                        task.task_id,
                        task.reason,
                        task.at.isoformat(),
                        task.by,
                    ),
                )
                self._workspace.seal("targeted_tasks", task.id)
                added.append(task.task_id)
        return added

    def _is_targeted(self, task_id: str) -> bool:
        found = self._workspace.row(
            "select 1 from targeted_tasks where audit = ? and task_id = ?", (self._audit, task_id)
        )
        return found is not None

    def read(self) -> Dossier:
        """Everything that is recorded, but for where the rubric lies."""
        rows = self._workspace.rows(
            "select id, body, recorded_at, recorded_by from dossier_records "
            "where audit = ? and kind <> ? order by rowid",
            (self._audit, _FILE),
        )
        targeted = self._workspace.rows(
            "select id, task_id, reason, targeted_at, targeted_by from targeted_tasks "
            "where audit = ? group by task_id order by min(rowid)",
            (self._audit,),
        )
        with self._workspace.decoding():
            return Dossier(
                entries=tuple(
                    Recorded(r[0], _BODY.validate_json(r[1]), datetime.fromisoformat(r[2]), r[3])
                    for r in rows
                ),
                targeted=tuple(
                    TargetedTask(r[0], r[1], r[2], datetime.fromisoformat(r[3]), r[4])
                    for r in targeted
                ),
            )

    def rubric_path(self) -> str:
        """Path of the file that the rubric came from, empty for one that travels with Assay."""
        row = self._workspace.row(
            "select body from dossier_records where audit = ? and kind = ? "
            "order by rowid desc limit 1",
            (self._audit, _FILE),
        )
        with self._workspace.decoding():
            return "" if row is None else RubricFile.model_validate_json(row[0]).path
