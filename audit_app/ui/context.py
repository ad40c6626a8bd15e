"""What every page asks for first: settings, services, and the audit in the address bar."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import streamlit as st

from audit_app.errors import AuditError, WorkspaceError
from audit_app.services.context import Services, open_services, workspace_exists
from audit_app.services.judging import Ack
from audit_app.settings import Settings, read_settings
from audit_app.ui import state
from audit_app.ui.components.notices import notice
from audit_app.ui.theme import inject_theme


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


@st.cache_resource
def _opened() -> set[Path]:
    """Workspace files that this server has opened."""
    return set()


@contextmanager
def page_services() -> Iterator[Services]:
    """The services of one run; a new workspace is made only where this server never had one.

    Raises:
        WorkspaceError: The file was moved or deleted under the running app, or cannot be opened.
    """
    here = settings()
    if here.db in _opened() and not workspace_exists(here):
        raise WorkspaceError(
            f"{here.db} is gone: it was moved or deleted while the app ran; nothing was saved. "
            "Put it back and reload the page; what you have written is kept in this browser"
        )
    with open_services(here) as services:
        _opened().add(here.db)
        yield services


def run_page(render: Callable[[Services], None]) -> None:
    """Draw a page with the services of one run; what goes wrong is said on the page.

    The workspace is opened for the run and closed after it: a connection belongs to one thread,
    and Streamlit runs each session on its own.
    """
    try:
        with page_services() as services:
            render(services)
    except AuditError as error:
        inject_theme()  # where it went wrong before the frame of the page was drawn
        notice("error", str(error))


def chosen_audit(names: list[str]) -> str | None:
    """The audit that the address bar names, else the last choice, else the latest.

    None where there is no audit, or not the one in the address bar: a link that was meant for
    another workspace must not open, and have judged, something else.
    """
    named = st.query_params.get(state.AUDIT_PARAM)
    if named and named not in names:
        return None
    wanted = named or st.session_state.get(state.AUDIT)
    chosen = wanted if wanted in names else (names[0] if names else None)
    if chosen is not None:
        st.session_state[state.AUDIT] = chosen
        if st.query_params.get(state.AUDIT_PARAM) != chosen:
            st.query_params[state.AUDIT_PARAM] = chosen
    return chosen


def say_no_audit(what_first: str) -> None:
    """Say why no audit is shown, and what to do."""
    named = st.query_params.get(state.AUDIT_PARAM)
    if named:
        notice("mind", f"This workspace has no audit “{named}”. Choose or draw another one.")
    else:
        st.info(f"No audit yet. {what_first}")


def file_actions(audit: str) -> Callable[[Iterable[Mapping[str, Any]]], Sequence[Ack]]:
    """What files a reviewer's actions; it opens the workspace by itself, whenever it is called."""

    def apply(actions: Iterable[Mapping[str, Any]]) -> Sequence[Ack]:
        raw = list(actions)
        try:
            with page_services() as services:
                return services.reviewing(audit).apply(raw)
        except AuditError as error:
            return [Ack(str(action.get("id", "")), str(error)) for action in raw]

    return apply
