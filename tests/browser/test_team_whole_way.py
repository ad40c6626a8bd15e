"""Two reviewers and an adjudicator go through the 50 tasks of the bundled audit in the browser.

What they say, by the place of the task in the sample:

===========  ==================  ==================  ====================
place        ann                 bob                 cy
===========  ==================  ==================  ====================
0 to 5       FN, K3, severity 1  FN, K3, severity 1  accepts them at once
6            FN, K3, severity 1  clean               takes ann's
7            clean               FN, K3, severity 1  takes bob's
8            FN, K3, severity 1  FP, K3, severity 1  writes both effects
9            FN, K3, severity 1  clean, and once     sends it back to bob,
                                 asked as ann        then accepts it
10 to 49     clean               clean               accepts them at once
===========  ==================  ==================  ====================
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeAlias
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Browser, Page, expect

from audit_app.domain.review import Effect
from audit_app.domain.settling import CaseState
from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo
from audit_app.settings import Settings
from tests.browser.conftest import App
from tests.browser.crowd import wait_until_saved
from tests.browser.harness import note_of, on_screen
from tests.browser.team_cases import AUDIT, set_team

pytestmark = pytest.mark.browser

WAIT_MS = 30_000
Keys: TypeAlias = tuple[str, ...]
FN: Keys = ("1", "5", "3", "Shift+Digit1")
FP: Keys = ("2", "5", "3", "Shift+Digit1")
ANN = dict.fromkeys([*range(7), 8, 9], FN)
BOB = {**dict.fromkeys([*range(6), 7], FN), 8: FP}
SECRET = "only ann wrote this"
OpenPage = Callable[[str, str], Page]


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    settings = Settings(db=tmp_path / "assay.db", reviewer="cy", cache=tmp_path)
    ensure_demo(settings)
    with open_services(settings) as services:
        set_team(services, reviewers=("ann", "bob"), adjudicators=("cy",))
    return settings


@pytest.fixture
def open_page(app: App, settings: Settings, chromium: Browser) -> Iterator[OpenPage]:
    """Opens a page for somebody in a browser of their own; no page may have failed in the end."""
    address, contexts = app(settings.db), []
    errors: list[str] = []

    def open_page(page_name: str, person: str) -> Page:
        context = chromium.new_context(viewport={"width": 1280, "height": 800})
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{address}/{page_name}?{urlencode({'audit': AUDIT, 'as': person})}")
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert errors == []


def _judge(page: Page, tasks: list[str], defects: dict[int, Keys], note: str) -> None:
    """Judge everything by keys, whatever task comes."""
    expect(page.locator(".pane.right")).to_be_visible(timeout=WAIT_MS)
    for _ in tasks:
        expect(page.get_by_role("button", name="Clean")).to_be_enabled(timeout=WAIT_MS)
        task = on_screen(page).inner_text()
        keys = defects.get(tasks.index(task))
        for key in keys or ("a",):
            page.keyboard.press(key)
        if keys:
            note_of(page).fill(note)
            page.keyboard.press("Control+Enter")
        expect(on_screen(page)).not_to_have_text(task, timeout=WAIT_MS)
        assert page.locator(".alert").count() == 0
    expect(page.locator(".end .big")).to_have_text("All 50 tasks are judged.", timeout=WAIT_MS)
    wait_until_saved(page)


def _sees(page: Page, words: str) -> bool:
    """Whether the page holds the words anywhere, shown or not."""
    held = page.evaluate(
        """(words) => [document.documentElement.outerHTML, document.title, location.href,
          ...[...document.querySelectorAll('*')].map((node) => node.shadowRoot?.innerHTML ?? ''),
        ].some((text) => text.includes(words))""",
        words,
    )
    return bool(held)


def _settle(page: Page, task: str, *keys: str, reason: str = "") -> None:
    expect(page.locator("h1.mono")).to_have_text(task, timeout=WAIT_MS)
    expect(page.locator(".cmp")).to_be_visible(timeout=WAIT_MS)
    for key in keys:
        page.keyboard.press(key)
    if reason:
        page.get_by_label("Reason", exact=True).fill(reason)
    page.keyboard.press("Control+Enter")
    expect(page.locator("h1.mono")).not_to_have_text(task, timeout=WAIT_MS)
    wait_until_saved(page)


def _accept(page: Page, number: int) -> None:
    page.get_by_role("button", name=f"Accept {number} identical").click()
    expect(page.get_by_role("button", name="identical")).to_have_count(0, timeout=WAIT_MS)
    wait_until_saved(page)


def test_r18_r19_r20_r21_two_reviewers_and_an_adjudicator_from_blind_to_the_report(
    settings: Settings, open_page: OpenPage
) -> None:
    with open_services(settings) as services:
        tasks = list(services.audits.view(AUDIT).sample.task_ids)
    bob = open_page("", "bob")
    _judge(open_page("", "ann"), tasks, ANN, SECRET)
    expect(bob.locator(".pane.right")).to_be_visible(timeout=WAIT_MS)
    bob.reload()  # with all of ann's reviews on disk
    expect(bob.locator(".pane.right")).to_be_visible(timeout=WAIT_MS)
    assert not _sees(bob, SECRET)
    _judge(bob, tasks, BOB, "the default, spelled out")
    before = _agreement(settings)

    cy = open_page("adjudicate", "cy")
    expect(cy.locator("h1.mono")).to_have_text(tasks[6], timeout=WAIT_MS)
    assert _sees(cy, SECRET)
    _accept(cy, 6 + 40)
    _settle(cy, tasks[6], "1", reason="ann is right")
    _settle(cy, tasks[7], "2")
    _settle(cy, tasks[8], "1", "e", "p", reason="both effects")
    _settle(cy, tasks[9], "b", "2", *"what of it")
    # The adjudicator's 49 decisions have changed no figure.
    assert _agreement(settings) == before

    bob.reload()
    expect(on_screen(bob)).to_have_text(tasks[9], timeout=WAIT_MS)
    expect(bob.locator(".desk")).to_contain_text("what of it")
    for key in FN:
        bob.keyboard.press(key)
    bob.keyboard.press("Control+Enter")
    expect(on_screen(bob)).not_to_have_text(tasks[9])
    wait_until_saved(bob)
    cy.reload()
    _accept(cy, 1)
    _check_what_is_settled(settings)
    _check_the_report(open_page("report", "cy"))


def _agreement(settings: Settings) -> object:
    with open_services(settings) as services:
        return services.adjudicating(AUDIT).board().agreement


def _check_what_is_settled(settings: Settings) -> None:
    with open_services(settings) as services:
        view, board = services.audits.view(AUDIT), services.adjudicating(AUDIT).board()
        own = services.adjudicating(AUDIT).case(board.items[8].task_id).item.settled
        assert services.verify().problems == ()
    assert {item.state for item in board.items} == {CaseState.SETTLED}
    assert (view.status.reviewed, view.status.defective) == (50, 6 + 1 + 1 + 1 + 1)
    assert own is not None
    assert own.findings[0].effects == (Effect.FN, Effect.FP)
    assert len(view.reviews) == 2 * 50 + 1  # bob's first word on 9 is kept


def _check_the_report(page: Page) -> None:
    """Agreement on what stands in the end.

    Both say defect of 0 to 5, 8 and 9; ann alone of 6, bob alone of 7; so 48 of 50 are alike. Each
    says it 9 times: by chance (9² + 41²)/50² = 0.7048, and kappa is (0.96 − 0.7048)/(1 − 0.7048).
    Of 100 answers 18 are yes: D_o = 2·2/100, D_e = 2·18·82/(100·99), alpha = 1 − 396/2952.
    FN: both of 0 to 5 and 9, ann alone of 6 and 8, bob alone of 7; 47 of 50.
    """
    button = page.get_by_role("button", name="Download the report (Markdown)")
    expect(button).to_be_visible(timeout=WAIT_MS)
    with page.expect_download() as download:
        button.click()
    report = Path(download.value.path()).read_text(encoding="utf-8")
    kappa, alpha = (0.96 - 0.7048) / (1 - 0.7048), 1 - 396 / 2952
    (defect,) = [line for line in report.splitlines() if line.startswith("| Defective (defect) |")]
    cells = [cell.strip() for cell in defect.split("|")]
    assert cells[2:4] == ["50", "48 of 50"]
    assert cells[4].startswith("96.0 % (")
    assert cells[5].startswith(f"{kappa:.2f} (")
    assert cells[6].startswith(f"{alpha:.2f} (")
    assert "| 50 | 47 of 50 | 94.0 % (" in report
    assert "Adjudicated: 50 of the 50 tasks of the sample, by cy (50 tasks): 47 " in report
    assert "10 of 50" in report
