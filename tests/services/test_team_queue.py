"""The queue of each of several reviewers: who gets what, for how long, and what is left."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from audit_app.domain.review import Judgement
from audit_app.services.context import Services, open_services
from audit_app.services.judging import TO_JUDGE, TaskState
from audit_app.services.team import TeamChange
from audit_app.settings import Settings
from tests.services.teams import (
    AUDIT,
    FINDING,
    MovableClock,
    act,
    as_person,
    held_by,
    judge,
    make_audit,
    queue_of,
    states_of,
)

OPEN, TAKEN, CLOSED = TaskState.OPEN, TaskState.TAKEN, TaskState.CLOSED


@pytest.fixture
def clock() -> MovableClock:
    return MovableClock()


@pytest.fixture
def team(tmp_path: Path, clock: MovableClock) -> Iterator[Services]:
    """A sample of 12 tasks."""
    settings = make_audit(tmp_path, tasks=12, clock=clock)
    with open_services(settings, clock=clock) as services:
        yield services


def hold(services: Services, person: str, at: str = "", *, ahead: int = 10) -> list[str]:
    """Let somebody ask for tasks; those they hold then."""
    as_person(services, person).reviewing(AUDIT).hold(at, ahead=ahead)
    return held_by(services, person)


def writes(services: Services, do: Callable[[], object]) -> int:
    """How many rows something changes."""
    before = services.workspace.version()[1]
    do()
    return services.workspace.version()[1] - before


def test_r16_a_second_reviewer_gets_tasks_at_once_and_the_same_desk(team: Services) -> None:
    first = hold(team, "ada")
    second = hold(team, "bob")
    assert len(first) > 0
    assert len(second) > 0
    assert not set(first) & set(second)
    task = second[0]
    assert judge(team, "bob", task, "defect") == ""
    desk = as_person(team, "bob").reviewing(AUDIT).desk()
    assert [recent.task_id for recent in desk.recent] == [task]
    assert (desk.left.judged, desk.locked) == (1, "")
    assert states_of(team, "ada")[task] is CLOSED


def test_a_reviewer_alone_holds_the_task_on_screen_and_those_that_follow(team: Services) -> None:
    order = list(queue_of(team, "ada"))
    hold(team, "ada", order[10], ahead=3)
    expected = {order[10], order[11], order[0], order[1]}
    assert {t for t, state in states_of(team, "bob").items() if state is TAKEN} == expected


def test_nothing_is_written_while_the_next_tasks_are_held(team: Services) -> None:
    order = list(queue_of(team, "ada"))
    reviewing = as_person(team, "ada").reviewing(AUDIT)
    assert writes(team, lambda: reviewing.hold(order[0], ahead=4)) == 5
    assert writes(team, lambda: reviewing.hold(order[0], ahead=4)) == 0
    assert writes(team, lambda: reviewing.hold(order[1], ahead=4)) == 0


def test_leases_are_shared_fairly_as_people_come(team: Services) -> None:
    assert len(hold(team, "ada")) == 6  # half of the 12 stay free for others
    assert len(hold(team, "bob")) == 1  # of 6 open, two at work
    hold(team, "ada")  # now ada knows that somebody else is at work
    assert len(held_by(team, "ada")) == 2  # 11 open for ada, two at work
    assert sum(state in TO_JUDGE for state in states_of(team, "cy").values()) == 9


def test_r10_a_closed_tab_holds_a_task_no_longer_than_the_lease(
    team: Services, clock: MovableClock
) -> None:
    held = set(hold(team, "ada"))
    clock.move(minutes=14)
    assert not held & set(hold(team, "bob"))
    clock.move(minutes=1)
    assert {t for t, state in states_of(team, "bob").items() if state in TO_JUDGE} >= held
    assert set(hold(team, "bob")) & held


def test_r10_a_reviewer_at_work_keeps_the_task(team: Services, clock: MovableClock) -> None:
    (task, *_) = hold(team, "ada", ahead=0)
    for _ in range(3):
        clock.move(minutes=10)
        assert task in hold(team, "ada", task, ahead=0)
    assert states_of(team, "bob")[task] is TAKEN


def test_r10_a_clock_that_goes_back_prolongs_no_lease(team: Services, clock: MovableClock) -> None:
    held = hold(team, "ada")
    clock.move(days=-1)
    assert [states_of(team, "bob")[task] for task in held] == [OPEN] * len(held)
    assert hold(team, "ada")  # and the reviewer gets a lease that lives by the new time
    assert TAKEN in states_of(team, "bob").values()


def test_a_clock_that_goes_back_leaves_the_last_judgement_the_last(
    team: Services, clock: MovableClock
) -> None:
    first, second, *_ = queue_of(team, "ada")
    judge(team, "ada", first)
    clock.move(hours=-3)
    judge(team, "ada", second, "defect")
    recent = team.reviewing(AUDIT).desk().recent
    assert [(r.task_id, r.is_defect) for r in recent] == [(second, True), (first, False)]


@pytest.mark.parametrize("kind", ["clean", "skip"])
def test_saving_or_skipping_gives_the_lease_back(team: Services, kind: str) -> None:
    task = hold(team, "ada", ahead=0)[0]
    judge(team, "ada", task, kind)
    lease = "select 1 from leases where task_id = ?"
    assert team.workspace.row(lease, (task,)) is None
    assert states_of(team, "bob")[task] is (CLOSED if kind == "clean" else OPEN)


def test_r13_two_people_may_choose_the_same_tag_on_the_same_task(team: Services) -> None:
    team.team(AUDIT).change(TeamChange(reviews_per_task=2))
    task = next(iter(queue_of(team, "ada")))
    assert judge(team, "ada", task, "defect") == judge(team, "bob", task, "defect") == ""
    assert queue_of(team, "ada")[task].tags == queue_of(team, "bob")[task].tags == ("FN", "K1")
    assert states_of(team, "cy")[task] is CLOSED


def test_r14_a_late_save_counts_while_there_is_room_and_not_beyond(team: Services) -> None:
    task = hold(team, "ada", ahead=0)[0]
    assert states_of(team, "bob")[task] is TAKEN
    assert judge(team, "bob", task) == ""  # without a lease, and quicker
    draft = {"note": "half a thought"}
    team.reviewing(AUDIT).apply([act("draft", task, draft=draft)])
    assert judge(team, "ada", task, "defect") == f"not saved: {task} has its 1 review already"
    assert team.reviewing(AUDIT).desk().drafts == {task: draft}
    assert judge(team, "bob", task, "defect") == ""  # one's own may always be replaced


def test_r14_a_taken_back_review_makes_room(team: Services) -> None:
    task = next(iter(queue_of(team, "ada")))
    judge(team, "ada", task)
    review = team.reviewing(AUDIT).my_reviews([task])[task]
    team.reviewing(AUDIT).apply([act("undo", task, supersedes=review.id)])
    assert judge(team, "bob", task) == ""
    assert judge(team, "ada", task) == f"not saved: {task} has its 1 review already"


def test_r15_a_late_or_doubled_click_lands_on_the_task_it_was_made_for(team: Services) -> None:
    reviewing = team.reviewing(AUDIT)
    first, second, *_ = queue_of(team, "ada")
    click = act("defect", first, findings=[FINDING])
    reviewing.apply([click])
    reviewing.hold(second, ahead=2)  # the next task is on screen
    assert [ack.error for ack in reviewing.apply([click, click])] == ["", ""]
    assert states_of(team, "ada")[first] is TaskState.DEFECT
    assert states_of(team, "ada")[second] is OPEN
    assert team.workspace.row("select count(*) from reviews") == (1,)


def test_r06_a_judgement_is_durable_before_the_next_task_is_drawn(
    team: Services, tmp_path: Path
) -> None:
    task = next(iter(queue_of(team, "ada")))
    (ack,) = team.reviewing(AUDIT).apply([act("defect", task, findings=[FINDING])])
    assert ack.error == ""
    for name in ("assay.db", "assay.db-wal"):  # what a crash at this moment leaves
        (tmp_path / "crashed").mkdir(exist_ok=True)
        shutil.copy(tmp_path / name, tmp_path / "crashed" / name)
    crashed = Settings(db=tmp_path / "crashed" / "assay.db", reviewer="ada", cache=tmp_path)
    with open_services(crashed) as after:
        review = after.reviewing(AUDIT).my_reviews([task])[task]
    assert review.findings[0].note == FINDING["note"]


def test_r20_a_task_sent_back_comes_with_its_reason_and_the_first_verdict_is_kept(
    team: Services,
) -> None:
    task = next(iter(queue_of(team, "bob")))
    judge(team, "bob", task)
    first = as_person(team, "bob").reviewing(AUDIT).my_reviews([task])[task]
    team.team(AUDIT).send_back(task, "bob", "the units differ")
    item = queue_of(team, "bob")[task]
    assert (item.state, item.returned, item.review_id) == (
        TaskState.RETURNED,
        "the units differ",
        first.id,
    )
    assert as_person(team, "bob").reviewing(AUDIT).desk().left.returned == 1
    assert judge(team, "bob", task) == ""  # the same judgement is an answer too
    item = queue_of(team, "bob")[task]
    assert (item.state, item.returned) == (TaskState.CLEAN, "")
    reviews = team.audits.view(AUDIT).reviews
    assert [r.judgement for r in reviews] == [Judgement.CLEAN, Judgement.CLEAN]
    assert reviews[0] == first
    assert reviews[1].supersedes == first.id
    team.team(AUDIT).send_back(task, "bob", "once more")  # answered, so it may be sent back again


def test_somebody_not_among_the_reviewers_cannot_judge_and_is_told_why(team: Services) -> None:
    team.team(AUDIT).change(TeamChange(reviewers=("ada", "bob")))
    task = next(iter(queue_of(team, "ada")))
    assert judge(team, "cy", task) == "not saved: cy is not among the reviewers of 'shared'"
    desk = as_person(team, "cy").reviewing(AUDIT).desk()
    assert desk.locked == "cy is not among the reviewers of this audit"
    assert hold(team, "cy") == []
    assert (desk.left.open, desk.left.taken) == (0, 12)


def test_an_assigned_task_is_handed_to_those_it_is_assigned_to(team: Services) -> None:
    first, second, *rest = queue_of(team, "ada")
    team.team(AUDIT).assign([first, second], ["bob"])
    assert [states_of(team, "ada")[t] for t in (first, second)] == [TAKEN, TAKEN]
    assert judge(team, "ada", first) == f"not saved: {first} is assigned to others"
    assert states_of(team, "bob")[first] is OPEN
    assert judge(team, "bob", first) == ""
    team.team(AUDIT).assign([second], ["bob"], take_back=True)
    assert states_of(team, "ada")[second] is OPEN
    assert judge(team, "ada", rest[0]) == ""
