"""That the rubric's file differs from the rubric of an audit, with the form that adopts it."""

from __future__ import annotations

import streamlit as st

from audit_app.services.audits import AuditView
from audit_app.services.context import Services
from audit_app.ui.components.dossier_panel import act
from audit_app.ui.components.notices import notice


def rubric_file_note(services: Services, view: AuditView) -> None:
    """The warning, and what was adopted before; nothing where file and audit say the same."""
    for entry in view.dossier.adopted:
        notice(
            "mind",
            f"On {entry.at.date().isoformat()} {entry.by} adopted another state of the rubric: "
            f"{'; '.join(entry.body.differences)}. Reason given: {entry.body.reason}",
        )
    if not view.rubric_note:
        return
    notice("mind", view.rubric_note)
    with st.form(f"adopt_form/{view.audit.name}", border=False):
        reason = st.text_input("Why the file's rubric is adopted half-way", key="adopt_reason")
        if st.form_submit_button("Adopt the file as it is now"):
            act(
                lambda: services.courses.adopt(view.audit.name, None, reason),
                "The rubric is adopted; the one before stays on record.",
            )
