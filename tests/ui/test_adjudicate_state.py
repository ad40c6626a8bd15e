from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from audit_app.domain.adjudication import Adjudication, How
from audit_app.domain.review import Judgement, Review
from audit_app.domain.rubric import Taxonomy
from audit_app.domain.settling import CaseState
from audit_app.domain.team import Mode, TeamSettings
from audit_app.services.case_board import Case, CaseItem
from audit_app.services.judging import Ack
from audit_app.ui.components.adjudicate_desk import (
    AdjudicateState,
    cases_ahead,
    first_differing,
    why_nothing,
)
from audit_app.ui.components.adjudicate_desk.state import payload
from audit_app.ui.rendering.case import render_case
from tests.browser import desk_cases

EMPTY = Taxonomy(id="t", version="1", effects=(), severities=(), states=(), families=())
NOW = datetime(2026, 11, 30, tzinfo=UTC)
DIFFERS, SETTLED, WAITING = CaseState.DIFFERS, CaseState.SETTLED, CaseState.WAITING
TWO = TeamSettings(mode=Mode.ADJUDICATED, reviews_per_task=2)


def item(task: str, state: CaseState, may_settle: str = "") -> CaseItem:
    return CaseItem(task, "s", state, ("judgement",), (), may_settle, None)


def items(*states: CaseState) -> list[CaseItem]:
    return [item(str(number), state) for number, state in enumerate(states, 1)]


@pytest.mark.parametrize(
    ("at", "held", "wanted"),
    [
        pytest.param("1", (), ["1", "3", "4"], id="itself, then the open ones"),
        pytest.param("4", ("4", "1"), ["4", "3"], id="itself though it is held; a review may come"),
        pytest.param("2", (), ["2", "3", "4", "1"], id="a settled one"),
        pytest.param("", ("1",), ["3", "4"], id="nothing on screen"),
        pytest.param("gone", (), ["1", "3", "4"], id="not among the cases"),
    ],
)
def test_cases_ahead(at: str, held: Sequence[str], wanted: list[str]) -> None:
    queue = items(DIFFERS, SETTLED, DIFFERS, DIFFERS, WAITING)
    assert cases_ahead(queue, at, held=held, ahead=3) == wanted


def test_the_screen_opens_on_the_first_that_differs_and_is_not_ones_own() -> None:
    queue = [item("a", SETTLED), item("b", DIFFERS, "you judged it"), item("c", DIFFERS)]
    assert first_differing(queue) == "c"
    assert first_differing(queue[:2]) == ""


@pytest.mark.parametrize(
    ("team", "queue", "hidden", "words"),
    [
        pytest.param(TeamSettings(), [], 0, "The mode is “single”", id="single"),
        pytest.param(
            TeamSettings(mode=Mode.WORST, reviews_per_task=2),
            items(DIFFERS),
            0,
            "worst",
            id="worst",
        ),
        pytest.param(TWO, items(DIFFERS, WAITING), 0, "", id="something to settle"),
        pytest.param(TWO, items(WAITING), 0, "1 task waits until 2 people", id="one waits"),
        pytest.param(TWO, items(WAITING, WAITING), 0, "2 tasks wait until 2 people", id="waiting"),
        pytest.param(TWO, items(SETTLED), 3, "3 reviews stay hidden", id="hidden"),
        pytest.param(TWO, [], 0, "each task needs 2 reviews", id="nobody judged"),
        pytest.param(TWO, items(SETTLED), 0, "", id="all settled"),
    ],
)
def test_why_there_is_nothing_to_settle(
    team: TeamSettings, queue: list[CaseItem], hidden: int, words: str
) -> None:
    said = why_nothing(team, queue, hidden)
    assert words in said
    assert bool(words) == bool(said)


def a_case(settled: Adjudication | None = None) -> Case:
    reviews = tuple(
        Review(
            id=who, task_id="plain/001", reviewer=who, reviewed_at=NOW, judgement=Judgement.CLEAN
        )
        for who in ("ada", "ben \u202enimda")
    )
    own = replace(item("plain/001", SETTLED if settled else CaseState.IDENTICAL), settled=settled)
    return Case(own, reviews, (), (), settled, ("ada", "ben \u202enimda"))


def test_a_case_travels_once_and_again_when_something_became_of_it() -> None:
    view = desk_cases.plain(1)
    settled = Adjudication(
        id="x",
        task_id="plain/001",
        adjudicator="cy",
        adjudicated_at=NOW,
        judgement=Judgement.CLEAN,
        note="both say so",
        how=How.TOOK,
    )
    before, after = (render_case(view, a_case(s), EMPTY) for s in (None, settled))
    state = AdjudicateState(
        audit="a",
        store="s",
        person="cy",
        items=[before.case.item],
        at="plain/001",
        views={"plain/001": before},
        agreement="",
        taxonomy=EMPTY,
        bindings=(),
    )
    held = {"plain/001": before.digest}
    sent = payload(state, {}, [Ack("x", "no")], count=7)
    again = payload(state, held, [])
    changed = payload(replace(state, views={"plain/001": after}), held, [])
    assert again["views"] == [{"id": "plain/001", "digest": before.digest}]
    assert sent["views"][0]["supersedes"] is None
    assert changed["views"][0]["supersedes"] == "x"
    assert changed["views"][0]["settled"]["took"] == "ada"
    assert [r["reviewer"] for r in sent["views"][0]["reviews"]] == ["ada", "ben  nimda"]
    assert (sent["count"], sent["acks"]) == (7, [{"id": "x", "error": "no"}])
    assert json.loads(json.dumps(sent)) == sent
