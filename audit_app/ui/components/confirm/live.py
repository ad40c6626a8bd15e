"""The live half of the page: jobs with their buttons, and the answers as they arrive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import streamlit as st

from audit_app.domain.benchmark import Task
from audit_app.domain.live_jobs import JobState
from audit_app.domain.trials import TokenLogprob
from audit_app.errors import AuditError
from audit_app.services.confirming import lacks_logprobs
from audit_app.services.context import Services
from audit_app.services.live_progress import JobSummary
from audit_app.services.live_trials import LiveTrialService
from audit_app.ui import state
from audit_app.ui.components.confirm.panel import panel
from audit_app.ui.components.confirm.runs import runs
from audit_app.ui.components.confirm.typed_keys import typed_key
from audit_app.ui.components.notices import notice
from audit_app.ui.context import run_page
from audit_app.ui.rendering.live_board import board
from audit_app.ui.rendering.live_counts import counts_table
from audit_app.ui.rendering.live_jobs import job_label, job_row

TICK_S = 1.0
_LISTED = 5
_ALL = ""
_NO_LOGPROBS = (
    "Log-probabilities were asked for, and no answer has them; some endpoints give them only with "
    "one alternative or more, or not at all."
)
_FULL, _LOGPROBS = "full:", "logprobs:"


@dataclass(frozen=True)
class Shown:
    """What the live half is about.

    Attributes:
        audit: Name of the audit.
        task: The task on screen, as the person sees it.
        proposed: Text of the proposed key, None without one.
        jobs: Ids of the jobs that the person may see.
        is_running: Whether any of them ran when the page was drawn.
    """

    audit: str
    task: Task
    proposed: str | None
    jobs: frozenset[str]
    is_running: bool


def live_section(shown: Shown) -> None:
    """Draw it, again and again while a job runs, and once where none does."""
    st.fragment(_live, run_every=TICK_S if shown.is_running else None)(shown)


def is_running(jobs: Sequence[JobSummary]) -> bool:
    """Whether any of the jobs runs, in this process or another."""
    return any(row.state is JobState.RUNNING or runs().is_running(row.job.id) for row in jobs)


def start_job(live: LiveTrialService, job: str, *, concurrency: int, person: str) -> None:
    """Run a job in this server, with the key that the person typed, if any."""
    key = typed_key(person, live.job(job).endpoint)
    st.session_state[state.CONFIRM_CONCURRENCY] = concurrency
    runs().start(job, lambda cancel: live.run(job, cancel=cancel, key=key, concurrency=concurrency))


def _live(shown: Shown) -> None:
    run_page(partial(_draw, shown))


def _draw(shown: Shown, services: Services) -> None:
    live = services.live
    jobs = [
        row for row in live.jobs(audit=shown.audit, task=shown.task.id) if row.job.id in shown.jobs
    ]
    if shown.is_running and not is_running(jobs):
        st.rerun()  # the whole page, which then stops asking
    if not jobs:
        st.html(
            '<p class="say">No live trial of this task yet. Trials appear here as they end, '
            "grouped by identical answer, each graded under both keys.</p>"
        )
        return
    for row in jobs[:_LISTED]:
        _job(live, row, services.person)
    if len(jobs) > _LISTED:
        with st.expander(f"{len(jobs) - _LISTED} earlier jobs", key="confirm_earlier"):
            for row in jobs[_LISTED:]:
                _job(live, row, services.person)
    _answers(live, shown, jobs)


def _job(live: LiveTrialService, row: JobSummary, person: str) -> None:
    job = row.job.id
    is_mine = runs().is_running(job)
    has_button = is_mine or row.state is JobState.RUNNING or row.state.may_run
    words, buttons = st.columns([80, 20]) if has_button else (st.container(), st.container())
    progress = live.progress(job)
    words.html(
        job_row(
            row,
            progress,
            viewer=person,
            is_stopping=runs().is_stopping(job),
            problem=runs().problem(job),
        )
    )
    if is_mine:
        buttons.button("Stop", key=f"confirm_stop/{job}", on_click=partial(runs().stop, job))
    elif row.state is JobState.RUNNING:
        buttons.html('<p class="meta">Run by another process.</p>')
        if buttons.button("Cancel", key=f"confirm_cancel/{job}", help="For good"):
            _do(partial(live.cancel, job))
    elif row.state.may_run:
        label = "Start" if row.state is JobState.PLANNED else "Resume"
        if buttons.button(label, key=f"confirm_resume/{job}"):
            at_a_time = st.session_state.get(state.CONFIRM_CONCURRENCY, 2)
            start_job(live, job, concurrency=at_a_time, person=person)
            st.rerun()


def _do(work: partial[None]) -> None:
    try:
        work()
    except AuditError as error:
        notice("error", str(error))
        return
    st.rerun(scope="fragment")


def _answers(live: LiveTrialService, shown: Shown, jobs: Sequence[JobSummary]) -> None:
    chosen = _ALL
    labels = {_ALL: f"All {len(jobs)} jobs", **{row.job.id: job_label(row) for row in jobs}}
    if len(jobs) > 1:
        chosen = st.selectbox(
            "Answers of", list(labels), format_func=labels.__getitem__, key="confirm_answers"
        )
    ids = [row.job.id for row in jobs if chosen in (_ALL, row.job.id)]
    graded = live.graded(ids, shown.task.id, shown.proposed, shown=shown.task)
    if graded.key_error:
        notice("mind", f"The proposed key is no key: {graded.key_error}")
    if lacks_logprobs(graded, [row.job for row in jobs if row.job.id in ids]):
        notice("mind", _NO_LOGPROBS)
    asked: set[str] = st.session_state.setdefault(state.CONFIRM_ASKED, set())
    html = counts_table(graded) + board(
        graded,
        whole={what.removeprefix(_FULL) for what in asked if what.startswith(_FULL)},
        logprobs=_logprobs(live, asked),
    )
    panel(html, key=f"confirm_board/{shown.task.id}", asked=asked.add)


def _logprobs(live: LiveTrialService, asked: set[str]) -> dict[str, tuple[TokenLogprob, ...]]:
    """Id of a trial → log-probabilities of its last answer, for those that were asked for."""
    found = {}
    for what in asked:
        if what.startswith(_LOGPROBS):
            trial = what.removeprefix(_LOGPROBS)
            rows = live.requests(trial)
            found[trial] = (rows[-1].completion.logprobs or ()) if rows else ()
    return found
