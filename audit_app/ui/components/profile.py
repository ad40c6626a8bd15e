"""The foot of the rail: who judges, and where it is saved."""

from __future__ import annotations

import streamlit as st

from audit_app.errors import InputError
from audit_app.services.context import Services
from audit_app.ui import state
from audit_app.ui.components.notices import notice
from audit_app.ui.components.place import place_line
from audit_app.ui.context import settings
from audit_app.ui.people import asks_sign_in, sign_out, take_profile
from audit_app.ui.rendering.text import attribute, literal


def person_block(services: Services, saved: str) -> None:
    """Draw the foot.

    Args:
        services: Say who it is and which names the workspace knows.
        saved: When the last judgement was saved and in which file, in words.
    """
    with st.container(key="rail_foot"):
        if asks_sign_in(settings()):
            _signed_in(services.person)
        else:
            _local_profile(services)
        st.html(place_line(settings().db, saved))


def _signed_in(person: str) -> None:
    st.html(
        f'<div class="a-who"><b title="{attribute(person)}"><bdi>{literal(person)}</bdi></b></div>'
    )
    st.button("Sign out", key="sign_out", on_click=sign_out, type="tertiary")


def _local_profile(services: Services) -> None:
    names = list(dict.fromkeys([services.person, settings().reviewer, *services.people()]))
    # Who is on the page, also where the address bar chose it.
    st.session_state[state.PROFILE_CHOICE] = services.person
    st.selectbox(
        "Judging as (or type a name)",
        names,
        key=state.PROFILE_CHOICE,
        on_change=_choose,
        accept_new_options=True,
        placeholder="Your name",
    )
    problem = st.session_state.pop(state.PROFILE_PROBLEM, "")
    if problem:
        notice("error", problem)


def _choose() -> None:
    """Take up the profile that was chosen or typed; a cleared field changes nothing."""
    chosen = st.session_state[state.PROFILE_CHOICE]
    if not chosen:
        return
    try:
        take_profile(settings(), chosen)
    except InputError as error:
        st.session_state[state.PROFILE_PROBLEM] = str(error)
