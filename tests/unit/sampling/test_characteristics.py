"""The rule's behaviour for a plan: rates spread evenly and unevenly, and the limits between."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.domain.rubric import SamplingRule
from audit_app.sampling.characteristics import (
    RATES,
    PlannedStratum,
    characteristics,
    even_defects,
    uneven_defects,
)
from audit_app.sampling.operating import plain_course

_RULE = SamplingRule(base=50, widen_to=100, widen_band=(0.15, 0.25), census_at_or_below=50)
_PUBLISHED = (
    PlannedStratum(1150, 0.1, 5, 10),
    PlannedStratum(1351, 0.1, 5, 10),
    PlannedStratum(1124, 0.1, 5, 10),
    PlannedStratum(800, 0.3, 15, 30),
    PlannedStratum(155, 0.2, 10, 20),
    PlannedStratum(100, 0.2, 10, 20),
)


def test_r09_plain_courses_are_the_published_table() -> None:
    found = characteristics(_RULE, 0.2, _PUBLISHED)
    assert [c.rate for c in found.plain] == list(RATES)
    at = {round(c.rate, 2): c for c in found.plain}
    assert tuple(at[0.20]) == pytest.approx(tuple(plain_course(_RULE, 0.2, 0.2)))
    assert round(at[0.20].issue, 4) == 0.5261
    assert round(at[0.20].mean_read, 1) == 81.2


def test_spreading_defects_unevenly_makes_the_rule_steeper() -> None:
    found = characteristics(_RULE, 0.2, _PUBLISHED)
    assert found.uneven[30].issue > found.even[30].issue > found.even[20].issue
    assert found.uneven[12].issue < found.even[12].issue
    assert (found.first, found.wider, found.frame_size) == (50, 100, 4680)


def test_the_reading_has_the_figures_at_the_threshold() -> None:
    found = characteristics(_RULE, 0.2, _PUBLISHED)
    even = found.even[20]
    assert found.reading().startswith(
        f"At a true rate of 20 % the rule calls an issue in {100 * even.issue:.0f} % of samples "
        f"and reads {even.mean_read:.0f} tasks on average"
    )
    assert "At a true rate of 30 %" in found.reading(0.3)


def test_one_stratum_is_the_same_however_it_is_spread() -> None:
    found = characteristics(_RULE, 0.2, (PlannedStratum(2_000, 1.0, 50, 100),))
    assert found.even == found.uneven
    assert found.even[20].issue == pytest.approx(found.plain[20].issue, abs=0.01)


def test_a_frame_read_whole_has_none() -> None:
    with pytest.raises(ValueError, match="nothing is left to chance"):
        characteristics(_RULE, 0.2, (PlannedStratum(40, 1.0, 40, 40),))


_strata = st.lists(
    st.builds(
        PlannedStratum, st.integers(1, 50), st.floats(0.01, 1), st.just(1), st.just(1)
    ),
    min_size=1,
    max_size=8,
)  # fmt: skip


@given(_strata, st.floats(0, 1))
def test_spreads_keep_the_rate(strata: list[PlannedStratum], rate: float) -> None:
    tasks = sum(s.population for s in strata)
    even, uneven = even_defects(strata, rate), uneven_defects(strata, rate)
    for counts in (even, uneven):
        assert all(0 <= k <= s.population for k, s in zip(counts, strata, strict=True))
    assert abs(sum(even) - rate * tasks) <= 0.5 + 1e-9 or sum(even) == round(rate * tasks)
    # Rounded in the one stratum that is neither sound nor wholly defective.
    weight = sum(s.weight for s in strata)
    reached = sum(s.weight * k / s.population for s, k in zip(strata, uneven, strict=True))
    assert abs(reached - rate * weight) <= max(s.weight / s.population for s in strata) / 2 + 1e-9
    assert sum(0 < k < s.population for k, s in zip(uneven, strata, strict=True)) <= 1
