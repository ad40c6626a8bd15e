"""Tables of the dossier and of targeted tasks, as migration 6 makes them."""

from __future__ import annotations

RECORD_APPEND_ONLY = ("dossier_records", "targeted_tasks")

RECORD_TABLES = (
    """create table dossier_records (
        id text primary key,
        audit text not null references audits (id),
        kind text not null,
        body text not null,
        recorded_at text not null,
        recorded_by text not null
    ) strict""",
    "create index dossier_records_audit on dossier_records (audit, kind)",
    """create table targeted_tasks (
        id text primary key,
        audit text not null references audits (id),
        task_id text not null,
        reason text not null,
        targeted_at text not null,
        targeted_by text not null
    ) strict""",
    "create index targeted_tasks_audit on targeted_tasks (audit, task_id)",
)
