"""Fetching the public package: pip's network is faked by the command runner, nothing else."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

from audit_app.errors import InputError, OutsideServiceError
from audit_app.external import fetch
from audit_app.external.fetch import FILE_NAME, FetchedPackage, Finished, fetch_bfcl_v4

PACKAGE = b"a small stand-in for the package"
SHA256 = sha256(PACKAGE).hexdigest()


@pytest.fixture(autouse=True)
def _pinned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "SIZE", len(PACKAGE))
    monkeypatch.setattr(fetch, "SHA256", SHA256)


class Pip:
    """Answers for pip: writes a file where the command says, or fails with a text."""

    def __init__(self, content: bytes | None = PACKAGE, *, says: str = "", status: int = 0) -> None:
        self.content, self.says, self.status = content, says, status
        self.commands: list[list[str]] = []
        self.requirements = ""

    def __call__(self, command: Sequence[str]) -> Finished:
        self.commands.append(list(command))
        after = dict(pairwise(command))
        self.requirements = Path(after["--requirement"]).read_text(encoding="utf-8")
        if self.content is not None:
            (Path(after["--dest"]) / FILE_NAME).write_bytes(self.content)
        return Finished(self.status, self.says)


def test_the_package_is_put_where_it_belongs_and_nothing_else(tmp_path: Path) -> None:
    pip, folder = Pip(), tmp_path / "cache" / "assay"
    package = fetch_bfcl_v4(folder, run=pip)
    assert package == FetchedPackage(folder / FILE_NAME, SHA256)
    assert package.path.read_bytes() == PACKAGE
    assert [path.name for path in folder.iterdir()] == [FILE_NAME]


def test_pip_is_asked_for_one_pinned_file_without_an_address(tmp_path: Path) -> None:
    pip = Pip()
    fetch_bfcl_v4(tmp_path, run=pip)
    (command,) = pip.commands
    assert command[:4] == [sys.executable, "-m", "pip", "download"]
    assert {"--no-deps", "--require-hashes", "--only-binary", "--no-input"} <= set(command)
    assert pip.requirements == f"bfcl-eval==2026.3.23 --hash=sha256:{SHA256}\n"
    assert "://" not in " ".join(command) + pip.requirements


def test_a_right_file_is_not_fetched_again(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(PACKAGE)
    pip = Pip()
    assert fetch_bfcl_v4(tmp_path, run=pip).sha256 == SHA256
    assert pip.commands == []


@pytest.mark.parametrize("wrong", [b"", PACKAGE[:-1] + b"?", PACKAGE + b"more"])
def test_a_wrong_file_is_replaced(tmp_path: Path, wrong: bytes) -> None:
    (tmp_path / FILE_NAME).write_bytes(wrong)
    assert fetch_bfcl_v4(tmp_path, run=Pip()).path.read_bytes() == PACKAGE


OFFLINE = """\
WARNING: Retrying (Retry(total=0)) after connection broken by 'NewConnectionError("HTTPSConnection(
host='registry.invalid', port=443): Failed to establish a new connection")': /simple/bfcl-eval/
ERROR: Could not find a version that satisfies the requirement bfcl-eval==2026.3.23
ERROR: No matching distribution found for bfcl-eval==2026.3.23
"""


@pytest.mark.parametrize(
    ("says", "message"),
    [
        pytest.param(OFFLINE, "the package registry cannot be reached", id="offline"),
        pytest.param(
            "/usr/bin/python: No module named pip\n", "this Python has no pip", id="no pip"
        ),
        pytest.param(
            "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE REQUIREMENTS FILE.",
            "not the one that is pinned by SHA-256",
            id="another file",
        ),
        pytest.param(
            "ERROR: error 401 for https://me:secret@registry.invalid/simple at registry.invalid\n"
            "WARNING: There was an error checking the latest version of pip.\n",
            "pip said: error 401 for … at …",
            id="refused",
        ),
        pytest.param("", "pip gave no reason", id="silent"),
    ],
)
def test_a_failure_is_one_sentence_without_addresses(
    tmp_path: Path, says: str, message: str
) -> None:
    with pytest.raises(OutsideServiceError) as failure:
        fetch_bfcl_v4(tmp_path, run=Pip(None, says=says, status=1))
    text = str(failure.value)
    assert message in text
    assert "registry.invalid" not in text
    assert "secret" not in text
    assert "\n" not in text
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("content", [None, b"something else"])
def test_what_pip_brought_is_checked(tmp_path: Path, content: bytes | None) -> None:
    with pytest.raises(OutsideServiceError, match=r"no bfcl_eval-.* of the pinned SHA-256"):
        fetch_bfcl_v4(tmp_path, run=Pip(content))
    assert list(tmp_path.iterdir()) == []


def test_a_failed_fetch_leaves_the_old_file(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"old")
    with pytest.raises(OutsideServiceError):
        fetch_bfcl_v4(tmp_path, run=Pip(None, status=1))
    assert (tmp_path / FILE_NAME).read_bytes() == b"old"


def test_a_folder_that_cannot_be_written_is_the_users_to_mend(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="cannot take the package: File exists"):
        fetch_bfcl_v4(tmp_path / "file", run=Pip())
    (tmp_path / "sub" / FILE_NAME).mkdir(parents=True)
    with pytest.raises(InputError, match="cannot take the package: Is a directory"):
        fetch_bfcl_v4(tmp_path / "sub", run=Pip())


def test_a_command_that_hangs_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "TIMEOUT_S", 0.2)
    with pytest.raises(OutsideServiceError, match="did not finish within"):
        fetch.run_command([sys.executable, "-c", "import time; time.sleep(30)"])


def test_a_command_is_heard_on_both_streams() -> None:
    code = "import sys; print('é'); print('err', file=sys.stderr); sys.exit(3)"
    done = fetch.run_command([sys.executable, "-c", code])
    assert (done.status, sorted(done.said.split())) == (3, ["err", "é"])
