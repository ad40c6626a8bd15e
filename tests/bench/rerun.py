"""2,000 requests to a server that answers at once, against the same requests by bare httpx."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from statistics import median

import httpx

from audit_app.domain.conditions import Condition, Endpoint, EndpointKind
from audit_app.domain.trials import ChatMessage, Completion, CompletionStatus, Request
from audit_app.rerun.connect import open_provider
from audit_app.rerun.pool import run_concurrently
from audit_app.rerun.provider import Provider

CALLS, ROUNDS, AT_A_TIME = 2_000, 3, 4
PROMPT = "Please open the vents of bay three. " * 20


@contextmanager
def _instant_server() -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    process = subprocess.Popen([sys.executable, "-m", "tests.bench.instant_server", str(port)])
    try:
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.05)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait()


def _bare(url: str) -> None:
    body = {"model": "instant", "messages": [{"role": "user", "content": PROMPT}]}
    with httpx.Client() as client, ThreadPoolExecutor(AT_A_TIME) as threads:

        def call(_: int) -> None:
            answer = client.post(f"{url}/chat/completions", json=body).json()
            assert answer["choices"][0]["message"]["content"]

        list(threads.map(call, range(CALLS)))


def _ours(provider: Provider, condition: Condition) -> int:
    def work(trial: int, cancel: threading.Event) -> Completion:
        messages = (ChatMessage("user", PROMPT),)
        request = Request(task_id="t", trial=trial, messages=messages)
        return provider.complete(request, condition, cancel=cancel)

    jobs, cancel = range(1, CALLS + 1), threading.Event()
    ended = run_concurrently(jobs, work, concurrency=AT_A_TIME, cancel=cancel)
    return sum(result.status is CompletionStatus.OK for _, result in ended)


def _seconds(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def run() -> None:
    """Print the ratio, and how much memory the calls leave behind."""
    with _instant_server() as url:
        endpoint = Endpoint(name="instant", url=url)
        condition = Condition(model="instant", endpoint=url, provider=EndpointKind.OPENAI)
        provider = open_provider(endpoint)
        answered = _ours(provider, condition)
        bare = [_seconds(lambda: _bare(url)) for _ in range(ROUNDS)]
        ours = [_seconds(lambda: _ours(provider, condition)) for _ in range(ROUNDS)]
        tracemalloc.start()
        before = tracemalloc.get_traced_memory()[0]
        _ours(provider, condition)
        grown = tracemalloc.get_traced_memory()[0] - before
        tracemalloc.stop()
        provider.close()
    sys.stdout.write(
        f"live calls, {CALLS:,} to an instant server, {AT_A_TIME} at a time: "
        f"{CALLS / median(ours):,.0f} a second, bare httpx {CALLS / median(bare):,.0f}; ratio "
        f"{median(bare) / median(ours):.2f} (goal: at least 0.5); {answered:,} answered; "
        f"memory left behind by {CALLS:,} calls: {grown / 1024:.0f} KB\n"
    )
