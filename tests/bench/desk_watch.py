"""Presses in a real browser: when the next task was painted, and when the server had saved it."""

from __future__ import annotations

import sys
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NamedTuple

from playwright.sync_api import Browser, Page

from tests.browser.conftest import free_port, served

WAIT_MS = 120_000
SETTLE_MS = 1_500

_WATCH = """(isDesk) => {
  const root = isDesk
    ? document.querySelector('[data-testid="stBidiComponentIsolated"]').shadowRoot
    : document;
  const heading = () => root.querySelector("h1.mono, h1.count").textContent;
  const isThere = () => !isDesk || root.querySelector(".pane.right .group") !== null;
  const times = window.times = { painted: [], saved: [], pressed: 0 };
  let start = 0;
  window.addEventListener("keydown", (event) => {
    if (event.key !== "a") return;
    const begun = start = event.timeStamp, before = heading();
    times.pressed += 1;
    const look = () => {
      if (heading() === before || !isThere()) return requestAnimationFrame(look);
      // The frame after the one that changed the page: by then it is painted.
      requestAnimationFrame(() => times.painted.push(performance.now() - begun));
    };
    requestAnimationFrame(look);
  }, true);
  // The desk keeps a judgement in this browser until the server says that it is on disk.
  const { setItem, removeItem } = Storage.prototype, waiting = new Map();
  Storage.prototype.setItem = function (name, value) {
    if (name.includes(":action:")) waiting.set(name, start);
    return setItem.call(this, name, value);
  };
  Storage.prototype.removeItem = function (name) {
    if (waiting.has(name)) times.saved.push(performance.now() - waiting.get(name));
    waiting.delete(name);
    return removeItem.call(this, name);
  };
}"""


class Times(NamedTuple):
    """What presses of one key took (ms).

    Attributes:
        pressed: How many there were.
        painted: From each press until the next task was painted.
        saved: From each press until its judgement was answered as saved.
    """

    pressed: int
    painted: list[float]
    saved: list[float]

    def __add__(self, other: object) -> Times:
        if not isinstance(other, Times):
            return NotImplemented
        return Times(
            self.pressed + other.pressed, self.painted + other.painted, self.saved + other.saved
        )


def percentile_95(times: list[float]) -> float:
    """The 95th percentile."""
    return quantiles(times, n=20, method="inclusive")[-1]


def in_words(times: list[float]) -> str:
    """Median and 95th percentile."""
    return f"median {median(times):.0f} ms, 95th percentile {percentile_95(times):.0f} ms"


def watch(page: Page, *, is_desk: bool = True) -> None:
    """Time every press of A on this page from now on."""
    page.evaluate(_WATCH, is_desk)


def times_of(page: Page) -> Times:
    """What was timed so far."""
    return Times(**page.evaluate("window.times"))


def press(page: Page, times: int, *, gap_ms: int, is_desk: bool = True) -> Times:
    """Press A so many times, with a pause after each, and wait until all of it is saved."""
    watch(page, is_desk=is_desk)
    for _ in range(times):
        page.keyboard.press("a")
        page.wait_for_timeout(gap_ms)
    if is_desk:
        page.wait_for_function(
            f"window.times.saved.length >= {times}", timeout=WAIT_MS, polling=100
        )
    return times_of(page)


def trivial_times(browser: Browser, presses: int, *, gap_ms: int) -> Times:
    """The same presses on the least page that there can be."""
    port, script = free_port(), str(Path(__file__).with_name("trivial_page.py"))
    command = [sys.executable, "-m", "streamlit", "run", script]
    options: dict[str, Any] = {"server.port": port, "server.headless": "true"}
    options |= {"server.address": "127.0.0.1", "browser.gatherUsageStats": "false"}
    with served([*command, *(f"--{k}={v}" for k, v in options.items())], port, {}):
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{port}")
        page.locator("h1.count").wait_for()
        page.wait_for_timeout(SETTLE_MS)
        found = press(page, presses, gap_ms=gap_ms, is_desk=False)
        page.close()
    return found
