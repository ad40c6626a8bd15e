"""What every page asks for first: settings, services, and the audit in the address bar."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import streamlit as st

from audit_app.errors import AuditError
from audit_app.services.context import Services, open_services
from audit_app.services.judging import Ack
from audit_app.settings import Settings, read_settings
from audit_app.ui import state
from audit_app.ui.components.notices import notice


@st.cache_resource
def _settle_memory() -> bool:
    """Move what the libraries loaded out of the collector's sight, once.

    Streamlit collects after every run; without this each run walks all of pandas and pyarrow,
    about 150 ms during which no key press is answered.
    """
    gc.collect()
    gc.freeze()
    return True


def settings() -> Settings:
    """The settings this app was started with."""
    _settle_memory()
    return read_settings()


def run_page(render: Callable[[Services], None]) -> None:
    """Draw a page with the services of one run; what goes wrong is said on the page.

    The workspace is opened for the run and closed after it: a connection belongs to one thread,
    and Streamlit runs each session on its own.
    """
    try:
        with open_services(settings()) as services:
            render(services)
    except AuditError as error:
        notice("error", str(error))


def chosen_audit(names: list[str]) -> str | None:
    """The audit that the address bar or the last choice names, else the latest; None if none."""
    wanted = st.query_params.get(state.AUDIT_PARAM) or st.session_state.get(state.AUDIT)
    chosen = wanted if wanted in names else (names[0] if names else None)
    if chosen is not None:
        st.session_state[state.AUDIT] = chosen
        if st.query_params.get(state.AUDIT_PARAM) != chosen:
            st.query_params[state.AUDIT_PARAM] = chosen
    return chosen


def file_actions(audit: str) -> Callable[[Iterable[Mapping[str, Any]]], Sequence[Ack]]:
    """What files a reviewer's actions; it opens the workspace by itself, whenever it is called."""

    def apply(actions: Iterable[Mapping[str, Any]]) -> Sequence[Ack]:
        raw = list(actions)
        try:
            with open_services(settings()) as services:
                return services.reviewing(audit).apply(raw)
        except AuditError as error:
            return [Ack(str(action.get("id", "")), str(error)) for action in raw]

    return apply
