from __future__ import annotations

from math import comb

import pytest

from audit_app.domain.estimates import NextStep
from audit_app.domain.rubric import SamplingRule
from audit_app.sampling.sequential import next_step

RULE = SamplingRule(base=50, widen_to=100, widen_band=(0.15, 0.25), census_at_or_below=50)
EXCLUSIVE = RULE.model_copy(update={"band_inclusive": False})
REVIEW, WIDEN, ISSUE, PASS = NextStep.REVIEW, NextStep.WIDEN, NextStep.ISSUE, NextStep.PASS


def _step(
    defective: int,
    sampled: int,
    *,
    rule: SamplingRule = RULE,
    frame_size: int = 5000,
    stage: int = 1,
    reviewed: int | None = None,
) -> tuple[NextStep, str]:
    return next_step(
        rule,
        0.20,
        frame_size=frame_size,
        stage=stage,
        sampled=sampled,
        reviewed=sampled if reviewed is None else reviewed,
        defective=defective,
    )


@pytest.mark.parametrize(
    ("defective", "sampled", "step"),
    [
        pytest.param(7, 50, PASS, id="14 % passes"),
        pytest.param(8, 50, WIDEN, id="16 % widens"),
        pytest.param(10, 50, WIDEN, id="20 % widens before it decides"),
        pytest.param(12, 50, WIDEN, id="24 % widens"),
        pytest.param(13, 50, ISSUE, id="26 % is an issue"),
        pytest.param(12, 48, WIDEN, id="25 % lies on the end"),
        pytest.param(3, 20, WIDEN, id="15 % lies on the end"),
    ],
)
def test_first_stage(defective: int, sampled: int, step: NextStep) -> None:
    assert _step(defective, sampled)[0] is step


@pytest.mark.parametrize(
    ("defective", "sampled", "step"),
    [
        pytest.param(12, 48, ISSUE, id="upper end"),
        pytest.param(3, 20, PASS, id="lower end"),
        pytest.param(11, 48, WIDEN, id="inside"),
    ],
)
def test_ends_outside_the_band_decide(defective: int, sampled: int, step: NextStep) -> None:
    assert _step(defective, sampled, rule=EXCLUSIVE)[0] is step


@pytest.mark.parametrize(
    ("defective", "sampled", "frame_size", "stage", "step"),
    [
        pytest.param(19, 100, 5000, 2, PASS, id="second stage below"),
        pytest.param(20, 100, 5000, 2, ISSUE, id="second stage at the threshold"),
        pytest.param(8, 40, 40, 1, ISSUE, id="census at the threshold"),
        pytest.param(7, 40, 40, 1, PASS, id="census below"),
        pytest.param(12, 60, 60, 1, ISSUE, id="frame used up"),
        pytest.param(12, 60, 61, 1, WIDEN, id="one task left to widen by"),
        pytest.param(20, 100, 5000, 1, ISSUE, id="first draw as large as the wider one"),
    ],
)
def test_no_widening_where_none_can_be(
    defective: int, sampled: int, frame_size: int, stage: int, step: NextStep
) -> None:
    assert _step(defective, sampled, frame_size=frame_size, stage=stage)[0] is step


@pytest.mark.parametrize(
    ("defective", "reviewed", "certain"),
    [
        pytest.param(13, 20, "from 26.0 % to 86.0 %", id="issue whatever comes"),
        pytest.param(12, 20, "", id="may yet widen"),
        pytest.param(0, 43, "from 0.0 % to 14.0 %", id="pass whatever comes"),
        pytest.param(8, 46, "from 16.0 % to 24.0 %", id="widen whatever comes"),
        pytest.param(8, 45, "", id="widen or issue"),
    ],
)
def test_an_unread_sample_is_to_be_read_and_says_what_is_certain(
    defective: int, reviewed: int, certain: str
) -> None:
    step, text = _step(defective, 50, reviewed=reviewed)
    assert step is REVIEW
    assert f"{reviewed} of 50 sampled tasks are reviewed, {defective} of them defective" in text
    assert ("certain already" in text) is bool(certain)
    assert certain in text


def test_a_census_lower_bound_is_certain_before_its_end() -> None:
    """113 tasks, 23 confirmed: 20.4 % of all, whatever the rest holds; 22 are 19.5 %."""
    step, text = _step(23, 113, frame_size=113, reviewed=40)
    assert step is ISSUE
    assert "At least 23 of all 113 tasks are defective (20.4 %), a floor with 73 tasks" in text
    assert _step(22, 113, frame_size=113, reviewed=40)[0] is REVIEW
    assert _step(23, 113, frame_size=114, reviewed=40)[0] is REVIEW


def test_the_sentence_carries_its_numbers() -> None:
    assert _step(24, 50)[1] == (
        "24 of 50 reviewed tasks are defective (48.0 %), outside the band of 15–25 % and "
        "at or above the threshold of 20 %: an issue."
    )
    assert _step(10, 50, frame_size=80)[1].endswith("widen the sample to 80 tasks.")


def test_contradictory_counts_are_a_programmers_mistake() -> None:
    with pytest.raises(ValueError, match="drawn"):
        _step(5, 50, reviewed=4)
    with pytest.raises(ValueError, match="outside the band"):
        next_step(RULE, 0.3, frame_size=9, stage=1, sampled=1, reviewed=1, defective=0)


def _binomial(n: int, p: float) -> list[float]:
    return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


@pytest.mark.parametrize(
    ("rate", "issue_first", "widen", "pass_first", "issue", "mean_read"),
    [
        (0.05, 0.0000, 0.0032, 0.9968, 0.0000, 50.2),
        (0.10, 0.0010, 0.1211, 0.8779, 0.0025, 56.1),
        (0.15, 0.0301, 0.4512, 0.5188, 0.1075, 72.6),
        (0.18, 0.1022, 0.5974, 0.3004, 0.3326, 79.9),
        (0.20, 0.1861, 0.6235, 0.1904, 0.5261, 81.2),
        (0.22, 0.2963, 0.5911, 0.1126, 0.7045, 79.6),
        (0.25, 0.4890, 0.4657, 0.0453, 0.8852, 73.3),
        (0.30, 0.7771, 0.2156, 0.0073, 0.9862, 60.8),
        (0.48, 0.9996, 0.0004, 0.0000, 1.0000, 50.0),
    ],
)
def test_operating_characteristics(
    rate: float,
    issue_first: float,
    widen: float,
    pass_first: float,
    issue: float,
    mean_read: float,
) -> None:
    """Enumerating every outcome of both stages gives the exact table of the rule."""
    chance = _binomial(50, rate)
    by_step = {step: 0.0 for step in NextStep}
    issue_in_the_end = 0.0
    for first, p in enumerate(chance):
        step, _ = _step(first, 50)
        by_step[step] += p
        if step is ISSUE:
            issue_in_the_end += p
        if step is WIDEN:
            issue_in_the_end += p * sum(
                q for more, q in enumerate(chance) if _step(first + more, 100, stage=2)[0] is ISSUE
            )
    assert by_step[ISSUE] == pytest.approx(issue_first, abs=5e-5)
    assert by_step[WIDEN] == pytest.approx(widen, abs=5e-5)
    assert by_step[PASS] == pytest.approx(pass_first, abs=5e-5)
    assert issue_in_the_end == pytest.approx(issue, abs=5e-5)
    assert 50 + 50 * by_step[WIDEN] == pytest.approx(mean_read, abs=0.05)
