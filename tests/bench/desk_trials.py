"""Trials of the review screen in real browsers: one reviewer, many, and a server that is killed."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Browser

from audit_app.services.context import open_services
from audit_app.settings import Settings
from audit_app.storage.workspace import Workspace
from audit_app.ui.components.review_desk.state import AHEAD
from tests.bench import desk_store
from tests.bench.desk_sessions import sessions_of
from tests.bench.desk_watch import SETTLE_MS, Times, press
from tests.browser.conftest import free_port
from tests.browser.crowd import (
    app_of,
    judged,
    killed_app_of,
    open_reviewer,
    press_on,
    wait_for_task,
    wait_until_saved,
)
from tests.browser.harness import on_screen


class Scale(NamedTuple):
    """How much is measured.

    Attributes:
        tasks: Tasks in the store; 14 models answer each.
        sample: Tasks of the smaller audit; the larger one is the whole store.
        presses: Presses of each measurement by one reviewer.
        gap_ms: Pause between them.
        people: Reviewers at once.
        each: Presses of each of them.
        human_ms: Pause between two judgements of one of them.
        fast: Presses of each of eight browsers that press as fast as they can.
        kills: Saves after each of which the server is killed.
    """

    tasks: int = 5_000
    sample: int = 200
    presses: int = 100
    gap_ms: int = 400
    people: int = 20
    each: int = 60
    human_ms: int = 2_000
    fast: int = 50
    kills: int = 50


def alone(browser: Browser, address: str, audit: str, scale: Scale) -> Times:
    """Times of one reviewer."""
    page = open_reviewer(browser, address, "reviewer 1", audit)
    wait_for_task(page)
    page.wait_for_timeout(SETTLE_MS)
    found = press(page, scale.presses, gap_ms=scale.gap_ms)
    page.context.close()
    return found


def among_many(browser: Browser, address: str, audit: str, scale: Scale) -> tuple[Times, Times]:
    """Times of one reviewer's browser, and of the sessions of all the others meanwhile."""
    others = [f"reviewer {number}" for number in range(2, scale.people + 1)]
    page = open_reviewer(browser, address, "reviewer 1", audit)
    wait_for_task(page)
    with sessions_of(others, address, audit, gap_ms=scale.human_ms) as sessions:
        page.wait_for_timeout(SETTLE_MS)
        mine = press(page, scale.each, gap_ms=scale.human_ms)
        rest = sessions.end()
    page.context.close()
    return mine, rest


def eight_at_once(browser: Browser, settings: Settings, folder: Path, scale: Scale) -> str:
    """What became of the presses of eight browsers that press as fast as they can."""
    with open_services(settings) as services:
        desk_store.draw(services, "eight", 8 * scale.fast + 16 * (AHEAD + 1))
    people, log = [f"reviewer {number}" for number in range(1, 9)], folder / "eight.log"
    with app_of(settings, log=log) as app:
        pages = [open_reviewer(browser, app.address, person, "eight") for person in people]
        for page in pages:
            wait_for_task(page)
        start = time.monotonic()
        for page in pages:
            press_on(page, gap_ms=200, most=scale.fast)
        pressed = [task for page in pages for task in judged(page, timeout_s=300)]
        seconds = time.monotonic() - start
        for page in pages:
            page.context.close()
    stored = _stored(settings, "eight")
    errors = len(re.findall("locked|Traceback", log.read_text("utf-8")))
    return (
        f"8 browsers at once: {len(stored)} reviews of {len(set(stored))} tasks stored for "
        f"{len(pressed)} presses (goal {8 * scale.fast}, no task twice) in {seconds:.0f} s, "
        f"{errors} errors in the server's log\n"
    )


def killed(browser: Browser, settings: Settings, scale: Scale) -> str:
    """How many saves are there of those after each of which the server was killed."""
    with open_services(settings) as services:
        desk_store.draw(services, "killed", scale.kills + 20)
    page, port, pressed = None, free_port(), list[str]()
    for _ in range(scale.kills):
        with killed_app_of(settings, port=port) as app:
            if page is None:
                page = open_reviewer(browser, app.address, "reviewer 1", "killed")
            else:
                page.reload()
            wait_for_task(page)
            pressed.append(on_screen(page).inner_text())
            page.keyboard.press("a")
            wait_until_saved(page)
    there = set(pressed) & set(_stored(settings, "killed"))
    return f"kill -9 after each of {scale.kills} saves: {len(there)} of {scale.kills} there\n"


def _stored(settings: Settings, audit: str) -> list[str]:
    with open_services(settings) as services:
        id_ = services.audits.view(audit).audit.id
    with Workspace(settings.db) as workspace:
        rows = workspace.rows("select task_id from reviews where audit = ?", (id_,))
    return [str(task) for (task,) in rows]
