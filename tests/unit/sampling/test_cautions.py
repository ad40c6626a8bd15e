"""The sentences that stand beside the rates."""

from __future__ import annotations

import pytest

from audit_app.domain.estimates import StratumEstimate
from audit_app.sampling.cautions import cautions
from audit_app.sampling.estimating import Evidence, build_estimates, weights_coincide
from tests.unit.sampling.test_estimating import PUBLISHED, stratum


def said(strata: list[StratumEstimate], evidence: Evidence = Evidence.SAMPLE) -> str:
    outer = {row.stratum: row.stratum for row in strata}
    found = build_estimates(strata, outer=outer, evidence=evidence, threshold=0.2)
    coincide = weights_coincide(strata)
    return "\n".join(cautions(found, strata, threshold=0.2, coincide=coincide))


def _halves(first: StratumEstimate, second: StratumEstimate) -> list[StratumEstimate]:
    return [first, second]


def test_an_interval_that_holds_the_threshold_is_named_with_its_ends() -> None:
    text = said(PUBLISHED)
    assert text.count("\n") == 0
    assert "The threshold of 20.0 % lies inside Korn–Graubard 18.2–62.0 % (task-weighted)" in text
    assert "The point rate decides" in text
    assert "Wilson" not in text


@pytest.mark.parametrize(
    ("strata", "words"),
    [
        pytest.param(
            _halves(stratum("a", 0.5, 500, 25, 8, strict=2), stratum("b", 0.5, 500, 25, 5)),
            ["The rate that decides, 26.0 %, is at or above", "on its other side: strict 4.0 %"],
            id="strict rate below",
        ),
        pytest.param(
            _halves(stratum("a", 0.5, 500, 25, 4, possible=9), stratum("b", 0.5, 500, 25, 4)),
            ["The rate that decides, 16.0 %, is below", "uncertain and unsure findings 26.0 %"],
            id="band reaches the threshold",
        ),
        pytest.param(
            _halves(stratum("a", 0.1, 900, 5, 3), stratum("b", 0.9, 100, 45, 5)),
            ["task-weighted 55.1 %"],
            id="the other weights say otherwise",
        ),
        pytest.param(
            _halves(stratum("a", 0.5, 500, 1, 0), stratum("b", 0.5, 500, 49, 9)),
            ["With one reviewed task, a shows no variation"],
            id="collapsed stratum",
        ),
        pytest.param(
            _halves(stratum("a", 0.5, 500, 10, 1), stratum("b", 0.5, 500, 10, 1)),
            ["simulated for 50 and 100 tasks read, not for 20"],
            id="fewer tasks than were simulated",
        ),
        pytest.param(
            _halves(stratum("a", 0.5, 500, 25, 2), stratum("b", 0.5, 500, 25, 3)),
            ["Jeffreys in 89.3 %, where it was 5 %", "Bayes (score-weighted) in 89.4 %"],
            id="known to cover too little",
        ),
        pytest.param(
            _halves(
                stratum("a", 0.5, 500, 20, 9).model_copy(update={"sampled": 25}),
                stratum("b", 0.5, 500, 25, 9),
            ),
            ["45 of 50 sampled tasks have been read"],
            id="unread tasks",
        ),
    ],
)
def test_what_is_said(strata: list[StratumEstimate], words: list[str]) -> None:
    text = said(strata)
    for part in words:
        assert part in text


def test_same_weights_are_not_warned_of_twice() -> None:
    text = said(_halves(stratum("a", 0.5, 500, 25, 5), stratum("b", 0.5, 500, 25, 6)))
    assert "score-weighted" in text
    assert "task-weighted" not in text


@pytest.mark.parametrize(
    ("reviewed", "evidence"),
    [
        pytest.param(0, Evidence.SAMPLE, id="nothing reviewed"),
        pytest.param(4, Evidence.CENSUS_IN_PROGRESS, id="census in progress"),
        pytest.param(9, Evidence.CENSUS, id="census"),
    ],
)
def test_nothing_is_said_where_nothing_is_estimated(reviewed: int, evidence: Evidence) -> None:
    assert said([stratum("a", 1.0, 9, reviewed, 0)], evidence) == ""
