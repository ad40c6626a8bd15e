from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.domain.review import Effect, Finding, Judgement, Review
from audit_app.domain.rubric import Taxonomy
from audit_app.services.judging import Ack, QueueItem, TaskState
from audit_app.ui.components.rail import RailState, RecentJudgement, StratumProgress, task_link
from audit_app.ui.components.review_desk import (
    DeskState,
    first_open,
    judgement_words,
    read_ahead,
)
from audit_app.ui.components.review_desk.state import payload
from audit_app.ui.rendering import render_task
from tests.browser import desk_cases

OPEN, CLEAN = TaskState.OPEN, TaskState.CLEAN
EMPTY = Taxonomy(id="t", version="1", effects=(), severities=(), states=(), families=())


def items(*states: TaskState) -> list[QueueItem]:
    return [QueueItem(str(number), "s", state) for number, state in enumerate(states, 1)]


@pytest.mark.parametrize(
    ("at", "held", "wanted"),
    [
        pytest.param("1", (), ["1", "3", "4", "2"], id="open ones first, then the neighbour"),
        pytest.param("4", (), ["4", "1", "3", "5"], id="from the start again"),
        pytest.param("", (), ["1", "3"], id="nothing on screen"),
        pytest.param("gone", (), ["1", "3"], id="not in the queue"),
        pytest.param("1", ("1", "3"), ["4", "2"], id="without what is held"),
    ],
)
def test_read_ahead(at: str, held: Sequence[str], wanted: list[str]) -> None:
    queue = items(OPEN, CLEAN, OPEN, OPEN, CLEAN)
    assert read_ahead(queue, at, held=held, ahead=2) == wanted


@given(st.lists(st.sampled_from(list(TaskState)), max_size=12), st.integers(0, 13))
def test_the_next_open_task_is_always_read_ahead(states: list[TaskState], here: int) -> None:
    queue = items(*states)
    wanted = read_ahead(queue, str(here))
    later = [i.task_id for i in queue if i.state is OPEN and int(i.task_id) > here]
    assert len(set(wanted)) == len(wanted)
    assert not later or later[0] in wanted
    assert first_open(queue) == next((i.task_id for i in queue if i.state is OPEN), "")


def a_review(*findings: Finding) -> Review:
    return Review(
        id="r",
        task_id="1",
        reviewer="R",
        reviewed_at=datetime(2026, 1, 1, tzinfo=UTC),
        judgement=Judgement.DEFECT if findings else Judgement.CLEAN,
        findings=findings,
    )


def test_a_judgement_in_a_few_words() -> None:
    first = Finding(effects=(Effect.FP, Effect.FN), cause="K3", severity=1)
    second = Finding(effects=(Effect.UNSURE,))
    assert judgement_words(a_review()) == "clean"
    assert judgement_words(a_review(first)) == "FN, FP, K3, severity 1"
    assert judgement_words(a_review(first, second)) == "FN, FP, K3, severity 1, 1 more"


def test_a_view_that_the_browser_holds_is_not_sent_again() -> None:
    view = render_task(desk_cases.plain(1))
    queue = [QueueItem(view.task_id, "s", TaskState.CLEAN, review=a_review())]
    state = DeskState(
        audit="a",
        store="s",
        reviewer="R",
        queue=queue,
        at=view.task_id,
        views={view.task_id: view},
        drafts={},
        taxonomy=EMPTY,
        bindings=(),
    )
    sent = payload(state, {}, [Ack("x", "no")], count=7)
    again = payload(state, {view.task_id: view.digest}, [])
    changed = payload(
        replace(state, views={view.task_id: replace(view, digest="new")}),
        {view.task_id: view.digest},
        [],
    )
    assert sent["views"][0]["left"] == view.left
    assert again["views"] == [{"id": view.task_id, "digest": view.digest}]
    assert changed["views"][0]["left"] == view.left
    assert sent["count"] == 7
    assert sent["acks"] == [{"id": "x", "error": "no"}]
    assert json.loads(json.dumps(sent)) == sent


def test_a_rail_link_names_audit_and_task() -> None:
    state = RailState(
        audit="an & audit",
        strata=[StratumProgress("s", 1, 2)],
        open_tasks=1,
        skipped=[],
        second_look=[],
        recent=[RecentJudgement("a/b <c>", "clean", False)],
        reviewer="R",
        saved="",
    )
    html = task_link(state, "a/b <c>", "x")
    assert 'href="./?audit=an+%26+audit&amp;task=a%2Fb+%3Cc%3E"' in html
    assert 'title="a/b &lt;c&gt;"' in html
