from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.adjudication import How
from audit_app.domain.review import Judgement
from audit_app.domain.settling import CaseState
from audit_app.domain.team import Mode, TeamSettings
from audit_app.errors import NotFoundError
from audit_app.services.adjudication import AdjudicationService
from audit_app.services.context import Services
from tests.services.team_audits import (
    ADJUDICATED,
    NAME,
    OWN_FINDING,
    STALE_FINDING,
    as_person,
    judge,
    judge_all,
    make_audit,
    sampled,
    share,
)


@pytest.fixture
def small(services: Services, tmp_path: Path) -> list[str]:
    """Three tasks: differing, identical, judged by ann only."""
    make_audit(services, tmp_path, tasks=3)
    one, two, three = sampled(services)
    judge(services, "ann", one, OWN_FINDING)
    judge(services, "bob", one, None)
    judge(services, "ann", two, None)
    judge(services, "bob", two, None)
    judge(services, "ann", three, None)
    return [one, two, three]


def desk(services: Services, person: str = "eve") -> AdjudicationService:
    return as_person(services, person).adjudicating(NAME)


def act(services: Services, task_id: str, kind: str, *, person: str = "eve", **given: Any) -> str:
    """One action on the case as it stands; the sentence that refuses it."""
    service = desk(services, person)
    case = service.case(task_id)
    action = {
        "id": services.clock.new_id(),
        "kind": kind,
        "task_id": task_id,
        "basis": case.basis,
        "supersedes": case.adjudication.id if case.adjudication else None,
        **given,
    }
    (ack,) = service.apply([action])
    return ack.error


def review_of(services: Services, task_id: str, reviewer: str) -> str:
    reviews = desk(services).case(task_id).reviews
    return next(review.id for review in reviews if review.reviewer == reviewer)


def states(services: Services, person: str = "eve") -> dict[str, CaseState]:
    return {item.task_id: item.state for item in desk(services, person).board().items}


def test_r18_only_tasks_with_two_reviews_are_cases(services: Services, small: list[str]) -> None:
    assert states(services) == {small[0]: CaseState.DIFFERS, small[1]: CaseState.IDENTICAL}
    item = desk(services).board().items[0]
    assert item.differing == ("judgement", "effects", "cause", "severity", "state")
    assert item.words == ("ann: FN, K1, severity 2", "bob: clean")


def test_r18_identical_ones_are_accepted_in_one_action(
    services: Services, small: list[str]
) -> None:
    assert desk(services).accept_identical() == 1
    assert desk(services).accept_identical() == 0
    view = as_person(services, "eve").audits.view(NAME)
    assert list(view.settled) == [small[1]]
    (made,) = view.adjudications
    assert (made.how, made.judgement, made.adjudicator) == (How.IDENTICAL, Judgement.CLEAN, "eve")


def test_a_review_is_taken_as_it_is(services: Services, small: list[str]) -> None:
    assert act(services, small[0], "take", review_id=review_of(services, small[0], "ann")) == ""
    case = desk(services).case(small[0])
    assert case.item.state is CaseState.SETTLED
    assert case.item.settled is not None
    assert case.item.settled.findings == case.reviews[0].findings
    assert case.item.settled.how is How.TOOK


def test_a_judgement_of_ones_own_and_back(services: Services, small: list[str]) -> None:
    finding = {**STALE_FINDING, "proposed_key": "[1]"}
    assert act(services, small[0], "own", judgement="defect", findings=[finding]) == ""
    assert desk(services).board().items[0].settled is not None
    assert act(services, small[0], "undo") == ""
    assert states(services)[small[0]] is CaseState.DIFFERS
    assert act(services, small[0], "own", judgement="clean") == ""
    chain = as_person(services, "eve").audits.view(NAME).adjudications
    assert [made.judgement for made in chain] == ["defect", "withdrawn", "clean"]
    assert [made.supersedes for made in chain] == [None, chain[0].id, chain[1].id]


