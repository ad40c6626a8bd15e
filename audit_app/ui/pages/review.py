"""Review: one task at a time, with its key and outputs, judged by keyboard or mouse."""

from __future__ import annotations

import streamlit as st

from audit_app.services.context import Services
from audit_app.services.reviewing import Desk
from audit_app.ui import state
from audit_app.ui.components.review_desk import (
    DeskRequest,
    DeskState,
    first_open,
    read_ahead,
    review_desk,
    take_actions,
)
from audit_app.ui.context import chosen_audit, file_actions, run_page, say_no_audit, settings
from audit_app.ui.frame import page_frame, saved_words
from audit_app.ui.keys import as_data, key_map
from audit_app.ui.labels import stratum_labels
from audit_app.ui.rendering import render_task


def render(services: Services) -> None:
    """File what the browser sent, then draw the screen from what is stored."""
    name = chosen_audit(services.audits.names())
    if name is None:
        page_frame(services, "Review")
        say_no_audit("Draw a sample first, on the page Sample.")
        return
    key = f"{state.DESK}/{name}"
    request = take_actions(key, file_actions(name))
    reviewing = services.reviewing(name)
    desk = reviewing.desk()
    at = _at(desk, request)
    page_frame(services, "Review", full_bleed=True, desk=desk, at=at)
    wanted = read_ahead(desk.queue, at, held=request.held)
    bindings = key_map(desk.audit.taxonomy)
    review_desk(
        key=key,
        state=DeskState(
            audit=name,
            store=f"{settings().db.resolve()}#{desk.audit.id}",
            reviewer=services.person,
            queue=desk.queue,
            at=at,
            views={
                task: render_task(reviewing.task_view(task), full=task in request.full)
                for task in wanted
            },
            drafts=desk.drafts,
            taxonomy=desk.audit.taxonomy,
            bindings=as_data(bindings),
            strata=stratum_labels(item.stratum for item in desk.queue),
            saved=saved_words(desk),
            trial=None if request.trial is None else reviewing.try_key(request.trial),
        ),
        apply=file_actions(name),
    )


def _at(desk: Desk, request: DeskRequest) -> str:
    """The task on screen: what the browser says, else the address bar, else the first open one."""
    if request.at is not None:
        return request.at
    sampled = {item.task_id for item in desk.queue}
    wanted = st.query_params.get(state.TASK_PARAM, "")
    return wanted if wanted in sampled else first_open(desk.queue)


run_page(render)
