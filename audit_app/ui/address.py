"""The address bar: what a choice on the page puts there, kept against messages under way.

Every message of the browser carries the address that it saw. One that left just before a choice
reached the browser, as a draft does when its field loses the focus, would bring the old audit or
person back and undo the choice.
"""

from __future__ import annotations

from collections.abc import Mapping
from time import monotonic
from typing import NamedTuple

import streamlit as st

from audit_app.ui import state

_UNDER_WAY_S = 5.0
"""How old such a message may be; after that the old address is one that the person went back to."""

_WHERE = (state.AUDIT_PARAM, state.AS_PARAM)


class _Choice(NamedTuple):
    left: Mapping[str, str]
    taken: Mapping[str, str]
    at: float


def _place(query: Mapping[str, str]) -> dict[str, str]:
    return {name: query[name] for name in _WHERE if query.get(name)}


def take_address(query: Mapping[str, str]) -> None:
    """Put a choice of audit or person in the address bar; everything else leaves it."""
    left = _place(st.query_params.to_dict())
    st.session_state[state.ADDRESS] = _Choice(left, dict(query), monotonic())
    st.query_params.from_dict(query)


def keep_address() -> None:
    """At the start of a run: put a choice back that a message under way would undo."""
    choice = st.session_state.get(state.ADDRESS)
    if choice is None:
        return
    if monotonic() - choice.at > _UNDER_WAY_S:
        del st.session_state[state.ADDRESS]
    elif _place(st.query_params.to_dict()) == choice.left:
        st.query_params.from_dict(choice.taken)
