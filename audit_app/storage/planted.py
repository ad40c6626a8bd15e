"""Planted checks in the workspace: made once for an audit, sealed, never changed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec

from audit_app.domain.benchmark import encode
from audit_app.domain.planted import PlantedTask, PlantKind
from audit_app.domain.review import Effect
from audit_app.errors import ConflictError
from audit_app.storage.workspace import Workspace

_COLUMNS = "id, task_id, stratum, kind, cause, effects, key, basis, planted_at, planted_by"


class PlantedRepository:
    """Reads and writes the planted checks of one audit.

    Args:
        workspace: The open workspace.
        audit_id: UUID of the audit.
    """

    def __init__(self, workspace: Workspace, audit_id: str) -> None:
        self._workspace, self._audit = workspace, audit_id

    def add_all(self, planted: Iterable[PlantedTask]) -> None:
        """Store the planted checks, or none of them.

        Raises:
            ConflictError: The audit has planted checks already.
        """
        db = self._workspace
        with db.write():
            if db.row("select 1 from planted_tasks where audit = ? limit 1", (self._audit,)):
                raise ConflictError(
                    "checks are planted in this audit already; they stay as they are"
                )
            for task in planted:
                db.run(
                    f"insert into planted_tasks (audit, {_COLUMNS}) "
                    "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    (self._audit, *_row(task)),
                )
                db.seal("planted_tasks", task.id)

    def all(self) -> list[PlantedTask]:
        """Every planted check, by task id."""
        rows = self._workspace.rows(
            f"select {_COLUMNS} from planted_tasks where audit = ? order by task_id", (self._audit,)
        )
        with self._workspace.decoding():
            return [
                PlantedTask(
                    id=r[0],
                    task_id=r[1],
                    stratum=r[2],
                    kind=PlantKind(r[3]),
                    cause=r[4],
                    effects=tuple(Effect(effect) for effect in r[5].split()),
                    key=msgspec.json.decode(r[6]),
                    basis=r[7],
                    planted_at=datetime.fromisoformat(r[8]),
                    planted_by=r[9],
                )
                for r in rows
            ]


def _row(task: PlantedTask) -> tuple[object, ...]:
    return (
        task.id,
        task.task_id,
        task.stratum,
        task.kind.value,
        task.cause,
        " ".join(task.effects),
        encode(task.key).decode(),
        task.basis,
        task.planted_at.isoformat(),
        task.planted_by,
    )
