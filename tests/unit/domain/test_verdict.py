from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.domain.estimates import EffectCounts, NextStep, Status
from audit_app.domain.rubric import NOT_REVIEWED, Answer, Outcome, Rubric, Verdict
from audit_app.domain.verdict import decide, proposed_status

GRADING = ("scoring", "consistency", "elicitation", "setup_bias")
ALL_PASS = {"access": "full", **dict.fromkeys(GRADING, "pass")}
IN_PROGRESS, VERIFIED = Outcome.IN_PROGRESS, Outcome.VERIFIED
FLAWED, NEI = Outcome.FLAWED, Outcome.NEI


def _answers(given: dict[str, str]) -> dict[str, Answer]:
    when = datetime(2026, 1, 1, tzinfo=UTC)
    return {
        item: Answer(id=item, item=item, status=status, answered_at=when, answered_by="ann")
        for item, status in given.items()
    }


def _status(step: NextStep) -> Status:
    return Status(
        sampled=50,
        reviewed=50,
        defective=24,
        possible=24,
        strict=None,
        rate=0.48,
        strict_rate=None,
        weighted_rate=0.48,
        intervals=(),
        by_stratum=(),
        by_outer=(),
        effects=EffectCounts(),
        stale=0,
        next=step,
        next_text="24 of 50.",
        undefined={},
        threshold=0.2,
        estimates=(),
        weights_coincide=True,
        warnings=(),
    )


def _texts(verdict: Verdict) -> str:
    return "\n".join(step.text for step in verdict.trace)


@pytest.mark.parametrize(
    ("given", "outcome", "partial", "decisive"),
    [
        pytest.param({}, IN_PROGRESS, False, None, id="nothing answered"),
        pytest.param({"access": NOT_REVIEWED}, IN_PROGRESS, False, None, id="gate taken back"),
        pytest.param({"access": "gone"}, IN_PROGRESS, False, None, id="status no longer known"),
        pytest.param({"access": "insufficient"}, NEI, True, "access", id="gate stops"),
        pytest.param(
            {**ALL_PASS, "access": "insufficient"}, NEI, False, "access", id="gate stops a full one"
        ),
        pytest.param({"scoring": "issue"}, IN_PROGRESS, False, None, id="no issue before the gate"),
        pytest.param(
            {"access": "partial", "scoring": "issue"}, FLAWED, True, "scoring", id="one issue"
        ),
        pytest.param(
            {**ALL_PASS, "setup_bias": "issue"}, FLAWED, False, "setup_bias", id="all answered"
        ),
        pytest.param(
            {**ALL_PASS, "elicitation": NOT_REVIEWED}, IN_PROGRESS, False, None, id="one is left"
        ),
        pytest.param(ALL_PASS, VERIFIED, False, "setup_bias", id="all pass"),
        pytest.param(
            {**ALL_PASS, "resources": "unreasonably_constrained", "construct": "does_not"},
            VERIFIED,
            False,
            "setup_bias",
            id="advisory changes nothing",
        ),
    ],
)
def test_verdict(
    rubric: Rubric, given: dict[str, str], outcome: Outcome, partial: bool, decisive: str | None
) -> None:
    verdict = decide(rubric, _answers(given), None)
    assert (verdict.outcome, verdict.partial) == (outcome, partial)
    assert [s.item for s in verdict.trace if s.decides] == ([decisive] if decisive else [])


def test_trace_of_the_published_review(rubric: Rubric) -> None:
    answers = _answers({"access": "partial", "scoring": "issue"})
    verdict = decide(rubric, answers, _status(NextStep.ISSUE))
    assert [step.text for step in verdict.trace] == [
        "1 Access to tasks, scoring and settings: Partial.",
        "2.1 Scoring is answered “Issue found”, which stops the review: Flawed.",
        "The numbers behind 2.1 Scoring: 24 of 50.",
        "2.1 Scoring fails by the rate.",
        "Partial review: the review stopped with items not reviewed.",
        verdict.trace[5].text,
        "3 Evaluation quality is advisory and never changes the verdict.",
    ]
    assert verdict.trace[5].text.startswith("Not reviewed: 2.2, 2.3, ")
    assert verdict.not_reviewed[:3] == ("consistency", "elicitation", "setup_bias")
    assert len(verdict.not_reviewed) == 10


@pytest.mark.parametrize(
    ("answer", "step", "warning"),
    [
        pytest.param("pass", NextStep.PASS, "", id="agree on pass"),
        pytest.param("issue", NextStep.ISSUE, "", id="agree on issue"),
        pytest.param("pass", NextStep.ISSUE, "propose “Issue found”", id="pass against issue"),
        pytest.param("issue", NextStep.PASS, "propose “Pass”", id="issue at scale"),
        pytest.param("pass", NextStep.WIDEN, "before the numbers propose", id="not widened"),
        pytest.param("issue", NextStep.REVIEW, "before the numbers propose", id="unread"),
        pytest.param(NOT_REVIEWED, NextStep.ISSUE, "", id="no answer"),
    ],
)
def test_a_person_decides_and_a_difference_is_said(
    rubric: Rubric, answer: str, step: NextStep, warning: str
) -> None:
    given = _answers({**ALL_PASS, "scoring": answer})
    verdict = decide(rubric, given, _status(step))
    assert ("Warning:" in _texts(verdict)) is bool(warning)
    assert warning in _texts(verdict)
    assert verdict.outcome is decide(rubric, given, None).outcome


@pytest.mark.parametrize(
    ("item", "step", "proposed"),
    [
        ("scoring", NextStep.ISSUE, "issue"),
        ("scoring", NextStep.PASS, "pass"),
        ("scoring", NextStep.WIDEN, None),
        ("scoring", NextStep.REVIEW, None),
        ("consistency", NextStep.ISSUE, None),
    ],
)
def test_proposed_status(rubric: Rubric, item: str, step: NextStep, proposed: str | None) -> None:
    assert proposed_status(rubric.items[item], _status(step)) == proposed
    assert proposed_status(rubric.items[item], None) is None


@given(st.data())
def test_verdict_laws(rubric: Rubric, data: st.DataObject) -> None:
    given = {
        item.id: data.draw(st.sampled_from([s.id for s in item.statuses]), label=item.id)
        for item in rubric.items.values()
        if data.draw(st.booleans())
    }
    status = data.draw(st.none() | st.sampled_from(NextStep).map(_status))
    verdict = decide(rubric, _answers(given), status)
    required = ("access", *GRADING)
    if verdict.outcome is VERIFIED:
        assert not set(required) & set(verdict.not_reviewed)
        assert all(given[item] == "pass" for item in GRADING)
    assert set(verdict.not_reviewed) == {
        item for item in rubric.items if given.get(item, NOT_REVIEWED) == NOT_REVIEWED
    }
    decisive = sum(step.decides for step in verdict.trace)
    assert decisive == (verdict.outcome is not IN_PROGRESS)
    without_advice = {item: status for item, status in given.items() if item in required}
    assert decide(rubric, _answers(without_advice), None).outcome is verdict.outcome
