"""Evidence in the workspace: append-only rows, each sealed; none is ever taken off."""

from __future__ import annotations

from datetime import datetime

import msgspec

from audit_app.domain.evidence import Evidence, TrialGrades
from audit_app.errors import ConflictError
from audit_app.storage.workspace import Workspace

_EVIDENCE = (
    "id, task_id, review, position, job, proposed_key, reason, grades, attached_at, attached_by"
)


class EvidenceRepository:
    """Reads and writes the evidence of one audit."""

    def __init__(self, workspace: Workspace, audit_id: str) -> None:
        self._workspace, self._audit = workspace, audit_id

    def add(self, evidence: Evidence) -> None:
        """Append one piece of evidence, sealed.

        Raises:
            ConflictError: Its review was replaced meanwhile.
        """
        db = self._workspace
        with db.write():
            newer = db.row("select 1 from reviews where supersedes = ?", (evidence.review_id,))
            if newer is not None:
                raise ConflictError(
                    f"not attached: the review of {evidence.task_id} was replaced; attach the "
                    "trials to the finding as it stands now"
                )
            db.run(
                f"insert into trial_evidence (audit, {_EVIDENCE}) "
                "values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    self._audit,
                    evidence.id,
                    evidence.task_id,
                    evidence.review_id,
                    evidence.position,
                    evidence.job,
                    evidence.proposed_key,
                    evidence.reason,
                    evidence.grades.model_dump_json(),
                    evidence.attached_at.isoformat(),
                    evidence.attached_by,
                ),
            )
            db.seal("trial_evidence", evidence.id)

    def all(self, task_id: str = "") -> list[Evidence]:
        """All evidence, or that of one task, in the order of attaching."""
        rows = self._workspace.rows(
            f"select {_EVIDENCE} from trial_evidence "
            "where audit = ? and (? = '' or task_id = ?) order by rowid",
            (self._audit, task_id, task_id),
        )
        with self._workspace.decoding():
            return [
                Evidence(
                    id=row[0],
                    task_id=row[1],
                    review_id=row[2],
                    position=row[3],
                    job=row[4],
                    proposed_key=row[5],
                    reason=row[6],
                    grades=TrialGrades.model_validate(msgspec.json.decode(row[7])),
                    attached_at=datetime.fromisoformat(row[8]),
                    attached_by=row[9],
                )
                for row in rows
            ]
