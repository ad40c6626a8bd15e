"""Seals: the digest of each record of a person's work, taken in the transaction that stores it.

Triggers keep rows from being changed through Assay; a seal shows that one was changed past it. A
seal covers everything of the record that a number can rest on, and names no key of this file, so
that the same record has the same seal in every workspace.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from hashlib import sha256

import msgspec

_RECORDS: Mapping[str, tuple[str, ...]] = {
    "audits": (
        "select a.id, a.name, b.name, b.content_hash, b.rules, a.plan, a.frame_hash, a.rubric, "
        "a.taxonomy, a.created_at, a.created_by from audits a "
        "join benchmarks b on b.key = a.benchmark where a.id = ?",
    ),
    "samples": (
        "select id, audit, stage, kind, reason, drawn_at, drawn_by from samples where id = ?",
        "select stratum, task_id from sample_tasks where sample = ? order by position",
    ),
    "reviews": (
        "select id, audit, task_id, reviewer, reviewed_at, judgement, note, supersedes, seconds "
        "from reviews where id = ?",
        "select effects, cause, causes, severity, state, note, evidence, proposed_key "
        "from findings where review = ? order by position",
    ),
    "answers": (
        "select id, audit, item, status, value, note, answered_at, answered_by "
        "from answers where id = ?",
    ),
    "statements": (
        "select id, audit, name, text, stated_at, stated_by from statements where id = ?",
    ),
    "team_settings": ("select id, audit, body, set_at, set_by from team_settings where id = ?",),
    "assignments": (
        "select id, audit, task_id, reviewer, is_assigned, assigned_at, assigned_by "
        "from assignments where id = ?",
    ),
    "send_backs": (
        "select id, audit, task_id, reviewer, review, reason, sent_at, sent_by "
        "from send_backs where id = ?",
    ),
    "adjudications": (
        "select id, audit, task_id, adjudicator, adjudicated_at, judgement, note, basis, how, "
        "supersedes from adjudications where id = ?",
        "select effects, cause, causes, severity, state, note, evidence, proposed_key "
        "from adjudication_findings where adjudication = ? order by position",
    ),
    "trial_jobs": (
        "select j.id, b.name, b.content_hash, j.audit, j.endpoint, j.condition, j.condition_id, "
        "j.tasks, j.trials, j.budget, j.created_at, j.created_by from trial_jobs j "
        "join benchmarks b on b.key = j.benchmark where j.id = ?",
    ),
    "trial_runs": (
        "select id, job, task_id, trial, status, output, form, error, questions, follow_ups, "
        "ended_at from trial_runs where id = ?",
        "select step, request, completion, status, calls, tokens_in, tokens_out, cost_usd, "
        "seconds, cached, ended_at from trial_requests where run = ? order by step",
    ),
    "trial_evidence": (
        "select id, audit, task_id, review, position, job, proposed_key, reason, grades, "
        "attached_at, attached_by from trial_evidence where id = ?",
    ),
    "planted_tasks": (
        "select id, audit, task_id, stratum, kind, cause, effects, key, basis, planted_at, "
        "planted_by from planted_tasks where id = ?",
    ),
    "dossier_records": (
        "select id, audit, kind, body, recorded_at, recorded_by from dossier_records where id = ?",
    ),
    "targeted_tasks": (
        "select id, audit, task_id, reason, targeted_at, targeted_by "
        "from targeted_tasks where id = ?",
    ),
}
"""Table → the queries that give everything of one record, by its id."""

CREATE_SEALS = """create table seals (
    record text not null,
    id text not null,
    digest text not null,
    primary key (record, id)
) strict"""


def seal(connection: sqlite3.Connection, table: str, id_: str) -> None:
    """Keep the digest of a record that was just written."""
    connection.execute(
        "insert into seals (record, id, digest) values (?, ?, ?)",
        (table, id_, _digest(connection, table, id_)),
    )


def seal_of(connection: sqlite3.Connection, table: str, id_: str) -> str | None:
    """The seal of a record, if the record is what was stored; else None."""
    found = connection.execute(
        "select digest from seals where record = ? and id = ?", (table, id_)
    ).fetchone()
    holds = found is not None and found[0] == _digest(connection, table, id_)
    return str(found[0]) if holds else None


_BEFORE_SEALS = ("audits", "samples", "reviews", "answers", "statements")
"""Tables that held records of people when seals came."""


def seal_everything(connection: sqlite3.Connection) -> None:
    """Seal the records of a workspace that comes from before there were seals."""
    for table in _BEFORE_SEALS:
        for (id_,) in connection.execute(f"select id from {table}").fetchall():
            seal(connection, table, id_)


def broken_seals(connection: sqlite3.Connection) -> list[str]:
    """Records that are not what was stored, are gone, or came in past Assay."""
    found = []
    for table in _RECORDS:
        sealed = dict(
            connection.execute("select id, digest from seals where record = ?", (table,)).fetchall()
        )
        ids = [row[0] for row in connection.execute(f"select id from {table}").fetchall()]
        for id_ in ids:
            digest = sealed.pop(id_, None)
            if digest is None:
                found.append(f"{table[:-1]} {id_} was not stored by Assay")
            elif digest != _digest(connection, table, id_):
                found.append(f"{table[:-1]} {id_} is not what was stored")
        found += [f"{table[:-1]} {id_} is gone" for id_ in sealed]
    return found


def _digest(connection: sqlite3.Connection, table: str, id_: str) -> str:
    parts = [connection.execute(query, (id_,)).fetchall() for query in _RECORDS[table]]
    return sha256(msgspec.json.encode(parts)).hexdigest()
