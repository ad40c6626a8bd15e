"""Jobs whose process is killed, whose clock jumps, or whose disk is another's."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from multiprocessing import get_context
from pathlib import Path

import pytest

from audit_app.domain.live_jobs import Budget, JobState, Lease
from audit_app.errors import ConflictError
from audit_app.services.clock import Clock
from audit_app.services.context import Services, open_services
from audit_app.services.live_leases import dead_lease, is_gone, is_held, new_holder
from audit_app.services.live_runner import TrialEnd
from audit_app.settings import Settings
from audit_app.storage.trial_leases import TrialLeaseRepository
from audit_app.storage.workspace import Workspace
from tests.rerun.faulty_server import FaultyServer, faulty_server
from tests.services.live_kit import import_tasks, make_job, run

KEYS = {"t1": "fine", "t2": "fine", "t3": "no"}


@pytest.fixture(scope="module")
def server() -> Iterator[FaultyServer]:
    with faulty_server() as running:
        yield running


@pytest.fixture
def live(settings: Settings, tmp_path: Path) -> Iterator[Services]:
    with open_services(settings) as services:
        import_tasks(services, tmp_path, KEYS)
        yield services


def run_in_process(settings: Settings, job_id: str) -> None:
    with open_services(settings) as services:
        services.live.run(job_id, cancel=threading.Event(), concurrency=2)


def killed_after(settings: Settings, live: Services, job_id: str, done: int) -> None:
    """Run a job in a process of its own and kill that once some trials are finished."""
    process = get_context("spawn").Process(target=run_in_process, args=(settings, job_id))
    process.start()
    end = time.monotonic() + 30
    while live.live.progress(job_id).done < done and time.monotonic() < end:
        time.sleep(0.01)
    assert process.pid is not None
    os.kill(process.pid, signal.SIGKILL)
    process.join()
    assert process.exitcode == -signal.SIGKILL


def test_r49_killed_and_resumed_no_finished_trial_runs_twice(
    live: Services, server: FaultyServer, settings: Settings
) -> None:
    before = server.hits["a-little-slow"]
    job = make_job(live.live, server.url("a-little-slow"), list(KEYS), k=20)
    killed_after(settings, live, job.id, done=15)
    progress = live.live.progress(job.id)
    assert progress.state is JobState.PAUSED
    assert "ended without a word" in progress.note
    first = {(t.id, t.task_id, t.trial) for t in live.live.trials(job.id)}
    assert 15 <= len(first) < 60
    progress = run(live.live, job)  # at once: the holder is known to be dead
    assert (progress.state, progress.done) == (JobState.FINISHED, 60)
    stored = {(t.id, t.task_id, t.trial) for t in live.live.trials(job.id)}
    assert first < stored
    assert Counter(task for _, task, _ in stored) == {"t1": 20, "t2": 20, "t3": 20}
    # What the kill cut off was sent again and was paid: it is counted, at most, as untold.
    sent = server.hits["a-little-slow"] - before
    assert progress.spent.calls <= sent <= progress.spent.calls + progress.spent.open
    assert live.workspace.problems() == []


def test_what_a_killed_process_may_have_sent_counts_against_the_budget(
    live: Services, server: FaultyServer, settings: Settings
) -> None:
    before = server.hits["a-little-slow"]
    url, budget = server.url("a-little-slow"), Budget(calls=40)
    job = make_job(live.live, url, list(KEYS), k=20, budget=budget)
    killed_after(settings, live, job.id, done=10)
    progress = run(live.live, job)
    assert progress.state is JobState.BUDGET
    assert "the budget of 40 calls is reached" in progress.note
    assert server.hits["a-little-slow"] - before <= 40
    assert progress.spent.most.calls == 40
    assert progress.spent.calls == progress.done >= 36  # two threads, two requests each
    # Once more it sends nothing.
    assert run(live.live, job).done == progress.done


@dataclass(frozen=True)
class JumpingClock(Clock):
    """A clock that leaps a day ahead and back at every other look."""

    looks: list[int] = field(default_factory=lambda: [0])

    def now(self) -> datetime:
        self.looks[0] += 1
        day = timedelta(days=self.looks[0] % 2)
        return datetime(2026, 12, 1, tzinfo=UTC) + day + timedelta(seconds=self.looks[0])


def test_a_jumping_clock_changes_nothing(
    settings: Settings, tmp_path: Path, server: FaultyServer
) -> None:
    with open_services(settings, clock=JumpingClock()) as services:
        import_tasks(services, tmp_path, KEYS)
        job = make_job(services.live, server.url("a-little-slow"), list(KEYS), k=5)
        left: list[float | None] = []

        def look(end: TrialEnd) -> None:
            progress = services.live.progress(job.id)
            assert progress.state is (JobState.RUNNING if end.done < 15 else JobState.FINISHED)
            left.append(progress.seconds_left)

        progress = run(services.live, job, on_end=look, concurrency=1)
        assert (progress.state, progress.done, progress.spent.calls) == (JobState.FINISHED, 15, 15)
        assert all(0 < (seconds or 0) < 15 for seconds in left[2:14])
        assert services.workspace.problems() == []


ELSEWHERE = "another-host 7 - x"


@pytest.mark.parametrize(
    ("left_s", "renews", "is_refused"),
    [
        pytest.param(20, False, True, id="in time"),
        pytest.param(-5, False, False, id="run out"),
        pytest.param(-5, True, True, id="run out by a clock that jumped, and renewed"),
        pytest.param(90_000, False, False, id="far ahead by a clock that jumped"),
    ],
)
def test_a_hold_on_another_host(
    live: Services, server: FaultyServer, left_s: int, renews: bool, is_refused: bool
) -> None:
    job = make_job(live.live, server.url("fine"), ["t1"])
    leases, clock = TrialLeaseRepository(live.workspace, job.id), Clock()

    def hold(seconds: float) -> None:
        with live.workspace.write():
            until = clock.now() + timedelta(seconds=seconds)
            leases.take(ELSEWHERE, until, instead_of=leases.lease())

    hold(left_s)
    assert is_held(leases.lease(), clock) is (left_s > 0)

    def wait(_: float) -> None:
        if renews:
            hold(30)

    if is_refused:
        with pytest.raises(ConflictError, match="by process 7 on another-host"):
            dead_lease(leases, clock, wait=wait)
    else:
        found = dead_lease(leases, clock, wait=wait)
        assert found is not None
        assert found.holder == ELSEWHERE


def test_of_two_that_take_over_one_is_refused(live: Services, server: FaultyServer) -> None:
    job = make_job(live.live, server.url("fine"), ["t1"])
    leases, until = TrialLeaseRepository(live.workspace, job.id), Clock().now()
    with live.workspace.write():
        leases.take("a", until, instead_of=None)
    with pytest.raises(ConflictError, match="by another process"), live.workspace.write():
        leases.take("b", until, instead_of=None)
    with pytest.raises(ConflictError, match="was taken over"), live.workspace.write():
        leases.require("b")


def test_a_holder_is_known_by_its_process() -> None:
    mine = new_holder(Clock())
    assert not is_gone(mine)
    host, pid, began, rest = mine.split(" ")
    assert is_gone(f"{host} {pid} {began}1 {rest}")  # another process with that number
    assert not is_gone(f"another-{host} {pid} 1 {rest}")
    assert is_held(Lease(holder=mine, expires_at=datetime(2020, 1, 1, tzinfo=UTC)), Clock())


def test_a_run_that_lost_its_hold_stores_nothing_more(
    live: Services, server: FaultyServer, settings: Settings
) -> None:
    job = make_job(live.live, server.url("a-little-slow"), ["t1"], k=60)

    def steal(end: TrialEnd) -> None:
        if end.done == 3:
            with Workspace(settings.db) as workspace, workspace.write():
                leases = TrialLeaseRepository(workspace, job.id)
                leases.take(ELSEWHERE, Clock().now(), instead_of=leases.lease())

    with pytest.raises(ConflictError, match="was taken over by another process"):
        run(live.live, job, on_end=steal)
    assert live.live.progress(job.id).done < 60
    with Workspace(settings.db) as workspace:
        found = TrialLeaseRepository(workspace, job.id).lease()
    assert found is not None
    assert found.holder == ELSEWHERE
