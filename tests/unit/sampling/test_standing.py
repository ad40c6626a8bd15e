from __future__ import annotations

import csv
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit_app.domain.estimates import NextStep, Status
from audit_app.domain.review import Effect, Finding, FindingState, Judgement, Review
from audit_app.domain.rubric import Rubric
from audit_app.domain.sampling import DrawKind, SamplingPlan
from audit_app.sampling.draw import draw_sample, ids_from_text, supplied_sample
from audit_app.sampling.frame import build_frame
from audit_app.sampling.standing import audit_status
from tests.unit.sampling.conftest import ROOT
from tests.unit.sampling.frames import PUBLISHED_GROUPS, tasks_of, weighted_plan

WHEN = datetime(2026, 1, 1, tzinfo=UTC)
FN, FP = Effect.FN, Effect.FP
PUBLISHED = ROOT / "samples" / "bfcl_v4_review"


def _review(task_id: str, *findings: Finding) -> Review:
    return Review(
        id=f"r-{task_id}",
        task_id=task_id,
        reviewer="ann",
        reviewed_at=WHEN,
        judgement=Judgement.DEFECT if findings else Judgement.CLEAN,
        findings=findings,
    )


def _finding(
    *effects: Effect,
    severity: int | None = 2,
    state: FindingState = FindingState.CONFIRMED,
    cause: str | None = None,
    causes: tuple[str, ...] = (),
) -> Finding:
    return Finding(effects=effects, severity=severity, state=state, cause=cause, causes=causes)


