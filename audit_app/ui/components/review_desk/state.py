"""What the review desk is told and what it answers, as plain values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from audit_app.domain.review import Review
from audit_app.domain.rubric import Taxonomy
from audit_app.services.judging import TO_JUDGE, QueueItem, TaskState
from audit_app.services.key_trial import KeyRequest, KeyTrial
from audit_app.services.outcomes import Facets
from audit_app.ui.rendering import RenderedTask

AHEAD = 24
"""Tasks to judge that are held and read ahead. At five presses a second this lasts five seconds,
longer than an answer takes on a busy server; the browser asks for fewer where they are large."""

LEAST_AHEAD = 6
"""Read ahead however large they are."""

BATCH = 12
"""Views made in one run at most."""

BATCH_CHARS = 300_000
"""Characters of views after which a run makes no further one: a larger answer would hold up the
presses that come while the browser takes it in."""

RECENT = 10
"""Standing reviews that travel whole, so that an undo gets its findings back."""


@dataclass(frozen=True)
class DeskState:
    """Everything the review screen shows in one run.

    Attributes:
        audit: The audit as the address bar names it (``?audit=``).
        store: Identity of workspace and audit; the browser keeps unsaved work under it.
        reviewer: Who judges.
        queue: The sample in queue order, as this reviewer sees it.
        at: Task to open on the first run, empty for the panel that says what is left. Later the
            browser decides, and tells in ``DeskRequest.at``.
        views: Rendered tasks that the browser lacks, some of those of ``read_ahead``.
        is_more: Whether it lacks further ones, so that it asks again.
        near: Tasks on or near the screen, whose drafts travel.
        drafts: Task id → draft as the browser sent it; at least those of the tasks in ``near``.
        taxonomy: Effects, causes, severities and states with their definitions.
        bindings: The key map as ``keys.as_data`` gives it.
        strata: Stratum id → label, where it differs from the id.
        saved: When and where the last judgement was saved, in words.
        notice: Why nothing can be judged now; empty where judging is open.
        trial: What the proposed key of ``DeskRequest.trial`` would do.
        reviews: Task id → the reviewer's standing judgement, for the tasks of ``wanted_reviews``.
        prose: Task id → left pane with its prompts as Markdown, where that was asked for.
        facets: What the filters of models and fields need, where that was asked for.
    """

    audit: str
    store: str
    reviewer: str
    queue: Sequence[QueueItem]
    at: str
    views: Mapping[str, RenderedTask]
    drafts: Mapping[str, Mapping[str, Any]]
    taxonomy: Taxonomy
    bindings: Sequence[Mapping[str, object]]
    is_more: bool = False
    near: Sequence[str] = ()
    strata: Mapping[str, str] = field(default_factory=dict)
    saved: str = ""
    notice: str = ""
    trial: KeyTrial | None = None
    reviews: Mapping[str, Review] = field(default_factory=dict)
    prose: Mapping[str, str] = field(default_factory=dict)
    facets: Facets | None = None


@dataclass(frozen=True)
class DeskRequest:
    """What the browser asks for.

    Attributes:
        at: The task on screen, empty for the panel at the end, None before the first answer.
        coming: Tasks to which the screen will advance, in that order; a filter may decide it.
        ahead: How many tasks are to be held and read ahead.
        full: Tasks whose very long texts are wanted whole.
        held: Tasks whose views the browser holds already and that need not be rendered.
        trial: A proposed key that wants to be tried.
        prose: Tasks whose prompts are wanted as Markdown.
        facets: Whether what models did and the fields of the tasks are wanted.
    """

    at: str | None = None
    coming: tuple[str, ...] = ()
    ahead: int = AHEAD
    full: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    trial: KeyRequest | None = None
    prose: tuple[str, ...] = ()
    facets: bool = False


def in_turn(queue: Sequence[QueueItem], at: str) -> list[str]:
    """Tasks to judge in the order in which the screen advances from ``at``.

    Returned ones come first, then those the reviewer holds, then the others; among each the order
    of the queue, from ``at`` on and then from the start.
    """
    here = next((i for i, item in enumerate(queue) if item.task_id == at), -1)
    cycle = [*queue[here + 1 :], *queue[: max(here, 0)]]
    waiting = [item for item in cycle if item.state in TO_JUDGE]
    return [item.task_id for item in sorted(waiting, key=_urgency)]


def _urgency(item: QueueItem) -> int:
    return 0 if item.state is TaskState.RETURNED else 1 if item.is_held else 2


def first_open(queue: Sequence[QueueItem]) -> str:
    """The task to begin with, empty where none is to be judged."""
    return next(iter(in_turn(queue, "")), "")


def neighbourhood(
    queue: Sequence[QueueItem], at: str, *, ahead: int = AHEAD, coming: Sequence[str] = ()
) -> list[str]:
    """Tasks that are wanted while ``at`` is on screen, most urgent first.

    They are the task itself, the next ones to judge, and the neighbours in the queue.

    Args:
        queue: The sample in queue order.
        at: The task on screen.
        ahead: How many tasks to judge are wanted besides the one on screen.
        coming: Those, where the browser said which.
    """
    ids = [item.task_id for item in queue]
    here = ids.index(at) if at in ids else -1
    sampled = set(ids) if coming else set()
    following = [task for task in coming if task in sampled] or in_turn(queue, at)
    around = [ids[i] for i in (here + 1, here - 1) if here >= 0 and 0 <= i < len(ids)]
    return list(dict.fromkeys([*([at] if here >= 0 else []), *following[:ahead], *around]))


def read_ahead(
    queue: Sequence[QueueItem],
    at: str,
    *,
    held: Collection[str] = (),
    ahead: int = AHEAD,
    coming: Sequence[str] = (),
) -> list[str]:
    """Those of ``neighbourhood`` whose views the browser lacks; ``held`` are those it has."""
    wanted = neighbourhood(queue, at, ahead=ahead, coming=coming)
    return [task for task in wanted if task not in held]


def render_batch(
    tasks: Iterable[str], render: Callable[[str], RenderedTask]
) -> tuple[dict[str, RenderedTask], bool]:
    """Views of the first tasks, as many as one answer bears, and whether any was left for the next.

    Args:
        tasks: Most urgent first; the first one is always rendered.
        render: Renders one.
    """
    views: dict[str, RenderedTask] = {}
    size = 0
    for task in tasks:
        if len(views) >= BATCH or size >= BATCH_CHARS:
            return views, True
        view = views[task] = render(task)
        size += len(view.left) + len(view.right)
    return views, False


def wanted_reviews(
    queue: Sequence[QueueItem], recent: Iterable[str], near: Iterable[str]
) -> list[str]:
    """Tasks whose standing judgement travels whole: recent ones, and those on or near the screen.

    Args:
        queue: The sample in queue order.
        recent: Tasks judged last, the latest first.
        near: Tasks on or near the screen.
    """
    judged = {item.task_id for item in queue if item.review_id is not None}
    first = [task for task in recent if task in judged][:RECENT]
    return list(dict.fromkeys([*first, *(task for task in near if task in judged)]))
