from __future__ import annotations

from datetime import UTC, datetime

import pytest

from audit_app.domain.review import Effect, Finding, FindingState, Judgement, Review
from audit_app.domain.rubric import Counting
from audit_app.services.agreement import agreement_table
from audit_app.services.resources import bundled_taxonomy
from audit_app.stats.agreement_model import NO_OVERLAP, AgreementTable

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)


def review(
    task_id: str, reviewer: str, *findings: Finding, supersedes: str | None = None
) -> Review:
    return Review(
        id=f"{task_id} {reviewer} {supersedes or ''}",
        task_id=task_id,
        reviewer=reviewer,
        reviewed_at=NOON,
        judgement=Judgement.DEFECT if findings else Judgement.CLEAN,
        findings=findings,
        supersedes=supersedes,
    )


def found(cause: str, *, severity: int | None = 2, state: str = "confirmed") -> Finding:
    return Finding(effects=(Effect.FN,), cause=cause, severity=severity, state=FindingState(state))


def table(*reviews: Review, sampled: str = "pqrs") -> AgreementTable:
    return agreement_table(
        reviews, sampled, counting=Counting(), taxonomy=bundled_taxonomy(), seed="s"
    )


def test_r21_there_is_a_row_for_each_tag_that_is_used() -> None:
    agreed = table(
        review("p", "ann", found("K2")),
        review("p", "bob", found("T1")),
        review("q", "ann", found("G2", state="disputed"), found("K9x")),
        review("q", "bob"),
    )
    assert [row.id for row in agreed.rows] == [
        *("defect", "FN", "FP", "stale"),
        *("T", "K"),
        *("T1", "K2", "K9x"),
        "severity",
    ]


def test_r23_only_standing_reviews_of_shared_sampled_tasks_count() -> None:
    """A planted check is outside the sample, as "x" is here."""
    shared = (review("p", "ann"), review("p", "bob"), review("q", "ann"), review("q", "bob"))
    other = (
        review("x", "ann", found("K1")),
        review("x", "bob"),
        review("r", "ann", found("K1")),
        review("q", "bob", found("T1"), supersedes="q bob "),
        review("q", "bob", supersedes="q bob q bob "),
    )
    assert table(*shared, *other) == table(*shared)
    assert table(review("p", "ann"), review("q", "bob")).undefined == NO_OVERLAP


def test_each_two_of_three_reviewers_are_compared_on_the_tasks_they_share() -> None:
    agreed = table(
        review("p", "ann", found("K1")),
        review("p", "bob", found("K1")),
        review("q", "bob"),
        review("q", "cyd", found("K1")),
        review("r", "bob"),
        review("r", "cyd"),
    )
    assert (agreed.reviewers, agreed.tasks) == (("ann", "bob", "cyd"), 3)
    pairs = {(p.first, p.second): (p.figures.agree, p.figures.pairs) for p in agreed.pairs}
    assert pairs == {("ann", "bob"): (1, 1), ("ann", "cyd"): (0, 0), ("bob", "cyd"): (1, 2)}
    assert agreed.pairs[1].figures.undefined["raw"] == NO_OVERLAP


@pytest.mark.parametrize(
    ("first", "second", "tasks"),
    [
        pytest.param(found("K1", severity=1), found("K1", severity=3), 1, id="both stated"),
        pytest.param(found("K1", severity=None), found("K1"), 0, id="one not stated"),
        pytest.param(found("K1", severity=0), found("K1"), 0, id="one that does not count"),
    ],
)
def test_severity_is_compared_where_both_find_and_state_it(
    first: Finding, second: Finding, tasks: int
) -> None:
    severity = table(review("p", "ann", first), review("p", "bob", second)).rows[-1]
    assert (severity.id, severity.level, severity.figures.tasks) == ("severity", "ordinal", tasks)
    assert severity.figures.undefined["alpha"]
