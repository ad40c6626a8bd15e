from __future__ import annotations

import pytest

from audit_app.domain.estimates import StratumEstimate
from audit_app.stats.stratified import weighted_rate


def _stratum(weight: float, defective: int, reviewed: int) -> StratumEstimate:
    return StratumEstimate(
        stratum=f"{weight}",
        population=100,
        weight=weight,
        sampled=reviewed,
        reviewed=reviewed,
        defective=defective,
        rate=defective / reviewed if reviewed else None,
    )


@pytest.mark.parametrize(
    ("strata", "rate"),
    [
        # The published review: 0.1(1/5) + 0.1(2/5) + 0.1(2/5) + 0.3(8/15) + 0.2(7/10) + 0.2(4/10).
        pytest.param(
            [(0.1, 1, 5), (0.1, 2, 5), (0.1, 2, 5), (0.3, 8, 15), (0.2, 7, 10), (0.2, 4, 10)],
            0.48,
            id="proportional equals the plain 24 of 50",
        ),
        pytest.param([(0.9, 0, 10), (0.1, 10, 10)], 0.1, id="not the plain 10 of 20"),
        pytest.param([(1.0, 1, 4), (0.0, 0, 0)], 0.25, id="a stratum without weight is not missed"),
        pytest.param([(0.5, 1, 4), (0.5, 0, 0)], None, id="an unread stratum leaves it undefined"),
        pytest.param([], None, id="nothing"),
        pytest.param([(0.1, 1, 1)] * 10, 1.0, id="never above one"),
    ],
)
def test_weighted_rate(strata: list[tuple[float, int, int]], rate: float | None) -> None:
    found = weighted_rate(_stratum(*row) for row in strata)
    assert found == (None if rate is None else pytest.approx(rate))
