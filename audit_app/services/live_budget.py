"""The budget of a running job: room is set aside before a request goes out, and given back after.

What is under way counts at the most it can take, so that a budget is never passed, whatever order
the answers come in.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass

from audit_app.domain.live_jobs import Amount, Budget
from audit_app.domain.spending import answers_untold
from audit_app.domain.trials import Completion

_LOOK_S = 0.1
"""How often a request that waits for room looks whether the job was stopped."""


class BudgetReachedError(Exception):
    """There is no room for another request; it never leaves the runner."""


@dataclass(frozen=True)
class Reservation:
    """Room set aside for one request.

    Attributes:
        one: The most that one try of it can take.
        tries: How often it may be sent.
    """

    one: Amount
    tries: int

    @property
    def most(self) -> Amount:
        """The most that all its tries can take."""
        return _times(self.one, self.tries)


class Ledger:
    """Keeps what a job has spent and has under way within its budget; for use from threads.

    Args:
        budget: The limits.
        spent: What the job has spent at most before.
        tries: How often a request may be sent where there is room.
    """

    def __init__(self, budget: Budget, spent: Amount, *, tries: int) -> None:
        self._budget, self._spent, self._tries = budget, spent, tries
        self._under_way: list[Reservation] = []
        self._changed = threading.Condition()
        self._is_reached = False

    @property
    def is_reached(self) -> bool:
        """Whether a request found no room."""
        return self._is_reached

    @property
    def spent(self) -> Amount:
        """What was spent at most, without what is under way."""
        with self._changed:
            return self._spent

    def reserve(self, one: Amount, stop: threading.Event) -> Reservation:
        """Set room aside for a request, waiting for those under way where that can bring it.

        Args:
            one: The most that one try can take.
            stop: Ends the wait when set.

        Raises:
            BudgetReachedError: There is no room, or the wait was ended.
        """
        with self._changed:
            while not self._is_reached and not stop.is_set():
                if tries := self._room(one):
                    reserved = Reservation(one, tries)
                    self._under_way.append(reserved)
                    return reserved
                if not self._under_way:
                    self._is_reached = True
                    break
                self._changed.wait(_LOOK_S)
            self._changed.notify_all()
        raise BudgetReachedError

    def settle(self, reserved: Reservation, completion: Completion) -> None:
        """Count what a request took, and give the rest of its room back."""
        tokens_in, tokens_out = completion.tokens_in, completion.tokens_out
        is_told = tokens_in is not None and tokens_out is not None
        untold = answers_untold(completion.attempts, is_told=is_told)
        known = Amount(
            completion.tries,
            (tokens_in or 0) + (tokens_out or 0),
            completion.cost_usd or 0.0,
        )
        taken = known.plus(_times(reserved.one._replace(calls=0), untold))
        with self._changed:
            self._under_way.remove(reserved)
            self._spent = self._spent.plus(taken)
            self._changed.notify_all()

    def _room(self, one: Amount) -> int:
        """How many tries fit beside everything that is under way."""
        taken = self._spent
        for reserved in self._under_way:
            taken = taken.plus(reserved.most)
        for tries in range(self._tries, 0, -1):
            if self._budget.holds(taken.plus(_times(one, tries))):
                return tries
        return 0


def _times(amount: Amount, n: int) -> Amount:
    return Amount(amount.calls * n, amount.tokens * n, amount.usd * n)