@pytest.mark.parametrize(
    ("person", "given", "reason"),
    [
        pytest.param(
            "mallory", {}, "mallory is not among its adjudicators: eve, ida", id="not named"
        ),
        pytest.param(
            "eve", {"judgement": "defect"}, "a defect needs a finding", id="a defect of nothing"
        ),
        pytest.param("eve", {"judgement": None}, "a judgement is clean or defect", id="nothing"),
        pytest.param(
            "eve",
            {"judgement": "defect", "findings": [{"effects": ["FN"], "cause": "Q9"}]},
            "there is no cause 'Q9'",
            id="an unknown cause",
        ),
        pytest.param(
            "eve",
            {"judgement": "defect", "findings": [{"effects": ["FN"], "proposed_key": "{"}]},
            "the proposed key is not valid JSON",
            id="a key that is no JSON",
        ),
        pytest.param(
            "eve",
            {"judgement": "defect", "findings": [{"effects": ["FN"], "evidence": ["ftp://x"]}]},
            "is not a link that begins with https://",
            id="a link with an odd scheme",
        ),
        pytest.param("eve", {"basis": ["gone"]}, "reviews of ferry", id="other reviews shown"),
        pytest.param("eve", {"supersedes": "gone"}, "settled ferry", id="another one shown"),
        pytest.param("eve", {"id": "1"}, "id: String should match", id="a bad id"),
    ],
)
def test_what_may_not_be_settled_is_refused_and_nothing_stored(
    services: Services, small: list[str], person: str, given: dict[str, Any], reason: str
) -> None:
    error = act(services, small[0], "own", person=person, **{"judgement": "clean", **given})
    assert error.startswith("not saved: ")
    assert reason in error
    assert as_person(services, "eve").audits.view(NAME).adjudications == ()


def test_nobody_settles_a_task_of_their_own(services: Services, small: list[str]) -> None:
    share(services, ADJUDICATED.model_copy(update={"adjudicators": ()}))
    assert act(services, small[0], "own", person="ann", judgement="clean") == (
        f"not saved: {small[0]}: ann judged it, and nobody settles a task of their own"
    )
    assert desk(services, "ann").accept_identical() == 0
    assert act(services, small[0], "own", person="zoe", judgement="clean") == ""


def test_of_two_adjudicators_at_once_the_second_is_refused(
    services: Services, small: list[str]
) -> None:
    eve, ida = desk(services, "eve"), desk(services, "ida")
    actions = {
        service: {
            "id": services.clock.new_id(),
            "kind": "take",
            "task_id": small[0],
            "basis": case.basis,
            "review_id": case.reviews[0].id,
        }
        for service in (eve, ida)
        for case in (service.case(small[0]),)
    }
    assert eve.apply([actions[eve]])[0].error == ""
    assert ida.apply([actions[ida]])[0].error == (
        f"not saved: eve settled {small[0]} since it was shown here; "
        "look at that before you settle it anew"
    )
    assert eve.apply([actions[eve]])[0].error == ""  # a repeated send
    assert len(as_person(services, "eve").audits.view(NAME).adjudications) == 1


def test_a_review_after_the_adjudication_reopens_the_task(
    services: Services, small: list[str]
) -> None:
    act(services, small[0], "own", judgement="clean")
    judge(services, "bob", small[0], STALE_FINDING)
    case = desk(services).case(small[0])
    assert case.item.state is CaseState.DIFFERS
    assert case.adjudication is not None
    assert case.item.settled is None
    assert act(services, small[0], "own", judgement="clean") == ""
    assert states(services)[small[0]] is CaseState.SETTLED


def test_r20_a_review_is_sent_back_with_a_reason_and_the_first_verdict_is_kept(
    services: Services, small: list[str]
) -> None:
    first = review_of(services, small[0], "bob")
    assert act(services, small[0], "send_back", review_id=first, note=" ") == (
        "not saved: say why the review is sent back"
    )
    assert act(services, small[0], "send_back", review_id=first, note="look at the unit") == ""
    item = desk(services).board().items[0]
    assert (item.state, item.may_settle) == (
        CaseState.RETURNED,
        "it was sent back to bob and is not answered yet",
    )
    assert "sent back to bob" in act(services, small[0], "own", judgement="clean")
    queue = as_person(services, "bob").reviewing(NAME).desk().queue
    assert next(i.returned for i in queue if i.task_id == small[0]) == "look at the unit"
    judge(services, "bob", small[0], OWN_FINDING)
    assert states(services)[small[0]] is CaseState.IDENTICAL
    stored = as_person(services, "eve").audits.view(NAME).reviews
    assert [r.judgement for r in stored if r.task_id == small[0] and r.reviewer == "bob"] == [
        Judgement.CLEAN,
        Judgement.DEFECT,
    ]


