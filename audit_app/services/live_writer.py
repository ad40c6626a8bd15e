"""The only writer of a running job: a thread with a connection of its own.

What several threads hand it at the same time goes into one transaction, and each is told only when
that is on disk. The same thread renews the hold on the job and looks whether it was stopped.
"""

from __future__ import annotations

import threading
from concurrent.futures import Future
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from types import TracebackType
from typing import NamedTuple, Self, TypeAlias

from audit_app.errors import AuditError
from audit_app.services.clock import Clock
from audit_app.services.live_leases import LEASE_S, RENEWED_EVERY_S
from audit_app.storage.trial_leases import TrialLeaseRepository
from audit_app.storage.trials import NewRequest, NewTrial, TrialRepository
from audit_app.storage.workspace import Workspace

_TICK_S = 0.1
_LOOK_S = 1.0
"""How often it looks whether somebody cancelled the job."""
_MOST_AT_ONCE = 256


Row: TypeAlias = NewRequest | NewTrial


class _Item(NamedTuple):
    rows: tuple[Row, ...]
    stored: Future[None]


class TrialWriter:
    """Stores what threads hand it; a context manager.

    Args:
        path: The workspace file.
        job: UUID of the job.
        holder: Who holds the job; what another process would have taken over is not stored.
        clock: The time.
        cancel: When the caller sets it, the job is to stop.
        stop: Is set when the job is to stop, for whatever reason.

    Attributes:
        is_cancelled: Whether somebody cancelled the job for good.
        failure: Why nothing more could be stored, None while all is well.
    """

    def __init__(
        self,
        path: Path,
        job: str,
        holder: str,
        *,
        clock: Clock,
        cancel: threading.Event,
        stop: threading.Event,
    ) -> None:
        self._path, self._job, self._holder, self._clock = path, job, holder, clock
        self._cancel, self._stop = cancel, stop
        self._queue: SimpleQueue[_Item] = SimpleQueue()
        self._is_closing = threading.Event()
        self._thread = threading.Thread(target=self._write, name="trial writer", daemon=True)
        self.is_cancelled = False
        self.failure: AuditError | None = None

    def store(self, *rows: Row) -> Future[None]:
        """Hand over rows; the future is done once all of them are on disk."""
        stored: Future[None] = Future()
        self._queue.put(_Item(rows, stored))
        return stored

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._is_closing.set()
        self._thread.join()

    def _write(self) -> None:
        try:
            with Workspace(self._path) as workspace:
                self._serve(workspace)
        except AuditError as error:
            self._fail(error, [])

    def _serve(self, workspace: Workspace) -> None:
        leases = TrialLeaseRepository(workspace, self._job)
        renew_at = looked_at = monotonic()
        while True:
            batch = self._batch()
            now = monotonic()
            is_due = now >= renew_at
            if batch or is_due:
                if not self._store(workspace, leases, batch, renew=is_due):
                    return
                renew_at = now + RENEWED_EVERY_S if is_due else renew_at
            if now >= looked_at + _LOOK_S:
                looked_at = now
                self.is_cancelled = self.is_cancelled or leases.is_cancelled()
            if self._cancel.is_set() or self.is_cancelled:
                self._stop.set()
            if not batch and self._is_closing.is_set():
                return

    def _batch(self) -> list[_Item]:
        """What is waiting, or comes within a moment."""
        batch: list[_Item] = []
        with suppress(Empty):
            batch.append(self._queue.get(timeout=0 if self._is_closing.is_set() else _TICK_S))
            while len(batch) < _MOST_AT_ONCE:
                batch.append(self._queue.get_nowait())
        return batch

    def _store(
        self,
        workspace: Workspace,
        leases: TrialLeaseRepository,
        batch: list[_Item],
        *,
        renew: bool,
    ) -> bool:
        """Store rows in one transaction; whether that worked."""
        trials = TrialRepository(workspace)
        try:
            with workspace.write():
                leases.require(self._holder)
                for row in (row for item in batch for row in item.rows):
                    if isinstance(row, NewRequest):
                        trials.append_request(self._job, row)
                    else:
                        trials.append_trial(self._job, row)
                if renew:
                    leases.renew(self._clock.now() + timedelta(seconds=LEASE_S))
        except AuditError as error:
            self._fail(error, batch)
            return False
        for _, stored in batch:
            stored.set_result(None)
        return True

    def _fail(self, error: AuditError, batch: list[_Item]) -> None:
        """Tell everybody who waits, now and until the end, that nothing can be stored."""
        self.failure = error
        self._stop.set()
        while True:
            for _, stored in batch:
                stored.set_exception(error)
            batch = self._batch()
            if not batch and self._is_closing.is_set():
                return


class TrialRows:
    """Rows of one trial on their way to the disk.

    Args:
        writer: Stores.
        at_once: Whether each is handed over the moment it is there; where a trial is one request,
            that request goes into one transaction with the trial, which follows at once.
    """

    def __init__(self, writer: TrialWriter, *, at_once: bool) -> None:
        self._writer, self._at_once = writer, at_once
        self._kept: list[Row] = []
        self._waiting: list[Future[None]] = []

    def add(self, row: Row) -> None:
        """Take a row."""
        self._kept.append(row)
        if self._at_once:
            self.hand_over()

    def hand_over(self) -> None:
        """Give all rows to the writer."""
        if self._kept:
            self._waiting.append(self._writer.store(*self._kept))
            self._kept = []

    def wait(self) -> None:
        """Wait until all rows are on disk."""
        self.hand_over()
        while self._waiting:
            self._waiting.pop(0).result()

    @property
    def are_stored(self) -> bool:
        """Whether all rows are on disk."""
        return not self._kept and all(stored.done() for stored in self._waiting)
