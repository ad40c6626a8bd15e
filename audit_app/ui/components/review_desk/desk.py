"""The Streamlit end of the review desk: mounts the component, takes its actions, answers them.

The browser owns what is on screen. A page calls ``take_actions`` first, builds the state from what
is stored then, and draws it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from importlib.resources import files
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from audit_app.services.key_trial import read_request
from audit_app.ui.components.desk.action_log import (
    Apply,
    answer_log,
    answers,
    full_texts,
    held,
    mount,
    sent,
)
from audit_app.ui.components.review_desk.sending import SentQueue, payload
from audit_app.ui.components.review_desk.state import AHEAD, LEAST_AHEAD, DeskRequest, DeskState

_SCRIPTS = (
    ("review_desk", ("dom", "memory", "filters", "queue", "form", "fields", "trial", "drawer")),
    ("desk", ("panes", "keyboard", "wire", "messages", "help", "address")),
    ("review_desk", ("compare", "ending", "clock", "filterbar", "above", "strip", "chrome")),
    ("review_desk", ("acts", "receive", "desk")),
)
"""Parts of the browser's code, by component, in the order in which they are joined."""

_MOST_PROSE = 4
"""Tasks rendered as Markdown in one run."""


@cache
def _assets() -> tuple[str, str]:
    home = files("audit_app.ui.components")
    script = "\n".join(
        (home / name / "js" / f"{part}.js").read_text("utf-8")
        for name, parts in _SCRIPTS
        for part in parts
    )
    sheets = (home / "review_desk" / f"{name}.css" for name in ("desk", "review"))
    return script, "\n".join(sheet.read_text("utf-8") for sheet in sheets)


@cache
def _component() -> ComponentRenderer:
    script, style = _assets()
    return st.components.v2.component("assay_review_desk", js=script, css=style)


def take_actions(key: str, apply: Apply) -> DeskRequest:
    """Apply what the browser sent and has no answer yet; say what it asks for.

    Args:
        key: Key of the desk.
        apply: Files the actions. It answers each one and raises nothing for a refused one, so
            that one failure cannot hold up the others.
    """
    message = answer_log(key, apply)
    at, ahead = message.get("at"), message.get("ahead")
    full = full_texts(message)
    return DeskRequest(
        at=at if isinstance(at, str) else None,
        coming=_texts(message, "coming")[:AHEAD],
        ahead=min(max(ahead, LEAST_AHEAD), AHEAD) if isinstance(ahead, int) else AHEAD,
        full=full,
        held=frozenset(held(message)) - full,
        trial=read_request(message.get("regrade")),
        prose=_texts(message, "prose")[:_MOST_PROSE],
        facets=message.get("facets") is True,
    )


def _texts(message: Mapping[str, Any], name: str) -> tuple[str, ...]:
    value = message.get(name)
    return tuple(text for text in value if isinstance(text, str)) if isinstance(value, list) else ()


def review_desk(*, key: str, state: DeskState, apply: Apply) -> None:
    """Draw the review screen.

    Args:
        key: Key of the desk, the same as for ``take_actions``.
        state: What is shown.
        apply: As for ``take_actions``; also called at the start of a run that leaves this page,
            so that a judgement made just before is stored all the same.
    """
    queue: SentQueue = st.session_state.setdefault(f"{mount(key)}/queue", SentQueue())
    _component()(
        key=mount(key),
        data=payload(state, sent(key), answers(key).values(), sent=queue),
        on_sent_change=partial(_take, key, apply),
    )


def _take(key: str, apply: Apply) -> None:
    take_actions(key, apply)
