"""One task as the review screen takes it: two panes of HTML and a digest that names them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256

from audit_app.domain.benchmark import KeyKind
from audit_app.domain.record import Json
from audit_app.services.task_views import TaskView
from audit_app.ui.rendering.answer_keys import answer_key, called_functions, key_summary
from audit_app.ui.rendering.outputs import outputs_pane
from audit_app.ui.rendering.prompt import chat
from audit_app.ui.rendering.prose import prompts_as_prose
from audit_app.ui.rendering.scorers import scorer_rule
from audit_app.ui.rendering.sources import (
    entries_line,
    fields_line,
    more_fields,
    prerequisites,
    recorded_sources,
)
from audit_app.ui.rendering.text import (
    MOST_ROWS,
    counted,
    ends,
    limit_for,
    literal,
    many,
    scroller,
    whole_texts,
)
from audit_app.ui.rendering.tools import tool_classes, tools
from audit_app.ui.rendering.turns import dialogue, remarks, start_state

_KEY_BUTTON = (
    '<button type="button" class="btn sm quiet" data-do="toggle_key"><kbd data-key="toggle_key">'
    '</kbd><span class="hide">Hide key</span><span class="show">Show key</span></button>'
)
_PROSE_BUTTON = (
    '<button type="button" class="btn sm quiet" data-do="rendered" aria-pressed="false">'
    '<kbd data-key="rendered"></kbd>Markdown</button>'
)


@dataclass(frozen=True)
class RenderedTask:
    """One task as HTML; every foreign text in it is escaped.

    Attributes:
        task_id: Its id.
        category: Its category, plain text.
        left: The pane of task and key.
        right: The pane of outputs.
        key_text: The key as JSON, what a proposed key starts from; empty where there is none.
        wide: Whether the left pane takes the larger half.
        digest: Changes whenever any of the above does.
    """

    task_id: str
    category: str
    left: str
    right: str
    key_text: str
    wide: bool
    digest: str


def render_task(view: TaskView, *, full: bool = False) -> RenderedTask:
    """The panes of one task.

    Args:
        view: The task, its documents and its outputs.
        full: Whether very long texts are sent whole; else their middle is left out and a button
            asks for it.
    """
    with whole_texts(whole=full):
        left = _left_pane(view, full)
        right = outputs_pane(view, full=full)
    key_text = "" if view.task.key is None else view.key_text
    body = "\x00".join((view.task.id, view.task.category, left, right, key_text))
    return RenderedTask(
        task_id=view.task.id,
        category=view.task.category,
        left=left,
        right=right,
        key_text=key_text,
        wide=view.task.key_kind is KeyKind.CALL_TURNS,
        digest=sha256(body.encode("utf-8", "replace")).hexdigest()[:16],
    )


def render_prose(view: TaskView, *, full: bool = False) -> str:
    """The pane of task and key with the prompts as Markdown."""
    with whole_texts(whole=full), prompts_as_prose():
        return _left_pane(view, full)


def _left_pane(view: TaskView, full: bool) -> str:
    if view.task.key_kind is KeyKind.CALL_TURNS:
        return _turns_pane(view, full)
    return _task_pane(view, full) + _key_pane(view)


def _tool_classes(view: TaskView) -> dict[str, Json]:
    return {
        document.partition("/")[2]: body
        for document, body in view.documents.items()
        if document.startswith("tools/")
    }


def _number_of_tools(view: TaskView, classes: Mapping[str, Json]) -> int:
    return len(view.task.tools) + sum(
        len(body) if isinstance(body, list) else 1 for body in classes.values()
    )


def _head(title: str, meta: str, button: str = "") -> str:
    return (
        f'<div class="ph"><h2>{title}</h2><span class="meta">{literal(meta)}</span>'
        f'<span class="sp"></span>{button}</div>'
    )


def _tools_part(view: TaskView) -> str:
    used = called_functions(view.task)
    classes = _tool_classes(view)
    listed = tools(view.task.tools, used) + tool_classes(classes, used)
    if not listed:
        return ""
    meta = "bold = required, ? = optional" + (", folded by class" if classes else "")
    return f'<div class="sub"><b>Tools</b><span class="meta">{meta}</span></div>{listed}'


def _summary(view: TaskView) -> str:
    classes = _tool_classes(view)
    number = _number_of_tools(view, classes)
    where = f" in {counted(len(classes), 'class', 'classes')}" if classes else " offered"
    offered = counted(number, "tool") + where
    parts = [counted(len(view.task.turns), "turn")]
    if number:
        parts.append(offered)
    if view.task.key_kind is not KeyKind.CALL_TURNS:
        parts.append(key_summary(view.task))
    return ", ".join(parts)


def _task_pane(view: TaskView, full: bool) -> str:
    task = view.task
    number = sum(len(turn) for turn in task.turns)
    limit = None if full else limit_for(min(number, MOST_ROWS))
    several = len(task.turns) > 1

    def turn(place: int) -> str:
        head = f'<div class="turn-no">Turn {place + 1}</div>' if several else ""
        return head + chat(task.turns[place], limit)

    turns = ends(len(task.turns), "turn", turn)
    body = turns or '<p class="omit">The task has no prompt.</p>'
    return (
        _head("Task", _summary(view), _PROSE_BUTTON)
        + f"{scroller(f'fit task{many(number)}', 'Task')}{fields_line(task)}{body}"
        + f"{prerequisites(view)}{start_state(task)}{_tools_part(view)}{more_fields(task)}</div>"
    )


def _key_pane(view: TaskView) -> str:
    notes = "".join(
        f'<p class="foot-note">{line}</p>'
        for line in (scorer_rule(view.task), entries_line(view), *remarks(view.task))
        if line
    )
    published = key_summary(view.task)
    return (
        f'<div class="keybox">{_head("Answer key", published, _KEY_BUTTON)}'
        f"{scroller('', 'Answer key')}{answer_key(view.task)}{recorded_sources(view.task)}"
        f"{notes}</div></div>"
    )


def _turns_pane(view: TaskView, full: bool) -> str:
    task = view.task
    notes = "".join(
        f'<p class="foot-note">{line}</p>'
        for line in (scorer_rule(task), entries_line(view), *remarks(task))
        if line
    )
    return (
        _head("Task and answer key", _summary(view), _PROSE_BUTTON + _KEY_BUTTON)
        + f"{scroller('fill task', 'Task and answer key')}{fields_line(task)}{start_state(task)}"
        + f"{dialogue(task, full=full)}{prerequisites(view)}{_tools_part(view)}"
        + f"{recorded_sources(task)}{more_fields(task)}{notes}</div>"
    )
