"""Tables of live trials, as migration 5 makes them."""

from __future__ import annotations

TRIAL_APPEND_ONLY = (
    "trial_jobs",
    "trial_requests",
    "trial_runs",
    "trial_job_events",
    "trial_evidence",
)

TRIAL_TABLES = (
    """create table trial_jobs (
        id text primary key,
        benchmark integer not null references benchmarks (key),
        audit text references audits (id),
        endpoint text not null,
        condition text not null,
        condition_id text not null,
        tasks text not null,
        trials integer not null,
        budget text not null,
        created_at text not null,
        created_by text not null
    ) strict""",
    "create index trial_jobs_benchmark on trial_jobs (benchmark)",
    """create table trial_requests (
        key integer primary key,
        job text not null references trial_jobs (id),
        task_id text not null,
        trial integer not null,
        run text not null,
        step integer not null,
        request text not null,
        completion text not null,
        status text not null,
        calls integer not null,
        tokens_in integer,
        tokens_out integer,
        cost_usd real,
        seconds real not null,
        cached integer not null,
        ended_at text not null,
        unique (run, step)
    ) strict""",
    "create index trial_requests_job on trial_requests (job, task_id, trial)",
    """create table trial_runs (
        id text primary key,
        job text not null references trial_jobs (id),
        task_id text not null,
        trial integer not null,
        status text not null,
        output text not null,
        form text not null,
        error text not null,
        questions text not null,
        follow_ups integer not null,
        ended_at text not null,
        unique (job, task_id, trial)
    ) strict, without rowid""",
    """create table trial_job_events (
        id text primary key,
        job text not null references trial_jobs (id),
        kind text not null,
        note text not null,
        happened_at text not null,
        happened_by text not null
    ) strict""",
    "create index trial_job_events_job on trial_job_events (job)",
    """create table trial_job_leases (
        job text primary key references trial_jobs (id),
        holder text not null,
        expires_at text not null
    ) strict, without rowid""",
    """create table trial_evidence (
        id text primary key,
        audit text not null references audits (id),
        task_id text not null,
        review text not null references reviews (id),
        position integer not null,
        job text not null references trial_jobs (id),
        proposed_key text,
        reason text not null,
        grades text not null,
        attached_at text not null,
        attached_by text not null
    ) strict""",
    "create index trial_evidence_audit on trial_evidence (audit, task_id)",
)
