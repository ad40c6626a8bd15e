"""Who is at the screen: the signed-in person, or the local profile that the address bar names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from audit_app.domain.identity import person_name, signed_in_person
from audit_app.errors import NotAdmittedError, NotSignedInError
from audit_app.services.sign_in import is_loopback
from audit_app.settings import Settings
from audit_app.ui import state
from audit_app.ui.address import take_address


def asks_sign_in(here: Settings) -> bool:
    """Whether the app was started with a sign-in; then nothing is shown without one.

    Once it was, it stays so: where the secrets file breaks or goes away under the running app,
    nobody gets in, rather than everybody.
    """
    return here.secrets is not None or bool(_auth())


def _auth() -> Mapping[str, Any]:
    """The table ``[auth]`` of the secrets, empty where there is none."""
    if not st.secrets.load_if_toml_exists():
        return {}
    auth = st.secrets.get("auth")
    return auth if isinstance(auth, Mapping) else {}


def providers() -> list[str]:
    """Names of the sign-in providers; empty for the one without a name."""
    named = [name for name, table in _auth().items() if isinstance(table, Mapping)]
    return [name for name in named if name != "client_kwargs"] or [""]


def right_address() -> str:
    """Where the app is to be opened for signing in, if it is open under another address."""
    wanted = urlsplit(str(_auth().get("redirect_uri", "")))
    opened = urlsplit(st.context.url or "")
    if not opened.netloc or opened.netloc == wanted.netloc:
        return ""
    return f"{wanted.scheme}://{wanted.netloc}"


def current_person(here: Settings) -> str:
    """The name under which everything is recorded that is done now.

    Raises:
        NotSignedInError: A sign-in is asked for and nobody is signed in.
        NotAdmittedError: Who is signed in may not use this workspace; or the app can be reached
            from elsewhere and asks for no sign-in.
        InputError: The name in the address bar can name nobody.
    """
    if asks_sign_in(here):
        return _signed_in(here)
    address = st.get_option("server.address")
    if address is not None and not is_loopback(str(address)):
        raise NotAdmittedError(
            f"The app listens on {address}, where others can reach it, and no sign-in is set up. "
            "Start it with assay serve, which says what is missing."
        )
    named = st.query_params.get(state.AS_PARAM, "").strip()
    return person_name(named) if named else here.reviewer


def _signed_in(here: Settings) -> str:
    if not _auth():
        raise NotAdmittedError(
            "The sign-in is not set up any more: the secrets file is gone or broken."
        )
    claims = _claims()
    if _digest(claims) in _ended():
        raise NotSignedInError("You signed out. Sign in to go on.")
    return signed_in_person(claims, here.admission, now=datetime.now(UTC), lasts=here.sign_in_lasts)


def _claims() -> dict[str, Any]:
    """Claims of the identity token, without the token itself."""
    return {name: value for name, value in st.user.to_dict().items() if name != "tokens"}


def _digest(claims: Mapping[str, Any]) -> str:
    """What tells one sign-in from all others, those of the same person included."""
    return sha256(json.dumps(claims, sort_keys=True, default=str).encode()).hexdigest()


@st.cache_resource
def _ended() -> set[str]:
    """Sign-ins that were ended; another tab that was opened under one shows nothing more."""
    return set()


def sign_out() -> None:
    """End this sign-in, in every tab of the browser."""
    _ended().add(_digest(_claims()))
    st.logout()


def profile_query(here: Settings) -> dict[str, str]:
    """What a link inside the app carries, so that it opens for the same local profile."""
    if asks_sign_in(here):
        return {}
    person = current_person(here)
    return {state.AS_PARAM: person} if person != here.reviewer else {}


def take_profile(here: Settings, name: str) -> None:
    """Put another local profile in the address bar; the task of the last one leaves it.

    Raises:
        InputError: The name can name nobody.
    """
    person = person_name(name)
    kept = {state.AUDIT_PARAM: st.query_params.get(state.AUDIT_PARAM)}
    chosen = {**kept, state.AS_PARAM: person if person != here.reviewer else None}
    take_address({key: value for key, value in chosen.items() if value})
