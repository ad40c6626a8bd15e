"""Jobs that this server runs: a thread each, which outlives the page that started it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st

from audit_app.errors import AuditError

Work = Callable[[threading.Event], object]
"""Runs a job until it ends or the event is set; opens what it needs by itself."""


@dataclass
class _Run:
    thread: threading.Thread
    cancel: threading.Event


@dataclass
class Runs:
    """The runs of this process; safe to use from every session."""

    _runs: dict[str, _Run] = field(default_factory=dict)
    _problems: dict[str, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def start(self, job: str, work: Work) -> None:
        """Run a job in the background, unless this process does so already."""
        with self._lock:
            if self._is_alive(job):
                return
            cancel = threading.Event()
            thread = threading.Thread(
                target=self._run, args=(job, work, cancel), name=f"job-{job[:8]}", daemon=True
            )
            self._problems.pop(job, None)
            self._runs[job] = _Run(thread, cancel)
            thread.start()

    def stop(self, job: str) -> None:
        """Let a job end after what is under way; it can go on later."""
        with self._lock:
            if job in self._runs:
                self._runs[job].cancel.set()

    def is_running(self, job: str) -> bool:
        """Whether this process runs the job now."""
        with self._lock:
            return self._is_alive(job)

    def is_stopping(self, job: str) -> bool:
        """Whether it was told to stop and has not yet."""
        with self._lock:
            return self._is_alive(job) and self._runs[job].cancel.is_set()

    def problem(self, job: str) -> str:
        """Why the last run of the job could not go on, in a sentence; empty where it could."""
        with self._lock:
            return self._problems.get(job, "")

    def _is_alive(self, job: str) -> bool:
        return job in self._runs and self._runs[job].thread.is_alive()

    def _run(self, job: str, work: Work, cancel: threading.Event) -> None:
        try:
            work(cancel)
        except AuditError as error:
            with self._lock:
                self._problems[job] = str(error)


@st.cache_resource
def runs() -> Runs:
    """The one registry of this server."""
    return Runs()
