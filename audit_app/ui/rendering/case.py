"""One case as the adjudicator's page takes it: task and key left; reviews and outputs right."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

from audit_app.domain.rubric import Taxonomy
from audit_app.services.case_board import Case
from audit_app.services.task_views import TaskView
from audit_app.ui.rendering.comparison import comparison
from audit_app.ui.rendering.text import whole_texts
from audit_app.ui.rendering.view import RenderedTask, render_task

_AGREEMENT = '<div class="agreement" data-agreement></div>'
"""Where the browser puts the agreement of the reviewers, which no single case owns."""


@dataclass(frozen=True)
class RenderedCase:
    """One case as HTML; every foreign text in it is escaped.

    Attributes:
        task: The task with its outputs.
        left: The pane of task, key and agreement.
        right: The pane of reviews and outputs.
        case: The case itself: what its reviews say, for the form.
        digest: Changes whenever any of the above does.
    """

    task: RenderedTask
    left: str
    right: str
    case: Case
    digest: str


def render_case(
    view: TaskView, case: Case, taxonomy: Taxonomy, *, full: bool = False
) -> RenderedCase:
    """The panes of one case.

    Args:
        view: The task, its documents and its outputs.
        case: Its reviews, and what became of them.
        taxonomy: Names and definitions of what the reviews say.
        full: Whether very long texts are sent whole.
    """
    task = render_task(view, full=full)
    with whole_texts(whole=full):
        reviews = comparison(case, taxonomy)
    last = case.adjudication
    stamp = "\x00".join((task.digest, reviews, *case.basis, last.id if last else ""))
    return RenderedCase(
        task=task,
        left=task.left + _AGREEMENT,
        right=f"{reviews}{task.right}",
        case=case,
        digest=sha256(stamp.encode("utf-8", "replace")).hexdigest()[:16],
    )
