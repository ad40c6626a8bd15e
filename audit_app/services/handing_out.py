"""Handing tasks out: a reviewer's leases on the task on screen and on those that follow."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from audit_app.domain.handing_out import Lease, fair_share, next_tasks
from audit_app.services.clock import Clock
from audit_app.services.judging import TaskState
from audit_app.services.queue_rows import QueueReader, QueueRows, Situation, situation
from audit_app.storage.team import TeamRepository
from audit_app.storage.workspace import Workspace


class _Changes(NamedTuple):
    """Leases to take or renew, and leases to give back."""

    take: tuple[str, ...]
    drop: tuple[Lease, ...]


_NONE = _Changes((), ())


class HandOut:
    """Takes and renews the leases of one reviewer.

    Args:
        workspace: The open workspace.
        clock: The time.
        reviewer: Whose.
        audit_id: UUID of the audit.
        reader: Reads the reviewer's queue.
    """

    def __init__(
        self,
        workspace: Workspace,
        clock: Clock,
        reviewer: str,
        audit_id: str,
        *,
        reader: QueueReader,
    ) -> None:
        self._workspace, self._clock, self._reviewer = workspace, clock, reviewer
        self._team = TeamRepository(workspace, audit_id)
        self._reader = reader

    def hold(self, at: str, *, ahead: int, coming: Sequence[str] = ()) -> None:
        """Take or renew leases on a task and on the open ones that follow it.

        Where ``coming`` says to which tasks the screen advances, those are meant. Nothing is
        written where the nearer half of them is held. Where something is, it is decided under the
        write lock, so that two people who ask at once get different tasks.
        """
        if self._changes(at, ahead, coming, self._clock.now()) == _NONE:
            return
        with self._workspace.write():
            now = self._clock.now()
            changes = self._changes(at, ahead, coming, now)
            length = timedelta(minutes=self._reader.rows().team.lease_minutes)
            self._team.drop_leases(changes.drop)
            self._team.put_leases(
                self._reviewer, changes.take, taken_at=now, expires_at=now + length
            )
        self._reader.renew_leases()

    def _changes(self, at: str, ahead: int, coming: Sequence[str], now: datetime) -> _Changes:
        rows = self._reader.rows()
        return _changes(rows, situation(rows, self._reviewer, now), at, ahead, coming, now)


def _changes(
    rows: QueueRows, here: Situation, at: str, ahead: int, coming: Sequence[str], now: datetime
) -> _Changes:
    length = timedelta(minutes=rows.team.lease_minutes)
    share = fair_share(
        here.states.count(TaskState.OPEN), 1 + len(here.others_at_work), most=ahead + 1
    )
    window = _window(rows, here, at, share, coming)

    def is_wanting(task: str) -> bool:
        lease = here.held.get(task)
        return lease is None or lease.is_half_gone(now, length)

    nearer = window[: (len(window) + 1) // 2]
    if not any(map(is_wanting, nearer)) and len(here.held) <= share:
        return _NONE
    elsewhere = tuple(here.held[task] for task in here.held.keys() - set(window))
    is_over = len(elsewhere) + len(window) > share
    return _Changes(
        take=tuple(filter(is_wanting, window)),
        drop=here.dead + (elsewhere if is_over else ()),
    )


def _window(
    rows: QueueRows, here: Situation, at: str, share: int, coming: Sequence[str]
) -> list[str]:
    """The task on screen, if it can be judged, and the open ones that follow, as many as may be."""
    position = rows.order.position.get(at)
    can_judge = (TaskState.OPEN, TaskState.SKIPPED)
    window = [at] if position is not None and here.states[position] in can_judge else []
    known = [task for task in coming if task in rows.order.position]
    for task in known or next_tasks(rows.order.ids, position or 0):
        if len(window) >= share:
            break
        if here.states[rows.order.position[task]] is TaskState.OPEN and task != at:
            window.append(task)
    return window
