"""What the review desk is told and what it answers, as plain values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from audit_app.domain.review import Finding, Judgement, Review
from audit_app.domain.rubric import Taxonomy
from audit_app.services.judging import Ack, QueueItem, TaskState
from audit_app.services.key_trial import KeyRequest, KeyTrial, answer_data
from audit_app.ui.rendering import RenderedTask

Apply: TypeAlias = Callable[[Iterable[Mapping[str, Any]]], Sequence[Ack]]
"""Files raw actions in order and says of each what became of it; idempotent by id, and callable
after the run that passed it on (so it opens what it needs by itself)."""

AHEAD = 10
"""Open tasks read ahead: more than a fast reviewer gets through while one answer is under way."""

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
        views: Rendered tasks: those of ``read_ahead`` are enough.
        drafts: Task id → draft as the browser sent it; at least those of the tasks in ``views``.
        taxonomy: Effects, causes, severities and states with their definitions.
        bindings: The key map as ``keys.as_data`` gives it.
        strata: Stratum id → label, where it differs from the id.
        saved: When and where the last judgement was saved, in words.
        notice: Why nothing can be judged now; empty where judging is open.
        trial: What the proposed key of ``DeskRequest.trial`` would do.
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
    strata: Mapping[str, str] = field(default_factory=dict)
    saved: str = ""
    notice: str = ""
    trial: KeyTrial | None = None


@dataclass(frozen=True)
class DeskRequest:
    """What the browser asks for.

    Attributes:
        at: The task on screen, empty for the panel at the end, None before the first answer.
        full: Tasks whose very long texts are wanted whole.
        held: Tasks whose views the browser holds already and that need not be rendered.
        trial: A proposed key that wants to be tried.
    """

    at: str | None = None
    full: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    trial: KeyRequest | None = None


def read_ahead(
    queue: Sequence[QueueItem], at: str, *, held: Collection[str] = (), ahead: int = AHEAD
) -> list[str]:
    """Tasks whose views the browser lacks when ``at`` is on screen, most urgent first.

    It wants the task itself, the next open ones in the order in which the screen advances (from
    the task on, then from the start), and the neighbours in the queue.

    Args:
        queue: The sample in queue order.
        at: The task on screen.
        held: Tasks whose views it has, ``DeskRequest.held``.
        ahead: How many open tasks it wants besides the one on screen.
    """
    ids = [item.task_id for item in queue]
    here = ids.index(at) if at in ids else -1
    cycle = [*queue[here + 1 :], *queue[: max(here, 0)]]
    following = [item.task_id for item in cycle if item.state is TaskState.OPEN][:ahead]
    around = [ids[i] for i in (here + 1, here - 1) if here >= 0 and 0 <= i < len(ids)]
    wanted = dict.fromkeys([*([at] if here >= 0 else []), *following, *around])
    return [task for task in wanted if task not in held]


def first_open(queue: Sequence[QueueItem]) -> str:
    """The first open task of the queue, empty where none is open."""
    return next((item.task_id for item in queue if item.state is TaskState.OPEN), "")


def finding_words(finding: Finding) -> str:
    """A finding in a few words: ``FN, FP, K3, severity 1``."""
    parts = [effect.value for effect in finding.effects]
    parts += [finding.cause] if finding.cause else []
    parts += [] if finding.severity is None else [f"severity {finding.severity}"]
    return ", ".join(parts)


def judgement_words(review: Review) -> str:
    """A review in a few words: ``clean``, or its first finding and how many more there are."""
    if review.judgement is not Judgement.DEFECT:
        return review.judgement.value
    more = len(review.findings) - 1
    return finding_words(review.findings[0]) + (f", {more} more" if more else "")


def _review_data(review: Review) -> dict[str, Any]:
    return {
        "id": review.id,
        "judgement": review.judgement.value,
        "note": review.note,
        "findings": [finding.model_dump(mode="json") for finding in review.findings],
    }


def _queue_data(item: QueueItem) -> dict[str, Any]:
    review = item.review
    return {
        "id": item.task_id,
        "stratum": item.stratum,
        "state": item.state.value,
        "second": item.second_look,
        "review": review.id if review else None,
        "at": review.reviewed_at.isoformat() if review else "",
        "skipped": item.skipped_at.isoformat() if item.skipped_at else "",
        "words": judgement_words(review) if review else "",
    }


def _view_data(view: RenderedTask, known: str) -> dict[str, Any]:
    data: dict[str, Any] = {"id": view.task_id, "digest": view.digest}
    if view.digest != known:
        data |= {
            "category": view.category,
            "left": view.left,
            "right": view.right,
            "key_text": view.key_text,
            "wide": view.wide,
        }
    return data


def payload(
    state: DeskState, have: Mapping[str, str], acks: Iterable[Ack], *, count: int = 0
) -> dict[str, Any]:
    """What is sent to the browser in this run.

    Args:
        state: What is to be shown.
        have: Task id → digest of the views that the browser holds already; those are not repeated.
        acks: What became of the actions in the browser's log.
        count: Number of the browser's message that this answers.
    """
    reviews = {item.task_id: item.review for item in state.queue if item.review}
    recent = sorted(reviews.values(), key=lambda r: r.reviewed_at, reverse=True)[:RECENT]
    whole = {r.task_id: _review_data(r) for r in recent}
    near = (*state.views, *read_ahead(state.queue, state.at))
    whole |= {task: _review_data(reviews[task]) for task in near if task in reviews}
    return {
        "count": count,
        "audit": state.audit,
        "store": state.store,
        "reviewer": state.reviewer,
        "queue": [_queue_data(item) for item in state.queue],
        "at": state.at,
        "views": [_view_data(view, have.get(task, "")) for task, view in state.views.items()],
        "reviews": whole,
        "drafts": {task: dict(draft) for task, draft in state.drafts.items()},
        "acks": [{"id": ack.id, "error": ack.error} for ack in acks],
        "strata": dict(state.strata),
        "saved": state.saved,
        "notice": state.notice,
        "regrade": None if state.trial is None else answer_data(state.trial),
        "keys": list(state.bindings),
        "taxonomy": _taxonomy_data(state.taxonomy),
    }


def _taxonomy_data(taxonomy: Taxonomy) -> dict[str, Any]:
    def described(items: Iterable[Any]) -> list[dict[str, str]]:
        return [
            {"id": item.id, "label": item.label.text(), "definition": item.definition.text()}
            for item in items
        ]

    return {
        "effects": described(taxonomy.effects),
        "severities": described(taxonomy.severities),
        "states": described(taxonomy.states),
        "families": [
            {
                "letter": family.letter,
                "label": family.label.text(),
                "causes": [
                    {
                        "code": cause.code,
                        "label": cause.label.text(),
                        "definition": cause.definition.text(),
                        "example": cause.example.text(),
                        "effect": cause.usual_effect,
                    }
                    for cause in family.causes
                ],
            }
            for family in taxonomy.families
        ],
    }
