"""Many pieces of work at a time, but never more than allowed, and ended together."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Generic, NamedTuple, TypeVar

J = TypeVar("J")
R = TypeVar("R")

MOST = 64
"""Threads at most."""


class Ended(NamedTuple, Generic[J, R]):
    """A piece of work and what came of it."""

    job: J
    result: R


def run_concurrently(
    jobs: Iterable[J],
    work: Callable[[J, threading.Event], R],
    *,
    concurrency: int,
    cancel: threading.Event,
) -> Iterator[Ended[J, R]]:
    """Results in the order in which the work ends.

    A job is taken from ``jobs`` only when there is room for it, so a generator can decide at the
    last moment whether there is another one, and memory does not grow with their number. Once
    ``cancel`` is set no further job is taken; what is under way is told by the same event, and its
    results are still given. Leaving the iterator early cancels what is under way.

    Args:
        jobs: What is to be done.
        work: Does one job; gets the event and must heed it.
        concurrency: How many at a time, 1 to 64.
        cancel: Ends everything when set.

    Raises:
        ValueError: ``concurrency`` is out of range.
    """
    if not 1 <= concurrency <= MOST:
        raise ValueError(f"concurrency {concurrency} is not between 1 and {MOST}")
    return _run(iter(jobs), work, concurrency, cancel)


def _run(
    jobs: Iterator[J],
    work: Callable[[J, threading.Event], R],
    concurrency: int,
    cancel: threading.Event,
) -> Iterator[Ended[J, R]]:
    running: dict[Future[R], J] = {}
    is_done = False
    with ThreadPoolExecutor(concurrency, thread_name_prefix="trial") as threads:
        try:
            while True:
                while not is_done and len(running) < concurrency and not cancel.is_set():
                    for job in jobs:
                        running[threads.submit(work, job, cancel)] = job
                        break
                    else:
                        is_done = True
                if not running:
                    return
                # One at a time: what came of it may decide whether there is another job.
                future = next(iter(wait(running, return_when=FIRST_COMPLETED).done))
                yield Ended(running.pop(future), future.result())
        finally:
            if running:  # left early, by whoever iterates or by an exception
                cancel.set()
