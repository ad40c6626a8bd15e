"""Model outputs by answer: who said it, our grade and the published one, the raw text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from audit_app.domain.benchmark import KeyKind
from audit_app.services.task_views import OutputGroup, RawOutput, TaskView, Verdict
from audit_app.ui.rendering.answers import group_answer
from audit_app.ui.rendering.diff import TURN_LEGEND, diff_table, edit_button, turn_cells
from audit_app.ui.rendering.text import (
    attribute,
    bounded,
    compact_json,
    counted,
    fitting,
    folded,
    limit_for,
    literal,
    scroller,
)

_NAMED = 12
_FOLD_LINES = 2_400
_STYLE = {
    Verdict.PASS: ("pass", "Pass"),
    Verdict.FAIL: ("fail", "Fail"),
    Verdict.NOT_PARSED: ("odd", "Not parsed"),
    Verdict.ERROR: ("err", "Error"),
    Verdict.STOPPED: ("err", "Checker stops"),
    Verdict.KEPT_PASS: ("pass kept", "Pass"),
    Verdict.KEPT_FAIL: ("fail kept", "Fail"),
    Verdict.NO_GRADE: ("none", "No grade"),
}
_KEPT = (Verdict.KEPT_PASS, Verdict.KEPT_FAIL)


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
            '<div class="empty"><b>No output for this task.</b><p>The key stands against the task '
            "alone. Model outputs are imported on the page Benchmarks.</p></div>"
        )
    limit = None if full else limit_for(view.outputs, 200_000)
    entries = entry_labels([entry.id for entry in view.entries])
    start = _start(view.groups)
    groups = "".join(
        _group(index, group, view, limit, entries, is_start=index == start)
        for index, group in enumerate(view.groups)
    )
    in_turns = view.task.key_kind is KeyKind.CALL_TURNS and any(g.turns for g in view.groups)
    legend = TURN_LEGEND if in_turns else ""
    return f"{head}{scroller('fill groups', 'Outputs')}{groups}{legend}</div>"


def _start(groups: Sequence[OutputGroup]) -> int:
    """The group that is selected at first: where a wrong key would show."""
    for verdicts in ((Verdict.FAIL, Verdict.KEPT_FAIL), (Verdict.NOT_PARSED, Verdict.STOPPED)):
        for index, group in enumerate(groups):
            if group.verdict in verdicts:
                return index
    return 0


def outputs_summary(view: TaskView) -> str:
    """Counts in words: models, answers, how they are graded, and what was published otherwise."""
    if not view.groups:
        return "none"
    tally: dict[str, int] = {}
    for group in view.groups:
        tally[group.verdict] = tally.get(group.verdict, 0) + len(group.raw)
    counts = ", ".join(f"{number} {word}" for word, number in tally.items())
    several = view.outputs != view.models
    outputs = f", {counted(view.outputs, 'output')}" if several else ""
    differ = sum(len(group.differing) for group in view.groups)
    other = f"; {differ} published otherwise" if differ else ""
    answers = counted(len(view.groups), "answer")
    return f"{counted(view.models, 'model')}{outputs}, {answers}: {counts}{other}"


def verdict(group: OutputGroup) -> tuple[str, str]:
    """Style and word of a group's verdict."""
    return _STYLE[group.verdict]


def entry_labels(entries: Sequence[str]) -> Mapping[str, str]:
    """Entry id → the words that tell it from the others; empty where there is but one."""
    if len(entries) < 2:
        return {}
    parts = [re.split(r"[_\-./ ]", entry) for entry in entries]
    head, tail = _common(parts), _common([part[::-1] for part in parts])
    labels = [" ".join(part[head : len(part) - tail]) for part in parts]
    are_telling = all(labels) and len(set(labels)) == len(labels)
    return dict(zip(entries, labels if are_telling else entries, strict=True))


def _common(rows: Sequence[Sequence[str]]) -> int:
    """How many first members all rows share."""
    number = 0
    for members in zip(*rows, strict=False):
        if len(set(members)) > 1:
            break
        number += 1
    return number


