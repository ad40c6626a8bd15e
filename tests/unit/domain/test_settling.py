"""Settling the reviews of a task, in each mode: tables, and the laws that hold for all reviews."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit_app.domain.adjudication import Adjudication, How
from audit_app.domain.review import Effect, Finding, FindingState, Judgement, Review
from audit_app.domain.settling import (
    CaseState,
    Standing,
    are_identical,
    case_state,
    compare_fields,
    gather,
    settle,
)
from audit_app.domain.team import Mode, SendBack, TeamSettings

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
SINGLE = TeamSettings()
ADJUDICATED = TeamSettings(mode=Mode.ADJUDICATED, reviews_per_task=2)
WORST = TeamSettings(mode=Mode.WORST, reviews_per_task=2)


def finding(
    *effects: Effect,
    cause: str | None = None,
    causes: tuple[str, ...] = (),
    severity: int | None = 2,
    state: FindingState = FindingState.CONFIRMED,
    note: str = "",
    proposed_key: str | None = None,
) -> Finding:
    return Finding(
        effects=effects or (Effect.FN,),
        cause=cause,
        causes=causes,
        severity=severity,
        state=state,
        note=note,
        proposed_key=proposed_key,
    )


def review(
    id_: str, reviewer: str, *findings: Finding, at: int = 0, supersedes: str | None = None
) -> Review:
    return Review(
        id=id_,
        task_id="t",
        reviewer=reviewer,
        reviewed_at=NOON + timedelta(minutes=at),
        judgement=Judgement.DEFECT if findings else Judgement.CLEAN,
        findings=findings,
        supersedes=supersedes,
    )


def adjudication(
    id_: str, *basis: str, supersedes: str | None = None, withdrawn: bool = False
) -> Adjudication:
    return Adjudication(
        id=id_,
        task_id="t",
        adjudicator="eve",
        adjudicated_at=NOON + timedelta(hours=1),
        judgement=Judgement.WITHDRAWN if withdrawn else Judgement.CLEAN,
        basis=tuple(sorted(basis)),
        how=How.OWN,
        supersedes=supersedes,
    )


def sent_back(review_: Review) -> SendBack:
    return SendBack(
        id="s",
        task_id="t",
        reviewer=review_.reviewer,
        review_id=review_.id,
        reason="look at the unit",
        sent_at=NOON,
        sent_by="eve",
    )


CLEAN = review("c", "ann", at=0)
FLAWED = review("d", "bob", finding(cause="K1"), at=1)


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        pytest.param([finding()], [], id="a defect over clean"),
        pytest.param([finding(Effect.NEUTRAL)], [], id="any finding over clean"),
        pytest.param([finding(Effect.UNSURE)], [finding(Effect.NEUTRAL)], id="open over neutral"),
        pytest.param([finding(severity=1)], [finding(Effect.UNSURE)], id="counted over open"),
        pytest.param(
            [finding(severity=1)],
            [finding(state=FindingState.DISPUTED, severity=3)],
            id="counted over disputed, however severe",
        ),
        pytest.param(
            [finding(Effect.FN, Effect.FP, severity=1)], [finding(severity=3)], id="more effects"
        ),
        pytest.param(
            [finding(Effect.FN), finding(Effect.FP)], [finding(severity=3)], id="in two findings"
        ),
        pytest.param([finding(severity=None)], [finding(severity=1)], id="not stated over 1"),
        pytest.param([finding(severity=3)], [finding(severity=None)], id="3 over not stated"),
        pytest.param([finding(severity=1)], [finding(severity=0)], id="severity 0 counts nothing"),
    ],
)
def test_worst_wins_takes_the_worse_review(worse: list[Finding], better: list[Finding]) -> None:
    early, late = review("e", "ann", *better, at=0), review("l", "bob", *worse, at=5)
    assert settle(WORST, [early, late])["t"] == late
    early, late = review("e", "ann", *worse, at=0), review("l", "bob", *better, at=5)
    assert settle(WORST, [early, late])["t"] == early


def test_worst_wins_takes_the_earlier_of_two_alike_and_waits_for_all_reviews() -> None:
    first, second = review("z", "ann", finding(), at=0), review("a", "bob", finding(), at=1)
    assert settle(WORST, [second, first])["t"] == first
    assert settle(WORST, [first]) == {}
    assert settle(WORST, [first, second], (), [sent_back(second)]) == {}


def test_an_adjudication_settles_the_reviews_it_rests_on() -> None:
    made = adjudication("x", "c", "d")
    assert settle(ADJUDICATED, [CLEAN, FLAWED]) == {}
    assert settle(ADJUDICATED, [CLEAN, FLAWED], [made]) == {"t": made.as_review()}
    assert settle(SINGLE, [CLEAN, FLAWED], [made]) == {"t": FLAWED}


def test_withdrawing_an_adjudication_reopens_the_task() -> None:
    made = adjudication("x", "c", "d")
    undone = adjudication("y", supersedes="x", withdrawn=True)
    again = adjudication("z", "c", "d", supersedes="y")
    assert settle(ADJUDICATED, [CLEAN, FLAWED], [made, undone]) == {}
    assert settle(ADJUDICATED, [CLEAN, FLAWED], [undone, again, made])["t"].id == "z"


@pytest.mark.parametrize(
    "newer",
    [
        pytest.param(review("n", "cyd", at=9), id="a third review"),
        pytest.param(review("n", "bob", at=9, supersedes="d"), id="a changed mind"),
    ],
)
def test_a_review_after_the_adjudication_reopens_the_task(newer: Review) -> None:
    made = adjudication("x", "c", "d")
    reviews = [CLEAN, FLAWED, newer]
    assert settle(ADJUDICATED, reviews, [made]) == {}
    assert case_state(ADJUDICATED, gather(reviews, [made])["t"]) is not CaseState.SETTLED


def test_r20_a_task_sent_back_is_open_until_the_reviewer_answers() -> None:
    made, back = adjudication("x", "c", "d"), sent_back(FLAWED)
    answer = review("n", "bob", finding(cause="K2"), at=9, supersedes="d")
    assert settle(ADJUDICATED, [CLEAN, FLAWED], [made], [back]) == {}
    assert settle(SINGLE, [CLEAN, FLAWED], (), [back]) == {"t": FLAWED}
    waiting = gather([CLEAN, FLAWED], [made], [back])["t"]
    answered = gather([CLEAN, FLAWED, answer], [made], [back])["t"]
    assert case_state(ADJUDICATED, waiting) is CaseState.RETURNED
    assert case_state(ADJUDICATED, answered) is CaseState.DIFFERS
    assert answered.returned == ()


@pytest.mark.parametrize(
    ("reviews", "state"),
    [
        pytest.param([], CaseState.WAITING, id="no review"),
        pytest.param([CLEAN], CaseState.WAITING, id="one of two"),
        pytest.param([CLEAN, FLAWED], CaseState.DIFFERS, id="differ"),
        pytest.param([CLEAN, review("e", "bob", at=3)], CaseState.IDENTICAL, id="both clean"),
    ],
)
def test_case_state(reviews: list[Review], state: CaseState) -> None:
    assert case_state(ADJUDICATED, Standing(tuple(reviews))) is state
    assert case_state(SINGLE, Standing(tuple(reviews))) is state


@pytest.mark.parametrize(
    ("one", "other", "differing"),
    [
        pytest.param([finding()], [], ["judgement", "effects", "severity", "state"], id="clean"),
        pytest.param([finding(note="a")], [finding(note="b")], [], id="notes may differ"),
        pytest.param([finding(cause="K1")], [finding(cause="K3")], ["cause"], id="cause"),
        pytest.param([finding(severity=1)], [finding(severity=None)], ["severity"], id="severity"),
        pytest.param(
            [finding(causes=("T1", "T2"))], [finding(causes=("T2", "T1"))], [], id="order of causes"
        ),
        pytest.param(
            [finding(proposed_key='{"b": 1, "a": [2]}')],
            [finding(proposed_key='{ "a":[2],"b":1 }')],
            [],
            id="layout of a key",
        ),
        pytest.param(
            [finding(proposed_key="1")],
            [finding(proposed_key="1.0")],
            ["proposed key"],
            id="1, 1.0",
        ),
        pytest.param(
            [finding(cause="K1"), finding(Effect.FP, cause="T1")],
            [finding(Effect.FP, cause="T1"), finding(cause="K1")],
            [],
            id="order of findings",
        ),
        pytest.param(
            [finding(cause="K1"), finding(Effect.FP)],
            [finding(cause="K1")],
            ["finding 2: effects", "finding 2: severity", "finding 2: state"],
            id="one finding more",
        ),
    ],
)
def test_compare_fields(one: list[Finding], other: list[Finding], differing: list[str]) -> None:
    reviews = [review("1", "ann", *one), review("2", "bob", *other)]
    rows = compare_fields(reviews)
    assert [row.name for row in rows if row.decides and not row.is_same] == differing
    assert are_identical(reviews) == (not differing)
    assert all(len(row.values) == 2 and any(row.values) for row in rows)


findings = st.builds(
    finding,
    st.sampled_from(Effect),
    cause=st.sampled_from([None, "K1", "K2"]),
    severity=st.sampled_from([None, 0, 1, 2, 3]),
    state=st.sampled_from(FindingState),
)


@st.composite
def histories(draw: st.DrawFn) -> list[Review]:
    """Chains of reviews by up to four people, some withdrawn in the end."""
    rows: list[Review] = []
    for reviewer in draw(st.lists(st.sampled_from("abcd"), unique=True, max_size=4)):
        last: str | None = None
        for turn in range(draw(st.integers(1, 3))):
            made = review(
                f"{reviewer}{turn}",
                reviewer,
                *draw(st.lists(findings, max_size=2)),
                at=draw(st.integers(0, 5)),
                supersedes=last,
            )
            if turn and draw(st.booleans()):
                made = made.model_copy(update={"judgement": Judgement.WITHDRAWN, "findings": ()})
            rows.append(made)
            last = made.id
    return rows


@settings(deadline=None)
@given(histories(), st.randoms(use_true_random=False), st.sampled_from([SINGLE, WORST]))
def test_the_order_of_reviews_is_irrelevant(
    reviews: list[Review], random: Random, team: TeamSettings
) -> None:
    shuffled = list(reviews)
    random.shuffle(shuffled)
    assert settle(team, shuffled) == settle(team, reviews)
    assert gather(shuffled) == gather(reviews)


@settings(deadline=None)
@given(histories())
def test_in_the_mode_single_the_latest_standing_review_counts(reviews: list[Review]) -> None:
    replaced = {r.supersedes for r in reviews}
    standing = [
        r for r in reviews if r.id not in replaced and r.judgement is not Judgement.WITHDRAWN
    ]
    latest = max(standing, key=lambda r: (r.reviewed_at, r.id), default=None)
    assert settle(SINGLE, reviews).get("t") == latest


@settings(deadline=None)
@given(histories(), st.lists(findings, max_size=2))
def test_a_further_review_never_makes_the_worst_one_better(
    reviews: list[Review], more: list[Finding]
) -> None:
    before = settle(WORST, reviews).get("t")
    after = settle(WORST, [*reviews, review("new", "zoe", *more, at=9)]).get("t")
    if before is None:
        return
    assert after is not None
    assert after.is_defective() >= before.is_defective()
    assert after.may_be_defective() >= before.may_be_defective()
    assert bool(after.findings) >= bool(before.findings)
