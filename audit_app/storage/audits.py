"""Audits in the workspace: plan, samples, rubric answers and statements. All append-only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

import msgspec

from audit_app.domain.benchmark import encode
from audit_app.domain.dossier import Noted
from audit_app.domain.dossier_entries import AdoptedRubric, Entry
from audit_app.domain.rubric import Answer, Rubric, Taxonomy
from audit_app.domain.sampling import Draw, DrawKind, Sample, SamplingPlan
from audit_app.errors import ConflictError, NotFoundError
from audit_app.storage.dossiers import DossierRepository
from audit_app.storage.workspace import Workspace


@dataclass(frozen=True)
class StoredAudit:
    """An audit as it was set up; it never changes.

    Attributes:
        id: UUID.
        name: The name it is asked for by.
        benchmark: Key of the benchmark version it is pinned to.
        plan: How its sample is drawn.
        frame_hash: Digest of the frame it was drawn from.
        rubric: The rubric that stands: as it was when the audit began, or as adopted last.
        taxonomy: The defect taxonomy as it stood then.
        created_at: When.
        created_by: By whom.
    """

    id: str
    name: str
    benchmark: int
    plan: SamplingPlan
    frame_hash: str
    rubric: Rubric
    taxonomy: Taxonomy
    created_at: datetime
    created_by: str


@dataclass(frozen=True)
class Statement:
    """A text that the report carries, with who stated it and when."""

    id: str
    name: str
    text: str
    stated_at: datetime
    stated_by: str


_COLUMNS = "id, name, benchmark, plan, frame_hash, rubric, taxonomy, created_at, created_by"


class AuditRepository:
    """Reads and writes audits."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def add(self, audit: StoredAudit, sample: Sample, *, sample_id: str) -> None:
        """Store an audit with its first draw, or nothing.

        Raises:
            ConflictError: An audit of that name is there.
        """
        a = audit
        with self._workspace.write():
            if self._workspace.row("select 1 from audits where name = ?", (a.name,)):
                raise ConflictError(f"there is an audit {a.name!r} already; choose another name")
            self._workspace.run(
                f"insert into audits ({_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    a.id,
                    a.name,
                    a.benchmark,
                    a.plan.model_dump_json(),
                    a.frame_hash,
                    a.rubric.model_dump_json(),
                    a.taxonomy.model_dump_json(),
                    a.created_at.isoformat(),
                    a.created_by,
                ),
            )
            self._workspace.seal("audits", a.id)
            self._add_sample(a.id, sample, sample_id, a.created_at, a.created_by)

    def add_sample(
        self, audit_id: str, sample: Sample, *, sample_id: str, drawn_at: datetime, drawn_by: str
    ) -> None:
        """Store a further stage of the sample, or nothing.

        Raises:
            ConflictError: That stage is drawn already.
        """
        with self._workspace.write():
            if self._workspace.row(
                "select 1 from samples where audit = ? and stage = ?", (audit_id, sample.stage)
            ):
                raise ConflictError("this sample is widened already")
            self._add_sample(audit_id, sample, sample_id, drawn_at, drawn_by)

    def _add_sample(
        self, audit_id: str, sample: Sample, sample_id: str, drawn_at: datetime, drawn_by: str
    ) -> None:
        self._workspace.run(
            "insert into samples (id, audit, stage, kind, reason, drawn_at, drawn_by) "
            "values (?, ?, ?, ?, ?, ?, ?)",
            (
                sample_id,
                audit_id,
                sample.stage,
                sample.kind.value,
                sample.reason,
                drawn_at.isoformat(),
                drawn_by,
            ),
        )
        pairs = [(draw.stratum, task) for draw in sample.draws for task in draw.task_ids]
        self._workspace.run_many(
            "insert into sample_tasks (sample, position, stratum, task_id) values (?, ?, ?, ?)",
            ((sample_id, i, stratum, task) for i, (stratum, task) in enumerate(pairs)),
        )
        self._workspace.seal("samples", sample_id)

    def names(self) -> list[str]:
        """Names of all audits, the latest first."""
        rows = self._workspace.rows("select name from audits order by rowid desc")
        return [row[0] for row in rows]

    def find(self, name: str) -> StoredAudit:
        """The audit of that name.

        Raises:
            NotFoundError: There is none; the message lists what there is.
        """
        row = self._workspace.row(f"select {_COLUMNS} from audits where name = ?", (name,))
        if row is None:
            names = self.names()
            hint = f"there are: {', '.join(names)}" if names else "make one with assay audit new"
            raise NotFoundError("audit", name, hint)
        with self._workspace.decoding():
            return StoredAudit(
                id=row[0],
                name=row[1],
                benchmark=row[2],
                plan=SamplingPlan.model_validate_json(row[3]),
                frame_hash=row[4],
                rubric=self._adopted(row[0]) or Rubric.model_validate_json(row[5]),
                taxonomy=Taxonomy.model_validate_json(row[6]),
                created_at=datetime.fromisoformat(row[7]),
                created_by=row[8],
            )

    def _adopted(self, audit_id: str) -> Rubric | None:
        """The rubric adopted last while the audit was under way, None where none was."""
        row = self._workspace.row(
            "select body from dossier_records where audit = ? and kind = ? "
            "order by rowid desc limit 1",
            (audit_id, "adopted_rubric"),
        )
        return None if row is None else AdoptedRubric.model_validate_json(row[0]).rubric

    def samples(self, audit_id: str) -> list[Sample]:
        """Every stage of the sample, the first one first; strata in the order they were drawn."""
        rows = self._workspace.rows(
            "select s.stage, s.kind, s.reason, t.stratum, t.task_id from samples s "
            "left join sample_tasks t on t.sample = s.id where s.audit = ? "
            "order by s.stage, t.position",
            (audit_id,),
        )
        samples = []
        for (stage, kind, reason), stage_rows in groupby(rows, key=lambda r: r[:3]):
            draws = tuple(
                Draw(stratum=stratum, task_ids=tuple(r[4] for r in members))
                for stratum, members in groupby(stage_rows, key=lambda r: r[3])
                if stratum is not None
            )
            with self._workspace.decoding():
                samples.append(Sample(stage=stage, kind=DrawKind(kind), draws=draws, reason=reason))
        return samples

    def add_answer(self, audit_id: str, answer: Answer, beside: Noted[Entry] | None = None) -> None:
        """Append one rubric answer, with the entry of the dossier that goes with it, if any."""
        with self._workspace.write():
            self._workspace.run(
                "insert into answers (id, audit, item, status, value, note, answered_at, "
                "answered_by) values (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    answer.id,
                    audit_id,
                    answer.item,
                    answer.status,
                    encode(answer.value).decode(),
                    answer.note,
                    answer.answered_at.isoformat(),
                    answer.answered_by,
                ),
            )
            self._workspace.seal("answers", answer.id)
            if beside is not None:
                DossierRepository(self._workspace, audit_id).append(beside)

    def answers(self, audit_id: str) -> Sequence[Answer]:
        """Every answer ever given, the first one first."""
        rows = self._workspace.rows(
            "select id, item, status, value, note, answered_at, answered_by from answers "
            "where audit = ? order by rowid",
            (audit_id,),
        )
        with self._workspace.decoding():
            return [
                Answer(
                    id=r[0],
                    item=r[1],
                    status=r[2],
                    value=msgspec.json.decode(r[3]),
                    note=r[4],
                    answered_at=datetime.fromisoformat(r[5]),
                    answered_by=r[6],
                )
                for r in rows
            ]

    def add_statement(self, audit_id: str, statement: Statement) -> None:
        """Append one statement for the report."""
        s = statement
        with self._workspace.write():
            self._workspace.run(
                "insert into statements (id, audit, name, text, stated_at, stated_by) "
                "values (?, ?, ?, ?, ?, ?)",
                (s.id, audit_id, s.name, s.text, s.stated_at.isoformat(), s.stated_by),
            )
            self._workspace.seal("statements", s.id)

    def statements(self, audit_id: str) -> Sequence[Statement]:
        """Every statement ever made, the first one first."""
        rows = self._workspace.rows(
            "select id, name, text, stated_at, stated_by from statements "
            "where audit = ? order by rowid",
            (audit_id,),
        )
        with self._workspace.decoding():
            return [Statement(r[0], r[1], r[2], datetime.fromisoformat(r[3]), r[4]) for r in rows]
