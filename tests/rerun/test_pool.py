from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from audit_app.rerun.pool import run_concurrently


def test_every_job_once_and_never_more_at_a_time() -> None:
    lock, running, most = threading.Lock(), 0, 0

    def work(job: int, cancel: threading.Event) -> int:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.001)
        with lock:
            running -= 1
        return job * job

    ended = list(run_concurrently(range(100), work, concurrency=3, cancel=threading.Event()))
    assert sorted(ended) == [(n, n * n) for n in range(100)]
    assert most == 3


def test_jobs_are_taken_one_by_one_as_there_is_room() -> None:
    taken: list[int] = []

    def jobs() -> Iterator[int]:
        for n in range(1_000):
            taken.append(n)
            yield n

    results = run_concurrently(
        jobs(), lambda job, cancel: job, concurrency=2, cancel=threading.Event()
    )
    for _ in range(10):
        next(results)
    assert len(taken) <= 12
    results.close()  # type: ignore[attr-defined]
    assert len(taken) <= 12


def test_cancel_takes_no_further_job_and_loses_no_result() -> None:
    cancel, begun = threading.Event(), []

    def work(job: int, cancel: threading.Event) -> str:
        begun.append(job)
        return "told" if cancel.wait(5 if job > 3 else 0) else "done"

    found = []
    for job, result in run_concurrently(range(100), work, concurrency=2, cancel=cancel):
        found.append((job, result))
        if len(found) == 3:
            cancel.set()
    assert sorted(job for job, _ in found) == sorted(begun)
    assert len(begun) <= 5


def test_leaving_early_ends_what_is_under_way() -> None:
    cancel, ends = threading.Event(), []

    def work(job: int, cancel: threading.Event) -> int:
        if job:
            ends.append(cancel.wait(10))
        return job

    began = time.monotonic()
    for _ in run_concurrently(range(3), work, concurrency=3, cancel=cancel):
        break
    assert time.monotonic() - began < 5
    assert ends == [True, True]


def test_exception_ends_the_rest_and_is_passed_on() -> None:
    def work(job: int, cancel: threading.Event) -> int:
        if job == 0:
            raise LookupError("broken")
        return int(cancel.wait(10))

    with pytest.raises(LookupError, match="broken"):
        list(run_concurrently(range(2), work, concurrency=2, cancel=threading.Event()))


@pytest.mark.parametrize("concurrency", [0, -1, 65])
def test_absurd_concurrency(concurrency: int) -> None:
    with pytest.raises(ValueError, match="concurrency"):
        run_concurrently((), lambda j, c: j, concurrency=concurrency, cancel=threading.Event())
