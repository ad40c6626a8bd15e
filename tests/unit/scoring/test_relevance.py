from __future__ import annotations

from typing import Any

import pytest

from audit_app.scoring.grade import Decision, ScoringSettings
from audit_app.scoring.relevance import PreparedRelevance
from tests.unit.scoring.keys import AUGUST, V4


@pytest.mark.parametrize(
    ("output", "has_call"),
    [
        pytest.param("[f(a=1)]", True, id="call"),
        pytest.param("[no_such_tool()]", True, id="made-up call"),
        pytest.param("Nothing fits.", False, id="prose"),
        pytest.param("[]", False, id="empty list"),
        pytest.param("", False, id="empty text"),
        pytest.param([{"f": "{}"}], True, id="function call"),
        pytest.param([{"f": "[1]"}], False, id="arguments are no object"),
        pytest.param([{}], False, id="object without a call"),
        pytest.param([], False, id="no function call"),
        pytest.param(None, False, id="nothing"),
    ],
)
def test_whether_a_call_is_present_decides_both_labels(output: Any, has_call: bool) -> None:
    assert PreparedRelevance(V4, wants_call=True).grade(output).passed is has_call
    assert PreparedRelevance(V4, wants_call=False).grade(output).passed is not has_call


@pytest.mark.parametrize(
    ("settings", "code"),
    [
        pytest.param(V4, "irrelevance_error:decoder_success", id="v4"),
        pytest.param(AUGUST, "relevance_error:decoder_success", id="2024-08"),
    ],
)
def test_code_of_a_needless_call(settings: ScoringSettings, code: str) -> None:
    grade = PreparedRelevance(settings, wants_call=False).grade("[f(a=1)]")
    assert grade.reason_code == code
    assert grade.decision == Decision("calls", [{"f": {"a": 1}}], (), may_omit=True)


def test_missing_call_says_why_none_was_read() -> None:
    grade = PreparedRelevance(V4, wants_call=True).grade("[1]")
    assert grade.reason_code == "relevance_error:decoder_failed"
    assert "an element of the output is not a call" in grade.reason
