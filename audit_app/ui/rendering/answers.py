"""What a group of outputs answers, on a line or a few: calls as calls, the deciding part marked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit_app.domain.record import Json
from audit_app.services.call_diff import Deciding
from audit_app.services.task_views import OutputGroup, answer_calls
from audit_app.ui.rendering.text import bounded, compact_json, indented_json, literal

_ANSWER = 1_200
_ARGUMENT = 300
_CALLS = 12


def group_answer(group: OutputGroup) -> str:
    """The answer of a group as HTML."""
    if group.summary:
        return f'<span class="grow">{literal(group.summary)}</span>'
    calls = answer_calls(group)
    if calls:
        return calls_answer(calls, group.deciding)
    if calls is not None:
        return '<span class="omit grow">no call</span>'
    return text_answer(group.answer)


def text_answer(body: Json) -> str:
    """An answer that is no call: prose as it came, structures as JSON."""
    if body in ("", None):
        return f'<span class="omit grow">{"empty" if body == "" else "nothing stored"}</span>'
    if isinstance(body, str):
        return f'<span class="prose" dir="auto">{bounded(body.strip(), _ANSWER)}</span>'
    return f'<code dir="auto">{bounded(_structure(body), _ANSWER)}</code>'


def _structure(body: Json) -> str:
    flat = compact_json(body)
    return flat if len(flat) <= 120 else indented_json(body)


def calls_answer(calls: Sequence[Mapping[str, Json]], deciding: Deciding | None = None) -> str:
    """Calls, one a line, with the part underlined at which the verdict fell."""
    lines = []
    for index, call in enumerate(calls[:_CALLS]):
        here = deciding if deciding is not None and deciding.index == index else None
        lines += [f"<div>{_call(name, given, here)}</div>" for name, given in call.items()]
    left = len(calls) - _CALLS
    more = f'<div class="omit">and {left} more, see the raw output</div>' if left > 0 else ""
    return f'<code class="calls" dir="auto">{"".join(lines)}{more}</code>'


def _call(name: str, given: Json, deciding: Deciding | None) -> str:
    title = bounded(name, _ARGUMENT)
    if deciding is not None and deciding.argument is None:
        title = f"<mark>{title}</mark>"
    if not isinstance(given, Mapping):
        return f"{title}({bounded(compact_json(given), _ANSWER)})"
    parts = []
    for argument, value in given.items():
        text = bounded(f"{argument}={compact_json(value)}", _ARGUMENT)
        is_deciding = deciding is not None and deciding.argument == argument
        parts.append(f"<mark>{text}</mark>" if is_deciding else text)
    return f"{title}({', '.join(parts)})"
