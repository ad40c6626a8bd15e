"""Bad files for the bfcl importer: what costs a category, and what is refused whole."""

from __future__ import annotations

import os
import socket
import stat
import struct
import zipfile
from pathlib import Path
from typing import Any

import pytest

from audit_app.errors import InputError
from audit_app.importers.bfcl import parse_bfcl
from audit_app.importers.lines import RECORD_LIMIT
from audit_app.importers.report import RejectedRow
from tests.importers.bfcl_folder import (
    call,
    files,
    lines,
    turns,
    write_folder,
    write_zip,
)

QUESTIONS = "BFCL_v4_simple_python.json"
KEYS = f"possible_answer/{QUESTIONS}"
TOOLS = "multi_turn_func_doc/ticket_api.json"
GOOD = lines(call("simple_python_0"))


def test_a_missing_key_file_costs_its_category(tmp_path: Path) -> None:
    contents = files()
    del contents[KEYS]
    parsed = parse_bfcl(write_folder(tmp_path, contents))
    assert parsed.rejected == [
        RejectedRow(KEYS, 0, f"is absent, so no task of {QUESTIONS} was imported")
    ]
    assert not [task for task in parsed.tasks if task.category == "simple_python"]
    assert len(parsed.tasks) == 5


def test_a_key_file_without_question_file_is_reported(tmp_path: Path) -> None:
    contents = files()
    del contents[QUESTIONS]
    parsed = parse_bfcl(write_folder(tmp_path, contents))
    assert parsed.rejected == [RejectedRow(KEYS, 0, f"has keys, but there is no {QUESTIONS}")]


def test_a_missing_tool_file_is_reported_once_and_its_tasks_load(tmp_path: Path) -> None:
    contents = files()
    del contents[TOOLS]
    contents["BFCL_v4_multi_turn_miss_func.json"] += b"\n" + lines(turns("multi_turn_miss_func_1"))
    contents["possible_answer/BFCL_v4_multi_turn_miss_func.json"] += b"\n" + lines(
        {"id": "multi_turn_miss_func_1", "ground_truth": []}
    )
    parsed = parse_bfcl(write_folder(tmp_path, contents))
    assert [(row.source, row.line) for row in parsed.rejected] == [(TOOLS, 0)]
    assert [t.documents for t in parsed.tasks if t.group == "multi_turn"] == [{}, {}]


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "C:/x", "..\\x"])
def test_a_zip_that_points_outside_is_refused_whole(tmp_path: Path, name: str) -> None:
    path = write_zip(tmp_path / "p.zip", {**files(), name: b"x"})
    with pytest.raises(InputError, match="points outside of it; nothing was read"):
        parse_bfcl(path)


def test_a_zip_with_an_empty_name_is_refused_whole(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "p.zip", {**files(), "QQQ": b"x"})
    path.write_bytes(path.read_bytes().replace(b"QQQ", b"\0QQ"))  # zipfile cuts at the NUL
    with pytest.raises(InputError, match="points outside of it"):
        parse_bfcl(path)


def test_an_encrypted_zip_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "p.zip", {QUESTIONS: GOOD})
    data = bytearray(path.read_bytes())
    data[data.index(b"PK\x01\x02") + 8] |= 1  # general purpose flag, bit 0, central directory
    path.write_bytes(data)
    with pytest.raises(InputError, match="is encrypted"):
        parse_bfcl(path)


def test_half_a_zip_is_refused(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "p.zip", files())
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    with pytest.raises(InputError, match="neither a folder nor a complete zip file"):
        parse_bfcl(path)


def test_a_damaged_member_costs_its_file(tmp_path: Path) -> None:
    path = tmp_path / "p.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files().items():
            archive.writestr(name, content)
    data = path.read_bytes()
    at = data.index(b"irrelevance_0")
    path.write_bytes(data[:at] + b"I" + data[at + 1 :])
    parsed = parse_bfcl(path)
    (row,) = parsed.rejected
    assert (row.source, row.line) == ("BFCL_v4_irrelevance.json", 0)
    assert row.reason.startswith("cannot be read to its end (Bad CRC-32")
    assert len(parsed.tasks) == 6


def test_a_zip_bomb_is_not_inflated(tmp_path: Path) -> None:
    path = tmp_path / "p.zip"
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("BFCL_v4_irrelevance.json", "w") as member,
    ):
        for _ in range(3):
            member.write(b"[" * RECORD_LIMIT)
    data = bytearray(path.read_bytes())
    size_at = data.index(b"PK\x01\x02") + 24
    assert struct.unpack_from("<I", data, size_at)[0] == 3 * RECORD_LIMIT
    assert parse_bfcl(path).rejected[0].reason.startswith("the record is longer than 20 MB")
    struct.pack_into("<I", data, size_at, 4_000_000_000)
    path.write_bytes(data)
    (row,) = parse_bfcl(path).rejected
    assert row.reason == "unpacks to 4,000,000,000 bytes, more than 2,000,000,000"


def test_files_that_could_hang_are_not_opened(tmp_path: Path) -> None:
    folder = write_folder(tmp_path, files())
    (folder / "BFCL_v4_irrelevance.json").unlink()
    os.mkfifo(folder / "BFCL_v4_irrelevance.json")
    (folder / "loop").symlink_to(folder)
    (folder / KEYS).unlink()
    (folder / KEYS).symlink_to(folder / KEYS)
    parsed = parse_bfcl(folder)
    assert [(row.source, row.reason.split(" (")[0]) for row in parsed.rejected] == [
        (KEYS, "cannot be opened"),
        ("BFCL_v4_irrelevance.json", "is not a regular file"),
    ]


def test_a_socket_is_neither_folder_nor_zip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket has to be short
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("s")
        with pytest.raises(InputError, match="is not a regular file"):
            parse_bfcl(Path("s"))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        pytest.param(lambda p: None, "No such file", id="no such path"),
        pytest.param(lambda p: p.mkdir(), "expected are names such as", id="empty folder"),
        pytest.param(lambda p: p.write_bytes(b""), "neither a folder nor", id="empty file"),
        pytest.param(lambda p: p.write_bytes(b"PK\x03\x04"), "neither a folder", id="zip head"),
        pytest.param(
            lambda p: write_folder(p, {"BFCL_v3_simple.json": b"{}"}),
            "holds no BFCL v4 question file",
            id="another layout",
        ),
        pytest.param(lambda p: p.symlink_to(p), "cannot be opened", id="link to itself"),
    ],
)
def test_nothing_to_read_is_said_plainly(tmp_path: Path, make: Any, message: str) -> None:
    path = tmp_path / "given"
    make(path)
    with pytest.raises(InputError, match=message):
        parse_bfcl(path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_folder_without_permission_is_said_plainly(tmp_path: Path) -> None:
    folder = write_folder(tmp_path / "data", files())
    folder.chmod(0)
    try:
        with pytest.raises(InputError, match="Permission denied"):
            parse_bfcl(folder)
    finally:
        folder.chmod(stat.S_IRWXU)


def test_a_question_file_without_permission_costs_its_category(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_folder(tmp_path, files())
    original = Path.open

    def refuse(path: Path, *args: Any, **kwargs: Any) -> Any:
        if path == folder / QUESTIONS:
            raise PermissionError(13, "Permission denied")
        return original(path, *args, **kwargs)

    monkeypatch.setattr(Path, "open", refuse)
    parsed = parse_bfcl(folder)
    assert parsed.rejected == [RejectedRow(QUESTIONS, 0, "cannot be opened (Permission denied)")]
    assert len(parsed.tasks) == 5