def _published_reviews() -> tuple[list[tuple[str, dict[str, str]]], dict[str, Review]]:
    with (PUBLISHED / "reviews.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    tasks = [(row["id"], {"group": row["category"]}) for row in rows]
    reviews = {}
    for row in rows:
        effects = [e for e, c in ((FN, "false_negative"), (FP, "false_positive")) if row[c] == "1"]
        cause = "K2" if row["stale"] == "1" else None
        found = [_finding(*effects, severity=None, cause=cause)] if row["defective"] == "1" else []
        reviews[row["id"]] = _review(row["id"], *found)
    return tasks, reviews


@pytest.fixture(scope="module")
def published(published_plan: SamplingPlan, rubric: Rubric) -> Status:
    tasks, reviews = _published_reviews()
    others = [(f"other_{task}", fields) for task, fields in tasks_of(PUBLISHED_GROUPS)]
    frame = build_frame(published_plan, tasks + others)
    ids = (PUBLISHED / "ids.txt").read_text(encoding="utf-8")
    sample = supplied_sample(frame, ids_from_text(ids, source="ids.txt"))
    return audit_status(frame, sample, reviews, rubric)


def test_published_review_counts(published: Status) -> None:
    assert (published.sampled, published.reviewed, published.defective) == (50, 50, 24)
    assert published.rate == 0.48
    assert published.weighted_rate == pytest.approx(0.48)
    assert published.effects.model_dump() == {"fn": 22, "fp": 6, "both": 4}
    assert (published.stale, published.possible) == (1, 24)
    assert published.next is NextStep.ISSUE


def test_published_review_by_stratum(published: Status) -> None:
    assert {s.stratum: (s.defective, s.reviewed) for s in published.by_stratum} == {
        "non_live_ast": (1, 5),
        "live_ast": (2, 5),
        "irrelevance": (2, 5),
        "multi_turn": (8, 15),
        "memory": (7, 10),
        "web_search": (4, 10),
    }
    agentic = published.by_outer[-1]
    assert (agentic.stratum, agentic.defective, agentic.reviewed) == ("agentic", 11, 20)
    assert (agentic.rate, agentic.weight) == (0.55, 0.4)
    assert len(published.by_outer) == 5


def test_published_review_states_no_severities(published: Status) -> None:
    assert (published.strict, published.strict_rate) == (None, None)
    assert set(published.undefined) == {"strict", "strict_rate"}
    assert [i.name for i in published.intervals] == ["wilson", "clopper_pearson", "jeffreys"]
    wilson = published.intervals[0]
    assert (wilson.lower, wilson.upper) == pytest.approx((0.348, 0.615), abs=5e-4)


def _status(rubric: Rubric, reviews: list[Review], *, tasks: int = 60, size: int = 10) -> Status:
    plan = weighted_plan({}, size=size, widen_to=max(20, size))
    frame = build_frame(plan, tasks_of({"a": tasks}))
    drawn = draw_sample(plan, frame).task_ids
    placed = {drawn[n]: r.model_copy(update={"task_id": drawn[n]}) for n, r in enumerate(reviews)}
    return audit_status(frame, draw_sample(plan, frame), placed, rubric)


@pytest.mark.parametrize(
    ("findings", "defective", "possible", "strict"),
    [
        pytest.param([_finding(FN, severity=1)], 1, 1, 0, id="fragile counts, not strictly"),
        pytest.param([_finding(FN, severity=2)], 1, 1, 1, id="material counts in both"),
        pytest.param([_finding(FN, severity=0)], 0, 0, 0, id="severity 0 never counts"),
        pytest.param([_finding(FN, severity=None)], 1, 1, None, id="not stated"),
        pytest.param([_finding(Effect.UNSURE)], 0, 1, 0, id="unsure is the upper end"),
        pytest.param([_finding(Effect.NEUTRAL)], 0, 0, 0, id="neutral"),
        pytest.param(
            [_finding(FN, state=FindingState.DISPUTED)], 0, 1, 0, id="disputed is the upper end"
        ),
        pytest.param(
            [_finding(FP, state=FindingState.FLAGGED)], 0, 0, 0, id="a flag is no finding"
        ),
        pytest.param([_finding(FP, state=FindingState.REJECTED)], 0, 0, 0, id="rejected"),
        pytest.param([_finding(FN), _finding(FP)], 1, 1, 1, id="a task counts once"),
    ],
)
def test_what_counts(
    rubric: Rubric, findings: list[Finding], defective: int, possible: int, strict: int | None
) -> None:
    status = _status(rubric, [_review("t", *findings)])
    assert (status.defective, status.possible, status.strict) == (defective, possible, strict)


def test_effects_of_two_findings_make_a_task_both(rubric: Rubric) -> None:
    status = _status(rubric, [_review("t", _finding(FN), _finding(FP))])
    assert status.effects.model_dump() == {"fn": 1, "fp": 1, "both": 1}


@pytest.mark.parametrize(
    ("finding", "stale"),
    [
        pytest.param(_finding(FN, cause="K2"), 1, id="primary"),
        pytest.param(_finding(FN, cause="K1", causes=("K2",)), 1, id="secondary"),
        pytest.param(_finding(FN, cause="K1"), 0, id="another cause"),
        pytest.param(_finding(FN, cause="K2", state=FindingState.REJECTED), 0, id="not counted"),
    ],
)
def test_stale_tasks(rubric: Rubric, finding: Finding, stale: int) -> None:
    assert _status(rubric, [_review("t", finding)]).stale == stale


def test_nothing_reviewed_is_undefined_not_zero(rubric: Rubric) -> None:
    status = _status(rubric, [])
    assert (status.rate, status.strict_rate, status.weighted_rate) == (None, None, None)
    assert status.intervals == ()
    assert set(status.undefined) == {"rate", "strict_rate", "intervals", "weighted_rate"}
    assert status.next is NextStep.REVIEW


@pytest.mark.parametrize(
    ("reviewed", "reason"),
    [pytest.param(10, "exact", id="complete"), pytest.param(4, "floor", id="in progress")],
)
def test_a_census_has_no_interval(rubric: Rubric, reviewed: int, reason: str) -> None:
    status = _status(rubric, [_review("t")] * reviewed, tasks=10)
    assert status.intervals == ()
    assert reason in status.undefined["intervals"]


def test_a_supplied_draw_that_should_be_widened_says_how(rubric: Rubric) -> None:
    frame = build_frame(weighted_plan({}), tasks_of({"a": 60}))
    sample = supplied_sample(frame, ids_from_text("a_0\na_1\na_2\na_3\na_4", source="ids"))
    reviews = {t: _review(t, *([_finding(FN)] if t == "a_0" else [])) for t in sample.task_ids}
    status = audit_status(frame, sample, reviews, rubric)
    assert status.next is NextStep.WIDEN
    assert "supply a wider list" in status.next_text
    assert sample.kind is DrawKind.SUPPLIED


findings = st.builds(
    Finding,
    effects=st.sampled_from([(FN,), (FP,), (FN, FP), (Effect.NEUTRAL,), (Effect.UNSURE,)]),
    severity=st.sampled_from([None, 0, 1, 2, 3]),
    state=st.sampled_from(FindingState),
    cause=st.sampled_from([None, "K1", "K2"]),
)


@settings(deadline=None)  # the first one loads scipy
@given(
    st.dictionaries(
        st.sampled_from([task for task, _ in tasks_of({"p": 6, "q": 6, "z": 12})]),
        st.lists(findings, max_size=2),
    )
)
def test_counts_agree_with_a_recount(rubric: Rubric, judged: dict[str, list[Finding]]) -> None:
    plan = weighted_plan({"o": 1, "z": 1}, within={"o": {"p": 1, "q": 1}}, size=12)
    frame = build_frame(plan, tasks_of({"p": 6, "q": 6, "z": 12}))
    sample = draw_sample(plan, frame)
    status = audit_status(
        frame, sample, {t: _review(t, *found) for t, found in judged.items()}, rubric
    )
    counted = {
        task: [
            f
            for f in judged[task]
            if f.state == "confirmed"
            and f.effects[0] in ("FN", "FP")
            and (f.severity is None or f.severity > 0)
        ]
        for task in sample.task_ids
        if task in judged
    }
    effects = {task: {e for f in found for e in f.effects} for task, found in counted.items()}
    assert status.reviewed == len(counted)
    assert status.defective == sum(1 for found in counted.values() if found)
    assert status.effects.fn == sum(1 for e in effects.values() if FN in e)
    assert status.effects.fp == sum(1 for e in effects.values() if FP in e)
    assert status.effects.both == sum(1 for e in effects.values() if len(e) == 2)
    assert status.defective == status.effects.fn + status.effects.fp - status.effects.both
    assert status.stale == sum(any(f.cause == "K2" for f in found) for found in counted.values())
    assert (status.strict is None) == any(
        f.severity is None for found in counted.values() for f in found
    )
    assert status.defective <= status.possible <= status.reviewed
    for rows in (status.by_stratum, status.by_outer):
        assert sum(r.defective for r in rows) == status.defective
        assert sum(r.reviewed for r in rows) == status.reviewed
        assert sum(r.sampled for r in rows) == status.sampled == 12
        assert sum(r.weight for r in rows) == pytest.approx(1)
