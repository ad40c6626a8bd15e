"""The Streamlit end of a desk's log: what the browser sent, and what became of each action.

The browser owns what is on screen. It sends an append-only log of actions and repeats what has not
been answered; a run answers every action by id, and an answered id is not applied again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, TypeAlias

import streamlit as st

from audit_app.services.judging import Ack

Apply: TypeAlias = Callable[[Iterable[Mapping[str, Any]]], Sequence[Ack]]
"""Files raw actions in order and says of each what became of it; idempotent by id, and callable
after the run that passed it on (so it opens what it needs by itself)."""


def mount(key: str) -> str:
    """The key of a desk as Streamlit may have it: its own separator must not occur in it."""
    return f"desk-{sha256(key.encode('utf-8', 'replace')).hexdigest()[:16]}"


def sent(key: str) -> Mapping[str, Any]:
    """What the browser sent last, empty before the first time."""
    state = st.session_state.get(mount(key))
    value = state.get("sent") if isinstance(state, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def held(message: Mapping[str, Any]) -> Mapping[str, str]:
    """Task id → digest of the views that the browser says it holds."""
    have = message.get("have")
    return have if isinstance(have, Mapping) else {}


def full_texts(message: Mapping[str, Any]) -> frozenset[str]:
    """Tasks whose very long texts are wanted whole."""
    return frozenset(task for task in message.get("full", ()) if isinstance(task, str))


def answers(key: str) -> dict[str, Ack]:
    """Answers given in this session to actions that are still in the browser's log."""
    given: dict[str, Ack] = st.session_state.setdefault(f"{mount(key)}/answers", {})
    return given


def number(message: Mapping[str, Any]) -> int:
    """The number of the message, which the answer repeats; 0 before the first."""
    count = message.get("count")
    return count if isinstance(count, int) else 0


def answer_log(key: str, apply: Apply) -> Mapping[str, Any]:
    """Apply what the browser sent and has no answer yet; the message it came with.

    Args:
        key: Key of the desk.
        apply: Files the actions. It answers each one and raises nothing for a refused one, so
            that one failure cannot hold up the others.
    """
    message = sent(key)
    log = [raw for raw in message.get("log", ()) if isinstance(raw, dict)]
    given = answers(key)
    listed = {str(raw.get("id")) for raw in log}
    for forgotten in set(given) - listed:
        del given[forgotten]
    actions = [raw for raw in log if str(raw.get("id")) not in given]
    given.update({ack.id: ack for ack in (apply(actions) if actions else ())})
    return message
