"""Adjudicate: reviews that differ side by side, settled or sent back by keyboard or mouse."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from audit_app.domain.team import Mode
from audit_app.services.adjudication import Board
from audit_app.services.context import Services
from audit_app.services.planted_part import planted_part
from audit_app.ui import state
from audit_app.ui.adjudicate_keys import adjudicate_key_map
from audit_app.ui.components.adjudicate_desk import (
    AdjudicateRequest,
    AdjudicateState,
    adjudicate_desk,
    cases_ahead,
    first_differing,
    settled_by,
    take_decisions,
    why_nothing,
)
from audit_app.ui.context import chosen_audit, file_decisions, run_page, say_no_audit, settings
from audit_app.ui.frame import page_frame
from audit_app.ui.keys import as_data
from audit_app.ui.labels import stratum_labels
from audit_app.ui.rendering.agreement import agreement_panel
from audit_app.ui.rendering.case import render_case
from audit_app.ui.rendering.planted_checks import planted_panel


def render(services: Services) -> None:
    """File what the browser sent, then draw the screen from what is stored."""
    name = chosen_audit(services.audits.names())
    if name is None:
        page_frame(services, "Adjudicate")
        say_no_audit("Draw a sample first, on the page Sample.")
        return
    apply = file_decisions(name, services.person)
    key = f"{state.CASES}/{name}/{services.person}"
    request = take_decisions(key, apply)
    adjudicating = services.adjudicating(name)
    board = adjudicating.board()
    blind = services.planted(name).blind_note()
    if blind:  # the cases would tell the sample from the planted checks
        board = replace(board, items=())
    at = _at(board, request)
    taxonomy = board.audit.taxonomy
    page_frame(
        services,
        "Adjudicate",
        full_bleed=True,
        at=at,
        settled=settled_by(board.items, services.person),
    )
    adjudicate_desk(
        key=key,
        state=AdjudicateState(
            audit=name,
            store=f"{settings().db.resolve()}#{board.audit.id}#cases",
            person=services.person,
            items=board.items,
            at=at,
            views={
                task: render_case(
                    adjudicating.task_view(task),
                    adjudicating.case(task),
                    taxonomy,
                    full=task in request.full,
                )
                for task in cases_ahead(board.items, at, held=request.held)
            },
            agreement=agreement_panel(board.agreement),
            planted="" if at else _planted(services, name),
            taxonomy=taxonomy,
            bindings=as_data(adjudicate_key_map(taxonomy)),
            strata=stratum_labels(item.stratum for item in board.items),
            is_off=board.team.mode is not Mode.ADJUDICATED,
            why=blind or why_nothing(board.team, board.items, board.hidden),
            trial=(
                None if request.trial is None else services.reviewing(name).try_key(request.trial)
            ),
        ),
        apply=apply,
    )


def _planted(services: Services, audit: str) -> str:
    """What reviewers made of the planted checks, for the overview."""
    results = services.planted(audit).results()
    return "" if results is None else planted_panel(planted_part(results))


def _at(board: Board, request: AdjudicateRequest) -> str:
    """The case on screen: what the browser says, else the address bar, else the first open one."""
    if request.at is not None:
        return request.at
    wanted = st.query_params.get(state.TASK_PARAM, "")
    known = any(item.task_id == wanted for item in board.items)
    return wanted if known else first_differing(board.items)


run_page(render)
