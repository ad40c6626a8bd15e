"""A budget is never passed, whatever answers cost and however many are under way."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit_app.domain.live_jobs import NOTHING, Amount, Budget
from audit_app.domain.trials import Attempt, Completion, CompletionStatus
from audit_app.services.live_budget import BudgetReachedError, Ledger

OK, CUT = CompletionStatus.OK, CompletionStatus.CONNECTION

one = st.builds(Amount, st.just(1), st.integers(1, 50), st.floats(0, 0.5))
spendings = st.tuples(one, st.floats(0, 1), st.integers(1, 4), st.booleans())
"""The most that a request can take, the share that it does, its tries, and whether it says."""
limits = st.builds(
    Budget,
    calls=st.none() | st.integers(0, 12),
    tokens=st.none() | st.integers(0, 200),
    usd=st.none() | st.floats(0, 2),
)


class Taken:
    """What requests really took, added up beside the ledger."""

    def __init__(self) -> None:
        self.total = NOTHING
        self._lock = threading.Lock()

    def add(self, amount: Amount) -> None:
        with self._lock:
            self.total = self.total.plus(amount)


def spend(ledger: Ledger, taken: Taken, row: tuple[Amount, float, int, bool]) -> bool:
    """One request: cut connections first, each of which may have been answered and paid."""
    largest, share, wanted, is_told = row
    try:
        reserved = ledger.reserve(largest, threading.Event())
    except BudgetReachedError:
        return False
    tries = min(wanted, reserved.tries)
    tokens, usd = int(largest.tokens * share), largest.usd * share
    # The worst that can be: every try was paid for, the untold ones in full.
    for _ in range(tries - 1):
        taken.add(largest)
    taken.add(Amount(1, tokens, usd) if is_told else largest)
    attempts = (*(Attempt(CUT, 0.1) for _ in range(tries - 1)), Attempt(OK, 0.1, http_status=200))
    ledger.settle(
        reserved,
        Completion(
            status=OK,
            tokens_in=tokens if is_told else None,
            tokens_out=0 if is_told else None,
            cost_usd=usd if is_told else None,
            attempts=attempts,
        ),
    )
    return True


@settings(max_examples=60, deadline=None)
@given(limits, st.lists(spendings, max_size=30), st.integers(1, 8))
def test_r49_the_budget_is_never_passed(
    budget: Budget, rows: list[tuple[Amount, float, int, bool]], at_a_time: int
) -> None:
    ledger, taken = Ledger(budget, NOTHING, tries=4), Taken()
    with ThreadPoolExecutor(at_a_time) as threads:
        sent = list(threads.map(lambda row: spend(ledger, taken, row), rows))
    close = taken.total._replace(usd=taken.total.usd * (1 - 1e-12))  # added in another order
    assert budget.holds(close)
    assert ledger.spent == pytest.approx(taken.total)
    assert ledger.is_reached is not all(sent)
    if budget.is_zero:
        assert not any(sent)


def test_room_comes_back_when_an_answer_was_short() -> None:
    """Ten requests of at most 100 tokens that take 10 each fit into 190, one after another."""
    ledger, taken = Ledger(Budget(tokens=190), NOTHING, tries=1), Taken()
    row = (Amount(1, 100, 0.0), 0.1, 1, True)
    with ThreadPoolExecutor(5) as threads:
        sent = list(threads.map(lambda _: spend(ledger, taken, row), range(11)))
    assert sent.count(True) == 10
    assert taken.total.tokens == 100


def test_fewer_tries_where_there_is_room_for_no_more() -> None:
    ledger = Ledger(Budget(calls=10), Amount(8, 0, 0.0), tries=4)
    reserved = ledger.reserve(Amount(1, 0, 0.0), threading.Event())
    assert reserved.tries == 2
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    with pytest.raises(BudgetReachedError):
        ledger.reserve(Amount(1, 0, 0.0), stop)
    assert not ledger.is_reached  # it was stopped while it waited
