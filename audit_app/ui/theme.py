"""The look of every page: tokens, quiet chrome, and room for the review desk."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

import streamlit as st

_FULL_BLEED = """
[data-testid="stMainBlockContainer"] { padding: 0 !important; max-width: none !important; }
[data-testid="stMain"] { overflow: hidden; }
[data-testid="stToolbar"] { display: none; }
[data-testid="stMain"] [data-testid="stVerticalBlock"] { gap: 0 !important; }
[data-testid="stMain"]:not(:has([data-testid="stBidiComponentIsolated"]))::before {
  content: "Loading …"; position: absolute; top: 15px; left: 16px;
  color: var(--muted); font-size: 13px; animation: a-late 0s 400ms both;
}
"""


@cache
def _style() -> str:
    return (files("audit_app.ui") / "assay.css").read_text("utf-8")


def inject_theme(*, full_bleed: bool = False) -> None:
    """Put Assay's style sheet on the page.

    Args:
        full_bleed: Whether the page fills the window beside the rail, without padding or scrolling
            of its own, as the review screen does.
    """
    st.html(f"<style>{_style()}{_FULL_BLEED if full_bleed else ''}</style>")
