"""The page Confirm shows nobody's suspicion but one's own."""

from __future__ import annotations

import pytest

from audit_app.domain.live_jobs import JobState
from audit_app.domain.review import Effect, Finding, Judgement, Review
from audit_app.services.confirming import (
    counts_by_condition,
    lacks_logprobs,
    own_findings,
    seen_jobs,
    suspected_tasks,
)
from audit_app.services.judging import QueueItem, TaskState
from audit_app.services.live_progress import JobSummary
from audit_app.stats.repeat_counts import Tally
from tests.ui.rendering.live_trials import NOW, answered, call, graded, job

DRAFT = {"findings": [{"proposed_key": "[1]"}, {"proposed_key": None}, {"proposed_key": " "}]}


def test_own_findings_are_the_saved_ones_and_then_what_is_being_written() -> None:
    finding = Finding(effects=(Effect.FN,), severity=2, proposed_key='["x"]')
    review = Review(
        id="r",
        task_id="t",
        reviewer="ada",
        reviewed_at=NOW,
        judgement=Judgement.DEFECT,
        findings=(finding,),
    )
    saved, drafted = own_findings(review, DRAFT)
    assert (saved.review_id, saved.position, saved.proposed_key) == ("r", 0, '["x"]')
    assert saved.is_saved
    assert (drafted.is_saved, drafted.proposed_key) == (False, "[1]")


@pytest.mark.parametrize("draft", [None, [], {"findings": 3}, {"findings": ["x"]}])
def test_a_draft_of_any_shape_is_read(draft: object) -> None:
    assert own_findings(None, draft) == ()


def _item(task: str, state: TaskState) -> QueueItem:
    return QueueItem(task_id=task, stratum="s", category="c", state=state)


def test_tasks_under_suspicion_are_one_s_own() -> None:
    queue = [_item("a", TaskState.DEFECT), _item("b", TaskState.OPEN), _item("c", TaskState.CLEAN)]
    assert suspected_tasks(queue, {"b": DRAFT}) == ("a", "b")


@pytest.mark.parametrize(
    ("whose", "state", "is_blind", "is_seen"),
    [
        pytest.param("ada", TaskState.OPEN, True, True, id="one's own"),
        pytest.param("bob", TaskState.OPEN, True, False, id="another's before one judged"),
        pytest.param("bob", TaskState.CLEAN, True, True, id="another's afterwards"),
        pytest.param("bob", TaskState.OPEN, False, True, id="one reviewer a task"),
    ],
)
def test_jobs_of_others_are_hidden_until_one_has_judged(
    whose: str, state: TaskState, is_blind: bool, is_seen: bool
) -> None:
    made = job().model_copy(update={"created_by": whose})
    row = JobSummary(made, JobState.FINISHED, 5)
    seen = seen_jobs([row], viewer="ada", queue=[_item("t", state)], is_blind=is_blind)
    assert seen == ((row,) if is_seen else ())


def test_conditions_are_never_counted_together() -> None:
    """R54 by condition: one row each, with both keys."""
    found = counts_by_condition(
        graded([*answered("m", call("Mon"), call("Monday")), *answered("n", call("Mon"))])
    )
    assert [(row.model, row.published, row.proposed) for row in found] == [
        ("m", Tally(1, 1), Tally(2, 0)),
        ("n", Tally(0, 1), Tally(1, 0)),
    ]


def test_missing_log_probabilities_are_noticed_only_where_they_were_asked_for() -> None:
    rows = answered("m", call("Mon"))
    (plain, _) = rows[0]
    condition = plain.condition.model_copy(update={"top_logprobs": 1})
    asking = plain.model_copy(update={"condition": condition})
    assert not lacks_logprobs(graded(rows), [plain])
    assert lacks_logprobs(graded(rows), [asking])
