from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from audit_app.errors import ConflictError, WorkspaceError
from audit_app.storage.workspace import SCHEMA_VERSION, Workspace
from tests.storage.conftest import store, task


def test_a_database_from_a_newer_version_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "assay.db"
    Workspace(path).close()
    raw = sqlite3.connect(path)
    raw.execute(f"pragma user_version = {SCHEMA_VERSION + 1}")
    raw.close()
    before = path.read_bytes()
    with pytest.raises(WorkspaceError, match="newer version of Assay"):
        Workspace(path)
    assert path.read_bytes() == before


def test_a_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    raw = sqlite3.connect(path)
    raw.execute("create table songs (title text)")
    raw.commit()
    raw.close()
    with pytest.raises(WorkspaceError, match="another program"):
        Workspace(path)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(
            b"not a database, but long enough to be one" * 40, "not a workspace", id="text"
        ),
        pytest.param(b"SQLite format 3\0" + b"\0" * 2000, "not a workspace|malformed", id="zeros"),
    ],
)
def test_a_file_that_is_no_database_is_refused(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "assay.db"
    path.write_bytes(content)
    with pytest.raises(WorkspaceError, match=says):
        Workspace(path)


def test_a_missing_folder_is_said(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="folder is missing"):
        Workspace(tmp_path / "nowhere" / "assay.db")


@pytest.mark.parametrize("name", [":memory:", "file:x?mode=memory"])
def test_a_name_that_sqlite_takes_for_more_is_a_file_like_any_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with Workspace(Path(name)) as workspace:
        store(workspace, [task("a")])
    assert (tmp_path / name).is_file()
    with Workspace(Path(name)) as workspace:
        assert workspace.rows("select count(*) from benchmarks") == [(1,)]


def test_a_read_only_workspace_says_so(tmp_path: Path) -> None:
    path = tmp_path / "assay.db"
    with Workspace(path) as workspace:
        workspace.fold_log()
        # What the operating system does to a file in a read-only place, also for root.
        workspace._connection.execute("pragma query_only = on")
        with pytest.raises(WorkspaceError, match="read-only"):
            store(workspace, [task("a")])


def test_a_full_disk_stores_nothing_and_says_so(tmp_path: Path) -> None:
    with Workspace(tmp_path / "assay.db") as workspace:
        pages = workspace.row("pragma page_count")
        assert pages is not None
        workspace._connection.execute(f"pragma max_page_count = {pages[0] + 20}")
        with pytest.raises(WorkspaceError, match=r"disk .* is full"):
            store(workspace, [task(f"t{i}", prompt="x" * 5000) for i in range(200)])
        assert workspace.rows("select count(*) from benchmarks") == [(0,)]
        assert workspace.problems() == []


def test_a_failed_transaction_leaves_nothing(workspace: Workspace) -> None:
    with pytest.raises(ConflictError):
        store(workspace, [task("twice"), task("twice")])
    assert workspace.rows("select count(*) from benchmarks") == [(0,)]


@pytest.mark.parametrize("table", ["benchmarks", "tasks", "entries", "documents"])
@pytest.mark.parametrize("statement", ["delete from {}", "update {} set key = 1, id = 1"])
def test_stored_rows_cannot_be_changed(workspace: Workspace, table: str, statement: str) -> None:
    store(workspace, [task("a")])
    columns = {"benchmarks": "name", "documents": "id", "tasks": "id", "entries": "id"}
    sql = statement.format(table).replace("key = 1, id = 1", f"{columns[table]} = 'other'")
    with pytest.raises(ConflictError, match="append-only"), workspace.write():
        workspace.run(sql)


def test_many_processes_can_make_the_same_workspace_at_once(tmp_path: Path) -> None:
    path = tmp_path / "assay.db"

    def make(_: int) -> int:
        code = (
            f"from audit_app.storage.workspace import Workspace; from pathlib import Path; "
            f"Workspace(Path({str(path)!r})).close()"
        )
        return subprocess.run([sys.executable, "-c", code], check=False).returncode

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(make, range(6))) == [0] * 6


_WRITER = """
import sys
from pathlib import Path
from audit_app.storage.workspace import Workspace
workspace = Workspace(Path(sys.argv[1]))
for i in range(100_000):
    with workspace.write():
        workspace.run(
            "insert into output_sources (benchmark, format, source, imported_at, imported_by, "
            "simulated, outputs, models) values (1, '', ?, '', '', 0, 0, '[]')", (str(i),))
    sys.stdout.write(f"{i}\\n")
    sys.stdout.flush()
"""


def test_what_was_acknowledged_survives_a_kill(tmp_path: Path) -> None:
    path = tmp_path / "assay.db"
    with Workspace(path) as workspace:
        store(workspace, [task("a")])
    writer = subprocess.Popen(
        [sys.executable, "-c", _WRITER, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    seen = [writer.stdout.readline() for _ in range(50)]
    os.kill(writer.pid, signal.SIGKILL)
    rest = writer.stdout.read().split("\n")[:-1]
    writer.stdout.close()
    writer.wait()
    acknowledged = len(seen) + len(rest)
    with Workspace(path) as workspace:
        stored = workspace.rows("select count(*) from output_sources")[0][0]
        assert stored >= acknowledged
        assert workspace.problems() == []
