from __future__ import annotations

from typing import Any

import pytest

from audit_app.scoring.agentic import PreparedAgentic, final_message
from audit_app.scoring.execution import decode_step
from audit_app.scoring.faults import DecodeError
from audit_app.scoring.forms import OutputForm
from audit_app.scoring.grade import Decision, GradeStatus


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        pytest.param(["[f(a=1)]", "Lund"], "Lund", id="last prose"),
        pytest.param(["Lund", "[f(a=1)]"], "Lund", id="a call after it does not hide it"),
        pytest.param(["Lund", "[]"], "[]", id="an empty list is a message"),
        pytest.param([[{"f": '{"a": 1}'}], "Lund"], "Lund", id="function calling"),
        pytest.param([[{"f": "{a: 1}"}]], [{"f": "{a: 1}"}], id="broken call is a message"),
        pytest.param(["[f(a=1)]"], None, id="calls alone"),
        pytest.param([[{"f": "{}"}], "[f(a=1)]"], "[f(a=1)]", id="text is prose beside calls"),
    ],
)
def test_final_message_is_the_last_step_that_is_no_call(steps: list[Any], message: Any) -> None:
    assert final_message(steps) == message


@pytest.mark.parametrize(
    ("message", "key", "passes"),
    [
        pytest.param("It is LUND.", ["Lund"], True, id="case and full stop"),
        pytest.param("Lundy", ["Lund"], False, id="whole words"),
        pytest.param("about 3.5 km", ["35"], True, id="the decimal point vanishes"),
        pytest.param("cost: $49.99", ["$49.99"], False, id="a key cannot start with a sign"),
        pytest.param("x$4999", ["$49.99"], True, id="unless a letter stands before it"),
        pytest.param("well  kept", ["well kept"], False, id="spaces stay"),
        pytest.param({"answer": 7}, ["7"], True, id="an object becomes text"),
        pytest.param([["Lund"], "x"], ["Lund"], True, id="first element of a list"),
        pytest.param("the miller's", ['miller"s'], True, id="quotes are one"),
    ],
)
def test_word_match(message: Any, key: list[str], passes: bool) -> None:
    assert PreparedAgentic(key).grade_message(message).passed is passes


def test_failure_lists_what_would_do() -> None:
    grade = PreparedAgentic(["Lund", "Port Lund"]).grade([["Oslo"]])
    assert grade.reason_code == "agentic:answer_not_found"
    assert grade.decision == Decision("final message", "Oslo", ("Lund", "Port Lund"))


@pytest.mark.parametrize(
    ("key", "output", "exception"),
    [
        pytest.param([7], [["7"]], "TypeError", id="key that is no text"),
        pytest.param(["x"], [7], "TypeError", id="turn that is no list"),
    ],
)
def test_where_the_public_checker_stops(key: Any, output: Any, exception: str) -> None:
    grade = PreparedAgentic(key).grade(output)
    assert (grade.status, grade.reason_code) == (GradeStatus.RAISES, exception)


@pytest.mark.parametrize(
    ("step", "form", "texts"),
    [
        pytest.param("[f(a=1, b='x')]", "prompt", ["f(a=1, b='x')"], id="text"),
        pytest.param("f(a=g(b=1))", "prompt", ["f(a=g(b=1))"], id="inner call"),
        pytest.param("f(a={'k': 1})", "prompt", ["f(a={'k': 1})"], id="dict"),
        pytest.param("f(a={'k': {'b': 1}})", "prompt", ["f(a=k(b=1))"], id="dict read as a call"),
        pytest.param([{"f": '{"a": [1, "x"]}'}], "fc", ["f(a=[1, 'x'])"], id="function call"),
        pytest.param([{"f": {"a": 1, "b": 2}}], "fc", ["f(a=1,b=2)"], id="no space between"),
        pytest.param({"f": "{}"}, "fc", ["f()"], id="single object"),
    ],
)
def test_execution_form(step: Any, form: str, texts: list[str]) -> None:
    assert decode_step(step, OutputForm(form)) == texts


def test_an_empty_dict_breaks_the_step() -> None:
    with pytest.raises(DecodeError):
        decode_step("f(a={})", OutputForm.PROMPT)
