"""Which key is proposed: that of the person's own finding or draft, or one typed here."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from audit_app.services.confirming import OwnFinding

_NONE = "None: only the published key"
_OWN = "Typed here"


def proposed_key(task: str, findings: Sequence[OwnFinding], published: str) -> str | None:
    """The text of the proposed key, None where there is none.

    Args:
        task: The task.
        findings: The person's own findings and drafts on it.
        published: The published key as JSON text, what one typed here starts from.
    """
    texts = {
        f"Of your finding: {finding.words}": finding.proposed_key
        for finding in findings
        if finding.proposed_key is not None
    }
    options = [*texts, _OWN, _NONE]
    chosen = st.selectbox(
        "Proposed key", options, index=0 if texts else len(options) - 1, key=f"confirm_from/{task}"
    )
    if chosen == _NONE:
        return None
    start = texts.get(chosen) or published
    typed = st.text_area(
        "As JSON; changed here it is tried, not saved",
        value=start,
        height=84,
        key=f"confirm_proposed/{task}/{chosen}",
    )
    return typed if typed.strip() else None
