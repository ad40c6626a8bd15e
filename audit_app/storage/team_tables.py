"""Tables of teams and adjudication, as migration 4 makes them."""

from __future__ import annotations

TEAM_APPEND_ONLY = (
    "team_settings",
    "assignments",
    "send_backs",
    "adjudications",
    "adjudication_findings",
    "planted_tasks",
)

TEAM_TABLES = (
    """create table team_settings (
        id text primary key,
        audit text not null references audits (id),
        body text not null,
        set_at text not null,
        set_by text not null
    ) strict""",
    """create table assignments (
        id text primary key,
        audit text not null references audits (id),
        task_id text not null,
        reviewer text not null,
        is_assigned integer not null,
        assigned_at text not null,
        assigned_by text not null
    ) strict""",
    "create index assignments_audit on assignments (audit, task_id)",
    """create table leases (
        audit text not null references audits (id),
        task_id text not null,
        reviewer text not null,
        taken_at text not null,
        expires_at text not null,
        primary key (audit, task_id, reviewer)
    ) strict, without rowid""",
    """create table send_backs (
        id text primary key,
        audit text not null references audits (id),
        task_id text not null,
        reviewer text not null,
        review text not null references reviews (id),
        reason text not null,
        sent_at text not null,
        sent_by text not null
    ) strict""",
    "create index send_backs_audit on send_backs (audit, reviewer)",
    """create table adjudications (
        id text primary key,
        audit text not null references audits (id),
        task_id text not null,
        adjudicator text not null,
        adjudicated_at text not null,
        judgement text not null,
        note text not null,
        basis text not null,
        how text not null,
        supersedes text unique references adjudications (id)
    ) strict""",
    """create unique index adjudications_first on adjudications (audit, task_id)
        where supersedes is null""",
    """create table adjudication_findings (
        adjudication text not null references adjudications (id),
        position integer not null,
        effects text not null,
        cause text,
        causes text not null,
        severity integer,
        state text not null,
        note text not null,
        evidence text not null,
        proposed_key text,
        primary key (adjudication, position)
    ) strict""",
    """create table planted_tasks (
        id text primary key,
        audit text not null references audits (id),
        task_id text not null,
        stratum text not null,
        kind text not null,
        cause text not null,
        effects text not null,
        key text not null,
        basis text not null,
        planted_at text not null,
        planted_by text not null,
        unique (audit, task_id)
    ) strict""",
    "create index reviews_task on reviews (audit, task_id)",
)
