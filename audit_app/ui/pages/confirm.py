"""Confirm: live trials of a task on screen, and what repeated runs come to."""

from __future__ import annotations

import streamlit as st

from audit_app.services.confirming import own_findings, seen_jobs, suspected_tasks
from audit_app.services.context import Services
from audit_app.services.live_progress import JobSummary
from audit_app.services.reviewing import Desk
from audit_app.ui import state
from audit_app.ui.components.confirm.attaching import attach_section
from audit_app.ui.components.confirm.live import Shown, is_running, live_section
from audit_app.ui.components.confirm.repeats import repeats_section
from audit_app.ui.components.confirm.starting import asking_section
from audit_app.ui.components.confirm.subject import subject, task_field
from audit_app.ui.components.notices import notice
from audit_app.ui.context import chosen_audit, run_page, say_no_audit
from audit_app.ui.frame import page_frame

_LIVE, _REPEATS = "Live trials", "Repeat reliability"
_META = "live trials as evidence, and what repeated runs say"


def render(services: Services) -> None:
    """Show one of the two views."""
    name = chosen_audit(services.audits.names())
    desk = services.reviewing(name).desk() if name else None
    task = _task(desk) if desk else ""
    page_frame(services, "Confirm", _META, desk=desk, at=task)
    view = st.segmented_control(
        "View",
        (_LIVE, _REPEATS),
        default=_LIVE,
        key=state.CONFIRM_VIEW,
        label_visibility="collapsed",
    )
    if view == _REPEATS:
        blind = services.planted(name).blind_note() if name else ""
        repeats_section(_jobs(services, desk, "") if desk else (), hidden=blind)
    elif name is None or desk is None:
        say_no_audit("Draw a sample first, on the page Sample.")
    elif not task:
        st.info("The sample has no task that could be sent.")
    else:
        _live(services, name, desk, task)


def _task(desk: Desk) -> str:
    """The task that the address names, else the first one under suspicion, else the first one."""
    queue = [item.task_id for item in desk.queue]
    wanted = st.query_params.get(state.TASK_PARAM, "")
    if wanted in queue:
        return wanted
    return next(iter((*suspected_tasks(desk.queue, desk.drafts), *queue)), "")


def _jobs(services: Services, desk: Desk, task: str) -> tuple[JobSummary, ...]:
    return seen_jobs(
        services.live.jobs(audit=desk.audit.name, task=task),
        viewer=services.person,
        queue=desk.queue,
        is_blind=desk.team.is_blind,
    )


def _live(services: Services, name: str, desk: Desk, task: str) -> None:
    reviewing = services.reviewing(name)
    wanted = st.query_params.get(state.TASK_PARAM, "")
    if wanted not in ("", task):
        notice("mind", f"Your sample has no task “{wanted}”; here is another one.")
    findings = own_findings(reviewing.my_reviews([task]).get(task), desk.drafts.get(task))
    jobs = _jobs(services, desk, task)
    view = reviewing.task_view(task)
    left, right = st.columns([46, 54], gap="medium")
    with left:
        task_field(desk, task)
        proposed = subject(view, findings)
        asking_section(
            services,
            name,
            task,
            queue=[item.task_id for item in desk.queue],
            suspected=suspected_tasks(desk.queue, desk.drafts),
            last=next((row.job for row in jobs if row.job.created_by == services.person), None),
            made=len(jobs),
        )
    with right:
        live_section(
            Shown(
                audit=name,
                task=view.task,
                proposed=proposed,
                jobs=frozenset(row.job.id for row in jobs),
                is_running=is_running(jobs),
            )
        )
        attach_section(services.evidence, name, task, findings, proposed=proposed, jobs=jobs)


run_page(render)
