"""Many reviewers at once: browsers that press by themselves, and an app that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, ViewportSize

from audit_app.settings import Settings
from tests.browser.conftest import free_port, served

WAIT_MS = 60_000
VIEWPORT = ViewportSize(width=1280, height=800)

_PRESS_ON = """([gap, most]) => {
  const root = document.querySelector('[data-testid="stBidiComponentIsolated"]').shadowRoot;
  const head = () => root.querySelector("header");
  const at = () => head().querySelector("h1").textContent;
  const press = (key, code) => {
    const how = { key, code, bubbles: true, cancelable: true };
    document.dispatchEvent(new KeyboardEvent("keydown", how));
  };
  const isSaved = () => !Object.keys(localStorage).some((name) => name.includes(":action:"));
  const crowd = window.crowd = { judged: [], isOver: false };
  const go = () => {
    if (crowd.judged.length >= most || root.querySelector(".end")) {
      crowd.isOver = isSaved();
      return;
    }
    const task = at();
    if (!root.querySelector(".pane.right")) return;
    const isGone = /with another reviewer|has all its reviews/.test(head().textContent);
    if (isGone) press(" ", "Space");
    else press("a", "KeyA");
    if (!isGone && at() !== task) crowd.judged.push(task);
  };
  setTimeout(() => setInterval(go, gap), Math.random() * gap);
}"""
"""Presses A again and again, Space where a task went to others meanwhile; notes what it judged."""


def open_reviewer(browser: Browser, address: str, person: str, audit: str) -> Page:
    """A browser of its own for somebody, which begins to load the review screen."""
    page = browser.new_context(viewport=VIEWPORT).new_page()
    page.goto(f"{address}/?{urlencode({'audit': audit, 'as': person})}", wait_until="commit")
    return page


def wait_for_task(page: Page) -> None:
    """Until the first task is there."""
    page.locator(".pane.right").wait_for(timeout=WAIT_MS)


def press_on(page: Page, *, gap_ms: int, most: int = 1_000_000) -> None:
    """Let the page press A by itself from now on, until nothing is left or so many are judged."""
    page.evaluate(_PRESS_ON, [gap_ms, most])


def judged(page: Page, *, timeout_s: int = 180) -> list[str]:
    """What the page judged by itself, once it is over and every judgement is answered as saved."""
    page.wait_for_function("window.crowd.isOver", timeout=timeout_s * 1_000, polling=100)
    tasks: list[str] = page.evaluate("window.crowd.judged")
    return tasks


def wait_until_saved(page: Page) -> None:
    """Until no judgement of this browser waits for its answer."""
    page.wait_for_function(
        "() => !Object.keys(localStorage).some((name) => name.includes(':action:'))",
        timeout=WAIT_MS,
    )


@dataclass(frozen=True)
class RunningApp:
    """The app in a process of its own."""

    address: str
    process: subprocess.Popen[bytes]

    def freeze(self) -> None:
        """Stop it where it is, so that it takes nothing more."""
        self.process.send_signal(signal.SIGSTOP)


@contextmanager
def app_of(
    settings: Settings, *, port: int = 0, log: Path = Path(os.devnull)
) -> Iterator[RunningApp]:
    """The app on a workspace."""
    port = port or free_port()
    command = [sys.executable, "-m", "audit_app", "serve", "--port", str(port)]
    given = {"ASSAY_DB": str(settings.db), "ASSAY_REVIEWER": settings.reviewer}
    with served(command, port, given, log=log) as process:
        yield RunningApp(f"http://127.0.0.1:{port}", process)


@contextmanager
def killed_app_of(settings: Settings, *, port: int) -> Iterator[RunningApp]:
    """The app on a workspace, killed without a word in the end."""
    with app_of(settings, port=port) as app:
        yield app
        app.process.send_signal(signal.SIGKILL)
        app.process.wait(timeout=20)
