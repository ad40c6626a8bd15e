"""The app: navigation only, behind the gate. Start it with ``assay serve``."""

from __future__ import annotations

import streamlit as st

from audit_app.ui.frame import pages, set_page_config
from audit_app.ui.gate import is_admitted

set_page_config()
page = st.navigation(list(pages().values()), position="hidden")
if is_admitted():
    page.run()
