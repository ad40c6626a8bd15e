"""A reviewer's queue as the screen shows it."""

from __future__ import annotations

from audit_app.domain.review import Judgement
from audit_app.services.judging import QueueItem, Recent, TaskState, findings_words
from audit_app.services.queue_rows import QueueRows, Situation
from audit_app.storage.standing import Place, StandingJudgement

RECENT = 50
"""Last judgements that are listed."""


def queue_items(rows: QueueRows, here: Situation) -> tuple[QueueItem, ...]:
    """The queue with where each task stands."""
    marked = rows.skipped.keys() | rows.second_look
    items = _Items(rows, here)
    return tuple(
        items.judged(place, state, rows.mine[place.task_id])
        if place.task_id in rows.mine
        else items.marked(place, state)
        if place.task_id in marked
        else items.plain(place, state)
        for place, state in zip(rows.order.places, here.states, strict=True)
    )


class _Items:
    """Makes the items of one queue, or takes those made before."""

    def __init__(self, rows: QueueRows, here: Situation) -> None:
        self._rows, self._order, self._held = rows, rows.order, here.held
        self._is_free = not here.others_at_work
        self._open = {
            is_held: self._order.plain.setdefault((TaskState.OPEN, is_held), {})
            for is_held in (False, True)
        }

    def _is_held(self, task: str, state: TaskState) -> bool:
        return task in self._held or (self._is_free and state is TaskState.OPEN)

    def plain(self, place: Place, state: TaskState) -> QueueItem:
        """An item on which the reviewer left no trace."""
        is_held = self._is_held(place.task_id, state)
        known = (
            self._open[is_held]
            if state is TaskState.OPEN
            else self._order.plain.setdefault((state, is_held), {})
        )
        item = known.get(place.task_id)
        if item is None:
            item = known[place.task_id] = QueueItem(*place, state, is_held=is_held)
        return item

    def marked(self, place: Place, state: TaskState) -> QueueItem:
        """An item with a mark and no judgement."""
        return QueueItem(
            *place,
            state,
            second_look=place.task_id in self._rows.second_look,
            skipped_at=self._rows.skipped.get(place.task_id),
            is_held=self._is_held(place.task_id, state),
        )

    def judged(self, place: Place, state: TaskState, mine: StandingJudgement) -> QueueItem:
        """An item with a judgement."""
        second_look = place.task_id in self._rows.second_look
        skipped_at = self._rows.skipped.get(place.task_id)
        item = self._order.judged.get(mine.review_id)
        if (
            item is not None
            and item.state is state
            and item.second_look == second_look
            and item.skipped_at == skipped_at
        ):
            return item
        item = self._order.judged[mine.review_id] = QueueItem(
            *place,
            state,
            second_look,
            mine.review_id,
            mine.reviewed_at,
            words=findings_words(mine.judgement, mine.findings),
            tags=tags_of(mine),
            seconds=mine.seconds,
            skipped_at=skipped_at,
            returned=self._rows.returned.get(mine.review_id, ""),
        )
        return item


def tags_of(judgement: StandingJudgement) -> tuple[str, ...]:
    """Effects and causes of its findings, each once."""
    tags: dict[str, None] = {}
    for finding in judgement.findings:
        causes = (finding.cause, *finding.causes)
        tags |= dict.fromkeys([*finding.effects, *(cause for cause in causes if cause)])
    return tuple(tags)


def recent_judgements(rows: QueueRows) -> tuple[Recent, ...]:
    """The last standing judgements, the one saved last first."""
    latest = list(rows.mine.values())[: -RECENT - 1 : -1]
    return tuple(
        Recent(
            row.task_id,
            findings_words(row.judgement, row.findings),
            row.judgement is Judgement.DEFECT,
            row.reviewed_at,
        )
        for row in latest
        if row.task_id in rows.order.position
    )
