"""What tests of the review desk share: the running harness, and what they look at."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page

SERVER = [
    "--server.address=127.0.0.1",
    "--server.headless=true",
    "--server.fileWatcherType=none",
    "--browser.gatherUsageStats=false",
]
OpenDesk: TypeAlias = Callable[..., Page]

_SEEN = """() => {
  window.seen = [];
  window.addEventListener("keydown", (event) => {
    if (event.key !== "a") return;
    const host = document.querySelector('[data-testid="stBidiComponentIsolated"]');
    window.seen.push(host.shadowRoot.querySelector("header h1").textContent);
  }, true);
}"""
"""Notes what is on screen at each press of A, before the desk hears of it."""


@dataclass
class Harness:
    """The running harness and where it writes what was filed."""

    address: str
    logs: Path

    def url(self, run: str, **query: str) -> str:
        """The address of a run of its own."""
        return f"{self.address}/?{urlencode({'run': run, **query})}"

    def filed(self, run: str) -> list[dict[str, Any]]:
        """Actions on disk, drafts left out."""
        path = self.logs / f"{run}.json"
        if not path.exists():
            return []
        try:
            rows: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
        except json.JSONDecodeError:  # read while it was being written
            return []
        return [row for row in rows if row["kind"] != "draft"]

    def wait_for(self, run: str, number: int) -> list[dict[str, Any]]:
        """What was filed, once it is so many actions (or after some seconds)."""
        end = time.monotonic() + 8
        while len(self.filed(run)) < number and time.monotonic() < end:
            time.sleep(0.05)
        return self.filed(run)


def on_screen(page: Page) -> Locator:
    """The id of the task on screen."""
    return page.locator("header h1.mono")


def place(page: Page) -> Locator:
    """Where the task stands in the queue or in the filter."""
    return page.locator("header .place")


def note_of(page: Page) -> Locator:
    """The note of the defect form."""
    return page.get_by_role("textbox", name="Note", exact=True)


def note_what_is_seen(page: Page) -> None:
    """Begin to note what is on screen at each press of A."""
    page.evaluate(_SEEN)


def seen(page: Page) -> list[str]:
    """What was on screen at each press of A."""
    tasks: list[str] = page.evaluate("window.seen")
    return tasks