def test_r17_a_reviewer_sees_no_case_of_a_task_left_to_judge(
    services: Services, small: list[str]
) -> None:
    share(services, ADJUDICATED.model_copy(update={"reviewers": (), "reviews_per_task": 3}))
    assert set(states(services, "ann")) == {small[0], small[1]}
    board = desk(services, "zoe").board()
    assert board.items == ()
    assert board.hidden == 5
    with pytest.raises(NotFoundError, match="two people must have judged"):
        desk(services, "zoe").case(small[0])
    with pytest.raises(NotFoundError):
        desk(services, "zoe").task_view(small[0])


@pytest.mark.parametrize(
    ("mode", "reason"),
    [
        pytest.param(Mode.SINGLE, "the latest review counts", id="single"),
        pytest.param(Mode.WORST, "the worst review counts", id="worst wins"),
    ],
)
def test_other_modes_show_what_differs_and_settle_nothing(
    services: Services, small: list[str], mode: Mode, reason: str
) -> None:
    share(services, TeamSettings(mode=mode, reviews_per_task=2))
    assert states(services)[small[0]] is CaseState.DIFFERS
    assert reason in desk(services).board().items[0].may_settle
    assert reason in act(services, small[0], "own", judgement="clean")
    assert desk(services).accept_identical() == 0


def test_two_reviewers_and_an_adjudicator_go_through_50_tasks(
    services: Services, tmp_path: Path
) -> None:
    """R18, R19, R21: every figure is derived here from the pattern of ``team_audits``."""
    make_audit(services, tmp_path)
    judge_all(services)
    tasks = sampled(services)
    before = desk(services).board()
    assert [item.state for item in before.items].count(CaseState.DIFFERS) == 5 + 15
    assert desk(services).accept_identical() == 15 + 15
    for position, task_id in enumerate(tasks):
        if position < 5:
            error = act(services, task_id, "take", review_id=review_of(services, task_id, "ann"))
        elif 20 <= position < 25:
            error = act(services, task_id, "own", judgement="clean", note="the key is right")
        elif 25 <= position < 35:
            error = act(services, task_id, "take", review_id=review_of(services, task_id, "bob"))
        else:
            continue
        assert error == ""
    board, view = desk(services).board(), as_person(services, "eve").audits.view(NAME)
    assert {item.state for item in board.items} == {CaseState.SETTLED}
    assert services.verify().problems == ()
    # Defective: 0 to 4 as ann says, 5 to 19 as both say, 25 to 34 as bob says.
    assert (view.status.reviewed, view.status.defective) == (50, 30)
    assert view.status.stale == 0
    # R19: the adjudicator's 50 decisions change no figure.
    assert board.agreement == before.agreement
    rows = {row.id: row.figures for row in board.agreement.rows}
    assert list(rows) == ["defect", "FN", "FP", "stale", "K", "K1", "K2", "severity"]
    # Both 20, ann alone 5, bob alone 10, neither 15: 35 of 50; by chance 0.5·0.6 + 0.5·0.4.
    defect = rows["defect"]
    assert (defect.agree, defect.pairs, defect.raw) == (35, 50, 0.7)
    assert defect.kappa == pytest.approx((0.7 - 0.5) / (1 - 0.5))
    # 55 yes and 45 no of 100: D_o = 2·15/100, D_e = 2·55·45/(100·99).
    assert defect.alpha == pytest.approx(1 - 0.3 / 0.5)
    assert rows["FN"].kappa == rows["K"].kappa == defect.kappa
    # K1: both in 5 to 19, ann alone in 0 to 4 and 20 to 24, bob alone in 25 to 34.
    assert rows["K1"].agree == 15 + 15
    assert rows["K1"].kappa == pytest.approx(0.2)
    # K2 is bob's alone, five times: what chance gives when ann never says it.
    assert rows["stale"].agree == 45
    assert rows["stale"].kappa == pytest.approx(0.0)
    # R22: nobody says FP.
    assert (rows["FP"].raw, rows["FP"].kappa, rows["FP"].alpha) == (1.0, None, None)
    # Severity of the 20 both find: 2 and 2 fifteen times, 2 and 3 five times; 35 of 40 are 2.
    assert (rows["severity"].tasks, rows["severity"].agree) == (20, 15)
    assert rows["severity"].alpha == pytest.approx(1 - (10 / 40) / (2 * 35 * 5 / (40 * 39)))
