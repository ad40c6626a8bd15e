"""The schema, as numbered migrations that are never edited once released."""

from __future__ import annotations

from sqlite_utils import Migrations
from sqlite_utils.db import Database

from audit_app.storage.record_tables import RECORD_APPEND_ONLY, RECORD_TABLES
from audit_app.storage.seals import CREATE_SEALS, seal_everything
from audit_app.storage.team_tables import TEAM_APPEND_ONLY, TEAM_TABLES
from audit_app.storage.trial_tables import TRIAL_APPEND_ONLY, TRIAL_TABLES

migrations = Migrations("assay")

_APPEND_ONLY = (
    "samples",
    "sample_tasks",
    "reviews",
    "findings",
    "marks",
    "answers",
    "statements",
    "benchmarks",
    "tasks",
    "entries",
    "documents",
)


@migrations()
def m0001_workspace(db: Database) -> None:
    """Benchmarks with outputs; audits with samples, reviews, answers; drafts."""
    for statement in _BENCHMARK_TABLES + _AUDIT_TABLES:
        db.execute(statement)
    for table in _APPEND_ONLY:
        _refuse_changes(db, table)


@migrations()
def m0002_seals(db: Database) -> None:
    """Seals of what people stored; audits and seals become append-only."""
    db.execute(CREATE_SEALS)
    for table in ("audits", "seals"):
        _refuse_changes(db, table)
    seal_everything(db.conn)


@migrations()
def m0003_grades(db: Database) -> None:
    """Grades of outputs, run by run; a run may be finished, what it graded stays."""
    for statement in _GRADE_TABLES:
        db.execute(statement)
    _refuse_changes(db, "grades")


@migrations()
def m0004_teams(db: Database) -> None:
    """Team settings, assignments, leases, tasks sent back, adjudications, planted checks."""
    for statement in TEAM_TABLES:
        db.execute(statement)
    for table in TEAM_APPEND_ONLY:
        _refuse_changes(db, table)


@migrations()
def m0005_trials(db: Database) -> None:
    """Jobs of live trials with every request and trial, and trials attached as evidence."""
    for statement in TRIAL_TABLES:
        db.execute(statement)
    for table in TRIAL_APPEND_ONLY:
        _refuse_changes(db, table)


@migrations()
def m0006_records(db: Database) -> None:
    """What is recorded beside reviews and answers, and tasks read outside the sample."""
    for statement in RECORD_TABLES:
        db.execute(statement)
    for table in RECORD_APPEND_ONLY:
        _refuse_changes(db, table)


def _refuse_changes(db: Database, table: str) -> None:
    for event in ("update", "delete"):
        db.execute(
            f"create trigger {table}_no_{event} before {event} on {table} "
            f"begin select raise(abort, '{table} is append-only'); end"
        )


_BENCHMARK_TABLES = (
    """create table benchmarks (
        key integer primary key,
        name text not null,
        content_hash text not null,
        format text not null,
        rules text not null,
        source text not null,
        imported_at text not null,
        imported_by text not null,
        tasks integer not null,
        entries integer not null,
        unique (name, content_hash)
    ) strict""",
    """create table tasks (
        key integer primary key,
        benchmark integer not null references benchmarks (key),
        id text not null,
        category text not null,
        grp text not null,
        fields text not null,
        digest text not null,
        body text not null,
        unique (benchmark, id)
    ) strict""",
    """create table entries (
        key integer primary key,
        benchmark integer not null references benchmarks (key),
        id text not null,
        task integer not null references tasks (key),
        weight real,
        unique (benchmark, id)
    ) strict""",
    "create index entries_task on entries (task)",
    """create table documents (
        benchmark integer not null references benchmarks (key),
        id text not null,
        digest text not null,
        body text not null,
        primary key (benchmark, id)
    ) strict""",
    """create table output_sources (
        key integer primary key,
        benchmark integer not null references benchmarks (key),
        format text not null,
        source text not null,
        imported_at text not null,
        imported_by text not null,
        simulated integer not null,
        outputs integer not null,
        models text not null
    ) strict""",
    """create table models (
        key integer primary key,
        benchmark integer not null references benchmarks (key),
        name text not null,
        unique (benchmark, name)
    ) strict""",
    """create table outputs (
        key integer primary key,
        source integer not null references output_sources (key),
        entry integer not null references entries (key),
        model integer not null references models (key),
        trial integer not null,
        status text not null,
        body text not null,
        passed integer,
        reason_code text not null,
        reason text not null,
        unique (entry, model, trial)
    ) strict""",
    "create index outputs_source on outputs (source)",
)

_AUDIT_TABLES = (
    """create table audits (
        id text primary key,
        name text not null unique,
        benchmark integer not null references benchmarks (key),
        plan text not null,
        frame_hash text not null,
        rubric text not null,
        taxonomy text not null,
        created_at text not null,
        created_by text not null
    ) strict""",
    """create table samples (
        id text primary key,
        audit text not null references audits (id),
        stage integer not null,
        kind text not null,
        reason text not null,
        drawn_at text not null,
        drawn_by text not null,
        unique (audit, stage)
    ) strict""",
    """create table sample_tasks (
        sample text not null references samples (id),
        position integer not null,
        stratum text not null,
        task_id text not null,
        primary key (sample, task_id),
        unique (sample, position)
    ) strict""",
    """create table reviews (
        id text primary key,
        audit text not null references audits (id),
        task_id text not null,
        reviewer text not null,
        reviewed_at text not null,
        judgement text not null,
        note text not null,
        supersedes text unique references reviews (id),
        seconds real
    ) strict""",
    """create unique index reviews_first on reviews (audit, task_id, reviewer)
        where supersedes is null""",
    "create index reviews_audit on reviews (audit, reviewer)",
    """create table findings (
        review text not null references reviews (id),
        position integer not null,
        effects text not null,
        cause text,
        causes text not null,
        severity integer,
        state text not null,
        note text not null,
        evidence text not null,
        proposed_key text,
        primary key (review, position)
    ) strict""",
    """create table marks (
        id text primary key,
        audit text not null references audits (id),
        task_id text not null,
        reviewer text not null,
        kind text not null,
        marked_at text not null
    ) strict""",
    "create index marks_audit on marks (audit, reviewer)",
    """create table drafts (
        audit text not null references audits (id),
        task_id text not null,
        reviewer text not null,
        body text not null,
        updated_at text not null,
        primary key (audit, task_id, reviewer)
    ) strict""",
    """create table answers (
        id text primary key,
        audit text not null references audits (id),
        item text not null,
        status text not null,
        value text not null,
        note text not null,
        answered_at text not null,
        answered_by text not null
    ) strict""",
    """create table statements (
        id text primary key,
        audit text not null references audits (id),
        name text not null,
        text text not null,
        stated_at text not null,
        stated_by text not null
    ) strict""",
)

_GRADE_TABLES = (
    """create table score_runs (
        key integer primary key,
        benchmark integer not null references benchmarks (key),
        rules text not null,
        readings text not null,
        version text not null,
        started_at text not null,
        finished_at text
    ) strict""",
    """create table grades (
        run integer not null references score_runs (key),
        output integer not null references outputs (key),
        status text not null,
        passed integer not null,
        reason_code text not null,
        primary key (run, output)
    ) strict, without rowid""",
)
