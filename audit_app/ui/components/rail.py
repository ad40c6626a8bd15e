"""The rail: brand above the navigation; progress and last judgements below."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

import streamlit as st

from audit_app.ui.rendering.text import attribute, literal
from audit_app.ui.state import AUDIT_PARAM, TASK_PARAM

_SHOWN = 10


@dataclass(frozen=True)
class StratumProgress:
    """How far one stratum is.

    Attributes:
        label: Its name.
        judged: Tasks judged by this reviewer.
        drawn: Tasks drawn.
        is_here: Whether the task on screen belongs to it.
    """

    label: str
    judged: int
    drawn: int
    is_here: bool = False


@dataclass(frozen=True)
class RecentJudgement:
    """One of the reviewer's last judgements.

    Attributes:
        task_id: The task.
        words: The judgement in a few words.
        is_defect: Whether a defect was recorded.
    """

    task_id: str
    words: str
    is_defect: bool


@dataclass(frozen=True)
class RailState:
    """What the rail shows under the navigation; never another reviewer's work.

    Attributes:
        audit: The audit as the address bar names it.
        strata: Progress by stratum, in the order of the plan.
        open_tasks: Tasks neither judged nor skipped.
        skipped: Skipped tasks in queue order.
        second_look: Tasks marked for a second look, in queue order.
        recent: The last judgements, the latest first; ten are shown.
        profile: What a link carries so that it opens for the same person.
        review_path: Where the review page is, seen from any page.
        recent_title: Heading above ``recent``.
        recent_path: Where ``recent`` leads, empty for the review page.
    """

    audit: str
    strata: Sequence[StratumProgress]
    open_tasks: int
    skipped: Sequence[str]
    second_look: Sequence[str]
    recent: Sequence[RecentJudgement]
    profile: Mapping[str, str] = field(default_factory=dict)
    review_path: str = "./"
    recent_title: str = f"Your last {_SHOWN}"
    recent_path: str = ""


def rail_head(*lines: str) -> None:
    """Draw the brand and, under it, what is being worked on."""
    below = "<br>".join(f"<bdi>{literal(line)}</bdi>" for line in lines if line)
    st.html(f'<div class="brand"><b>Assay</b><div>{below}</div></div>')


def rail(state: RailState) -> None:
    """Draw what stands under the navigation."""
    if state.strata:
        st.html(f"{_progress(state)}{_recent(state)}")


def task_link(state: RailState, task_id: str, label: str, css: str = "", *, path: str = "") -> str:
    """A link to a task of this audit as HTML; ``label`` is HTML already."""
    query = urlencode({AUDIT_PARAM: state.audit, TASK_PARAM: task_id, **state.profile})
    style = f' class="{css}"' if css else ""
    title = attribute(task_id)
    return (
        f'<a{style} href="{attribute(f"{path or state.review_path}?{query}")}" target="_self"'
        f' title="{title}">{label}</a>'
    )


def _progress(state: RailState) -> str:
    if not state.strata:
        return ""
    total = StratumProgress(
        "All strata", sum(s.judged for s in state.strata), sum(s.drawn for s in state.strata)
    )
    rows = "".join(_row(stratum) for stratum in state.strata)
    return (
        f'<section><h2>Judged by you</h2><div class="strata">{rows}{_row(total, "all")}</div>'
        f'<div class="later">{_left(state, total)}</div></section>'
    )


def _row(stratum: StratumProgress, css: str = "") -> str:
    share = 100 * stratum.judged / stratum.drawn if stratum.drawn else 0
    style = css or ("here" if stratum.is_here else "")
    label = literal(stratum.label)
    return (
        f'<span class="name {style}" title="{attribute(stratum.label)}"><bdi>{label}</bdi></span>'
        f'<span class="n {style}">{stratum.judged}/{stratum.drawn}</span>'
        f'<span class="bar" role="img" aria-label="{stratum.judged} of {stratum.drawn} judged">'
        f'<i style="width:{share:.0f}%"></i></span>'
    )


def _left(state: RailState, total: StratumProgress) -> str:
    parts = [f"{state.open_tasks} open"]
    if state.skipped:
        parts.append(task_link(state, state.skipped[0], f"{len(state.skipped)} skipped"))
    second = ""
    if state.second_look:
        label = f"{len(state.second_look)} for a second look"
        second = f"; {task_link(state, state.second_look[0], label)}"
    return f"{total.drawn - total.judged} left: {', '.join(parts)}{second}"


def _recent(state: RailState) -> str:
    if not state.recent:
        return ""
    rows = "".join(
        task_link(
            state,
            row.task_id,
            f'<span class="id"><bdi>{literal(row.task_id)}</bdi></span>'
            f'<span class="j{" d" if row.is_defect else ""}">{literal(row.words)}</span>',
            path=state.recent_path,
        )
        for row in state.recent[:_SHOWN]
    )
    return f'<section class="recent"><h2>{literal(state.recent_title)}</h2>{rows}</section>'
