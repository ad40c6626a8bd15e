"""Keys that a person types: held in this process's memory alone, and gone when it ends."""

from __future__ import annotations

from functools import partial

import streamlit as st
from pydantic import SecretStr

from audit_app.domain.conditions import Endpoint, EndpointKind
from audit_app.errors import AuditError
from audit_app.rerun.keys import checked_key
from audit_app.ui.components.notices import notice
from audit_app.ui.rendering.text import literal

_FIELD = "confirm_key"
_PROBLEM = "confirm_key_problem"


@st.cache_resource
def _typed() -> dict[tuple[str, str], SecretStr]:
    """(person, address) → key."""
    return {}


def typed_key(person: str, endpoint: Endpoint) -> SecretStr | None:
    """The key that the person typed for an endpoint, None where none was."""
    return _typed().get((person, endpoint.url))


def key_section(person: str, endpoint: Endpoint, *, in_environment: bool) -> None:
    """Say where a key would be read from and whether it is there; let one be typed."""
    if endpoint.kind is EndpointKind.RECORDED:
        st.html('<p class="meta">Answers given before: nothing is sent, no key is needed.</p>')
        return
    typed = typed_key(person, endpoint) is not None
    st.html(f'<p class="meta">{_words(endpoint, in_environment, typed=typed)}</p>')
    problem = st.session_state.pop(_PROBLEM, "")
    if problem:
        notice("error", problem)
    with st.expander("Type a key for this server process", key="confirm_key_fold"):
        if typed:
            st.button(
                "Forget the typed key",
                key="confirm_key_forget",
                on_click=partial(_forget, person, endpoint),
            )
        else:
            _key_form(person, endpoint)


def _key_form(person: str, endpoint: Endpoint) -> None:
    with st.form("confirm_key_form", clear_on_submit=True, border=False):
        st.text_input(
            "Key (kept in memory until the server ends, stored nowhere)",
            type="password",
            key=_FIELD,
            autocomplete="off",
        )
        st.form_submit_button("Use this key", on_click=partial(_take, person, endpoint))


def _words(endpoint: Endpoint, in_environment: bool, *, typed: bool) -> str:
    variable = f"<code>{literal(endpoint.key_variable)}</code>"
    if typed:
        return f"Key: typed, in the memory of this server process. {variable} is not used."
    if in_environment:
        return f"Key: in the environment, as {variable} or the vendor’s own variable."
    return f"Key: none in {variable}. Many local servers need none."


def _take(person: str, endpoint: Endpoint) -> None:
    """Move what was typed out of the session at once."""
    given = SecretStr(st.session_state.get(_FIELD, "").strip())
    st.session_state[_FIELD] = ""
    if not given.get_secret_value():
        return
    try:
        _typed()[person, endpoint.url] = checked_key(given, "the field")
    except AuditError as error:
        st.session_state[_PROBLEM] = str(error)


def _forget(person: str, endpoint: Endpoint) -> None:
    _typed().pop((person, endpoint.url), None)
