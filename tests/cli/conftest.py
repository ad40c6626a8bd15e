from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from audit_app.cli import run


@dataclass(frozen=True)
class Printed:
    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Assay = Callable[..., Printed]


@pytest.fixture
def assay(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch
) -> Assay:
    """Runs one command on a workspace of the test's own."""
    monkeypatch.setenv("ASSAY_DB", str(tmp_path / "assay.db"))
    monkeypatch.setenv("ASSAY_REVIEWER", "ada")
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object) -> Printed:
        capfdbinary.readouterr()
        status = run([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return Printed(status, out.decode(), err.decode())

    return call


def in_process(*arguments: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """The command as a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "audit_app", *arguments],
        cwd=cwd,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=False,
    )
