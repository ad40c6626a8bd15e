"""Review: one task at a time, with its key and outputs, judged by keyboard or mouse."""

from __future__ import annotations

import streamlit as st

from audit_app.services.context import Services
from audit_app.services.outcomes import Facets
from audit_app.services.reviewing import Desk, ReviewService
from audit_app.ui import state
from audit_app.ui.components.review_desk import (
    DeskRequest,
    DeskState,
    first_open,
    neighbourhood,
    render_batch,
    review_desk,
    take_actions,
    wanted_reviews,
)
from audit_app.ui.context import chosen_audit, file_actions, run_page, say_no_audit, settings
from audit_app.ui.frame import page_frame, saved_words
from audit_app.ui.keys import as_data, page_keys
from audit_app.ui.labels import stratum_labels
from audit_app.ui.rendering import RenderedTask, render_prose, render_task


def render(services: Services) -> None:
    """File what the browser sent, then draw the screen from what is stored."""
    name = chosen_audit(services.audits.names())
    if name is None:
        page_frame(services, "Review")
        say_no_audit("Draw a sample first, on the page Sample.")
        return
    apply = file_actions(name, services.person)
    key = f"{state.DESK}/{name}/{services.person}"
    request = take_actions(key, apply)
    reviewing = services.reviewing(name)
    place = f"{state.TASK}/{name}/{services.person}"
    asked = _asked(request, place)
    reviewing.hold(asked or "", ahead=request.ahead, coming=request.coming)
    desk = reviewing.desk()
    at = _at(desk, asked)
    st.session_state[place] = at
    page_frame(services, "Review", full_bleed=True, desk=desk, at=at)
    review_desk(key=key, state=_desk_state(services, reviewing, desk, request, at=at), apply=apply)


def _desk_state(
    services: Services, reviewing: ReviewService, desk: Desk, request: DeskRequest, *, at: str
) -> DeskState:
    near = neighbourhood(desk.queue, at, ahead=request.ahead, coming=request.coming)

    def show(task: str) -> RenderedTask:
        return render_task(reviewing.task_view(task), full=task in request.full)

    views, is_more = render_batch((task for task in near if task not in request.held), show)
    recent = (judgement.task_id for judgement in desk.recent)
    return DeskState(
        audit=desk.audit.name,
        store=f"{settings().db.resolve()}#{desk.audit.id}",
        reviewer=services.person,
        queue=desk.queue,
        at=at,
        views=views,
        is_more=is_more,
        near=near,
        drafts=desk.drafts,
        taxonomy=desk.audit.taxonomy,
        bindings=as_data(page_keys(desk.audit.taxonomy)),
        strata=stratum_labels(item.stratum for item in desk.queue),
        saved=saved_words(desk),
        notice=desk.locked,
        reviews=reviewing.my_reviews(wanted_reviews(desk.queue, recent, near)),
        trial=None if request.trial is None else reviewing.try_key(request.trial),
        prose=_prose(reviewing, desk, request),
        facets=_facets(services, desk) if request.facets else None,
    )


def _prose(reviewing: ReviewService, desk: Desk, request: DeskRequest) -> dict[str, str]:
    sampled = {item.task_id for item in desk.queue} if request.prose else set()
    return {
        task: render_prose(reviewing.task_view(task), full=task in request.full)
        for task in request.prose
        if task in sampled
    }


def _facets(services: Services, desk: Desk) -> Facets:
    return services.outcomes(desk.audit.name).facets([item.task_id for item in desk.queue])


def _asked(request: DeskRequest, place: str) -> str | None:
    """The task that the browser shows, else that of the address bar, else the last one shown."""
    if request.at is not None:
        return request.at
    last: str | None = st.session_state.get(place)
    return st.query_params.get(state.TASK_PARAM) or last or None


def _at(desk: Desk, asked: str | None) -> str:
    """The task on screen, the first one to judge where what was asked for is not in the queue."""
    if asked == "":
        return ""
    sampled = {item.task_id for item in desk.queue}
    return asked if asked in sampled else first_open(desk.queue)


run_page(render)
