"""What travels to the browser in one run: only what it does not hold yet.

The queue and what never changes (key map, taxonomy) carry a digest that the browser echoes with
each message. What it holds is not repeated; a digest that is not known here brings all of it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Any

from audit_app.domain.review import Review
from audit_app.services.judging import Ack, QueueItem
from audit_app.services.key_trial import answer_data
from audit_app.ui.components.desk.action_log import held, number
from audit_app.ui.components.desk.taxonomy_data import taxonomy_data
from audit_app.ui.components.review_desk.state import DeskState
from audit_app.ui.rendering import RenderedTask

_KEPT = 3
"""Queues that are kept as sent: an answer can be overtaken by a run that nobody asked for."""


@dataclass
class SentQueue:
    """What the browser was told of one queue, so that only changes of it travel.

    Attributes:
        known: Digest → the queue as it was then, the latest last.
    """

    known: dict[str, tuple[QueueItem, ...]] = field(default_factory=dict)

    def next(self, queue: Sequence[QueueItem], base: str) -> dict[str, Any]:
        """The queue as data: whole, or what changed since the state that the browser holds.

        Args:
            queue: As it is now.
            base: Digest of what the browser holds, empty for nothing.
        """
        now = tuple(queue)
        changed = _changes(self.known.get(base), now)
        if changed is None:
            rows = [_queue_row(item) for item in now]
            data: dict[str, Any] = {"digest": _digest("", rows), "rows": rows}
        else:
            rows = [_queue_row(item) for item in changed]
            data = {"digest": _digest(base, rows) if rows else base, "base": base, "changed": rows}
        self.known.pop(data["digest"], None)
        self.known[data["digest"]] = now
        for old in list(self.known)[:-_KEPT]:
            del self.known[old]
        return data


def _changes(
    before: Sequence[QueueItem] | None, now: Sequence[QueueItem]
) -> list[QueueItem] | None:
    """Items that differ; None where the queue itself is another one, or nothing is known of it."""
    if before is None or len(before) != len(now):
        return None
    changed = []
    for old, new in zip(before, now, strict=True):
        if old is new or old == new:
            continue
        if old.task_id != new.task_id:
            return None
        changed.append(new)
    return changed


def _digest(before: str, value: object) -> str:
    text = json.dumps(value, ensure_ascii=True, sort_keys=True)
    return sha256(f"{before}\n{text}".encode()).hexdigest()[:16]


def _queue_row(item: QueueItem) -> dict[str, Any]:
    """An item as data; what is as the browser takes it for granted is left out."""
    row = {
        "id": item.task_id,
        "stratum": item.stratum,
        "category": item.category,
        "state": item.state.value,
        "second": item.second_look,
        "review": item.review_id,
        "at": _time(item.reviewed_at),
        "skipped": _time(item.skipped_at),
        "words": item.words,
        "tags": list(item.tags),
        "seconds": item.seconds,
        "returned": item.returned,
        "waits": not item.is_held,
    }
    is_timed = item.seconds is not None
    return {name: value for name, value in row.items() if value or (name == "seconds" and is_timed)}


def _time(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""


def payload(
    state: DeskState,
    echo: Mapping[str, Any],
    acks: Iterable[Ack],
    *,
    sent: SentQueue | None = None,
) -> dict[str, Any]:
    """What is sent to the browser in this run.

    Args:
        state: What is to be shown.
        echo: The browser's last message: number, digests of what it holds.
        acks: What became of the actions in the browser's log.
        sent: What it was told of the queue before.
    """
    known, digest = held(echo), echo.get("queue")
    queue = (sent or SentQueue()).next(state.queue, digest if isinstance(digest, str) else "")
    return {
        "count": number(echo),
        "audit": state.audit,
        "store": state.store,
        "reviewer": state.reviewer,
        "queue": queue,
        "fixed": _fixed(state, echo.get("fixed")),
        "at": state.at,
        "views": [_view_data(view, known.get(task, "")) for task, view in state.views.items()],
        "more": state.is_more,
        "reviews": {task: _review_data(review) for task, review in state.reviews.items()},
        "drafts": {task: _draft(state.drafts.get(task)) for task in state.near},
        "acks": [{"id": ack.id, "error": ack.error} for ack in acks],
        "saved": state.saved,
        "notice": state.notice,
        "regrade": None if state.trial is None else answer_data(state.trial),
        "prose": dict(state.prose),
        "facets": None if state.facets is None else state.facets.as_data(),
    }


def _draft(draft: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if draft is None else dict(draft)


def _fixed(state: DeskState, known: object) -> dict[str, Any]:
    parts = {
        "keys": list(state.bindings),
        "taxonomy": taxonomy_data(state.taxonomy),
        "strata": dict(state.strata),
    }
    digest = _digest("", parts)
    return {"digest": digest} if digest == known else {"digest": digest, **parts}


def _review_data(review: Review) -> dict[str, Any]:
    return {
        "id": review.id,
        "judgement": review.judgement.value,
        "note": review.note,
        "findings": [finding.model_dump(mode="json") for finding in review.findings],
    }


def _view_data(view: RenderedTask, known: object) -> dict[str, Any]:
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
