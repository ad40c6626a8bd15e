"""What a task rests on besides its prompt: recorded sources, hops, and every other field."""

from __future__ import annotations

from collections.abc import Mapping

from audit_app.domain.benchmark import Task
from audit_app.domain.record import Json
from audit_app.services.task_views import TaskView
from audit_app.ui.rendering.prompt import conversations
from audit_app.ui.rendering.text import (
    MOST_ROWS,
    as_text,
    block,
    bounded,
    code,
    counted,
    ends,
    folded,
    indented_json,
    limit_for,
    link,
    name,
)

_SHOWN = frozenset(
    {
        "choices",
        "excluded_function",
        "initial_config",
        "initial_state",
        "involved_classes",
        "missed_function",
        "num_hops",
        "path",
        "scenario",
        "source",
    }
)
"""Context fields that have a place of their own."""


def recorded_sources(task: Task) -> str:
    """What the key's authors recorded as its source: hops as a table, or a text."""
    source = task.context.get("source")
    hops = task.context.get("num_hops")
    if isinstance(source, list) and source and all(isinstance(hop, Mapping) for hop in source):
        return _hops(source, hops)
    words = f'<p class="foot-note">Hops: {code(hops)}</p>' if hops is not None else ""
    if source in (None, "", []):
        return words
    return f'<div class="h">Recorded source</div>{block(as_text(source), "quote", 8_000)}{words}'


def _hops(source: list[Mapping[str, Json]], hops: Json) -> str:
    rows = "".join(
        f"<tr><td>{number}</td>"
        f"<td dir='auto'>{bounded(as_text(hop.get('subquestion', '')), 2_000)}</td>"
        f"<td dir='auto'>{bounded(as_text(hop.get('answer', '')), 2_000)}</td>"
        f"<td>{link(as_text(hop.get('source', '')))}</td></tr>"
        for number, hop in enumerate(source, 1)
    )
    stated = "" if hops in (None, len(source)) else f", the data state {code(hops)}"
    return (
        f'<div class="h">Recorded hops <span class="meta">{len(source)}{stated}</span></div>'
        '<table class="grid hops"><thead><tr><th scope="col"></th><th scope="col">Sub-question</th>'
        f'<th scope="col">Answer</th><th scope="col">Source</th></tr></thead>{rows}</table>'
    )


def prerequisites(view: TaskView) -> str:
    """Earlier conversations of the scenario, folded one by one."""
    parts = []
    for document, body in view.documents.items():
        kind, _, title = document.partition("/")
        if kind == "tools":
            continue
        bodies = body if isinstance(body, list) else [body]
        parts.append(
            f'<div class="sub"><b>Prerequisite conversations</b><span class="meta">scenario '
            f"{bounded(title or document, 200)}, {counted(len(bodies), 'conversation')}, read in "
            f"this order, not graded</span></div>{conversations(bodies)}"
        )
    return "".join(parts)


def fields_line(task: Task) -> str:
    """The short fields of the source: a date the prompt speaks from decides what is right."""
    if not task.fields:
        return ""
    fields = list(task.fields.items())

    def pair(place: int) -> str:
        field, value = fields[place]
        return (
            f'<span>{name(field)} <span class="val"><bdi>{bounded(value, 200)}</bdi></span></span>'
        )

    return f'<div class="state">{ends(len(fields), "field", pair)}</div>'


def more_fields(task: Task) -> str:
    """Every long field of the source, folded, so that nothing is hidden for good."""
    fields: dict[str, Json] = {k: v for k, v in task.context.items() if k not in _SHOWN}
    if "path" in task.context:
        fields["path"] = task.context["path"]
    if not fields:
        return ""
    listed = list(fields.items())
    limit = limit_for(min(len(listed), MOST_ROWS), 240_000)

    def row(place: int) -> str:
        field, value = listed[place]
        text = block(_field_text(value), "pre", min(6_000, limit))
        return f'<div class="field">{name(str(field))}{text}</div>'

    summary = f'More <span class="meta">{counted(len(listed), "further field")}</span>'
    return folded(summary, f'<div class="more-fields">{ends(len(listed), "field", row)}</div>')


def _field_text(value: Json) -> str:
    return value if isinstance(value, str) else indented_json(value)


def entries_line(view: TaskView) -> str:
    """The scored entries that the key feeds, and what they weigh."""
    if not view.entries:
        return ""
    weights = {entry.weight for entry in view.entries}
    own = len(view.entries) == 1 and view.entries[0].id == view.task.id
    head = (
        "Feeds one scored entry"
        if own
        else f"Feeds {counted(len(view.entries), 'scored entry', 'scored entries')}: "
    )
    if len(weights) == 1:
        each = " each" if len(view.entries) > 1 else ""
        names = "" if own else ", ".join(name(entry.id) for entry in view.entries)
        return f"{head}{names}{_weight_words(view.entries[0].weight, each)}."
    listed = ", ".join(name(e.id) + _weight_words(e.weight, "") for e in view.entries)
    return f"{head}{listed}."


def _weight_words(weight: float | None, each: str) -> str:
    if weight is None:
        return ""
    if weight == 0:
        return f", shown but not counted in the overall score{each}"
    return f", {weight:.4f} of 100 points of the overall score{each}"
