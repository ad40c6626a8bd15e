"""Opening the workspace file, and the one way to read and write it.

Every write goes through `Workspace.write`, which takes the write lock at once (BEGIN IMMEDIATE):
a deferred transaction that reads first fails with "database is locked" when another writer was
quicker, and waiting does not help it. A workspace is opened for one script run or one command and
belongs to one thread.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlite_utils.db import Database

from audit_app.errors import ConflictError, VerificationError, WorkspaceError
from audit_app.storage.migrations import migrations
from audit_app.storage.seals import broken_seals, seal, seal_of

APPLICATION_ID = 0x41535359  # "ASSY", so that another program's database is not taken for ours
SCHEMA_VERSION = 6
BUSY_TIMEOUT_S = 30.0


class Workspace:
    """An open workspace file.

    Attributes:
        path: Where it is, or will be once it is whole.
    """

    def __init__(self, path: Path, *, made_at: Path | None = None) -> None:
        """Open the workspace, creating it or bringing it up to date where needed.

        Args:
            path: Where it is.
            made_at: Where it is while it is made, before it is moved to ``path``.

        Raises:
            WorkspaceError: The file cannot be opened, is no workspace, or is from a newer version.
        """
        self.path = path
        with self._translating():
            # Absolute, because SQLite takes ":memory:" and "file:…" for something else than files.
            self._connection = sqlite3.connect(
                (made_at or path).absolute(),
                timeout=BUSY_TIMEOUT_S,
                isolation_level=None,
                check_same_thread=False,
            )
            try:
                self._prepare()
            except BaseException:
                self._connection.close()
                raise

    def _prepare(self) -> None:
        connection = self._connection
        connection.execute("pragma foreign_keys = on")
        connection.execute("pragma recursive_triggers = on")
        version, application = (
            connection.execute(f"pragma {name}").fetchone()[0]
            for name in ("user_version", "application_id")
        )
        if application == APPLICATION_ID and version == SCHEMA_VERSION:
            connection.execute("pragma synchronous = full")
            return
        if application == APPLICATION_ID and version > SCHEMA_VERSION:
            raise WorkspaceError(
                f"{self.path} was written by a newer version of Assay "
                f"(schema {version}, this version knows {SCHEMA_VERSION}); update Assay to open it"
            )
        if application != APPLICATION_ID and self._holds_tables():
            raise WorkspaceError(f"{self.path} is a database of another program, not a workspace")
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")
        connection.execute("begin immediate")
        try:
            # Under the lock: of two processes that create the file, the second finds it done.
            migrations.apply(Database(connection))
            connection.execute(f"pragma application_id = {APPLICATION_ID}")
            connection.execute(f"pragma user_version = {SCHEMA_VERSION}")
            connection.execute("commit")
        except BaseException:
            if connection.in_transaction:
                connection.execute("rollback")
            raise

    def _holds_tables(self) -> bool:
        names = {
            row[0] for row in self._connection.execute("select name from sqlite_master").fetchall()
        }
        # Another process may be half-way through creating this very workspace.
        return bool(names) and "_sqlite_migrations" not in names

    @contextmanager
    def _translating(self) -> Iterator[None]:
        """Turn what SQLite raises into one sentence about this file."""
        try:
            yield
        except sqlite3.IntegrityError as error:
            raise ConflictError(f"not saved: {error}") from error
        except sqlite3.Error as error:
            raise WorkspaceError(_sentence(self.path, error)) from error
        except UnicodeEncodeError as error:
            raise ConflictError("not saved: the text holds a broken character") from error

    @contextmanager
    def decoding(self) -> Iterator[None]:
        """Turn a stored value that is no value of its kind into one sentence about this file.

        Raises:
            WorkspaceError: A row was damaged, or changed past Assay.
        """
        try:
            yield
        except ValueError as error:  # also what msgspec and pydantic raise
            reason = " ".join(str(error).split())[:200]
            raise WorkspaceError(
                f"{self.path} holds a record that cannot be read ({reason}); see assay verify"
            ) from error

    @contextmanager
    def write(self) -> Iterator[None]:
        """One transaction: everything inside is stored, or nothing; inside another, part of it.

        Raises:
            ConflictError: A constraint of the schema refuses a row.
            WorkspaceError: The file cannot be written (read-only, disk full, busy).
        """
        if self._connection.in_transaction:
            yield
            return
        with self._translating():
            self._connection.execute("begin immediate")
            try:
                yield
                self._connection.execute("commit")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("rollback")
                raise

    def run(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Execute one statement inside `write`; the row id it made."""
        return self._connection.execute(sql, parameters).lastrowid or 0

    def added(self, sql: str, parameters: Sequence[Any] = ()) -> bool:
        """Execute one insert inside `write`; whether it made a row, or a conflict clause none."""
        return self._connection.execute(sql, parameters).rowcount == 1

    def run_many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """Execute one statement for each row inside `write`."""
        self._connection.executemany(sql, rows)

    def rows(self, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        with self._translating():
            return self._connection.execute(sql, parameters).fetchall()

    def each(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Rows of a query one by one, for results that should not be held at once."""
        with self._translating():
            yield from self._connection.execute(sql, parameters)

    def row(self, sql: str, parameters: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """The first row of a query, or None."""
        found = self.rows(sql, parameters)
        return found[0] if found else None

    def version(self) -> tuple[int, int]:
        """A mark that differs after each change of the file, by whatever process."""
        row = self.row("pragma data_version")
        return (row[0] if row else 0), self._connection.total_changes

    def seal(self, table: str, id_: str) -> None:
        """Seal a record just written inside `write`, so that a later change of it shows."""
        seal(self._connection, table, id_)

    def seal_of(self, table: str, id_: str) -> str | None:
        """The seal of a record, None where the record is not what was stored."""
        with self._translating():
            return seal_of(self._connection, table, id_)

    def problems(self) -> list[str]:
        """What SQLite's own checks find wrong with the file, and records whose seal is broken.

        Raises:
            VerificationError: The file is so damaged that it cannot be checked.
        """
        try:
            broken = [row[0] for row in self.rows("pragma integrity_check") if row[0] != "ok"]
            loose = self.rows("pragma foreign_key_check")
            with self._translating():
                unsealed = broken_seals(self._connection)
        except WorkspaceError as error:
            raise VerificationError(str(error)) from error
        return [
            *(f"integrity: {text}" for text in broken),
            *(
                f"{table} row {rowid} points to a missing row of {p}"
                for table, rowid, p, _ in loose
            ),
            *unsealed,
        ]

    def fold_log(self) -> None:
        """Fold the write-ahead log into the file, so that the file alone holds everything."""
        with self._translating():
            self._connection.execute("pragma wal_checkpoint(truncate)")

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _sentence(path: Path, error: sqlite3.Error) -> str:
    text = str(error)
    if "disk is full" in text:
        return f"the disk that holds {path} is full; nothing of this was saved"
    if "readonly" in text or "read-only" in text:
        return f"{path} cannot be written: the file or its folder is read-only"
    if "unable to open" in text:
        return f"{path} cannot be opened: its folder is missing or may not be written"
    if "not a database" in text:
        return f"{path} is not a workspace of Assay"
    if "disk I/O" in text:
        return f"{path} cannot be read or written: its disk is full or failing, or it is no file"
    if "locked" in text or "busy" in text:
        return (
            f"{path} stayed busy for {BUSY_TIMEOUT_S:.0f} s; nothing of this was saved, try again"
        )
    return f"{path}: {text}"
