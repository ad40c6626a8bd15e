from __future__ import annotations

import pytest

from audit_app.domain.benchmark import OutputStatus
from audit_app.services.task_views import OutputGroup
from audit_app.ui.rendering.outputs import answer, verdict
from tests.ui.rendering.markup import text_of


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param('[{"f": {"a": 1, "b": "x"}}]', 'f(a=1, b="x")', id="a call"),
        pytest.param('[{"f": "{\\"a\\": 1}"}]', "f(a=1)", id="arguments as JSON text"),
        pytest.param('[{"f": "{broken"}]', "f({broken)", id="arguments that are not JSON"),
        pytest.param('[[[{"f": {}}], "Done."], [[]]]', "1f()1“Done.”2nothing", id="turns"),
        pytest.param('[["[f(a=1)]", ""]]', "[f(a=1)]", id="one turn has no number"),
        pytest.param("[f(a=1)]", "[f(a=1)]", id="text stays text"),
        pytest.param("[1, 2]", "[1, 2]", id="a list that is no call"),
        pytest.param("", "empty", id="empty"),
    ],
)
def test_an_answer_reads_as_calls_where_it_is_calls(text: str, shown: str) -> None:
    assert text_of(answer(text)) == shown


@pytest.mark.parametrize(
    ("status", "passed", "word"),
    [
        pytest.param(OutputStatus.ANSWER, True, "Pass", id="pass"),
        pytest.param(OutputStatus.ANSWER, False, "Fail", id="fail"),
        pytest.param(OutputStatus.ANSWER, None, "No grade", id="not graded is not a fail"),
        pytest.param(OutputStatus.ERROR, False, "Error", id="an error is not a wrong answer"),
    ],
)
def test_a_group_carries_one_word(status: OutputStatus, passed: bool | None, word: str) -> None:
    group = OutputGroup("a", status, passed, "", "", ())
    assert verdict(group)[1] == word
