"""A task in short: what is asked, what may be called, the key; as the review screen shows it."""

from __future__ import annotations

from audit_app.ui.rendering.view import RenderedTask


def task_short(rendered: RenderedTask) -> str:
    """The pane of task and key in a box that scrolls by itself."""
    return (
        '<div class="short" tabindex="0" role="region" aria-label="Task and key" data-name="task" '
        f'data-keep="task">{rendered.left}</div>'
    )
