"""Eight browsers at once, and a server that is killed: every judgement stored once, none lost."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from audit_app.settings import Settings
from audit_app.storage.workspace import Workspace
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
from tests.services.teams import AUDIT, make_audit, share

pytestmark = pytest.mark.browser

GAP_MS = 200
KILLS = 4


def _stored(settings: Settings) -> dict[str, list[str]]:
    """Person → the tasks of their reviews, every one that was ever stored."""
    with Workspace(settings.db) as workspace:
        assert workspace.problems() == []
        rows = workspace.rows("select reviewer, task_id from reviews")
    found: dict[str, list[str]] = {}
    for person, task in rows:
        found.setdefault(str(person), []).append(str(task))
    return found


def _refused(page: Page) -> set[str]:
    """Tasks of which the page says that they had their reviews before its own came.

    Who presses faster than the app answers may judge a task that was just given to others.
    """
    alerts = " ".join(page.locator(".alert").all_inner_texts())
    refused = re.findall(r"(\S+) has its \d reviews? already", alerts)
    assert alerts.count("Not saved") == len(refused), alerts
    return set(refused)


@pytest.mark.parametrize(
    ("tasks", "each", "people", "most"),
    [
        pytest.param(800, 1, 8, 50, id="8 browsers, 50 saves in each"),
        pytest.param(30, 2, 3, 30, id="every task by 2 of 3"),
    ],
)
def test_r09_r12_browsers_at_once_store_each_judgement_and_no_task_more_often_than_planned(
    chromium: Browser, tmp_path: Path, tasks: int, each: int, people: int, most: int
) -> None:
    settings = make_audit(tmp_path, tasks=tasks)
    names = tuple(f"reviewer {number}" for number in range(1, people + 1))
    share(settings, reviews_per_task=each, reviewers=names)
    log = tmp_path / "server.log"
    with app_of(settings, log=log) as app:
        pages = [open_reviewer(chromium, app.address, person, AUDIT) for person in names]
        for page in pages:
            wait_for_task(page)
        for page in pages:
            press_on(page, gap_ms=GAP_MS, most=most)
        kept = {
            person: sorted(set(judged(page)) - _refused(page))
            for person, page in zip(names, pages, strict=True)
        }
        for page in pages:
            page.context.close()
    stored = _stored(settings)
    assert {person: sorted(found) for person, found in stored.items()} == kept
    assert all(len(set(found)) == len(found) for found in stored.values())
    times = Counter(task for found in stored.values() for task in found)
    assert times.total() == min(people * most, tasks * each)
    assert max(times.values()) == each
    assert not re.search("locked|Traceback", log.read_text("utf-8"))


def test_r01_a_server_killed_after_saves_and_amid_them_loses_no_judgement(
    chromium: Browser, tmp_path: Path
) -> None:
    settings, port = make_audit(tmp_path, tasks=2 * KILLS), free_port()
    page, pressed = None, []
    for kill in range(KILLS):
        with killed_app_of(settings, port=port) as app:
            if page is None:
                page = open_reviewer(chromium, app.address, settings.reviewer, AUDIT)
            else:
                page.reload()
            wait_for_task(page)
            wait_until_saved(page)  # what the last kill cut off was sent again
            pressed.append(on_screen(page).inner_text())
            if is_amid := kill % 2 == 1:
                app.freeze()
            page.keyboard.press("a")
            expect(on_screen(page)).not_to_have_text(pressed[-1])
            if not is_amid:
                wait_until_saved(page)
    assert page is not None
    with app_of(settings, port=port):
        wait_until_saved(page)  # the page found the server again by itself
        page.reload()
        expect(page.locator(".strata .n.all")).to_have_text(f"{KILLS}/{2 * KILLS}", timeout=30_000)
    page.context.close()
    assert _stored(settings) == {settings.reviewer: pressed}
