"""The Streamlit end of the task browser: mounts the component and follows where it leads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from importlib.resources import files
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from audit_app.ui.keys import Binding

_KEY = "task_browser"
_LOOKS = ("next_group", "raw", "toggle_key")
"""Actions of the review desk that only look."""


@cache
def _assets() -> tuple[str, str]:
    here, desk = (
        files(f"audit_app.ui.components.{name}") for name in ("task_browser", "review_desk")
    )
    script = [(desk / "js" / "dom.js"), here / "browser.js"]
    style = [desk / "desk.css", here / "browser.css"]
    text = ["\n".join(part.read_text("utf-8") for part in parts) for parts in (script, style)]
    return text[0], text[1]


@cache
def _component() -> ComponentRenderer:
    script, style = _assets()
    return st.components.v2.component("assay_task_browser", js=script, css=style)


def task_browser(
    html: str, *, whole: str, bindings: Sequence[Binding], go: Callable[[str], None]
) -> None:
    """Draw the browser, which fills the window beside the rail.

    Args:
        html: What it shows, escaped.
        whole: The address at which nothing is left out of long texts.
        bindings: The keys of the review desk, of which those that only look act here too.
        go: Takes the address, as ``?…``, of a link or a search that the person followed.
    """
    _component()(
        key=_KEY,
        data={"html": html, "whole": whole, "keys": _keys(bindings), "dark": _is_dark()},
        on_go_change=partial(_follow, go),
    )


def _keys(bindings: Sequence[Binding]) -> list[dict[str, str]]:
    return [
        {"action": binding.action, "key": chord, "label": binding.label}
        for binding in bindings
        if binding.action in _LOOKS
        for chord in binding.chords
    ]


def _is_dark() -> bool:
    return st.context.theme.type == "dark"


def _follow(go: Callable[[str], None]) -> None:
    sent: Any = st.session_state.get(_KEY)
    address = sent.get("go") if sent else None
    if isinstance(address, str):
        go(address)
