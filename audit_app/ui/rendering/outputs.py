"""Model outputs by answer: who said it, how it was graded, the raw text one key away."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from audit_app.domain.benchmark import OutputStatus
from audit_app.domain.record import Json
from audit_app.services.task_views import OutputGroup, RawOutput, TaskView
from audit_app.ui.rendering.text import (
    bounded,
    compact_json,
    counted,
    folded,
    limit_for,
    literal,
)

_ANSWER = 1_200
_NAMED = 12
_FOLD_LINES = 2_400


def outputs_pane(view: TaskView, *, full: bool) -> str:
    """The whole right pane: head, groups, or a word on why there is none."""
    is_tagged = view.simulated and view.groups
    tag = '<span class="tag sim">simulated</span>' if is_tagged else ""
    head = (
        '<div class="ph"><h2>Outputs</h2><span class="meta">'
        f'{literal(outputs_summary(view))}</span><span class="sp"></span>{tag}</div>'
    )
    if not view.groups:
        return head + (
            '<div class="empty"><b>No outputs imported.</b><p>Judge the key against the task '
            "alone, or import model outputs on the Benchmarks page.</p></div>"
        )
    limit = None if full else limit_for(sum(len(group.raw) for group in view.groups), 200_000)
    groups = "".join(
        _group(index, group, view.models, limit) for index, group in enumerate(view.groups)
    )
    return f'{head}<div class="scroll fill groups" tabindex="-1">{groups}</div>'


def outputs_summary(view: TaskView) -> str:
    """Counts in words: models, answers, and how they were graded."""
    if not view.groups:
        return "none"
    tally: dict[str, int] = {}
    for group in view.groups:
        word = verdict(group)[1].lower()
        tally[word] = tally.get(word, 0) + len(group.raw)
    counts = ", ".join(f"{number} {word}" for word, number in tally.items())
    return f"{counted(view.models, 'model')}, {counted(len(view.groups), 'answer')}: {counts}"


def verdict(group: OutputGroup) -> tuple[str, str]:
    """Style and word of a group's published grade."""
    if group.status is OutputStatus.ERROR:
        return "err", "Error"
    if group.passed is None:
        return "none", "No grade"
    return ("pass", "Pass") if group.passed else ("fail", "Fail")


def _group(index: int, group: OutputGroup, models: int, limit: int | None) -> str:
    style, word = verdict(group)
    why = (
        f'<div class="why" dir="auto">{bounded(group.reason, 1_500)}</div>' if group.reason else ""
    )
    code = f"<code>{bounded(group.reason_code, 200)}</code>" if group.reason_code else ""
    error = group.status is OutputStatus.ERROR and not group.reason
    why = '<div class="why">Not an answer, never counted as a wrong one.</div>' if error else why
    return (
        f'<article class="group" data-group="{index}"><div class="cnt"><b>{len(group.models)}</b>'
        f'<span>of {models}</span></div><div class="gb"><div class="ans">'
        f'<span class="v {style}">{word}</span>{answer(group.answer)}</div>{why}'
        f'<div class="who"><span>{_names(group.models)}</span>{code}</div>'
        f'<div class="acts"><button type="button" class="btn sm" data-do="next_group">'
        '<kbd data-key="next_group"></kbd>Next group</button><button type="button" class="btn sm"'
        ' data-do="raw" aria-pressed="false"><kbd data-key="raw"></kbd>Raw output</button></div>'
        f'<div class="raws">{_raws(group.raw, limit)}</div></div></article>'
    )


def _names(models: Sequence[str]) -> str:
    shown = ", ".join(f'<bdi class="nw">{bounded(model, 120)}</bdi>' for model in models[:_NAMED])
    rest = models[_NAMED:]
    if not rest:
        return shown
    hidden = ", ".join(f"<bdi>{bounded(model, 120)}</bdi>" for model in rest)
    return shown + folded(f"and {len(rest)} more", hidden, css="inline")


def _raws(raws: Sequence[RawOutput], limit: int | None) -> str:
    """Raw outputs, equal texts once with everyone who said them."""
    by_text: dict[str, list[RawOutput]] = {}
    for raw in raws:
        by_text.setdefault(raw.text, []).append(raw)
    return "".join(_raw(text, said, limit) for text, said in by_text.items())


def _raw(text: str, said: Sequence[RawOutput], limit: int | None) -> str:
    first = said[0]
    who = ", ".join(dict.fromkeys(raw.model for raw in said))
    trials = {raw.trial for raw in said}
    where = f"{first.entry_id}" + (f", trial {first.trial}" if trials != {1} else "")
    where += f" and {len(said) - 1} more" if len(said) > 1 else ""
    head = (
        f'<bdi>{bounded(who, 400)}</bdi> <span class="meta">{bounded(where, 300)}, '
        f"{counted(len(text), 'character')}</span>"
    )
    body = (
        f'<div class="pre" dir="auto">{bounded(text, limit)}</div>'
        if text
        else ('<div class="omit">empty output</div>')
    )
    return folded(head, body, is_open=len(text) <= _FOLD_LINES)


def answer(text: str) -> str:
    """A group's answer: calls as calls, turns as numbered lines, anything else as it came."""
    if not text:
        return '<span class="omit">empty</span>'
    lines = _call_lines(text)
    if lines is None:
        return f'<code dir="auto">{bounded(text, _ANSWER)}</code>'
    rows = "".join(
        f'<div><span class="tno">{number}</span>{bounded(line, _ANSWER)}</div>'
        if number
        else f"<div>{bounded(line, _ANSWER)}</div>"
        for number, line in lines[:_NAMED]
    )
    left = len(lines) - _NAMED
    more = f'<div class="omit">and {left} more, see the raw output</div>' if left > 0 else ""
    return f'<code class="calls" dir="auto">{rows}{more}</code>'


def _call_lines(text: str) -> list[tuple[int, str]] | None:
    """(turn number or 0, line) where the answer is a structure of calls, else None."""
    if len(text) > 200_000 or not text.startswith("["):
        return None
    try:
        body = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return None
    if not isinstance(body, list) or not body:
        return None
    if all(_is_call(part) for part in body):
        return [(0, _call(part)) for part in body]
    if all(isinstance(turn, list) for turn in body):
        several = len(body) > 1
        return [
            (number if several else 0, line)
            for number, turn in enumerate(body, 1)
            for line in _turn_lines(turn)
        ]
    return None


def _turn_lines(turn: list[Json]) -> list[str]:
    lines: list[str] = []
    for step in turn:
        if isinstance(step, list):
            lines += [_call(part) if _is_call(part) else compact_json(part) for part in step]
        elif step not in ("", None):
            lines.append(_said(step) if isinstance(step, str) else compact_json(step))
    return lines or ["nothing"]


def _said(step: str) -> str:
    """A step in text form: calls as they are, prose in quotation marks."""
    return step if step.lstrip().startswith(("[", "{")) else f"“{step}”"


def _is_call(part: Json) -> bool:
    return isinstance(part, Mapping) and len(part) == 1


def _call(part: Mapping[str, Json]) -> str:
    function, arguments = next(iter(part.items()))
    if isinstance(arguments, str):
        try:
            arguments = json.loads(arguments)
        except (json.JSONDecodeError, RecursionError):
            return f"{function}({arguments})"
    if not isinstance(arguments, Mapping):
        return f"{function}({compact_json(arguments)})"
    inner = ", ".join(f"{field}={compact_json(value)}" for field, value in arguments.items())
    return f"{function}({inner})"
