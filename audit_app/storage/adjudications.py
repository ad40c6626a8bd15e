"""Adjudications in the workspace: append-only, one chain a task whoever adjudicates."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

import msgspec

from audit_app.domain.adjudication import Adjudication, How
from audit_app.domain.benchmark import encode
from audit_app.domain.review import Finding, Judgement
from audit_app.errors import ConflictError
from audit_app.storage.findings import FINDING, finding_of, finding_row
from audit_app.storage.reviews import STANDS
from audit_app.storage.workspace import Workspace

_ADJUDICATION = "id, task_id, adjudicator, adjudicated_at, judgement, note, basis, how, supersedes"


class AdjudicationRepository:
    """Reads and writes the adjudications of one audit."""

    def __init__(self, workspace: Workspace, audit_id: str) -> None:
        self._workspace = workspace
        self._audit = audit_id

    def add_all(self, adjudications: Iterable[Adjudication]) -> None:
        """Append adjudications, or none of them.

        One whose id is stored already, for the same task and adjudicator, is a repeated send and
        changes nothing.

        Raises:
            ConflictError: Other reviews stand than it rests on, one of them is sent back, or
                another adjudication stands than the one it replaces.
        """
        with self._workspace.write():
            for adjudication in adjudications:
                self._append(adjudication)

    def _append(self, adjudication: Adjudication) -> None:
        db, task_id = self._workspace, adjudication.task_id
        known = db.row(
            "select audit, task_id, adjudicator from adjudications where id = ?",
            (adjudication.id,),
        )
        if known is not None:
            if known == (self._audit, task_id, adjudication.adjudicator):
                return
            raise ConflictError(f"adjudication {adjudication.id} is stored already elsewhere")
        if adjudication.judgement is not Judgement.WITHDRAWN:
            self._require_basis(adjudication)
        db.run(
            f"insert into adjudications (audit, {_ADJUDICATION}) "
            "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self._audit,
                adjudication.id,
                task_id,
                adjudication.adjudicator,
                adjudication.adjudicated_at.isoformat(),
                adjudication.judgement.value,
                adjudication.note,
                encode(list(adjudication.basis)).decode(),
                adjudication.how.value,
                self._superseded(adjudication),
            ),
        )
        db.run_many(
            f"insert into adjudication_findings (adjudication, position, {FINDING}) "
            "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (adjudication.id, position, *finding_row(finding))
                for position, finding in enumerate(adjudication.findings)
            ),
        )
        db.seal("adjudications", adjudication.id)

    def _require_basis(self, adjudication: Adjudication) -> None:
        rows = self._workspace.rows(
            "select r.id, exists (select 1 from send_backs s where s.review = r.id) "
            f"from reviews r where r.audit = ? and r.task_id = ? and {STANDS}",
            (self._audit, adjudication.task_id),
        )
        if {row[0] for row in rows} != set(adjudication.basis):
            raise ConflictError(
                f"not saved: the reviews of {adjudication.task_id} changed since they were shown "
                "here; look at them as they stand now"
            )
        if any(is_sent_back for _, is_sent_back in rows):
            raise ConflictError(
                f"not saved: a review of {adjudication.task_id} was sent back and is not "
                "answered yet"
            )

    def _superseded(self, adjudication: Adjudication) -> str | None:
        """Id of the last adjudication of the task, if it is the one that is to be replaced."""
        last = self._workspace.row(
            "select a.id, a.judgement, a.adjudicator from adjudications a where a.audit = ? "
            "and a.task_id = ? and not exists "
            "(select 1 from adjudications n where n.supersedes = a.id)",
            (self._audit, adjudication.task_id),
        )
        id_, judgement, adjudicator = last or (None, None, None)
        shown = adjudication.supersedes
        if shown == id_ or (shown is None and judgement == Judgement.WITHDRAWN):
            return None if id_ is None else str(id_)
        raise ConflictError(
            f"not saved: {adjudicator or 'someone'} settled {adjudication.task_id} since it was "
            "shown here; look at that before you settle it anew"
        )

    def all(self) -> list[Adjudication]:
        """Every adjudication ever saved, in the order of saving."""
        with self._workspace.decoding():
            return self._all()

    def _all(self) -> list[Adjudication]:
        findings: dict[str, list[Finding]] = {}
        columns = ", ".join(f"f.{name}" for name in FINDING.split(", "))
        for row in self._workspace.rows(
            f"select f.adjudication, {columns} from adjudication_findings f "
            "join adjudications a on a.id = f.adjudication where a.audit = ? "
            "order by f.adjudication, f.position",
            (self._audit,),
        ):
            findings.setdefault(row[0], []).append(finding_of(row[1:]))
        rows = self._workspace.rows(
            f"select {_ADJUDICATION} from adjudications where audit = ? order by rowid",
            (self._audit,),
        )
        return [
            Adjudication(
                id=r[0],
                task_id=r[1],
                adjudicator=r[2],
                adjudicated_at=datetime.fromisoformat(r[3]),
                judgement=Judgement(r[4]),
                note=r[5],
                basis=tuple(msgspec.json.decode(r[6])),
                how=How(r[7]),
                supersedes=r[8],
                findings=tuple(findings.get(r[0], ())),
            )
            for r in rows
        ]
