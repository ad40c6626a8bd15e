"""The sequential rule's behaviour: the published table, and other ways to the same numbers."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest

from audit_app.domain.rubric import SamplingRule
from audit_app.sampling.operating import StratumDraw, plain_course, stratified_course

_RULE = SamplingRule(
    base=50,
    widen_to=100,
    widen_band=(0.15, 0.25),
    band_inclusive=True,
    census_at_or_below=50,
)
_TABLE = """
0.05 .0000 .0032 .9968 .0000 50.2
0.10 .0010 .1211 .8779 .0025 56.1
0.15 .0301 .4512 .5188 .1075 72.6
0.18 .1022 .5974 .3004 .3326 79.9
0.20 .1861 .6235 .1904 .5261 81.2
0.22 .2963 .5911 .1126 .7045 79.6
0.25 .4890 .4657 .0453 .8852 73.3
0.30 .7771 .2156 .0073 .9862 60.8
0.48 .9996 .0004 .0000 1.0000 50.0
"""
"""True rate, issue at 50, widen, pass at 50, issue in the end, mean tasks read."""


@pytest.mark.parametrize(
    "line", [pytest.param(r, id=r.split()[0]) for r in _TABLE.split("\n") if r]
)
def test_published_table(line: str) -> None:
    rate, issue_first, widen, pass_first, issue, read = map(float, line.split())
    course = plain_course(_RULE, 0.20, rate)
    for mine, printed in (
        (course.issue_first, issue_first),
        (course.widen, widen),
        (course.pass_first, pass_first),
        (course.issue, issue),
    ):
        assert mine == pytest.approx(printed, abs=0.5e-4)
    assert course.mean_read == pytest.approx(read, abs=0.05)


@pytest.mark.parametrize("defective", [0, 7, 20, 41, 55])
def test_a_small_frame_by_counting_samples(defective: int) -> None:
    """A rule of 4 then 8 of 60 tasks, from numbers of samples and no distribution."""
    rule = _RULE.model_copy(update={"base": 4, "widen_to": 8, "census_at_or_below": 4})
    course = plain_course(rule, 0.20, defective / 60, frame_size=60)

    def ways(n: int, k: int, drawn: int, found: int) -> int:
        return comb(k, found) * comb(n - k, drawn - found)

    first = [ways(60, defective, 4, found) / comb(60, 4) for found in range(5)]
    # 1 of 4 is 25 %, on the band's end: widened; 0 passes, 2 and more is an issue.
    assert course.pass_first == pytest.approx(first[0])
    assert course.widen == pytest.approx(first[1])
    assert course.issue_first == pytest.approx(sum(first[2:]))
    # Of 8, 2 and more are 25 % and more: one more among the next four is enough.
    none_more = ways(56, max(0, defective - 1), 4, 0) / comb(56, 4)
    assert course.issue == pytest.approx(sum(first[2:]) + first[1] * (1 - none_more))
    assert course.mean_read == pytest.approx(4 + 4 * first[1])


def test_a_large_frame_is_nearly_a_binomial() -> None:
    near, limit = plain_course(_RULE, 0.2, 0.2, frame_size=2_000_000), plain_course(_RULE, 0.2, 0.2)
    assert tuple(near) == pytest.approx(tuple(limit), rel=1e-3)


def test_strata_of_one_rate_by_drawing_them() -> None:
    strata = [
        StratumDraw(100, 30, 5, 10),
        StratumDraw(400, 40, 20, 40),
        StratumDraw(60, 30, 25, 50),
    ]
    course = stratified_course(_RULE, 0.20, strata)
    random = np.random.default_rng(5)
    repeats = 40_000
    first = sum(random.hypergeometric(s.defective, s.population - s.defective, s.first, repeats)
                for s in strata)  # fmt: skip
    assert course.widen == pytest.approx(np.mean((first >= 8) & (first <= 12)), abs=0.01)
    assert course.issue_first == pytest.approx(np.mean(first >= 13), abs=0.01)
    assert course.issue_first + course.widen + course.pass_first == pytest.approx(1)
    assert course.rate == pytest.approx(100 / 560)


def test_one_stratum_is_a_plain_sample() -> None:
    strata = [StratumDraw(1_000, 200, 50, 100)]
    assert tuple(stratified_course(_RULE, 0.2, strata)) == pytest.approx(
        tuple(plain_course(_RULE, 0.2, 0.2, frame_size=1_000))
    )


def test_splitting_a_stratum_read_whole_changes_nothing() -> None:
    whole = [StratumDraw(40, 8, 40, 40), StratumDraw(500, 100, 10, 60)]
    split = [StratumDraw(15, 8, 15, 15), StratumDraw(25, 0, 25, 25), whole[1]]
    one, other = stratified_course(_RULE, 0.2, whole), stratified_course(_RULE, 0.2, split)
    assert tuple(one) == pytest.approx(tuple(other))


@pytest.mark.parametrize(
    ("rate", "frame", "message"),
    [
        pytest.param(-0.1, None, "no share", id="negative"),
        pytest.param(1.1, None, "no share", id="above one"),
        pytest.param(0.2, 50, "read whole", id="census"),
    ],
)
def test_refused(rate: float, frame: int | None, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        plain_course(_RULE, 0.2, rate, frame_size=frame)
