"""What stands before every page: the sign-in, and the sentence for those who are not admitted."""

from __future__ import annotations

from html import escape

import streamlit as st

from audit_app.errors import AuditError, NotAdmittedError, NotSignedInError
from audit_app.ui.components.notices import notice
from audit_app.ui.context import settings
from audit_app.ui.people import asks_sign_in, current_person, providers, right_address, sign_out
from audit_app.ui.theme import inject_theme


def is_admitted() -> bool:
    """Whether the page may be shown; where it may not, why stands in its place."""
    try:
        current_person(settings())
    except NotSignedInError as error:
        _sign_in_screen(str(error))
    except NotAdmittedError as error:
        _refused_screen(str(error))
    except AuditError as error:
        inject_theme()
        notice("error", str(error))
    else:
        return True
    return False


def _sign_in_screen(sentence: str) -> None:
    inject_theme()
    with st.container(key="gate"):
        elsewhere = right_address()
        if elsewhere:
            st.html(_words(sentence, f"The sign-in works under {elsewhere} only."))
            st.link_button("Go there", elsewhere, type="primary", width="stretch")
            return
        st.html(_words(sentence))
        for provider in providers():
            label = f"Sign in with {provider}" if provider else "Sign in"
            if st.button(label, key=f"sign_in_{provider}", type="primary", width="stretch"):
                st.login(provider or None)


def _refused_screen(sentence: str) -> None:
    inject_theme()
    is_signed_in = asks_sign_in(settings()) and st.user.get("is_logged_in") is True
    advice = ", or sign out and in again with another account" if is_signed_in else ""
    with st.container(key="gate"):
        st.html(_words(sentence, f"Ask whoever runs this workspace{advice}."))
        if is_signed_in:
            st.button("Sign out", key="gate_sign_out", on_click=sign_out, width="stretch")


def _words(*sentences: str) -> str:
    said = "".join(f"<p><bdi>{escape(sentence)}</bdi></p>" for sentence in sentences)
    return f'<div class="gate" role="status"><h1>Assay</h1>{said}</div>'
