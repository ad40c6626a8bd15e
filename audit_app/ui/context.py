"""What every page asks for first: settings, services, and the audit in the address bar."""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import streamlit as st

from audit_app.errors import AuditError, NotAdmittedError, WorkspaceError
from audit_app.services.context import Services, open_services, workspace_exists
from audit_app.services.judging import Ack
from audit_app.settings import Settings, read_settings
from audit_app.ui import state
from audit_app.ui.address import keep_address
from audit_app.ui.components.adjudicate_desk.decisions import decide
from audit_app.ui.components.notices import notice
from audit_app.ui.people import asks_sign_in, current_person
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
def page_services(*, person: str | None = None) -> Iterator[Services]:
    """The services of one run, for who is at the screen; nobody gets past this unadmitted.

    A new workspace is made only where this server never had one.

    Args:
        person: For whom the screen was drawn that sends something; it is theirs also where
            another local profile was chosen meanwhile.

    Raises:
        NotSignedInError: A sign-in is asked for and nobody is signed in.
        NotAdmittedError: Who is signed in may not use the workspace, or is not ``person``.
        WorkspaceError: The file was moved or deleted under the running app, or cannot be opened.
    """
    here = settings()
    now = current_person(here)
    if person is not None and person != now and asks_sign_in(here):
        raise NotAdmittedError(f"not saved: {person} did this, and {now} is signed in now")
    here = replace(here, reviewer=person or now)
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
    keep_address()
    try:
        with page_services() as services:
            render(services)
    except AuditError as error:
        inject_theme()  # where it went wrong before the frame of the page was drawn
        if isinstance(error, WorkspaceError):
            st.html('<header class="bar1"><h1>Assay</h1></header>')
        notice("error", str(error))
        if isinstance(error, WorkspaceError):
            st.html(f'<p class="meta">{_ANOTHER_FILE}</p>')


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


def say_no_audit(what_first: str, *, is_here: bool = False) -> None:
    """Say why no audit is shown, and what to do; with a link unless it is done ``is_here``."""
    named = st.query_params.get(state.AUDIT_PARAM)
    if named:
        notice("mind", f"This workspace has no audit “{named}”. Choose or draw another one.")
    else:
        st.info(f"No audit yet. {what_first}")
        if not is_here:
            next_step("Sample")


def next_step(page: str) -> None:
    """A link to the page on which the work goes on."""
    st.page_link(
        f"ui/pages/{page.lower()}.py", label=f"Go to {page}", icon=":material/arrow_forward:"
    )


_ANOTHER_FILE = (
    "Put the right file in its place and reload the page, or start the app on another one: "
    "<code>assay serve --db PATH</code>, where PATH is a workspace or a new file."
)
Filing: TypeAlias = Callable[[Iterable[Mapping[str, Any]]], Sequence[Ack]]


def file_actions(audit: str, person: str) -> Filing:
    """What files the actions of the person whose desk sends them.

    It opens the workspace by itself, whenever it is called: that can be after another profile
    was chosen.
    """
    return _filing(person, lambda services, raw: services.reviewing(audit).apply(raw))


def file_decisions(audit: str, person: str) -> Filing:
    """What files the decisions of an adjudicator, as ``file_actions`` does a reviewer's actions."""
    return _filing(person, lambda services, raw: decide(services.adjudicating(audit), raw))


def _filing(
    person: str, file: Callable[[Services, Sequence[Mapping[str, Any]]], Sequence[Ack]]
) -> Filing:
    def apply(actions: Iterable[Mapping[str, Any]]) -> Sequence[Ack]:
        raw = list(actions)
        try:
            with page_services(person=person) as services:
                return file(services, raw)
        except AuditError as error:
            return [Ack(str(action.get("id", "")), str(error)) for action in raw]

    return apply
