"""The frame of every page: configuration, rail, header."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from audit_app.services.context import Services
from audit_app.services.judging import JUDGED, TaskState
from audit_app.services.reviewing import Desk
from audit_app.ui import state
from audit_app.ui.address import take_address
from audit_app.ui.components.profile import person_block
from audit_app.ui.components.rail import (
    RailState,
    RecentJudgement,
    StratumProgress,
    rail,
    rail_head,
)
from audit_app.ui.context import chosen_audit, settings
from audit_app.ui.labels import stratum_label
from audit_app.ui.people import profile_query
from audit_app.ui.theme import inject_theme

_ICON = Path(__file__).with_name("icon.svg")
_PAGES = Path(__file__).parent / "pages"
PAGES = ("Benchmarks", "Sample", "Browse", "Review", "Adjudicate", "Confirm", "Rubric", "Report")
"""Names of the pages, in the order of the work."""
_HOME = "Review"


def pages() -> dict[str, StreamlitPage]:
    """Name → page, made for this run; the app opens on the review."""
    return {
        name: st.Page(
            _PAGES / f"{name.lower()}.py",
            title=name,
            url_path=name.lower(),
            default=name == _HOME,
        )
        for name in PAGES
    }


def set_page_config() -> None:
    """Title, icon and width; the first call of every run."""
    st.set_page_config(
        page_title="Assay",
        page_icon=str(_ICON),
        layout="wide",
        initial_sidebar_state="expanded",
    )


def page_frame(
    services: Services,
    title: str,
    meta: str = "",
    *,
    full_bleed: bool = False,
    desk: Desk | None = None,
    at: str = "",
    settled: Sequence[RecentJudgement] | None = None,
) -> None:
    """Draw the rail, and the header of pages that do not fill the window by themselves.

    Args:
        services: Give the rail its counts.
        title: Name of the page.
        meta: A few words beside the title.
        full_bleed: Whether the page fills the window beside the rail.
        desk: The reviewer's queue, where the page has read it already.
        at: The task on screen, on the review page.
        settled: What the person settled, the latest first, in place of the last judgements.
    """
    inject_theme(full_bleed=full_bleed)
    names = services.audits.names()
    name = chosen_audit(names)
    if desk is None and name is not None:
        desk = services.reviewing(name).desk()
    profile = profile_query(settings())
    with st.sidebar:
        version = f"{desk.benchmark.name} {desk.benchmark.version}" if desk else ""
        is_choice = len(names) > 1 or (name is None and bool(names))
        rail_head(*([] if is_choice or name is None else [name]), version)
        if is_choice:
            # What is on the page, also where the address bar or a new audit chose it.
            st.session_state[state.AUDIT_CHOICE] = name
            st.selectbox(
                "Audit",
                names,
                index=0 if name else None,
                key=state.AUDIT_CHOICE,
                on_change=_choose,
                placeholder="Choose an audit",
                label_visibility="collapsed",
            )
        for page_name, page in pages().items():
            # The one we are on gets a key, by which the style sheet knows it.
            with st.container(key="nav_current" if page_name == title else None):
                query = {**({state.AUDIT_PARAM: name} if name else {}), **profile}
                st.page_link(page, query_params=query or None)
        below = _rail_state(desk, at, profile)
        rail(below if settled is None else _settling(below, settled))
        person_block(services, saved_words(desk))
    if not full_bleed:
        st.html(
            f'<header class="bar1"><h1>{escape(title)}</h1>'
            f'<span class="meta">{escape(meta)}</span></header>'
        )


def _choose() -> None:
    """Take up the audit that was chosen; the task of the old one leaves the address bar."""
    chosen = st.session_state[state.AUDIT_CHOICE]
    st.session_state[state.AUDIT] = chosen
    take_address({state.AUDIT_PARAM: chosen, **profile_query(settings())})


def _rail_state(desk: Desk | None, at: str, profile: Mapping[str, str]) -> RailState:
    queue = desk.queue if desk else ()
    here = next((item.stratum for item in queue if item.task_id == at), None)
    return RailState(
        audit=desk.audit.name if desk else "",
        strata=[
            StratumProgress(
                stratum_label(stratum),
                sum(item.stratum == stratum and item.state in JUDGED for item in queue),
                sum(item.stratum == stratum for item in queue),
                is_here=stratum == here,
            )
            for stratum in dict.fromkeys(item.stratum for item in queue)
        ],
        open_tasks=desk.left.open + desk.left.returned if desk else 0,
        skipped=[item.task_id for item in queue if item.state is TaskState.SKIPPED],
        second_look=[item.task_id for item in queue if item.second_look],
        recent=[
            RecentJudgement(recent.task_id, recent.words, recent.is_defect)
            for recent in (desk.recent if desk else ())
        ],
        profile=profile,
    )


def _settling(rail_state: RailState, settled: Sequence[RecentJudgement]) -> RailState:
    return replace(
        rail_state, recent=settled, recent_title="Settled by you", recent_path="./adjudicate"
    )


def saved_words(desk: Desk | None) -> str:
    """When and where the last judgement was saved."""
    place = settings().db.name
    if desk is None or not desk.recent:
        return f"Saves to {place}"
    return f"Saved {desk.recent[0].reviewed_at.astimezone():%H:%M:%S} in {place}"
