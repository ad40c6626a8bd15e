"""Answer keys, rendered for people: what is accepted, what may be left out, what is missing."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.domain.record import Json
from audit_app.ui.rendering.text import (
    block,
    bounded,
    code,
    counted,
    fitting,
    indented_json,
    name,
)

OMITTED = ""
"""The accepted value that says: this argument may be left out."""

_CALL_NAME = re.compile(r"\s*([\w.]+)\s*\(")
_DEEPEST = 6
_SHORT = 28
_KEYED = '<span class="tag key">key</span>'


def called_functions(task: Task) -> frozenset[str]:
    """Names of the functions that the key calls; of ``Class.method`` also the bare method."""
    if task.key_kind is KeyKind.CALLS and isinstance(task.key, list):
        return frozenset(
            str(function) for call in task.key if isinstance(call, Mapping) for function in call
        )
    if task.key_kind is KeyKind.CALL_TURNS and isinstance(task.key, list):
        names = {
            found[1]
            for turn in task.key
            for call in (turn if isinstance(turn, list) else [turn])
            if (found := _CALL_NAME.match(str(call)))
        }
        return frozenset(names | {full.rsplit(".", 1)[-1] for full in names})
    return frozenset()


def key_summary(task: Task) -> str:
    """What the key expects, in a few words."""
    key = task.key
    size = len(key) if isinstance(key, list) else 0
    match task.key_kind:
        case KeyKind.CALLS:
            return f"{counted(size, 'call')} expected"
        case KeyKind.NO_CALL:
            return "no call expected"
        case KeyKind.SOME_CALL:
            return "any call accepted"
        case KeyKind.CALL_TURNS:
            return f"{counted(size, 'key turn')}"
        case KeyKind.TEXTS:
            return counted(size, "accepted text")
        case KeyKind.VALUE:
            return counted(size, "accepted value") if size else "one accepted value"
        case KeyKind.MISSING:
            return "no key: evidence missing"


def answer_key(task: Task) -> str:
    """The key as HTML; empty for ``CALL_TURNS``, whose calls stand beside their turns."""
    match task.key_kind:
        case KeyKind.CALLS:
            return _calls(task.key)
        case KeyKind.NO_CALL:
            return _statement("No call.", "The only right answer is to call nothing.")
        case KeyKind.SOME_CALL:
            return _statement("Any call.", "Some call must be made; which one is not compared.")
        case KeyKind.CALL_TURNS:
            return ""
        case KeyKind.TEXTS:
            return _texts(task.key)
        case KeyKind.VALUE:
            return _value(task)
        case KeyKind.MISSING:
            return _statement(
                "Evidence missing:",
                "the source gives no key for this task, so nothing here can be called right.",
            )


def _statement(head: str, rest: str) -> str:
    return f'<p class="keyans"><b>{head}</b> {rest}</p>'


def _raw(key: Json) -> str:
    return block(indented_json(key), "pre")


def _calls(key: Json) -> str:
    if not isinstance(key, list) or not all(isinstance(call, Mapping) for call in key):
        return _raw(key)
    several = len(key) > 1
    return "".join(
        _call(f"Call {number} of {len(key)}" if several else "Call", function, arguments)
        for number, call in enumerate(key, 1)
        for function, arguments in call.items()
    )


def _call(title: str, function: str, arguments: Json) -> str:
    if not isinstance(arguments, Mapping):
        rows = f'<tr><td colspan="3">{code(arguments)}</td></tr>'
    elif not arguments:
        rows = '<tr><td colspan="3" class="omit">no argument</td></tr>'
    else:
        rows = "".join(_argument(str(field), values) for field, values in arguments.items())
    return f"{_call_head(title, str(function))}<tbody>{rows}</tbody></table>"


def _call_head(title: str, function: str) -> str:
    call = f'{title} <code class="call">{bounded(function, 300)}</code>'
    first, caption = call, ""
    if len(function) > _SHORT:
        first, caption = "Argument", f"<caption>{call}</caption>"
    return (
        f'<table class="grid">{caption}<thead><tr><th scope="col">{first}</th>'
        '<th scope="col">Accepted values</th><th scope="col">May be omitted</th></tr></thead>'
    )


def _argument(field: str, values: Json) -> str:
    return (
        f"<tr><td{fitting(field, _SHORT)}>{name(field)}</td><td>{alternatives(values)}</td>"
        f"<td>{'yes' if _omissible(values) else 'no'}</td></tr>"
    )


def _omissible(values: Json) -> bool:
    return isinstance(values, list) and OMITTED in values


def alternatives(values: Json, depth: int = 0) -> str:
    """Accepted values of one argument, joined by "or"; the omission marker is left out."""
    if not isinstance(values, list):
        return code(values)
    shown = [value for value in values if value != OMITTED]
    if not shown:
        return '<span class="omit">only when left out</span>' if values else "nothing"
    return ' <span class="or">or</span> '.join(_accepted(value, depth) for value in shown)


def _accepted(value: Json, depth: int) -> str:
    if depth < _DEEPEST and isinstance(value, Mapping) and value:
        return f'<div class="nest">{"".join(_members(value, depth))}</div>'
    if depth < _DEEPEST and isinstance(value, list) and any(isinstance(v, Mapping) for v in value):
        items = "".join(
            f'<div class="item"><span class="meta">item {number}</span>'
            f"{_accepted(item, depth + 1)}</div>"
            for number, item in enumerate(value, 1)
        )
        return f'<div class="nest">{items}</div>'
    return code(value)


def _members(value: Mapping[str, Json], depth: int) -> Iterable[str]:
    for field, values in value.items():
        omit = ' <span class="omit">or omitted</span>' if _omissible(values) else ""
        yield f"<div>{name(str(field))}: {alternatives(values, depth + 1)}{omit}</div>"


def _texts(key: Json) -> str:
    if not isinstance(key, list):
        return _raw(key)
    items = "".join(f"<li>{block(_plain(text), 'alt', 4_000)}</li>" for text in key)
    lead = "One of these texts must occur" if len(key) > 1 else "This text must occur"
    return f'<p class="meta">{lead} in the final message:</p><ul class="alts">{items}</ul>'


def _plain(value: Json) -> str:
    return value if isinstance(value, str) else indented_json(value)


def _value(task: Task) -> str:
    accepted = task.key if isinstance(task.key, list) else [task.key]
    choices = task.context.get("choices")
    if isinstance(choices, list | dict) and choices:
        return _choices(choices, accepted)
    items = "".join(f"<li>{block(_plain(value), 'alt')}</li>" for value in accepted)
    return f'<ul class="alts">{items}</ul>'


def _choices(choices: Sequence[Json] | Mapping[str, Json], accepted: Sequence[Json]) -> str:
    labelled = (
        [(str(label), choice) for label, choice in choices.items()]
        if isinstance(choices, Mapping)
        else [(letter(index), choice) for index, choice in enumerate(choices)]
    )
    keyed = [
        _is_keyed(index, label, choice, accepted) for index, (label, choice) in enumerate(labelled)
    ]
    rows = "".join(
        f'<tr class="{"keyed" if is_keyed else ""}"><td>{bounded(label, 80)}</td>'
        f"<td>{block(_plain(choice), 'alt', 4_000)}</td>"
        f"<td>{_KEYED if is_keyed else ''}</td></tr>"
        for (label, choice), is_keyed in zip(labelled, keyed, strict=True)
    )
    note = "" if any(keyed) else '<p class="foot-note warn">The key names none of the choices.</p>'
    values = ", ".join(code(value) for value in accepted)
    return f'<table class="grid choices">{rows}</table>{note}<p class="foot-note">Key: {values}</p>'


def letter(index: int) -> str:
    """The letter of a choice: A, B, …, then its number."""
    return chr(ord("A") + index) if index < 26 else str(index + 1)


def _is_keyed(index: int, label: str, choice: Json, accepted: Sequence[Json]) -> bool:
    """Whether the key names this choice: by its text, its letter or its position from 0."""
    for value in accepted:
        if isinstance(value, bool) or value is None:
            continue
        if value == choice or (isinstance(value, int) and value == index):
            return True
        if isinstance(value, str) and value.strip().upper() == label.upper():
            return True
    return False
