"""What belongs to one audit, table by table: the description that a whole audit is moved by.

A new append-only table about audits is one more entry of `AUDIT_TABLES`. Working state (drafts,
leases) is no part of an audit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from audit_app.domain.conditions import Endpoint, EndpointKind

_FINDING = "position effects cause causes severity state note evidence proposed_key"


@dataclass(frozen=True)
class PartTable:
    """Rows that are written with a record and sealed with it.

    Attributes:
        name: The table.
        of: Its column that names the record.
        columns: All others.
        json_columns: Of them, those that hold JSON.
        order: In which its rows stand.
    """

    name: str
    of: str
    columns: tuple[str, ...]
    json_columns: frozenset[str] = frozenset()
    order: str = "position"


@dataclass(frozen=True)
class AuditTable:
    """Records of one kind.

    Attributes:
        name: The table.
        columns: Those that mean the same in every workspace, in the order of the file. ``audit``
            and ``benchmark`` are no part of them: a folder is of one audit and one version.
        json_columns: Of them, those that hold JSON.
        picked: Which rows belong to the audit ``:audit``.
        order: In which they stand: the one of saving, where that has a meaning.
        identity: What tells two rows apart in any workspace.
        parts: Rows that are written with each.
        has_audit: Whether the column ``audit`` names the audit.
        has_benchmark: Whether the column ``benchmark`` names the version.
        may_be_foreign: Whether a row can be used by the audit without being made for it.
        shown: Column → its value without what is of this machine only, None where there is no
            such thing. A row in which there is goes without its seal.
        is_sealed: Whether each has a seal.
        said_at: The time of saving, where of several rows the one saved last stands; else empty.
        said_of: What such a row speaks of; nothing where all speak of the audit.
        said_in: Its column with JSON whose members, if there, say more of what it speaks of.
    """

    name: str
    columns: tuple[str, ...]
    json_columns: frozenset[str] = frozenset()
    picked: str = "audit = :audit"
    order: str = "rowid"
    identity: tuple[str, ...] = ("id",)
    parts: tuple[PartTable, ...] = ()
    has_audit: bool = True
    has_benchmark: bool = False
    may_be_foreign: bool = False
    shown: dict[str, Callable[[str], str | None]] = field(default_factory=dict)
    is_sealed: bool = True
    said_at: str = ""
    said_of: tuple[str, ...] = ()
    said_in: str = ""

    @property
    def file(self) -> str:
        """Name of its file."""
        return f"{self.name}.jsonl"


def _names(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _json(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _shown_endpoint(text: str) -> str | None:
    """Of recorded answers the address is the path of a file; its name is enough."""
    endpoint = Endpoint.model_validate_json(text)
    if endpoint.kind is not EndpointKind.RECORDED:
        return None
    name = endpoint.shown_url.removeprefix("recorded:")
    return endpoint.model_copy(update={"url": name}).model_dump_json()


_JOBS = "(audit = :audit or id in (select e.job from trial_evidence e where e.audit = :audit))"
_OF_JOBS = f"job in (select id from trial_jobs where {_JOBS})"

AUDIT_TABLES = (
    AuditTable(
        "audits",
        _names("id name plan frame_hash rubric taxonomy created_at created_by"),
        _json("plan rubric taxonomy"),
        picked="id = :audit",
        has_audit=False,
        has_benchmark=True,
    ),
    AuditTable(
        "samples",
        _names("id stage kind reason drawn_at drawn_by"),
        order="stage",
        parts=(PartTable("sample_tasks", "sample", _names("position stratum task_id")),),
    ),
    AuditTable(
        "reviews",
        _names("id task_id reviewer reviewed_at judgement note supersedes seconds"),
        parts=(PartTable("findings", "review", _names(_FINDING), _json("causes evidence")),),
    ),
    AuditTable(
        "marks",
        _names("id task_id reviewer kind marked_at"),
        is_sealed=False,
        said_of=_names("task_id reviewer"),
        said_at="marked_at",
    ),
    AuditTable(
        "answers",
        _names("id item status value note answered_at answered_by"),
        _json("value"),
        said_of=("item",),
        said_at="answered_at",
    ),
    AuditTable(
        "statements",
        _names("id name text stated_at stated_by"),
        said_of=("name",),
        said_at="stated_at",
    ),
    AuditTable(
        "team_settings",
        _names("id body set_at set_by"),
        _json("body"),
        said_at="set_at",
    ),
    AuditTable(
        "assignments",
        _names("id task_id reviewer is_assigned assigned_at assigned_by"),
        said_of=_names("task_id reviewer"),
        said_at="assigned_at",
    ),
    AuditTable("send_backs", _names("id task_id reviewer review reason sent_at sent_by")),
    AuditTable(
        "adjudications",
        _names("id task_id adjudicator adjudicated_at judgement note basis how supersedes"),
        _json("basis"),
        parts=(
            PartTable(
                "adjudication_findings",
                "adjudication",
                _names(_FINDING),
                _json("causes evidence"),
            ),
        ),
    ),
    AuditTable(
        "planted_tasks",
        _names("id task_id stratum kind cause effects key basis planted_at planted_by"),
        order="task_id",
    ),
    AuditTable(
        "trial_jobs",
        _names("id endpoint condition condition_id tasks trials budget created_at created_by"),
        _json("endpoint condition tasks budget"),
        picked=_JOBS,
        has_benchmark=True,
        may_be_foreign=True,
        shown={"endpoint": _shown_endpoint},
    ),
    AuditTable(
        "trial_requests",
        _names(
            "job task_id trial run step request completion status calls tokens_in tokens_out "
            "cost_usd seconds cached ended_at"
        ),
        _json("request completion"),
        picked=_OF_JOBS,
        order="key",
        identity=_names("run step"),
        has_audit=False,
        is_sealed=False,
    ),
    AuditTable(
        "trial_runs",
        _names("id job task_id trial status output form error questions follow_ups ended_at"),
        _json("output questions"),
        picked=_OF_JOBS,
        order="job, task_id, trial",
        has_audit=False,
    ),
    AuditTable(
        "trial_job_events",
        _names("id job kind note happened_at happened_by"),
        picked=_OF_JOBS,
        has_audit=False,
        is_sealed=False,
        said_of=("job",),
        said_at="happened_at",
    ),
    AuditTable(
        "trial_evidence",
        _names("id task_id review position job proposed_key reason grades attached_at attached_by"),
        _json("grades"),
    ),
    AuditTable(
        "targeted_tasks",
        _names("id task_id reason targeted_at targeted_by"),
    ),
    AuditTable(
        "dossier_records",
        _names("id kind body recorded_at recorded_by"),
        _json("body"),
        picked="audit = :audit and kind <> 'rubric_file'",  # where it lies on this machine
        said_at="recorded_at",
        said_of=("kind",),
        said_in="body",
    ),
)
"""All of them, each after those its rows name."""

SUBJECTS = ("key", "task_id", "root_cause", "source", "text", "entry")
"""Members of a dossier's entry that say what it is about: of two about one thing the later stands,
and entries about different things do not contradict each other."""
