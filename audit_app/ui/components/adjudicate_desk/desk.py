"""The Streamlit end of the adjudicator's desk: mounts it, takes its actions, answers them."""

from __future__ import annotations

from functools import cache, partial
from importlib.resources import files

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from audit_app.services.key_trial import read_request
from audit_app.ui.components.adjudicate_desk.state import (
    AdjudicateRequest,
    AdjudicateState,
    payload,
)
from audit_app.ui.components.desk.action_log import (
    Apply,
    answer_log,
    answers,
    full_texts,
    held,
    mount,
    number,
    sent,
)

_SCRIPTS = (
    ("review_desk", ("dom", "memory", "form", "fields", "trial", "drawer")),
    ("desk", ("panes", "keyboard", "wire", "messages", "help", "address")),
    ("adjudicate_desk", ("cases", "choice", "panel", "chrome", "acts", "desk")),
)
"""Parts of the browser's code, by component, in the order in which they are joined."""


@cache
def _assets() -> tuple[str, str]:
    home = files("audit_app.ui.components")
    script = "\n".join(
        (home / name / "js" / f"{part}.js").read_text("utf-8")
        for name, parts in _SCRIPTS
        for part in parts
    )
    sheets = (home / "review_desk" / "desk.css", home / "adjudicate_desk" / "adjudicate.css")
    return script, "\n".join(sheet.read_text("utf-8") for sheet in sheets)


@cache
def _component() -> ComponentRenderer:
    script, style = _assets()
    return st.components.v2.component("assay_adjudicate_desk", js=script, css=style)


def take_decisions(key: str, apply: Apply) -> AdjudicateRequest:
    """Apply what the browser sent and has no answer yet; say what it asks for.

    Args:
        key: Key of the desk.
        apply: Files the actions.
    """
    message = answer_log(key, apply)
    at = message.get("at")
    full = full_texts(message)
    return AdjudicateRequest(
        at=at if isinstance(at, str) else None,
        full=full,
        held=frozenset(held(message)) - full,
        trial=read_request(message.get("regrade")),
    )


def adjudicate_desk(*, key: str, state: AdjudicateState, apply: Apply) -> None:
    """Draw the adjudicator's screen.

    Args:
        key: Key of the desk, the same as for ``take_decisions``.
        state: What is shown.
        apply: As for ``take_decisions``; also called at the start of a run that leaves this page,
            so that what was settled just before is stored all the same.
    """
    message = sent(key)
    _component()(
        key=mount(key),
        data=payload(state, held(message), answers(key).values(), count=number(message)),
        on_sent_change=partial(_take, key, apply),
    )


def _take(key: str, apply: Apply) -> None:
    take_decisions(key, apply)
