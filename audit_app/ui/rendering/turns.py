"""Multi-turn tasks: the chat with the key's calls beside each turn, and what surrounds it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from audit_app.domain.benchmark import Message, Task
from audit_app.domain.record import Json
from audit_app.ui.rendering.prompt import role_word
from audit_app.ui.rendering.prose import said
from audit_app.ui.rendering.text import (
    MOST_ROWS,
    as_text,
    block,
    bounded,
    compact_json,
    counted,
    ends,
    folded,
    indented_json,
    limit_for,
    many,
    name,
)

_INLINE_STATE = 60
"""Values of the start state up to this length (characters) are shown without unfolding."""


def dialogue(task: Task, *, full: bool) -> str:
    """Every turn with the key's calls under it."""
    key = task.key if isinstance(task.key, list) else []
    number = max(len(task.turns), len(key))
    limit = None if full else limit_for(min(number, MOST_ROWS))
    withheld = _withheld(task)

    def row(index: int) -> str:
        messages = task.turns[index] if index < len(task.turns) else ()
        note = withheld.get(index, "")
        spoken = _messages(messages, limit) if messages else _no_message(is_withheld=bool(note))
        calls = key[index] if index < len(key) else None
        return (
            f'<div class="tn">{index + 1}</div>'
            f'<div class="tw">{note}{spoken}{_key_calls(calls)}</div>'
        )

    return f'<div class="conv{many(number)}">{ends(number, "turn", row)}</div>'


def _messages(messages: Sequence[Message], limit: int | None) -> str:
    def row(place: int) -> str:
        return _said(messages[place].role, messages[place].content, limit)

    return ends(len(messages), "message", row)


def _no_message(*, is_withheld: bool) -> str:
    why = (
        "the runner inserts one that says more functions are available."
        if is_withheld
        else "this turn is empty."
    )
    return f'<div class="omit">No message in the data: {why}</div>'


def _said(role: str, content: Json, limit: int | None) -> str:
    who = "" if role == "user" else f'<div class="who">{bounded(role_word(role), 40)}</div>'
    return who + said(role, as_text(content), limit)


def _key_calls(calls: Json) -> str:
    if calls is None:
        inner = '<span class="omit">the key has no such turn</span>'
    elif not calls:
        inner = '<span class="omit">no call listed, so this turn is not graded</span>'
    else:
        listed = calls if isinstance(calls, list) else [calls]
        inner = ends(
            len(listed),
            "call",
            lambda place: f'<code dir="auto">{bounded(as_text(listed[place]), 4_000)}</code>',
        )
    return f'<div class="kk"><span class="kl">Key</span><div class="kc">{inner}</div></div>'


def _withheld(task: Task) -> dict[int, str]:
    """Turn index → the sentence on functions that are withheld until that turn."""
    missed = task.context.get("missed_function")
    if not isinstance(missed, Mapping):
        return {}
    notes = {}
    for turn, functions in missed.items():
        listed = functions if isinstance(functions, list) else [functions]
        names = ", ".join(name(str(function)) for function in listed)
        if str(turn).isdigit():
            notes[int(turn)] = f'<div class="notice">Withheld until this turn: {names}</div>'
    return notes


def start_state(task: Task) -> str:
    """The state each simulated class starts from: small values in line, large ones folded."""
    config = task.context.get("initial_config", task.context.get("initial_state"))
    if not isinstance(config, Mapping) or not config:
        return ""
    return (
        f'<div class="states">{"".join(_class_state(str(k), v) for k, v in config.items())}</div>'
    )


def _class_state(title: str, state: Json) -> str:
    fields = state if isinstance(state, Mapping) else {"state": state}
    small = {k: v for k, v in fields.items() if len(compact_json(v)) <= _INLINE_STATE}
    large = {k: v for k, v in fields.items() if k not in small}
    pairs, others = list(small.items()), list(large.items())

    def pair(place: int) -> str:
        field, value = pairs[place]
        shown = f'<code class="val">{bounded(compact_json(value))}</code>'
        return f"<span>{name(str(field))} {shown}</span>"

    shown = ends(len(pairs), "field", pair)
    more = ends(len(others), "field", lambda place: _large_state(*others[place]))
    empty = '<span class="omit">empty</span>' if not fields else ""
    return f'<div class="state"><b>Start state, {bounded(title, 200)}</b>{shown}{empty}</div>{more}'


def _large_state(field: object, value: Json) -> str:
    text = indented_json(value)
    size = counted(len(value), "part") if isinstance(value, list | dict) else ""
    summary = f'{name(str(field))} <span class="meta">{size}, {len(text):,} characters</span>'
    return folded(summary, block(text, "pre"))


def remarks(task: Task) -> Iterable[str]:
    """Sentences on what the data do not show by themselves."""
    excluded = task.context.get("excluded_function")
    if isinstance(excluded, list) and excluded:
        names = ", ".join(name(str(function)) for function in excluded)
        yield f"Listed as excluded: {names}. The benchmark’s own code does not read this field."
    if "long_context" in task.category:
        yield (
            "Long context: the runner adds filler to the start state when it loads the task; the "
            "data hold the short form shown here."
        )
