"""The page Confirm against a real model's real server, and against one with faults on purpose."""

from __future__ import annotations

import re
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from audit_app.domain.conditions import Endpoint
from audit_app.domain.trials import CompletionStatus, TrialStatus
from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.settings import Settings
from tests.browser.conftest import free_port, served
from tests.rerun.faulty_server import faulty_server
from tests.rerun.llama_server import running_llama

pytestmark = pytest.mark.browser

AUDIT = "toolshop"
TASKS = ("single_040", "single_052", "single_010", "parallel_013", "parallel_012")
TRIALS = 5
SLOW_MS = 45_000
KEY = "sk-typed-on-the-page-0123456789"
FAULTS = {
    "no-key": CompletionStatus.REFUSED,
    "invalid-json": CompletionStatus.INVALID_ANSWER,
    "no-choices": CompletionStatus.INVALID_ANSWER,
    "html": CompletionStatus.INVALID_ANSWER,
    "redirect": CompletionStatus.REDIRECTED,
    "echo-error": CompletionStatus.REFUSED,
}


@pytest.fixture(scope="module")
def llama() -> Iterator[Endpoint]:
    with running_llama() as endpoint:
        yield endpoint


@pytest.fixture
def demo(tmp_path: Path) -> Settings:
    settings = Settings(db=tmp_path / "assay.db", reviewer="ada", cache=tmp_path)
    ensure_demo(settings)
    return settings


@contextmanager
def _app(settings: Settings, log: Path, *, is_killed: bool = False) -> Iterator[str]:
    """The app on a workspace; killed without a word at the end, if ``is_killed``."""
    port = free_port()
    command = [sys.executable, "-m", "audit_app", "serve", "--port", str(port)]
    env = {"ASSAY_DB": str(settings.db), "ASSAY_REVIEWER": "ada", "ASSAY_ENDPOINTS": ""}
    with served(command, port, env, log=log) as process:
        yield f"http://127.0.0.1:{port}"
        if is_killed:
            process.send_signal(signal.SIGKILL)
            process.wait(timeout=20)


def _open(browser: Browser, address: str) -> Page:
    page = browser.new_page(viewport={"width": 1440, "height": 1200})
    page.goto(f"{address}/confirm?task={TASKS[0]}")
    expect(page.get_by_label("Endpoint", exact=True)).to_be_visible(timeout=SLOW_MS)
    return page


def _fill(page: Page, label: str, value: str) -> None:
    field = page.get_by_label(label, exact=True)
    field.fill(value)
    field.press("Tab")


def _unfold(page: Page, title: str, inside: Locator) -> None:
    """Open a fold, until it is open: a list that is still closing may take the first click."""
    for _ in range(5):
        page.get_by_text(title).click()
        try:
            expect(inside).to_be_visible(timeout=3_000)
        except AssertionError:
            continue
        return
    pytest.fail(f"{title} did not open")


def _ask(page: Page, endpoint: str, *, trials: int) -> None:
    _fill(page, "Endpoint", endpoint)
    _fill(page, "Model, as the endpoint calls it", "smollm2")
    _fill(page, "Trials (K)", str(trials))
    _fill(page, "Max tokens", "8")


def _start(page: Page, *, calls: int) -> None:
    expect(page.locator(".plan")).to_contain_text(f"about {calls} calls", timeout=SLOW_MS)
    page.get_by_role("button", name="Start", exact=True).click()


def test_killed_half_way_and_resumed_every_trial_is_stored_once(
    llama: Endpoint, demo: Settings, chromium: Browser, tmp_path: Path
) -> None:
    """R49, R50: 5 tasks × 5 trials are 25 calls, each stored once, whatever happens to the app."""
    log = tmp_path / "app.log"
    with _app(demo, log, is_killed=True) as address:
        page = _open(chromium, address)
        _ask(page, llama.url, trials=TRIALS)
        for task in TASKS[1:]:
            page.get_by_label("Tasks of the job").fill(task)
            page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        asking = page.get_by_text("Ask for log-probabilities")
        _unfold(page, "More settings", asking)
        asking.click()
        _fill(page, "At a time", "1")
        _start(page, calls=25)
        half_way = re.compile(r"(?<!\d)([3-9]|1\d|2[0-2]) of 25 done")
        expect(page.locator(".jobrow")).to_contain_text(half_way, timeout=SLOW_MS)
    page.close()
    with _app(demo, log) as address:
        page = _open(chromium, address)
        row = page.locator(".jobrow")
        expect(row).to_contain_text("paused", timeout=SLOW_MS)
        expect(row).to_contain_text(re.compile(r"(?<!\d)([3-9]|1\d|2[0-4]) of 25 done"))
        page.get_by_role("button", name="Resume").click()
        expect(row).to_contain_text("25 of 25 done", timeout=SLOW_MS)
        expect(row).to_contain_text("finished")
        expect(page.get_by_role("button", name="Resume")).to_have_count(0, timeout=SLOW_MS)
        page.locator("details[data-fold$='/raw'] summary").first.click()
        page.get_by_role("button", name="Log-probabilities").first.click()
        expect(page.locator(".tokens span").first).to_be_visible(timeout=SLOW_MS)
        page.close()
    _every_trial_once(demo)


def _every_trial_once(settings: Settings) -> None:
    with open_services(settings) as services:
        (summary,) = services.live.jobs(audit=AUDIT)
        trials = services.live.trials(summary.job.id)
        assert Counter((t.task_id, t.trial) for t in trials) == {
            (task, number): 1 for task in TASKS for number in range(1, TRIALS + 1)
        }
        assert all(trial.has_logprobs and trial.requests == 1 for trial in trials)
        assert services.verify().problems == ()


def test_faults_end_as_errors_and_never_as_wrong_answers(
    demo: Settings, chromium: Browser, tmp_path: Path
) -> None:
    """R53: what is no answer is no wrong answer; the typed key is in no store, log or page."""
    log = tmp_path / "app.log"
    with faulty_server() as server, _app(demo, log) as address:
        page = _open(chromium, address)
        for number, fault in enumerate(FAULTS, 1):
            _ask(page, server.url(fault), trials=2)
            if fault == "echo-error":
                field = page.get_by_label("Key (kept in memory until the server ends")
                _unfold(page, "Type a key for this server process", field)
                field.fill(KEY)
                page.get_by_role("button", name="Use this key").click()
                expect(page.get_by_text("Key: typed")).to_be_visible(timeout=SLOW_MS)
            _start(page, calls=2)
            expect(page.get_by_role("button", name="Stop")).to_have_count(0, timeout=SLOW_MS)
            expect(page.locator(".jobrow")).to_have_count(min(number, 5), timeout=SLOW_MS)
        expect(page.get_by_text("Without an answer", exact=True)).to_be_visible(timeout=SLOW_MS)
        shown = page.content()
        page.close()
    with open_services(demo) as services:
        jobs = [row.job for row in services.live.jobs(audit=AUDIT)]
        graded = services.live.graded([job.id for job in jobs], TASKS[0])
        assert TrialStatus.FAIL not in {verdict.status for verdict in graded.verdicts}
        for job in jobs:
            kinds = {trial.status for trial in services.live.trials(job.id)}
            assert kinds == {FAULTS[job.endpoint.url.split("/")[-2]]}, job.endpoint.url
    stored = b"".join(file.read_bytes() for file in tmp_path.iterdir() if file.is_file())
    assert KEY.encode() not in stored
    assert KEY not in shown
