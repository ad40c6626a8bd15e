"""Model outputs in the workspace, filed under the scored entry they answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime

import msgspec

from audit_app.domain.benchmark import Output, OutputSource, OutputStatus, encode
from audit_app.storage.workspace import Workspace

_INSERT = (
    "insert into outputs (source, entry, model, trial, status, body, passed, reason_code, reason) "
    "values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict (entry, model, trial) do nothing"
)


@dataclass
class Added:
    """What an import of outputs came to.

    Attributes:
        models: Names of the models seen.
        outputs: Outputs stored.
        refused: (output without its body, why) for those that have no entry or are there already.
    """

    models: set[str] = field(default_factory=set)
    outputs: int = 0
    refused: list[tuple[Output, str]] = field(default_factory=list)

    def refuse(self, output: Output, why: str) -> None:
        """Name an output that is not stored."""
        self.refused.append((msgspec.structs.replace(output, body=None), why))


class OutputRepository:
    """Reads and writes outputs of one benchmark version."""

    def __init__(self, workspace: Workspace, benchmark: int) -> None:
        self._workspace = workspace
        self._benchmark = benchmark

    def add(
        self,
        outputs: Iterable[Output],
        *,
        source: Callable[[Added], OutputSource],
    ) -> Added:
        """Store outputs in one transaction; those without an entry are named, not stored.

        Args:
            outputs: In any order; read one by one, so that memory does not grow with their number.
            source: Describes the import once its counts are known.
        """
        db, added = self._workspace, Added()
        with db.write():
            entries = dict(
                db.rows("select id, key from entries where benchmark = ?", (self._benchmark,))
            )
            key = db.run(
                "insert into output_sources (benchmark, format, source, imported_at, imported_by, "
                "simulated, outputs, models) values (?, '', '', '', '', 0, 0, '[]')",
                (self._benchmark,),
            )
            models: dict[str, int] = {}
            for output in outputs:
                if (entry := entries.get(output.entry_id)) is None:
                    added.refuse(output, f"no entry {output.entry_id!r}")
                    continue
                model = models.get(output.model)
                if model is None:
                    model = models[output.model] = self._model(output.model)
                if db.added(_INSERT, _row(key, entry, model, output)):
                    added.models.add(output.model)
                    added.outputs += 1
                else:
                    added.refuse(output, "this entry, model and trial are there already")
            self._describe(key, source(added))
        return added

    def _model(self, name: str) -> int:
        found = self._workspace.row(
            "select key from models where benchmark = ? and name = ?", (self._benchmark, name)
        )
        if found:
            return int(found[0])
        return self._workspace.run(
            "insert into models (benchmark, name) values (?, ?)", (self._benchmark, name)
        )

    def _describe(self, key: int, source: OutputSource) -> None:
        self._workspace.run(
            "update output_sources set format = ?, source = ?, imported_at = ?, imported_by = ?, "
            "simulated = ?, outputs = ?, models = ? where key = ?",
            (
                source.format,
                source.source,
                source.imported_at.isoformat(),
                source.imported_by,
                int(source.simulated),
                source.outputs,
                encode(list(source.models)).decode(),
                key,
            ),
        )

    def sources(self) -> list[OutputSource]:
        """Every import of outputs, the first one first."""
        rows = self._workspace.rows(
            "select format, source, imported_at, imported_by, models, outputs, simulated "
            "from output_sources where benchmark = ? order by key",
            (self._benchmark,),
        )
        with self._workspace.decoding():
            return [
                OutputSource(
                    format=r[0],
                    source=r[1],
                    imported_at=datetime.fromisoformat(r[2]),
                    imported_by=r[3],
                    models=tuple(msgspec.json.decode(r[4])),
                    outputs=r[5],
                    simulated=bool(r[6]),
                )
                for r in rows
            ]

    def of_task(self, task_id: str) -> list[Output]:
        """All outputs for the entries of a task, by model."""
        rows = self._workspace.rows(
            "select e.id, m.name, o.trial, o.status, o.body, o.passed, o.reason_code, o.reason "
            "from tasks t join entries e on e.task = t.key join outputs o on o.entry = e.key "
            "join models m on m.key = o.model where t.benchmark = ? and t.id = ? "
            "order by m.name, e.key, o.trial",
            (self._benchmark, task_id),
        )
        with self._workspace.decoding():
            return [
                Output(
                    entry_id=r[0],
                    model=r[1],
                    trial=r[2],
                    status=OutputStatus(r[3]),
                    body=msgspec.json.decode(r[4]),
                    passed=None if r[5] is None else bool(r[5]),
                    reason_code=r[6],
                    reason=r[7],
                )
                for r in rows
            ]


def _row(source: int, entry: int, model: int, output: Output) -> tuple[object, ...]:
    return (
        source,
        entry,
        model,
        output.trial,
        output.status.value,
        encode(output.body).decode(),
        None if output.passed is None else int(output.passed),
        output.reason_code,
        output.reason,
    )
