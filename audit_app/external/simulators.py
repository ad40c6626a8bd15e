"""A pool of processes that run the benchmark's simulated back-ends, for multi-turn grading.

They come from the package file that ``assay fetch bfcl-v4`` brings. What a model wrote reaches
them as text and is never evaluated; a process that hangs, dies or takes too much memory is
replaced, and its task has no verdict.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from queue import LifoQueue
from types import TracebackType
from typing import Self

import msgspec

import audit_app
from audit_app.domain.benchmark import Task
from audit_app.domain.trials import Executed
from audit_app.errors import InputError
from audit_app.external.fetch import FILE_NAME, SHA256
from audit_app.scoring.grade import GradeStatus, Simulation

_WORKER = "import sys; sys.path.insert(0, sys.argv.pop(1)); import {0}; {0}.main()".format(
    "audit_app.external.simulator_worker"
)
_KEPT_VARIABLES = ("PATH", "SYSTEMROOT", "TZ", "LANG", "LD_LIBRARY_PATH")
_GRACE_S = 2.0


@dataclass(frozen=True)
class SimulatorLimits:
    """What one task may take.

    Attributes:
        timeout_s: Seconds, the start of a process included.
        memory_mb: Address space of a process, in MB; not enforced where the system cannot.
    """

    timeout_s: float = 20.0
    memory_mb: int = 1024


def find_simulators(
    cache: Path, *, workers: int = 1, limits: SimulatorLimits | None = None
) -> SimulatorPool | None:
    """A pool on the package in the cache folder; None where it was never fetched.

    Raises:
        InputError: The file there is not the pinned one.
    """
    package = cache / FILE_NAME
    return SimulatorPool(package, workers=workers, limits=limits) if package.is_file() else None


class SimulatorPool:
    """Runs multi-turn tasks, as many at a time as it has processes; safe to use from threads.

    A process starts at its first task. Use it as a context manager, or close it.
    """

    def __init__(
        self, package: Path, *, workers: int = 1, limits: SimulatorLimits | None = None
    ) -> None:
        """A pool on a package file.

        Raises:
            InputError: The file cannot be read or is not the pinned one.
        """
        _check_pinned(package)
        self._limits = limits or SimulatorLimits()
        self._workers = [_Worker(package, self._limits) for _ in range(max(1, workers))]
        self._idle: LifoQueue[_Worker] = LifoQueue()
        for worker in self._workers:
            self._idle.put(worker)

    @property
    def workers(self) -> int:
        """How many tasks can run at a time."""
        return len(self._workers)

    def run(
        self, task: Task, turns: Sequence[Sequence[Sequence[str]]], key: Sequence[Sequence[str]]
    ) -> Simulation:
        """Outcome of the benchmark's multi-turn check for decoded turns of steps of calls.

        Waits for a free process; returns within the time limit after that.
        """
        return self._asked(task, turns, key)

    def execute(self, task: Task, turns: Sequence[Sequence[Sequence[str]]]) -> Executed:
        """What the calls of the last step give, after those of all steps before it.

        Every time the task begins afresh, so that no process belongs to a conversation: one that
        is lost can be replaced between two steps. Waits as `run` does.
        """
        outcome = self._asked(task, turns, None)
        if outcome.status is GradeStatus.GRADED and isinstance(outcome.given, list):
            return Executed(results=tuple(outcome.given))
        return Executed(error=f"the simulators gave no result: {outcome.note or outcome.code}")

    def _asked(
        self,
        task: Task,
        turns: Sequence[Sequence[Sequence[str]]],
        key: Sequence[Sequence[str]] | None,
    ) -> Simulation:
        classes = task.context.get("involved_classes")
        initial = task.context.get("initial_config")
        if not isinstance(classes, list) or not isinstance(initial, Mapping):
            note = "the task does not say which simulators it needs"
            return Simulation("simulator:no_setting", GradeStatus.NOT_GRADED, note=note)
        request = {
            "classes": classes,
            "initial": initial,
            "long_context": _is_long_context(task.id),
            "turns": turns,
            "key": key,
        }
        worker = self._idle.get()
        try:
            return worker.run(json.dumps(request).encode("ascii") + b"\n")
        finally:
            self._idle.put(worker)

    def close(self) -> None:
        """End the processes; a later task starts them again."""
        for worker in self._workers:
            worker.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class _Worker:
    """One process, started when it is needed."""

    def __init__(self, package: Path, limits: SimulatorLimits) -> None:
        self._package, self._limits = package, limits
        self._process: subprocess.Popen[bytes] | None = None

    def run(self, request: bytes) -> Simulation:
        began = time.monotonic()
        process = self._running()
        alarm = threading.Timer(self._limits.timeout_s, process.kill)
        alarm.daemon = True
        alarm.start()
        try:
            reply = _exchange(process, request)
        finally:
            alarm.cancel()
        is_late = time.monotonic() - began >= self._limits.timeout_s
        if reply.endswith(b"\n"):
            simulation = msgspec.json.decode(reply, type=Simulation)
        else:
            simulation = _lost(is_late, self._limits.timeout_s)
        if is_late or simulation.status is GradeStatus.ERROR:
            self.stop()
        return simulation

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue  # what was left in the buffer has no reader any more
        try:
            process.wait(_GRACE_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _running(self) -> subprocess.Popen[bytes]:
        if self._process is not None and self._process.poll() is not None:
            self.stop()
        if self._process is None:
            self._process = subprocess.Popen(
                self._command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
            )
        return self._process

    def _command(self) -> list[str]:
        source = Path(audit_app.__file__).resolve().parent.parent
        limits = (str(self._limits.memory_mb), str(self._limits.timeout_s + _GRACE_S))
        return [
            *(sys.executable, "-s", "-P", "-B", "-c", _WORKER),
            *(str(source), str(self._package), *limits),
        ]


def _exchange(process: subprocess.Popen[bytes], request: bytes) -> bytes:
    """The reply line; cut short or empty where the process ended before."""
    if process.stdin is None or process.stdout is None:
        raise ValueError("the process was started without pipes")
    try:
        process.stdin.write(request)
        process.stdin.flush()
        return process.stdout.readline()
    except OSError:
        return b""


def _lost(is_late: bool, timeout_s: float) -> Simulation:
    if is_late:
        note = f"the calls did not end within {timeout_s:g} s"
        return Simulation("simulator:timeout", GradeStatus.ERROR, note=note)
    note = "their process ended while the calls were running"
    return Simulation("simulator:crash", GradeStatus.ERROR, note=note)


def _is_long_context(task_id: str) -> bool:
    """Whether the initial state is extended: the benchmark goes by the id."""
    category = task_id.rsplit("_", 1)[0]
    return "long_context" in category or "composite" in category


def _environment() -> dict[str, str]:
    """A few names of the environment: no keys, no tokens."""
    kept = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    return {**kept, "PYTHONHASHSEED": "0", "PYTHONIOENCODING": "utf-8"}


def _check_pinned(package: Path) -> None:
    try:
        with package.open("rb") as stream:
            found = file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{package} cannot be read: {error.strerror}") from error
    if found != SHA256:
        raise InputError(
            f"{package} is not the pinned package (SHA-256 {found[:12]}…); "
            "get it with: assay fetch bfcl-v4"
        )
