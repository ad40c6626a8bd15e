"""The app: navigation only. Start it with ``assay serve``."""

from __future__ import annotations

import streamlit as st

from audit_app.ui.frame import pages, set_page_config

set_page_config()
st.navigation(list(pages().values()), position="hidden").run()
