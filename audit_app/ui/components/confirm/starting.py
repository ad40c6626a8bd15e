"""What a job would take, in a sentence, and the button that starts it."""

from __future__ import annotations

import streamlit as st

from audit_app.domain.conditions import Endpoint
from audit_app.domain.live_jobs import Job
from audit_app.errors import AuditError
from audit_app.rerun.endpoints import find_endpoint
from audit_app.services.context import Services
from audit_app.services.live_endpoints import has_key
from audit_app.services.live_plans import JobPlan
from audit_app.ui.components.confirm.asking import (
    Asked,
    cannot_send,
    endpoint_field,
    settings_fields,
    tasks_field,
)
from audit_app.ui.components.confirm.live import start_job
from audit_app.ui.components.confirm.typed_keys import key_section, typed_key
from audit_app.ui.components.notices import notice
from audit_app.ui.context import settings
from audit_app.ui.rendering.text import literal


def asking_section(
    services: Services,
    audit: str,
    task: str,
    *,
    queue: list[str],
    suspected: tuple[str, ...],
    last: Job | None,
    made: int,
) -> None:
    """The form, the plan of what it says, and Start.

    Args:
        services: The open workspace.
        audit: Name of the audit.
        task: The task on screen.
        queue: Tasks that may be chosen.
        suspected: Those that the person called defective.
        last: The person's last job, from which the form starts.
        made: Jobs that there are: a second click on Start is not a second job.
    """
    # Each part has a place of its own: a field that moved would lose what is being typed.
    where, which, how, what = (st.container() for _ in range(4))
    try:
        with where:
            given = endpoint_field(services.live.endpoints(), last)
            endpoint = _endpoint(services, given)
    except AuditError as error:
        notice("error", str(error))
        return
    with which:
        tasks = tasks_field(queue, task, suspected)
    with how:
        asked = settings_fields(given, tasks, last)
    with what:
        _plan_and_start(services, audit, endpoint, asked, made)


def _plan_and_start(
    services: Services, audit: str, endpoint: Endpoint | None, asked: Asked, made: int
) -> None:
    if endpoint is None or not asked.ask.model.strip() or not asked.tasks:
        st.html('<p class="meta">Name an endpoint, a model and a task to see what it takes.</p>')
        st.button("Start", type="primary", key="confirm_start_not", disabled=True)
        return
    plan = _planned(services, audit, endpoint, asked)
    if st.button("Start", type="primary", key=f"confirm_start/{made}", disabled=plan is None):
        _start(services, plan, asked)


def _endpoint(services: Services, given: str) -> Endpoint | None:
    """The endpoint, with a word on its key; None where it may not be called, which is said."""
    if not given:
        return None
    listed = settings().endpoints
    try:
        endpoint = find_endpoint(given, listed)
        key_section(services.person, endpoint, in_environment=has_key(endpoint, listed))
    except AuditError as error:
        notice("error", str(error))
        return None
    return endpoint


def _planned(services: Services, audit: str, endpoint: Endpoint, asked: Asked) -> JobPlan | None:
    """The plan, said on the page; None where it cannot be one, which is said instead."""
    try:
        plan = services.live.plan(
            asked.tasks, asked.ask, audit=audit, key=typed_key(services.person, endpoint)
        )
    except AuditError as error:
        notice("error", str(error))
        return None
    warnings = "".join(f"<p>{literal(warning)}</p>" for warning in plan.warnings)
    how = f'<p class="meta">{literal(plan.estimate.how)}.</p>'
    st.html(f'<div class="plan"><p>{literal(plan.sentence)}.</p>{how}{warnings}</div>')
    if plan.cannot_send:
        notice("mind", f"{len(plan.cannot_send)} of the tasks cannot be sent; the others are:")
        st.html(cannot_send(dict(plan.cannot_send)))
    return plan


def _start(services: Services, plan: JobPlan | None, asked: Asked) -> None:
    if plan is None:
        return
    try:
        job = services.live.create(plan)
        start_job(services.live, job.id, concurrency=asked.concurrency, person=services.person)
    except AuditError as error:
        notice("error", str(error))
        return
    st.rerun()
