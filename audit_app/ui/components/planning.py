"""Before the first draw: what the rule will do at each true rate, and how many tasks to read."""

from __future__ import annotations

from base64 import b64encode
from html import escape

import streamlit as st

from audit_app.errors import AuditError
from audit_app.reporting.operating_chart import operating_picture, operating_words
from audit_app.services.audits import Preview
from audit_app.services.operating import (
    operating_characteristics,
    size_for_decision,
    size_for_width,
)
from audit_app.ui.components.blocks import heading, text
from audit_app.ui.components.notices import notice


def planning_block(preview: Preview) -> None:
    """The chart of the rule with its reading, and the two questions about the sample's size."""
    st.html(heading("What the rule will do"))
    try:
        found = operating_characteristics(preview)
    except AuditError as error:
        notice("mind", str(error))
        return
    # As an image: Streamlit takes SVG elements out of HTML.
    encoded = b64encode(operating_picture(found).encode()).decode()
    st.html(
        f'<p class="say">{text(found.reading())}</p>'
        f'<img class="operating" src="data:image/svg+xml;base64,{encoded}" '
        f'alt="{escape(operating_words(found))}">'
    )
    with st.expander("How many tasks to read", key="planning"):
        try:
            _sizes(preview)
        except AuditError as error:
            notice("error", str(error))


def _sizes(preview: Preview) -> None:
    columns = st.columns(4)
    width = columns[0].number_input(
        "Half-width, %", 0.5, 49.0, 10.0, 0.5, format="%g", key="plan_half_width"
    )
    rate = columns[1].number_input(
        "Expected rate, %", 0.0, 100.0, 20.0, 1.0, format="%g", key="plan_rate"
    )
    margin = columns[2].number_input(
        "Margin, %", 0.5, 20.0, 10.0, 0.5, format="%g", key="plan_margin"
    )
    error = columns[3].number_input("Error, %", 0.1, 50.0, 5.0, 0.5, format="%g", key="plan_error")
    sentences = (
        size_for_width(preview, half_width=width / 100, expected_rate=rate / 100).sentence(),
        size_for_decision(preview, margin=margin / 100, error=error / 100).sentence(),
    )
    st.html("".join(f'<p class="say">{text(sentence)}</p>' for sentence in sentences))
