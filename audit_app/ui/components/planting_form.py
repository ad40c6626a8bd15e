"""Mixing planted checks into the queues of an audit, on the page."""

from __future__ import annotations

import streamlit as st

from audit_app.controls.known_clean import listed_clean
from audit_app.errors import AuditError
from audit_app.services.context import Services
from audit_app.services.files import decoded_text
from audit_app.ui import state
from audit_app.ui.components.notices import notice


def planting_form(services: Services, audit: str) -> None:
    """The form that plants the checks, or a word on those that are planted."""
    planted = services.planted(audit)
    if planted.are_planted():
        st.html('<p class="say">Checks are mixed into the queues; they stay as they are.</p>')
        return
    with st.form(f"{state.PLANT_FORM}/{audit}", border=False):
        columns = st.columns(2)
        seed = columns[0].text_input(
            "Seed of the planted checks",
            placeholder="a fresh one; whoever knows it can tell the checks",
            key=f"plant_seed/{audit}",
        )
        clean = columns[1].file_uploader(
            "Tasks known to be clean: a file with one id a line", key=f"plant_clean/{audit}"
        )
        if not st.form_submit_button("Plant the checks"):
            return
    try:
        listed = (
            []
            if clean is None
            else listed_clean(decoded_text(clean.getvalue(), clean.name), source=clean.name)
        )
        number = len(planted.plant(seed or services.clock.new_id(), listed))
    except AuditError as error:
        notice("error", str(error))
        return
    st.session_state[state.FLASH] = f"{number} checks are mixed into the queues, unmarked."
    st.rerun()
