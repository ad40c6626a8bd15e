"""2,000 requests to a server that answers at once, against the same requests by bare httpx."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import httpx

from audit_app.domain.conditions import Condition, Endpoint, EndpointKind
from audit_app.domain.trials import ChatMessage, Completion, CompletionStatus, Request
from audit_app.rerun.connect import open_provider
from audit_app.rerun.pool import run_concurrently
from audit_app.rerun.provider import Provider
from audit_app.services.context import open_services
from audit_app.services.live_plans import JobPlan, TrialAsk
from audit_app.services.live_trials import LiveTrialService
from audit_app.settings import Settings

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


@contextmanager
def _workspace(url: str) -> Iterator[tuple[LiveTrialService, JobPlan]]:
    """A workspace with two tasks, and the plan of a job of 2,000 trials of them."""
    with TemporaryDirectory() as folder:
        tasks = Path(folder, "tasks.jsonl")
        rows = [{"id": f"t{i}", "prompt": PROMPT, "key": "[vent.open(bay=3)]"} for i in (1, 2)]
        tasks.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
        settings = Settings(Path(folder, "bench.db"), "bench", Path(folder))
        with open_services(settings) as services:
            services.benchmarks.import_tasks("table", tasks, name="bench")
            ask = TrialAsk(endpoint=url, model="instant", trials=CALLS // 2)
            yield services.live, services.live.plan(["t1", "t2"], ask, benchmark="bench")


def _stored(live: LiveTrialService, plan: JobPlan) -> int:
    job = live.create(plan)
    progress = live.run(job.id, cancel=threading.Event(), concurrency=AT_A_TIME)
    return progress.answered


def _seconds(act: Callable[[], object]) -> float:
    began = time.perf_counter()
    act()
    return time.perf_counter() - began


def _grown(act: Callable[[], object]) -> int:
    """KB that an act leaves behind, once everything that it loads is there."""
    tracemalloc.start()
    act()
    before = tracemalloc.get_traced_memory()[0]
    act()
    grown = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    return grown // 1024


def run() -> None:
    """Print the ratios, and how much memory the calls leave behind."""
    with _instant_server() as url, _workspace(url) as (live, plan):
        endpoint = Endpoint(name="instant", url=url)
        condition = Condition(model="instant", endpoint=url, provider=EndpointKind.OPENAI)
        provider = open_provider(endpoint)
        acts: dict[str, Callable[[], object]] = {
            "bare httpx": lambda: _bare(url),
            "live calls": lambda: _ours(provider, condition),
            "live trials, every request and trial stored": lambda: _stored(live, plan),
        }
        ended = [int(str(act() or CALLS)) for act in acts.values()]
        # In turns, so that whatever else the machine does falls on all of them.
        rounds = [{name: _seconds(act) for name, act in acts.items()} for _ in range(ROUNDS)]
        bare, *ours = acts
        for name, answered in zip(ours, ended[1:], strict=True):
            ratio = median(r[bare] / r[name] for r in rounds)
            a_second = CALLS / median(r[name] for r in rounds)
            sys.stdout.write(
                f"{name}: {CALLS:,} to an instant server, {AT_A_TIME} at a time, {a_second:,.0f} a "
                f"second; ratio to {bare} {ratio:.2f} (goal: at least 0.5); {answered:,} answered; "
                f"{_grown(acts[name])} KB left behind\n"
            )
        provider.close()
