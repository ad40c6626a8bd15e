"""The Streamlit end of a panel: escaped markup in the flow of the page, and what it asks for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from importlib.resources import files
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer


@cache
def _assets() -> tuple[str, str]:
    here, desk = (files(f"audit_app.ui.components.{name}") for name in ("confirm", "review_desk"))
    script = [desk / "js" / "dom.js", here / "panel.js"]
    style = [desk / "desk.css", here / "panel.css"]
    text = ["\n".join(part.read_text("utf-8") for part in parts) for parts in (script, style)]
    return text[0], text[1]


@cache
def _component() -> ComponentRenderer:
    script, style = _assets()
    return st.components.v2.component("assay_confirm_panel", js=script, css=style)


def panel(html: str, *, key: str, asked: Callable[[str], None] | None = None) -> None:
    """Draw a panel as high as what it shows.

    Args:
        html: What it shows, escaped.
        key: Its place on the page.
        asked: Takes what a control in it asks for (``data-ask``).
    """
    _component()(key=key, data={"html": html}, on_ask_change=partial(_ask, key, asked))


def _ask(key: str, asked: Callable[[str], None] | None) -> None:
    sent: Any = st.session_state.get(key)
    what = sent.get("ask") if sent else None
    if asked is not None and isinstance(what, str):
        asked(what)
