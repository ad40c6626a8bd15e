"""Save-and-next in a real browser: alone, among 20 reviewers, and with a server that is killed."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from audit_app.settings import Settings
from tests.bench import desk_store
from tests.bench.desk_trials import Scale, alone, among_many, eight_at_once, killed
from tests.bench.desk_watch import in_words, trivial_times
from tests.browser.conftest import FLAGS, chromium_path
from tests.browser.crowd import app_of

FULL = Scale()
LARGE_TASK_BYTES = 100_000


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"


def _say(words: str) -> None:
    sys.stdout.write(words)
    sys.stdout.flush()


def _one_by_one(browser: Browser, settings: Settings, scale: Scale) -> None:
    trivial = trivial_times(browser, scale.presses, gap_ms=scale.gap_ms).painted
    with app_of(settings) as app:
        for audit, size in (("sample", scale.sample), ("census", scale.tasks)):
            found = alone(browser, app.address, audit, scale)
            _say(
                f"save-and-next, sample of {size:,}, key press to painted: "
                f"{in_words(found.painted)} (goal: below 60 and 120 ms); {found.pressed} presses; "
                f"{_load()}\n  answered as saved: {in_words(found.saved)}; "
                f"ratio to a page with one button {median(found.painted) / median(trivial):.2f} "
                f"(that page: {in_words(trivial)})\n"
            )


def _together(browser: Browser, settings: Settings, scale: Scale) -> None:
    with app_of(settings) as app:
        mine, rest = among_many(browser, app.address, "many", scale)
    _say(
        f"{scale.people} reviewers at once, each a judgement per {scale.human_ms / 1_000:g} s, "
        f"key press to painted: {in_words(mine.painted)} (goal: 95th below 250 ms); "
        f"{mine.pressed} presses; {_load()}\n  answered as saved: {in_words(mine.saved)}; the "
        f"others are {scale.people - 1} sessions without a browser, {rest.pressed} judgements, "
        f"saved: {in_words(rest.saved)}\n"
    )


def _large(browser: Browser, folder: Path, scale: Scale) -> None:
    settings = desk_store.make_large_tasks(
        folder, tasks=scale.presses + 20, task_bytes=LARGE_TASK_BYTES, models=6
    )
    with app_of(settings) as app:
        found = alone(browser, app.address, "large", scale)
    _say(
        f"save-and-next on {LARGE_TASK_BYTES // 1_000} KB tasks, key press to painted: "
        f"{in_words(found.painted)} (goal: median below 200 ms); {_load()}\n"
    )


def run(scale: Scale = FULL) -> None:
    """Print the times, each beside its goal."""
    path = chromium_path()
    if path is None:
        _say("save-and-next: skipped, no Chromium on this machine\n")
        return
    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        folder = Path(temporary)
        audits = {"sample": scale.sample, "census": scale.tasks, "many": scale.tasks}
        settings = desk_store.make_store(folder, tasks=scale.tasks, audits=audits)
        _say(f"{scale.tasks:,} tasks × {len(desk_store.MODELS)} models in the store\n")
        _one_by_one(browser, settings, scale)
        _together(browser, settings, scale)
        _say(eight_at_once(browser, settings, folder, scale))
        _say(killed(browser, settings, scale))
        _large(browser, folder, scale)
        browser.close()