def _group(
    index: int,
    group: OutputGroup,
    view: TaskView,
    limit: int | None,
    entries: Mapping[str, str],
    *,
    is_start: bool,
) -> str:
    style, word = verdict(group)
    several = view.outputs != view.models
    count, total = (len(group.raw), view.outputs) if several else (len(group.models), view.models)
    why = why_sentence(group)
    why = f'<div class="why" dir="auto">{bounded(why, 1_500)}</div>' if why else ""
    kept = '<span class="tag">published</span>' if group.verdict in _KEPT else ""
    diff = diff_table(group.diff) if group.diff is not None else ""
    offers = "".join(edit_button(offer.label, offer.text) for offer in group.offers)
    start = " data-start" if is_start else ""
    models = attribute(compact_json(group.models))
    return (
        f'<article class="group" data-group="{index}"{start} data-models="{models}">'
        f'<div class="cnt"><b>{count}</b>'
        f'<span>of {total}</span></div><div class="gb"><div class="ans">'
        f'<span class="v {style}">{word}</span>{kept}{group_answer(group)}'
        f"{turn_cells(group.turns)}</div>{why}"
        f'<div class="who"><span>{_names(group.raw, entries)}</span>{_codes(group)}</div>{diff}'
        f'<div class="acts"><button type="button" class="btn sm" data-do="next_group">'
        '<kbd data-key="next_group"></kbd>Next group</button><button type="button" class="btn sm"'
        ' data-do="raw" aria-pressed="false"><kbd data-key="raw"></kbd>Raw output</button>'
        '<button type="button" class="btn sm" data-do="confirm"><kbd data-key="confirm"></kbd>'
        "Confirm live</button>"
        f'{offers}</div><div class="raws">{_raws(group.raw, limit)}</div></div></article>'
    )


def why_sentence(group: OutputGroup) -> str:
    """Why the verdict is what it is, on passes too."""
    published = next((raw.published for raw in group.raw if raw.published), None)
    if group.grade is None:
        counted_as = ""
        if published is not None:
            counted_as = f" The benchmark counted it as a {_word(published.passed)}."
        return f"The request failed: not an answer, never counted as a wrong one.{counted_as}"
    if group.verdict is Verdict.NOT_PARSED:
        return f"{group.grade.reason} The benchmark counts this as a fail."
    if group.verdict in (*_KEPT, Verdict.NO_GRADE) and published is not None and published.reason:
        return f"{_sentence(group.grade.reason)} Published reason: {published.reason}"
    return group.grade.reason


def _sentence(text: str) -> str:
    text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _word(passed: bool) -> str:
    return "pass" if passed else "fail"


def _codes(group: OutputGroup) -> str:
    """Our reason code with the published grade beside it, marked where the two differ."""
    grade = group.grade
    published = [raw.published for raw in group.raw if raw.published]
    code = grade.reason_code if grade is not None else ""
    if not code and published:
        code = published[0].code
    if group.verdict in _KEPT:
        code = published[0].code
    ours = f"<code>{bounded(code, 200)}</code>" if code else ""
    return f'<span class="codes">{ours}{_published(group, code)}</span>'


def _published(group: OutputGroup, code: str) -> str:
    if group.grade is None or group.verdict in (*_KEPT, Verdict.NO_GRADE):
        return ""
    graded = [raw for raw in group.raw if raw.published]
    if not graded:
        return '<span class="meta">none published</span>'
    differing = group.differing
    if differing and differing[0].published:
        other = differing[0].published
        whom = "" if len(differing) == len(group.raw) else f" for {len(differing)}"
        names = attribute(", ".join(raw.model for raw in differing))
        named = f" {other.code}" if other.code not in ("", code, "valid") else ""
        return (
            f'<span class="tag warn" title="{names}">≠ published: {_word(other.passed)}{whom}'
            f"{literal(named)}</span>"
        )
    others = {r.published.code for r in graded if r.published} - {"", code}
    if others and not (group.grade.passed):
        return f'<span class="meta">published as <code>{literal(sorted(others)[0])}</code></span>'
    return '<span class="meta">= published</span>'


def _names(raws: Sequence[RawOutput], entries: Mapping[str, str]) -> str:
    """Models of a group, each with the entries and trials that it stands for."""
    several_trials = {raw.trial for raw in raws} != {1}
    said: dict[str, list[str]] = {}
    for raw in raws:
        place = [entries[raw.entry_id]] if raw.entry_id in entries else []
        place += [f"trial {raw.trial}"] if several_trials else []
        said.setdefault(raw.model, []).extend([" ".join(place)] if place else [])
    named = [_name(model, places) for model, places in said.items()]
    shown = ", ".join(named[:_NAMED])
    rest = named[_NAMED:]
    if not rest:
        return shown
    return shown + folded(f"and {len(rest)} more", ", ".join(rest), css="inline")


def _name(model: str, places: Sequence[str]) -> str:
    where = f' <span class="at">({bounded(", ".join(places), 160)})</span>' if places else ""
    return f"<span{fitting(model, 40)}><bdi>{bounded(model, 200)}</bdi>{where}</span>"


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
