from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.scoring.arguments import ArgumentRule
from audit_app.scoring.ast_rules import PreparedCalls
from audit_app.scoring.grade import Decision, GradeStatus, ScoringSettings
from audit_app.scoring.languages import PYTHON
from audit_app.scoring.rules import AUGUST_2024, V4
from tests.unit.scoring.keys import calls_task, graded, tool

FERRY = tool(
    "ferry.book", ("port", "seats"), port="string", seats="integer", cabin="string", box="dict"
)
KEY = [{"ferry.book": {"port": ["Lund"], "seats": [2, 3], "cabin": ["deck", ""], "box": [
    {"kg": [5], "note": ["x", ""]}, ""]}}]  # fmt: skip
TASK = calls_task(FERRY, key=KEY)


@pytest.mark.parametrize(
    ("output", "code", "decision"),
    [
        pytest.param("[ferry.book(port='lund', seats=2)]", "valid", None, id="right"),
        pytest.param("[ferry_book(port='Lund', seats=2)]",
                     "simple_function_checker:wrong_func_name",
                     Decision("function name", "ferry_book", ("ferry.book",)), id="name"),
        pytest.param("[ferry.book(seats=2)]", "simple_function_checker:missing_required",
                     Decision("port", None, ("Lund",)), id="required"),
        pytest.param("[ferry.book(port='Lund', seats=2, deck=1)]",
                     "simple_function_checker:unexpected_param",
                     Decision("deck", 1, (), may_omit=True), id="unexpected"),
        pytest.param("[ferry.book(port='Lund', seats=4)]", "value_error:others",
                     Decision("seats", 4, (2, 3)), id="number"),
        pytest.param("[ferry.book(port='Malmö', seats=2)]", "value_error:string",
                     Decision("port", "Malmö", ("Lund",)), id="text"),
        pytest.param("[ferry.book(port='Lund', seats='2')]", "type_error:simple",
                     Decision("seats", "2", (2, 3)), id="type"),
        pytest.param("[ferry.book(port='Lund', seats=2, cabin='bed')]", "value_error:string",
                     Decision("cabin", "bed", ("deck",), may_omit=True), id="omissible"),
        pytest.param("[ferry.book(port='Lund', seats=2, box={'kg': 6})]",
                     "value_error:dict_value", Decision("box.kg", 6, (5,), may_omit=True),
                     id="field"),
        pytest.param("[ferry.book(port='Lund', seats=2, box={})]", "value_error:dict_key",
                     Decision("box.kg", None, (5,), may_omit=True), id="field left out"),
        pytest.param("[]", "simple_function_checker:wrong_count",
                     Decision("number of calls", 0, (1,)), id="no call"),
    ],
)  # fmt: skip
def test_verdict_names_the_point_and_what_would_do(
    output: str, code: str, decision: Decision | None
) -> None:
    grade = graded(TASK, output)
    assert (grade.reason_code, grade.decision) == (code, decision)
    assert grade.passed is (code == "valid")
    assert grade.status is GradeStatus.GRADED
    msgspec.json.encode(grade)


def test_sentence_says_what_was_given_and_accepted() -> None:
    reason = graded(TASK, "[ferry.book(port='Lund', seats=4)]").reason
    assert reason == "ferry.book: seats is 4; accepted: 2 or 3."


def test_dots_become_underscores_by_setting_alone() -> None:
    dots = ScoringSettings(dots_to_underscores=True)
    assert graded(TASK, [{"ferry_book": '{"port": "Lund", "seats": 2}'}], dots).passed
    assert not graded(TASK, [{"ferry.book": '{"port": "Lund", "seats": 2}'}], dots).passed


PARALLEL = calls_task(
    tool("a", ("x",), x="integer", y="string"),
    tool("b", ("x",), x="integer"),
    key=[{"a": {"x": [1, 2], "y": ["q", ""]}}, {"a": {"x": [1], "y": [""]}}, {"b": {"x": [1]}}],
    category="parallel_multiple",
)


@pytest.mark.parametrize(
    ("output", "passed"),
    [
        pytest.param("[a(x=2), a(x=1), b(x=1)]", True, id="in order"),
        pytest.param("[b(x=1), a(x=2), a(x=1)]", True, id="order is free"),
        pytest.param("[a(x=1), a(x=2), b(x=1)]", False, id="the first fitting call is taken"),
    ],
)
def test_parallel_takes_the_first_unused_call(output: str, passed: bool) -> None:
    assert graded(PARALLEL, output).passed is passed


def test_parallel_names_the_nearest_call() -> None:
    grade = graded(PARALLEL, "[a(x=2), a(x=1), b(x=7)]")
    assert grade.reason_code == "parallel_function_checker_no_order:cannot_find_match"
    assert grade.decision == Decision("x", 7, (1,))
    assert grade.reason == "No unused call fits expected call 3. Nearest: b: x is 7; accepted: 1."
    near = graded(PARALLEL, "[b(x=1), b(x=1), a(x=1, y='w')]")
    assert near.decision == Decision("y", "w", ("q",), may_omit=True)


@pytest.mark.parametrize(
    ("types", "accepted", "value", "exception"),
    [
        pytest.param({"x": "number"}, [1], 1, "KeyError", id="unknown type word"),
        pytest.param({"x": "array"}, [[1]], [1], "KeyError", id="array without items"),
        pytest.param({"x": ("array", "integer")}, [[1], None], [1], "TypeError", id="null list"),
        pytest.param({"x": "dict"}, [{"k": 1}], {"k": 1}, "TypeError", id="field is no list"),
        pytest.param({"x": "float"}, [1.0], 10**400, "OverflowError", id="integer too large"),
    ],
)
def test_where_the_public_checker_stops(
    types: dict[str, Any], accepted: list[Any], value: Any, exception: str
) -> None:
    task = calls_task(tool("f", **types), key=[{"f": {"x": accepted}}])
    grade = graded(task, f"[f(x={value!r})]" if value != 10**400 else f"[f(x=0x{10**400:x})]")
    assert (grade.status, grade.reason_code) == (GradeStatus.RAISES, exception)
    assert not grade.passed
    msgspec.json.encode(grade)


def test_a_stop_needs_the_argument_to_be_given() -> None:
    task = calls_task(tool("f", x="number"), key=[{"f": {"x": [1, ""]}}])
    assert graded(task, "[f()]").passed


def test_equal_texts_are_graded_once() -> None:
    prepared = PreparedCalls(TASK, KEY, ScoringSettings())
    text = "[ferry.book(port='Lund', seats=2)]"
    assert prepared.grade(text) is prepared.grade("".join(text))


types = st.sampled_from(["string", "any", "integer", "float", "boolean", "dict"])
items = st.sampled_from(["string", "integer", "float", "dict"])
texts = st.sampled_from(["", "oak", "Oak.", "'a", "ΑΣ'Α"])
scalars = texts | st.integers(-1, 2) | st.sampled_from([0.5, 1.0]) | st.booleans() | st.none()
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.just("k"), inner),
    max_leaves=4,
)


@given(types | items.map(lambda i: ("array", i)), st.lists(values, max_size=3), values)
def test_short_test_passes_only_what_the_rule_passes(
    declared: Any, accepted: list[Any], value: Any
) -> None:
    schema = tool("f", x=declared)["parameters"]["properties"]["x"]
    for rules in (V4, AUGUST_2024):
        rule = ArgumentRule(schema, accepted, PYTHON, rules)
        if rule.passes(value):
            assert rule.fault(value) is None
