from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest

from audit_app.domain.handing_out import Lease
from audit_app.domain.review import Judgement, Review
from audit_app.domain.team import Assignment, Mode, SendBack, TeamSettings
from audit_app.errors import ConflictError
from audit_app.storage.reviews import Mark, MarkKind, ReviewRepository
from audit_app.storage.standing import StandingRepository
from audit_app.storage.team import TeamRepository
from audit_app.storage.workspace import Workspace
from tests.storage.conftest import NOON, a_review, make_audit

LATER = NOON + timedelta(minutes=15)


@pytest.fixture
def audit(workspace: Workspace) -> str:
    return make_audit(workspace)


@pytest.fixture
def team(workspace: Workspace, audit: str) -> TeamRepository:
    return TeamRepository(workspace, audit)


@pytest.fixture
def reviews(workspace: Workspace, audit: str) -> ReviewRepository:
    return ReviewRepository(workspace, audit)


def assignment(task: str, reviewer: str, *, is_assigned: bool = True) -> Assignment:
    return Assignment(
        id=str(uuid4()),
        task_id=task,
        reviewer=reviewer,
        is_assigned=is_assigned,
        assigned_at=NOON,
        assigned_by="eve",
    )


def sent_back(review: Review) -> SendBack:
    return SendBack(
        id=str(uuid4()),
        task_id=review.task_id,
        reviewer=review.reviewer,
        review_id=review.id,
        reason="the units ‮ differ",
        sent_at=NOON,
        sent_by="eve",
    )


def test_the_settings_saved_last_stand_and_each_is_sealed(
    workspace: Workspace, team: TeamRepository
) -> None:
    assert team.settings() == TeamSettings()
    first = TeamSettings(mode=Mode.WORST, reviews_per_task=2, reviewers=("ada", "日本"))
    for settings in (first, TeamSettings(lease_minutes=3)):
        team.set(settings, id_=str(uuid4()), set_at=NOON, set_by="eve")
        assert team.settings() == settings
    assert workspace.row("select count(*) from team_settings") == (2,)
    assert workspace.problems() == []


def test_of_assignments_the_latest_of_each_pair_stands(
    workspace: Workspace, team: TeamRepository
) -> None:
    version = team.assignments_version()
    team.assign([assignment("a", "ada"), assignment("a", "bob"), assignment("b", "bob")])
    assert team.assigned() == {"a": {"ada", "bob"}, "b": {"bob"}}
    assert team.assignments_version() > version
    team.assign([assignment("a", "ada", is_assigned=False)])
    team.assign([assignment("b", "bob", is_assigned=False)])
    assert team.assigned() == {"a": {"bob"}}
    assert workspace.problems() == []


def test_r20_only_a_standing_review_is_sent_back_and_once_until_it_is_answered(
    workspace: Workspace, team: TeamRepository, reviews: ReviewRepository
) -> None:
    first = a_review("a")
    reviews.add(first)
    send_back = sent_back(first)
    team.send_back(send_back)
    team.send_back(send_back)  # a repeated send
    assert team.send_backs() == [send_back]
    assert team.returned_to("ada") == {first.id: "the units ‮ differ"}
    with pytest.raises(ConflictError, match="sent back already"):
        team.send_back(sent_back(first))
    answer = a_review("a", supersedes=first.id)
    reviews.add(answer)
    with pytest.raises(ConflictError, match="does not stand"):
        team.send_back(sent_back(first))
    team.send_back(sent_back(answer))
    withdrawn = a_review("a", supersedes=answer.id, judgement=Judgement.WITHDRAWN)
    reviews.add(withdrawn)
    with pytest.raises(ConflictError, match="does not stand"):
        team.send_back(sent_back(withdrawn))
    assert workspace.problems() == []


