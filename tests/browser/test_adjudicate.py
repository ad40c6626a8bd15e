"""The adjudicator in a real Chromium: 50 tasks that two people judged, 46 alike and 4 not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from audit_app.domain.adjudication import Adjudication, How
from audit_app.domain.review import Effect, Judgement
from audit_app.domain.settling import CaseState
from audit_app.services.context import open_services
from audit_app.settings import Settings
from tests.browser.conftest import App
from tests.browser.team_cases import AUDIT, as_person, reviewed_by_two

pytestmark = pytest.mark.browser

WAIT_MS = 15_000


class Bench:
    """The prepared workspace, and what is stored in it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.tasks = reviewed_by_two(settings)

    def states(self) -> list[CaseState]:
        """Where each task stands, in the order of the sample."""
        with open_services(self.settings) as services:
            return [item.state for item in services.adjudicating(AUDIT).board().items]

    def settled(self, number: int) -> Adjudication | None:
        """What settles the task with this number, counted from 0."""
        with open_services(self.settings) as services:
            return services.adjudicating(AUDIT).case(self.tasks[number]).item.settled


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(Settings(db=tmp_path / "assay.db", reviewer="cy", cache=tmp_path))


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    yield page
    context.close()
    assert errors == []


def _open(page: Page, address: str, person: str = "cy", task: str = "") -> None:
    where = f"{address}/adjudicate?audit={AUDIT}&as={person}"
    page.goto(where + (f"&task={task}" if task else ""))
    expect(page.locator(".strip")).to_be_visible(timeout=WAIT_MS)


def _is_at(page: Page, task: str) -> None:
    expect(page.locator("h1.mono")).to_have_text(task, timeout=WAIT_MS)
    expect(page.locator(".cmp")).to_be_visible(timeout=WAIT_MS)


def _saved(page: Page, words: str) -> None:
    """Once the server has the last action too: the log is empty and the counts are its own."""
    expect(page.locator(".place")).to_have_text(words, timeout=WAIT_MS)
    page.wait_for_function(
        "() => !Object.keys(localStorage).some((name) => name.includes(':action:'))",
        timeout=WAIT_MS,
    )


