"""The Streamlit end of the review desk: mounts the component, takes its actions, answers them.

The browser owns what is on screen. It sends an append-only log of actions and repeats what has not
been answered; a run answers every action by id, and an answered id is not applied again. A page
calls ``take_actions`` first, builds the state from what is stored then, and draws it.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from typing import Any

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer

from audit_app.services.judging import Ack
from audit_app.services.key_trial import read_request
from audit_app.ui.components.review_desk.state import (
    Apply,
    DeskRequest,
    DeskState,
    payload,
)

_SCRIPTS = (
    "dom",
    "memory",
    "queue",
    "form",
    "fields",
    "trial",
    "drawer",
    "panes",
    "chrome",
    "acts",
    "desk",
)
"""Parts of the browser's code in the order in which they are joined into one module."""


@cache
def _assets() -> tuple[str, str]:
    folder = files("audit_app.ui.components.review_desk")
    script = "\n".join((folder / "js" / f"{part}.js").read_text("utf-8") for part in _SCRIPTS)
    return script, (folder / "desk.css").read_text("utf-8")


@cache
def _component() -> ComponentRenderer:
    script, style = _assets()
    return st.components.v2.component("assay_review_desk", js=script, css=style)


def _mount(key: str) -> str:
    """The key as Streamlit may have it: its own separator must not occur in it."""
    return f"desk-{sha256(key.encode('utf-8', 'replace')).hexdigest()[:16]}"


def _sent(key: str) -> Mapping[str, Any]:
    """What the browser sent last, empty before the first time."""
    state = st.session_state.get(_mount(key))
    sent = state.get("sent") if isinstance(state, Mapping) else None
    return sent if isinstance(sent, Mapping) else {}


def _held(sent: Mapping[str, Any]) -> Mapping[str, str]:
    """Task id → digest of the views that the browser says it holds."""
    have = sent.get("have")
    return have if isinstance(have, Mapping) else {}


def _answers(key: str) -> dict[str, Ack]:
    """Answers given in this session to actions that are still in the browser's log."""
    answers: dict[str, Ack] = st.session_state.setdefault(f"{_mount(key)}/answers", {})
    return answers


def take_actions(key: str, apply: Apply) -> DeskRequest:
    """Apply what the browser sent and has no answer yet; say what it asks for.

    Args:
        key: Key of the desk.
        apply: Files the actions. It answers each one and raises nothing for a refused one, so
            that one failure cannot hold up the others.
    """
    sent = _sent(key)
    log = [raw for raw in sent.get("log", ()) if isinstance(raw, dict)]
    answers = _answers(key)
    listed = {str(raw.get("id")) for raw in log}
    for forgotten in set(answers) - listed:
        del answers[forgotten]
    actions = [raw for raw in log if str(raw.get("id")) not in answers]
    answers.update({ack.id: ack for ack in (apply(actions) if actions else ())})
    at = sent.get("at")
    full = frozenset(task for task in sent.get("full", ()) if isinstance(task, str))
    return DeskRequest(
        at=at if isinstance(at, str) else None,
        full=full,
        held=frozenset(_held(sent)) - full,
        trial=read_request(sent.get("regrade")),
    )


def review_desk(*, key: str, state: DeskState, apply: Apply) -> None:
    """Draw the review screen.

    Args:
        key: Key of the desk, the same as for ``take_actions``.
        state: What is shown.
        apply: As for ``take_actions``; also called at the start of a run that leaves this page,
            so that a judgement made just before is stored all the same.
    """
    sent = _sent(key)
    count = sent.get("count")
    answered = count if isinstance(count, int) else 0
    _component()(
        key=_mount(key),
        data=payload(state, _held(sent), _answers(key).values(), count=answered),
        on_sent_change=partial(_take, key, apply),
    )


def _take(key: str, apply: Apply) -> None:
    take_actions(key, apply)