@pytest.mark.parametrize("how", ["review", "skip"])
def test_a_lease_ends_with_the_work_on_its_task(
    workspace: Workspace, team: TeamRepository, reviews: ReviewRepository, how: str
) -> None:
    with workspace.write():
        for person in ("ada", "bob"):
            team.put_leases(person, ["a", "b"], taken_at=NOON, expires_at=LATER)
    if how == "review":
        reviews.add(a_review("a"))
    else:
        reviews.add_mark(Mark(str(uuid4()), "a", "ada", MarkKind.SKIPPED, NOON))
    kept = {Lease("a", "bob", LATER), Lease("b", "ada", LATER), Lease("b", "bob", LATER)}
    assert set(team.leases()) == kept
    with workspace.write():
        team.drop_leases(kept)
    assert team.leases() == []


def test_r14_the_limit_is_kept_where_reviews_are_written_but_not_for_imports(
    reviews: ReviewRepository,
) -> None:
    first = a_review("a")
    reviews.add(first, limit=1)
    reviews.add(a_review("a", supersedes=first.id), limit=1)
    with pytest.raises(ConflictError, match="a has its 1 review already"):
        reviews.add(a_review("a", reviewer="bob"), limit=1)
    second = a_review("a", reviewer="bob")
    reviews.add(second, limit=2)
    reviews.add(second, limit=1)  # a repeated send
    with pytest.raises(ConflictError, match="a has its 2 reviews already"):
        reviews.add(a_review("a", reviewer="cy"), limit=2)
    reviews.add_all([a_review("a", reviewer="cy"), a_review("a", reviewer="dee")])
    assert len(reviews.all()) == 5


def test_the_queue_is_read_without_whole_reviews_and_in_the_order_of_saving(
    workspace: Workspace, audit: str, reviews: ReviewRepository
) -> None:
    standing = StandingRepository(workspace, audit)
    early = a_review("b", judgement=Judgement.DEFECT)
    late = a_review("a").model_copy(update={"reviewed_at": NOON - timedelta(days=1)})
    reviews.add_all([early, late, a_review("a", reviewer="bob"), a_review("b", reviewer="bob")])
    assert standing.standing_ids("ada") == [early.id, late.id]
    (row,) = standing.judgements([early.id])
    assert row.findings[0] == (["FN", "FP"], "K3", ["T1", "G1"], 0)
    assert (row.task_id, row.judgement, row.reviewed_at) == ("b", Judgement.DEFECT, NOON)
    assert standing.others("ada") == {"a": 1, "b": 1}
    assert sorted(standing.pairs()) == [("a", "ada"), ("a", "bob"), ("b", "ada"), ("b", "bob")]
    assert reviews.standing("ada", ["a", "b"]) == {"a": late, "b": early}
    assert reviews.standing("bob", ["b", "z"]).keys() == {"b"}
    undone = a_review("b", supersedes=early.id, judgement=Judgement.WITHDRAWN)
    reviews.add(undone)
    assert standing.standing_ids("ada") == [late.id]


def test_of_marks_the_latest_of_each_pair_stands(
    workspace: Workspace, audit: str, reviews: ReviewRepository
) -> None:
    kinds = [
        ("a", MarkKind.SKIPPED),
        ("b", MarkKind.SKIPPED),
        ("a", MarkKind.SECOND_LOOK),
        ("b", MarkKind.UNSKIPPED),
        ("b", MarkKind.SECOND_LOOK),
        ("b", MarkKind.NO_SECOND_LOOK),
    ]
    for minute, (task, kind) in enumerate(kinds):
        at = NOON - timedelta(minutes=minute)  # whatever the clock says
        reviews.add_mark(Mark(str(uuid4()), task, "ada", kind, at))
    reviews.add_mark(Mark(str(uuid4()), "b", "bob", MarkKind.SKIPPED, NOON))
    skipped, second_look = StandingRepository(workspace, audit).marks("ada")
    assert skipped == {"a": NOON}
    assert second_look == frozenset({"a"})
