"""Ends requests from outside: at their deadline, or when whoever asked cancels.

A thread that waits for a server cannot look at a clock or an event: the timeouts of the HTTP
library bound each single read, not their sum. So a second thread looks at all requests under way
and shuts the connection of those whose time is up; the waiting thread then wakes with an error.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from typing import Any

from audit_app.domain.trials import CompletionStatus

POLL_S = 0.05
"""How late a cancel or a deadline can take effect."""


class Line:
    """One connection that carries one request at a time.

    Attributes:
        ended: Why the request under way was ended from outside, None while it was not.
    """

    def __init__(self) -> None:
        self.ended: CompletionStatus | None = None
        self._socket: socket.socket | None = None
        self._lock = threading.Lock()
        self._is_busy = False

    def begin(self) -> None:
        """A request begins."""
        with self._lock:
            self.ended, self._is_busy = None, True

    def finish(self) -> None:
        """The request is over: from here on nothing ends it any more."""
        with self._lock:
            self._is_busy = False

    def end(self, why: CompletionStatus) -> None:
        """End the request under way, if there is one."""
        with self._lock:
            if self._is_busy and self.ended is None:
                self.ended = why
                self._shut()

    def trace(self, event: str, info: dict[str, Any]) -> None:
        """Learn the connection from the HTTP library's events."""
        if not event.endswith(("connect_tcp.complete", "start_tls.complete")):
            return
        with self._lock:
            self._socket = info["return_value"].get_extra_info("socket")
            if self.ended is not None:
                self._shut()

    def _shut(self) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):  # it is closed already
                # Of the plain socket: an encrypted one would first forget its own state.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class Watch:
    """Looks after the requests under way of one endpoint; its thread starts with the first."""

    def __init__(self) -> None:
        self._running: dict[Line, tuple[float, threading.Event]] = {}
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._is_closed = False

    @contextlib.contextmanager
    def over(self, line: Line, deadline: float, cancel: threading.Event) -> Iterator[None]:
        """Look after a request until this is left.

        Args:
            line: Its connection.
            deadline: When its time is up, on the monotonic clock.
            cancel: Ends it when set.
        """
        line.begin()
        with self._changed:
            self._running[line] = (deadline, cancel)
            if self._thread is None:
                self._thread = threading.Thread(target=self._look, name="requests", daemon=True)
                self._thread.start()
            elif len(self._running) == 1:
                self._changed.notify()
        try:
            yield
        finally:
            line.finish()
            with self._changed:
                del self._running[line]

    def close(self) -> None:
        """End the thread."""
        with self._changed:
            self._is_closed = True
            self._changed.notify()

    def _look(self) -> None:
        while True:
            with self._changed:
                while not self._running and not self._is_closed:
                    self._changed.wait()
                if self._is_closed:
                    return
                running = list(self._running.items())
            now = time.monotonic()
            for line, (deadline, cancel) in running:
                if cancel.is_set():
                    line.end(CompletionStatus.CANCELLED)
                elif now >= deadline:
                    line.end(CompletionStatus.TIMEOUT)
            time.sleep(POLL_S)
