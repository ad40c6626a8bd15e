"""Odd paths, odd settings, odd names and a reader who leaves: one sentence, nothing half-done."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from audit_app.errors import WorkspaceError
from audit_app.storage.workspace import Workspace
from tests.cli.conftest import Assay, in_process


def files_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def write_tasks(path: Path, count: int = 60) -> Path:
    path.write_text("id,key\n" + "".join(f"t{i},k\n" for i in range(count)), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "content",
    [
        pytest.param("", id="empty"),
        pytest.param("id,key\n", id="no rows"),
        pytest.param("a,b\n1,2\n", id="no ids"),
    ],
)
def test_an_import_that_fails_makes_no_workspace(
    assay: Assay, tmp_path: Path, content: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_text(content, encoding="utf-8")
    assert assay("import", "table", path, "--benchmark", "b").status == 2
    assert files_in(tmp_path) == {"t.csv"}


def test_an_import_makes_its_workspace_whole(assay: Assay, tmp_path: Path) -> None:
    path = write_tasks(tmp_path / "t.csv")
    assert assay("import", "table", path, "--benchmark", "b").status == 0
    assert files_in(tmp_path) == {"t.csv", "assay.db"}


def test_a_full_disk_while_it_is_made_names_the_workspace(
    assay: Assay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def is_full(workspace: Workspace) -> None:
        raise WorkspaceError(f"the disk that holds {workspace.path} is full")

    monkeypatch.setattr(Workspace, "fold_log", is_full)
    assert f"holds {tmp_path / 'assay.db'} is full" in assay("demo").err
    assert files_in(tmp_path) == set()


@pytest.mark.parametrize("command", [["demo"], ["verify"], ["audit", "list"]])
@pytest.mark.parametrize(
    "db",
    [
        pytest.param("x" * 300, id="too long"),
        pytest.param("loop", id="a link to itself"),
        pytest.param("pipe", id="a pipe"),
        pytest.param("file/x.db", id="below a file"),
        pytest.param("", id="empty"),
    ],
)
def test_what_can_be_no_workspace_file(
    assay: Assay, tmp_path: Path, command: list[str], db: str
) -> None:
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "file").touch()
    os.mkfifo(tmp_path / "pipe")
    printed = assay(*command, "--db", db)
    assert (printed.status, printed.out, printed.err.count("\n")) == (2, "", 1)


def test_a_link_to_where_nothing_is_yet_is_followed(assay: Assay, tmp_path: Path) -> None:
    (tmp_path / "link.db").symlink_to("real.db")
    assert assay("demo", "--db", "link.db", "--json").json["made"] is True
    assert (tmp_path / "real.db").is_file()
    assert (tmp_path / "link.db").is_symlink()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SOURCE_DATE_EPOCH", "yesterday"),
        ("SOURCE_DATE_EPOCH", "-5"),
        ("SOURCE_DATE_EPOCH", "²"),
        ("SOURCE_DATE_EPOCH", "9" * 20),
        ("ASSAY_CACHE", "~nobody-of-this-name/cache"),
        ("ASSAY_REVIEWER", "a\nb"),
        ("ASSAY_REVIEWER", "x" * 201),
    ],
)
def test_a_bad_setting_is_said(tmp_path: Path, variable: str, value: str) -> None:
    # As a process, because some libraries read the environment when they are imported.
    done = in_process("audit", "list", cwd=tmp_path, **{variable: value})
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("error: ")
    assert "no workspace" not in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(["plan", "--benchmark", "b", "--plan", "pipe"], id="plan"),
        pytest.param(["plan", "--benchmark", "b", "--ids", "pipe"], id="ids"),
        pytest.param(["reviews", "import", "a", "pipe"], id="reviews"),
        pytest.param(["plan", "--benchmark", "b", "--plan", "/dev/zero"], id="device"),
        pytest.param(["plan", "--benchmark", "b", "--plan", "."], id="folder"),
    ],
)
def test_what_is_no_file_is_not_opened(assay: Assay, tmp_path: Path, arguments: list[str]) -> None:
    os.mkfifo(tmp_path / "pipe")
    assay("import", "table", write_tasks(tmp_path / "t.csv"), "--benchmark", "b")
    assay("audit", "new", "a", "--benchmark", "b", "--size", "50", "--seed", "s")
    printed = assay(*arguments)
    assert printed.status == 2
    assert "cannot be read: it is" in printed.err


def test_messages_stay_short_whatever_the_input(assay: Assay, tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    long = json.dumps({"id": "x" * 10_000, "key": 1})
    path.write_text("\n".join([long, long]), encoding="utf-8")
    printed = assay("import", "table", path, "--benchmark", "b", "--json")
    (rejected,) = printed.json["rejected"]
    assert printed.status == 1
    assert len(rejected["reason"]) < 1_100
    assert rejected["reason"].endswith("is used already, in line 1")
    assert len(assay("audit", "status", "y" * 10_000).err) < 1_100


NAMES = [".", "..", "a:b", "a*b", "ü ★", "ü ☃", "ü" * 200, "a" * 200, "A"]


def test_each_audit_has_a_report_folder_of_its_own(assay: Assay, tmp_path: Path) -> None:
    assay("import", "table", write_tasks(tmp_path / "t.csv"), "--benchmark", "b")
    folders = []
    for name in NAMES:
        assay("audit", "new", "--benchmark", "b", "--size", "50", "--seed", "s", "--", name)
        files = assay("report", "--json", "--", name).json["files"]
        folders.append(Path(files[0]).parent)
    assert len(set(folders)) == len(NAMES)
    assert {folder.parent for folder in folders} == {tmp_path / "exports"}
    assert folders[-1].name == "A"


def test_a_report_of_no_format_is_refused(assay: Assay) -> None:
    assay("demo")
    printed = assay("report", "toolshop", "--format", "")
    assert (printed.status, printed.out) == (2, "")


@pytest.mark.parametrize("command", [["formats"], ["formats", "--json"], ["audit", "--help"]])
@pytest.mark.parametrize(
    ("stdout", "status"),
    [
        pytest.param("/dev/full", 2, id="full"),
        pytest.param(None, 0, id="closed"),
    ],
)
def test_output_that_cannot_be_printed(
    tmp_path: Path, command: list[str], stdout: str | None, status: int
) -> None:
    if stdout and not Path(stdout).exists():
        pytest.skip(f"no {stdout} on this system")
    target = f">{stdout}" if stdout else ">&-"
    shell = f'"$0" -m audit_app {" ".join(command)} {target}'
    done = subprocess.run(
        ["sh", "-c", shell, sys.executable], cwd=tmp_path, capture_output=True, check=False
    )
    assert done.returncode == status
    assert b"Traceback" not in done.stderr


def test_a_reader_may_leave(assay: Assay, tmp_path: Path) -> None:
    path = write_tasks(tmp_path / "t.csv", count=20_000)
    assay("import", "table", path, "--benchmark", "b")
    command = '"$0" -m audit_app plan --benchmark b --size 15000 --seed s --json | head -n 1'
    done = subprocess.run(
        ["sh", "-c", command, sys.executable], cwd=tmp_path, capture_output=True, check=False
    )
    assert (done.stdout, done.stderr) == (b"{\n", b"")
