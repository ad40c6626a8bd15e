from __future__ import annotations

import pytest

from audit_app.domain.answers import read_answer
from audit_app.domain.record import Json
from audit_app.domain.rubric import Rubric
from audit_app.errors import InputError


@pytest.mark.parametrize(
    ("item", "given", "status", "value"),
    [
        pytest.param("scoring", " issue ", "issue", None, id="status"),
        pytest.param("runs", "unknown", "unknown", None, id="status of an item with a value"),
        pytest.param("runs", "5", "known", 5, id="count"),
        pytest.param("range", "0,100", "estimated", [0, 100], id="range"),
        pytest.param("range", "0.5, ", "estimated", [0.5, None], id="floor only"),
        pytest.param("range", ",97.5", "estimated", [None, 97.5], id="ceiling only"),
        pytest.param("range", "-1e2,-1", "estimated", [-100.0, -1], id="below zero"),
        pytest.param("contamination", "on the web", "reviewed", "on the web", id="text"),
        pytest.param("contamination", "not_reviewed", "not_reviewed", None, id="taken back"),
    ],
)
def test_read_answer(rubric: Rubric, item: str, given: str, status: str, value: Json) -> None:
    assert read_answer(rubric.items[item], given) == (status, value)


@pytest.mark.parametrize(
    ("item", "given", "told"),
    [
        pytest.param("scoring", "fail", "takes pass, issue, not_reviewed, not 'fail'", id="status"),
        pytest.param("scoring", "", "not ''", id="empty"),
        pytest.param("contamination", " ", "or a text, not ''", id="empty text"),
        pytest.param("contamination", "x" * 200_001, "longer than 200000", id="long text"),
        pytest.param("runs", "known", "or a whole number, not 'known'", id="count left out"),
        pytest.param("runs", "0", "at least 1, not 0", id="no run"),
        pytest.param("runs", "2.5", "or a whole number", id="half a run"),
        pytest.param("runs", "５", "or a whole number", id="not ASCII digits"),
        pytest.param("runs", "9" * 5000, "or a whole number", id="huge count"),
        pytest.param("range", "9,3", "floor 9 is above the ceiling 3", id="range out of order"),
        pytest.param("range", "nan,1", "'nan' is not a finite number", id="nan"),
        pytest.param("range", "0,inf", "'inf' is not a finite number", id="inf"),
        pytest.param("range", "0,1e999", "not a finite number", id="overflow"),
        pytest.param("range", "a,1", "'a' is not a number", id="no number"),
        pytest.param("range", "1_0,20", "'1_0' is not a number", id="underscore"),
        pytest.param("range", ",", "or FLOOR,CEILING", id="both blank"),
        pytest.param("range", "1,2,3", "or FLOOR,CEILING", id="three numbers"),
        pytest.param("range", "5", "or FLOOR,CEILING", id="one number"),
    ],
)
def test_an_answer_that_does_not_fit_is_refused(
    rubric: Rubric, item: str, given: str, told: str
) -> None:
    with pytest.raises(InputError) as refusal:
        read_answer(rubric.items[item], given)
    assert told in str(refusal.value)
