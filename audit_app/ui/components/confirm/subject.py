"""What a job is about: the task, in short, and the key that is proposed for it."""

from __future__ import annotations

import streamlit as st

from audit_app.services.confirming import OwnFinding
from audit_app.services.reviewing import Desk
from audit_app.services.task_views import TaskView
from audit_app.ui import state
from audit_app.ui.components.confirm.panel import panel
from audit_app.ui.components.confirm.proposing import proposed_key
from audit_app.ui.rendering import render_task
from audit_app.ui.rendering.task_short import task_short


def task_field(desk: Desk, task: str) -> None:
    """The task, which the address bar carries; another one can be chosen."""
    queue = [item.task_id for item in desk.queue]
    st.session_state[state.CONFIRM_TASK] = task
    place, way_back = st.columns([68, 32], vertical_alignment="bottom")
    place.selectbox("Task", queue, key=state.CONFIRM_TASK, on_change=_choose)
    query = {**st.query_params.to_dict(), state.TASK_PARAM: task}
    way_back.page_link(
        "ui/pages/review.py",
        label="Back to Review",
        icon=":material/arrow_back:",
        query_params=query,
    )


def _choose() -> None:
    st.query_params[state.TASK_PARAM] = st.session_state[state.CONFIRM_TASK]


def subject(view: TaskView, findings: tuple[OwnFinding, ...]) -> str | None:
    """Show the task in short; the text of the key that is proposed for it, None without one."""
    asked: set[str] = st.session_state.setdefault(state.CONFIRM_ASKED, set())
    rendered = render_task(view, full="full:task" in asked)
    panel(task_short(rendered), key=f"confirm_short/{view.task.id}", asked=asked.add)
    with st.container():  # what stands below keeps its place, whatever this holds
        return proposed_key(view.task.id, findings, view.key_text)
