"""A real Chromium and a real server. Where Chromium is absent the tests skip; in CI they fail."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser.harness import SERVER, Harness, OpenDesk

ROOT = Path(__file__).resolve().parents[2]
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
START_TIMEOUT_S = 60


def chromium_path() -> str | None:
    """The system's Chromium, or the one that ASSAY_CHROMIUM names."""
    return os.environ.get("ASSAY_CHROMIUM") or shutil.which("chromium") or shutil.which("chrome")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = chromium_path()
    if path is None:
        reason = "no Chromium on this machine (install the package chromium)"
        if os.environ.get("CI"):
            pytest.fail(f"{reason}; in CI the browser tests must run")
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served(
    command: Sequence[str],
    port: int,
    env: Mapping[str, str],
    *,
    health: str = "/_stcore/health",
    log: Path = Path(os.devnull),
) -> Iterator[subprocess.Popen[bytes]]:
    """A server in a process of its own, up when this enters and gone when it leaves."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT), **env},
            stdout=output,
            stderr=output,
        )
    try:
        _wait_until_up(f"http://127.0.0.1:{port}{health}", process)
        yield process
    finally:
        process.terminate()
        process.wait(timeout=20)


def _wait_until_up(address: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_TIMEOUT_S
    while time.monotonic() < end:
        try:
            urllib.request.urlopen(address, timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
        if process.poll() is not None:
            break
    pytest.fail("the server did not start")


@pytest.fixture(scope="session")
def harness(chromium: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harness]:
    """The desk over queues in memory, one server for all tests; each test names its own run."""
    port = free_port()
    logs = tmp_path_factory.mktemp("desk")
    script = str(Path(__file__).parent / "desk_harness.py")
    command = [sys.executable, "-m", "streamlit", "run", script, f"--server.port={port}", *SERVER]
    with served(command, port, {"DESK_LOGS": str(logs)}):
        yield Harness(f"http://127.0.0.1:{port}", logs)


@pytest.fixture
def open_desk(harness: Harness, chromium: Browser) -> Iterator[OpenDesk]:
    """Opens the desk of the harness; no page may have failed by the end of the test."""
    context = chromium.new_context(viewport={"width": 1440, "height": 900})
    errors: list[str] = []

    def open_desk(run: str, **query: str) -> Page:
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(harness.url(run, **query))
        page.get_by_role("button", name="Clean").wait_for(timeout=20_000)
        return page

    yield open_desk
    context.close()
    assert errors == []


App = Callable[[Path], str]


@pytest.fixture
def app() -> Iterator[App]:
    """Starts the app on a workspace; its address."""
    running = []

    def start(db: Path, *, reviewer: str = "ada") -> str:
        port = free_port()
        command = [sys.executable, "-m", "audit_app", "serve", "--port", str(port)]
        server = served(command, port, {"ASSAY_DB": str(db), "ASSAY_REVIEWER": reviewer})
        server.__enter__()
        running.append(server)
        return f"http://127.0.0.1:{port}"

    yield start
    for server in running:
        server.__exit__(None, None, None)
