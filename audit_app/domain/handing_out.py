"""Handing tasks out: leases, and how many tasks one reviewer may have on the desk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple


class Lease(NamedTuple):
    """A task on a reviewer's desk, so that it is handed to nobody else meanwhile."""

    task_id: str
    reviewer: str
    expires_at: datetime

    def is_live(self, now: datetime, length: timedelta) -> bool:
        """Whether it still holds.

        A lease cannot have more left than the length of one: then the clock went back, or leases
        were made shorter, and it would hold for longer than anybody meant.
        """
        return timedelta(0) < self.expires_at - now <= length

    def is_half_gone(self, now: datetime, length: timedelta) -> bool:
        """Whether it is time to renew it."""
        return 2 * (self.expires_at - now) < length


def fair_share(open_tasks: int, active: int, *, most: int) -> int:
    """How many tasks a reviewer may hold at once, at least one.

    Half of what is open stays free for people who come later, the other half is shared by those at
    work.

    Args:
        open_tasks: Tasks that the reviewer could judge now, those held included.
        active: People at work, the reviewer included.
        most: Never more than this.
    """
    return max(1, min(most, open_tasks // (2 * active)))


def next_tasks(order: Sequence[str], at: int) -> Iterator[str]:
    """The tasks in the order in which the screen advances from a position (0 …): on, then round."""
    for position in range(at, len(order)):
        yield order[position]
    for position in range(at):
        yield order[position]