def test_r18_four_cases_are_settled_and_46_accepted_in_one_action(
    app: App, bench: Bench, page: Page
) -> None:
    first, second, third, fourth = bench.tasks[:4]
    _open(page, app(bench.settings.db))
    _is_at(page, first)
    expect(page.locator(".cmp .dis")).to_have_count(2)
    expect(page.locator(".place")).to_have_text("Differing 1 of 4")
    page.get_by_role("button", name="Accept 46 identical").click()
    expect(page.get_by_role("button", name="Accept")).to_have_count(0)
    _saved(page, "Differing 1 of 4")
    assert bench.states() == [CaseState.DIFFERS] * 4 + [CaseState.SETTLED] * 46

    page.keyboard.press("1")
    page.get_by_label("Reason", exact=True).fill("Ada is *right* <b>")
    page.keyboard.press("Control+Enter")
    _is_at(page, second)
    for key in ("e", "n", "Shift+K", "1", "Shift+Digit3"):
        page.keyboard.press(key)
    page.keyboard.press("Control+Enter")  # asks for the reason, and puts the caret there
    page.keyboard.type("Ubu: a b e n 1")
    page.keyboard.press("Control+Enter")
    _is_at(page, third)
    page.keyboard.press("b")
    page.keyboard.press("1")
    page.keyboard.type("Does the date hold?")
    page.keyboard.press("Control+Enter")
    _is_at(page, fourth)
    page.keyboard.press("2")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".big")).to_have_text("Nothing to settle now.")
    _saved(page, "4 differing, 3 settled")
    page.keyboard.press("u")
    _is_at(page, fourth)
    _saved(page, "Differing 4 of 4, 2 settled")
    assert bench.states()[:4] == [
        CaseState.SETTLED,
        CaseState.SETTLED,
        CaseState.RETURNED,
        CaseState.DIFFERS,
    ]
    expect(page.get_by_role("button", name="Take second")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Control+Enter")
    _saved(page, "4 differing, 3 settled")
    _check_what_was_settled(bench)
    _check_what_the_reviewer_got(bench)


def _check_what_was_settled(bench: Bench) -> None:
    taken, own, returned, last = (bench.settled(number) for number in range(4))
    assert taken is not None
    assert own is not None
    assert last is not None
    assert (taken.how, taken.note) == (How.TOOK, "Ada is *right* <b>")
    assert taken.findings[0].effects == (Effect.FN,)
    assert (own.how, own.note, own.judgement) == (How.OWN, "Ubu: a b e n 1", Judgement.DEFECT)
    (finding,) = own.findings
    assert finding.effects == (Effect.FN, Effect.FP)
    assert (finding.cause, finding.severity) == ("K1", 3)
    assert returned is None
    assert last.findings[0].effects == (Effect.FN,)
    assert {taken.adjudicator, own.adjudicator, last.adjudicator} == {"cy"}


def _check_what_the_reviewer_got(bench: Bench) -> None:
    with open_services(as_person(bench.settings, "ada")) as services:
        queue = services.reviewing(AUDIT).desk().queue
    reasons = {item.task_id: item.returned for item in queue if item.returned}
    assert reasons == {bench.tasks[2]: "Does the date hold?"}


def test_an_unsettled_draft_survives_a_reload_and_a_stale_one_is_refused(
    app: App, bench: Bench, page: Page
) -> None:
    first = bench.tasks[0]
    address = app(bench.settings.db)
    _open(page, address)
    _is_at(page, first)
    page.keyboard.press("e")
    page.get_by_label("Reason", exact=True).fill("half a thought")
    note = page.get_by_label("Note", exact=True)
    note.fill("u 1 2 e b m o g h Space")
    expect(page.locator(".place")).to_have_text("Differing 1 of 4")
    page.reload()
    _is_at(page, first)
    expect(page.get_by_label("Reason", exact=True)).to_have_value("half a thought")
    expect(note).to_have_value("u 1 2 e b m o g h Space")

    _rejudge(bench)
    page.keyboard.press("Control+Enter")
    alert = page.locator(".alert")
    expect(alert).to_contain_text("changed since they were shown", timeout=WAIT_MS)
    _is_at(page, first)
    expect(page.get_by_label("Reason", exact=True)).to_have_value("half a thought")
    assert bench.settled(0) is None

    expect(page.locator(".cmp")).to_contain_text("K4")
    page.keyboard.press("Control+Enter")
    _is_at(page, bench.tasks[1])
    _saved(page, "Differing 2 of 4, 1 settled")
    settled = bench.settled(0)
    assert settled is not None
    assert settled.findings[0].note == "u 1 2 e b m o g h Space"


def _rejudge(bench: Bench) -> None:
    """Ben judges the first task anew while the adjudicator writes."""
    task = bench.tasks[0]
    with open_services(as_person(bench.settings, "ben")) as services:
        reviewing = services.reviewing(AUDIT)
        standing = next(i.review_id for i in reviewing.desk().queue if i.task_id == task)
        (ack,) = reviewing.apply(
            [
                {
                    "id": services.clock.new_id(),
                    "kind": "defect",
                    "task_id": task,
                    "supersedes": standing,
                    "findings": [{"effects": ["FP"], "cause": "K4", "severity": 1}],
                }
            ]
        )
    assert ack.error == ""


def test_a_task_of_ones_own_is_shown_and_not_settled(app: App, bench: Bench, page: Page) -> None:
    _open(page, app(bench.settings.db), "ada", bench.tasks[0])
    _is_at(page, bench.tasks[0])
    expect(page.locator(".status")).to_contain_text("Not yours to settle: ada judged it")
    page.keyboard.press("1")
    expect(page.locator(".say-line")).to_contain_text("Not yours to settle")
    expect(page.get_by_role("button", name="Settle and next")).to_be_disabled()
    expect(page.get_by_role("button", name="Accept")).to_have_count(0)
