from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.domain.review import Effect, Finding, Judgement, Review
from audit_app.domain.rubric import Taxonomy
from audit_app.services.judging import TO_JUDGE, Ack, QueueItem, TaskState, judgement_words
from audit_app.ui.components.rail import RailState, RecentJudgement, StratumProgress, task_link
from audit_app.ui.components.review_desk import (
    DeskState,
    first_open,
    neighbourhood,
    read_ahead,
    render_batch,
)
from audit_app.ui.components.review_desk.sending import SentQueue, payload
from audit_app.ui.components.review_desk.state import BATCH, BATCH_CHARS, in_turn
from audit_app.ui.rendering import RenderedTask, render_task
from tests.browser import desk_cases

OPEN, CLEAN = TaskState.OPEN, TaskState.CLEAN
EMPTY = Taxonomy(id="t", version="1", effects=(), severities=(), states=(), families=())


def items(*states: TaskState) -> list[QueueItem]:
    return [QueueItem(str(number), "s", "c", state) for number, state in enumerate(states, 1)]


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
def test_the_next_task_to_judge_is_always_read_ahead(states: list[TaskState], here: int) -> None:
    queue = items(*states)
    wanted = read_ahead(queue, str(here))
    later = [i.task_id for i in queue if i.state in TO_JUDGE and int(i.task_id) > here]
    assert len(set(wanted)) == len(wanted)
    assert not later or later[0] in wanted
    assert (first_open(queue) == "") == (not any(i.state in TO_JUDGE for i in queue))


def test_r20_returned_tasks_come_first_then_those_that_are_held() -> None:
    one, two, three, four, five = items(OPEN, OPEN, TaskState.TAKEN, TaskState.RETURNED, OPEN)
    queue = [one, replace(two, is_held=False), three, four, five]
    assert in_turn(queue, "1") == ["4", "5", "2"]
    assert in_turn(queue, "4") == ["5", "1", "2"]
    assert first_open(queue) == "4"


def test_what_the_browser_says_comes_next_is_read_ahead() -> None:
    queue = items(OPEN, OPEN, OPEN, OPEN, OPEN)
    assert neighbourhood(queue, "3", ahead=2, coming=("5", "gone", "1")) == [
        "3",
        "5",
        "1",
        "4",
        "2",
    ]


def test_a_run_makes_as_many_views_as_one_answer_bears() -> None:
    def render(task: str) -> RenderedTask:
        size = BATCH_CHARS if task == "large" else 10
        return RenderedTask(task, "c", "x" * size, "", "", wide=False, digest=task)

    few, is_more = render_batch(map(str, range(3)), render)
    assert (list(few), is_more) == (["0", "1", "2"], False)
    full, is_more = render_batch(map(str, range(BATCH + 1)), render)
    assert (len(full), is_more) == (BATCH, True)
    large, is_more = render_batch(["large", "next"], render)
    assert (list(large), is_more) == (["large"], True)


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


def a_state(queue: Sequence[QueueItem], **more: Any) -> DeskState:
    return DeskState(
        audit="a",
        store="s",
        reviewer="R",
        queue=queue,
        at="1",
        drafts={},
        taxonomy=EMPTY,
        bindings=(),
        **{"views": {}, **more},
    )


def test_what_the_browser_holds_is_not_sent_again() -> None:
    view = render_task(desk_cases.plain(1))
    queue = [QueueItem(view.task_id, "s", "c", TaskState.CLEAN, review_id="r")]
    state = a_state(queue, views={view.task_id: view}, near=["1"])
    sent = payload(state, {"count": 7}, [Ack("x", "no")])
    echo = {"have": {view.task_id: view.digest}, "fixed": sent["fixed"]["digest"]}
    again = payload(state, echo, [])
    changed = payload(replace(state, views={view.task_id: replace(view, digest="new")}), echo, [])
    assert sent["views"][0]["left"] == view.left
    assert again["views"] == [{"id": view.task_id, "digest": view.digest}]
    assert changed["views"][0]["left"] == view.left
    assert "taxonomy" in sent["fixed"]
    assert "taxonomy" not in again["fixed"]
    assert sent["count"] == 7
    assert sent["drafts"] == {"1": None}
    assert sent["acks"] == [{"id": "x", "error": "no"}]
    assert json.loads(json.dumps(sent)) == sent


def taken_up(held: dict[str, Any], data: dict[str, Any]) -> dict[str, Any]:
    """What a browser holds after an answer: rows by id, in queue order."""
    if "rows" in data:
        return {row["id"]: row for row in data["rows"]}
    return {**held, **{row["id"]: row for row in data["changed"]}}


@given(
    st.lists(
        st.tuples(st.integers(0, 7), st.sampled_from(list(TaskState)), st.booleans()), max_size=12
    )
)
def test_changes_of_the_queue_add_up_to_the_queue(
    steps: list[tuple[int, TaskState, bool]],
) -> None:
    queue, sent = items(*[OPEN] * 8), SentQueue()
    held: dict[str, Any] = {}
    digest = ""
    for place, state, is_overtaken in steps:
        queue[place] = replace(queue[place], state=state, second_look=is_overtaken)
        data = sent.next(queue, digest)
        if is_overtaken:  # an answer that the browser never saw
            continue
        assert data.get("base", digest) == digest
        held, digest = taken_up(held, data), data["digest"]
        whole = SentQueue().next(queue, "")
        assert held == {row["id"]: row for row in whole["rows"]}
        assert sent.next(queue, digest) == {"digest": digest, "base": digest, "changed": []}


def test_another_queue_or_an_unknown_state_travels_whole() -> None:
    sent = SentQueue()
    first = sent.next(items(OPEN, OPEN), "")
    wider = sent.next(items(OPEN, OPEN, CLEAN), first["digest"])
    assert [row["id"] for row in wider["rows"]] == ["1", "2", "3"]
    swapped = sent.next(items(OPEN, OPEN, CLEAN)[::-1], wider["digest"])
    assert [row["id"] for row in swapped["rows"]] == ["3", "2", "1"]
    assert "rows" in sent.next(items(OPEN, OPEN), "never seen")


def test_of_five_thousand_tasks_only_the_changed_one_travels() -> None:
    sent, queue = SentQueue(), items(*[OPEN] * 5_000)
    digest = sent.next(queue, "")["digest"]
    queue[4_321] = replace(queue[4_321], state=CLEAN, words="clean", seconds=3.5)
    changed = sent.next(queue, digest)["changed"]
    assert changed == [
        {
            "id": "4322",
            "stratum": "s",
            "category": "c",
            "state": "clean",
            "words": "clean",
            "seconds": 3.5,
        }
    ]


def test_a_rail_link_names_audit_and_task() -> None:
    state = RailState(
        audit="an & audit",
        strata=[StratumProgress("s", 1, 2)],
        open_tasks=1,
        skipped=[],
        second_look=[],
        recent=[RecentJudgement("a/b <c>", "clean", False)],
        profile={"as": "ada & b"},
    )
    html = task_link(state, "a/b <c>", "x")
    assert 'href="./?audit=an+%26+audit&amp;task=a%2Fb+%3Cc%3E&amp;as=ada+%26+b"' in html
    assert 'title="a/b &lt;c&gt;"' in html
