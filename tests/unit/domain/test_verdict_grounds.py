"""What is stated beside the numbers, and gates that lead past a section."""

from __future__ import annotations

import pytest

from audit_app.domain.estimates import NextStep
from audit_app.domain.grounds import Grounds
from audit_app.domain.rubric import NOT_REVIEWED, Outcome, Rubric
from audit_app.domain.rubric_changes import rubric_differences
from audit_app.domain.verdict import decide, proposed_status
from tests.unit.domain.test_verdict import ALL_PASS, _answers, _status, _texts

SCALE = Grounds(scale=("The verifier restores the files it tests.",))
FAILS = {"access": "full", "scoring": "issue"}


@pytest.mark.parametrize(
    ("step", "grounds", "limb"),
    [
        pytest.param(NextStep.ISSUE, Grounds(), "fails by the rate.", id="rate"),
        pytest.param(NextStep.PASS, SCALE, "by an issue at scale, whatever the rate.", id="scale"),
        pytest.param(NextStep.ISSUE, SCALE, "fails by both limbs", id="both"),
        pytest.param(NextStep.PASS, Grounds(), "fails by neither limb", id="neither"),
    ],
)
def test_the_trace_says_by_which_limb_scoring_fails(
    rubric: Rubric, step: NextStep, grounds: Grounds, limb: str
) -> None:
    verdict = decide(rubric, _answers(FAILS), _status(step), grounds)
    assert verdict.outcome is Outcome.FLAWED
    assert limb in _texts(verdict)
    assert ("Warning" in _texts(verdict)) is (limb == "fails by neither limb")


def test_an_issue_at_scale_proposes_and_never_answers(rubric: Rubric) -> None:
    status = _status(NextStep.PASS)
    assert proposed_status(rubric.items["scoring"], status, SCALE) == "issue"
    assert decide(rubric, _answers(ALL_PASS), status, SCALE).outcome is Outcome.VERIFIED
    assert "Warning: the numbers propose" in _texts(
        decide(rubric, _answers(ALL_PASS), status, SCALE)
    )


def test_an_early_stop_makes_every_verdict_a_partial_one(rubric: Rubric) -> None:
    stopped = Grounds(stop="Reviewing was stopped.")
    unread = _status(NextStep.REVIEW).model_copy(update={"reviewed": 40})
    verdict = decide(rubric, _answers(ALL_PASS), unread, stopped)
    assert (verdict.outcome, verdict.partial) == (Outcome.VERIFIED, True)
    assert "10 sampled tasks are not reviewed, and not reviewed is no pass" in _texts(verdict)
    in_progress = decide(rubric, {}, unread, stopped)
    assert (in_progress.outcome, in_progress.partial) == (Outcome.IN_PROGRESS, False)
    whole = decide(rubric, _answers(ALL_PASS), _status(NextStep.PASS), stopped)
    assert not whole.partial


def _past_grading(rubric: Rubric) -> Rubric:
    """The rubric with a status of its gate that leads past the section Grading."""
    gate, *rest = rubric.sections
    item = gate.items[0]
    full = item.statuses[0].model_copy(update={"go": "quality"})
    item = item.model_copy(update={"statuses": (full, *item.statuses[1:])})
    return rubric.model_copy(
        update={"sections": (gate.model_copy(update={"items": (item,)}), *rest)}
    )


def test_a_gate_that_leads_past_a_section_leaves_it_out(rubric: Rubric) -> None:
    leads_past = _past_grading(rubric)
    passed_over = decide(leads_past, _answers({**FAILS}), None)
    assert passed_over.outcome is Outcome.IN_PROGRESS
    assert "no item that must pass" in _texts(passed_over)
    assert decide(leads_past, _answers({**FAILS, "access": "partial"}), None).outcome is (
        Outcome.FLAWED
    )


def test_how_a_rubric_differs_is_said_figure_by_figure(rubric: Rubric) -> None:
    assert rubric_differences(rubric, rubric) == ()
    sampling = rubric.sampling.model_copy(update={"base": 60, "widen_band": (0.1, 0.25)})
    changed = rubric.model_copy(update={"sampling": sampling, "version": "2"})
    assert rubric_differences(rubric, changed) == (
        "base is 60 and was 50",
        "widen_band is 0.1 to 0.25 and was 0.15 to 0.25",
        "the version is '2' and was '1'",
    )
    shorter = rubric.model_copy(update={"sections": rubric.sections[:2]})
    assert "section 'quality' is gone" in rubric_differences(rubric, shorter)
    assert NOT_REVIEWED in {s.id for s in rubric.items["access"].statuses}
