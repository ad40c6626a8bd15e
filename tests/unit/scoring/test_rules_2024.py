"""Minimal cases of each difference between the rule versions, as rules.py lists them."""

from __future__ import annotations

from typing import Any

import pytest

from audit_app.errors import InputError
from audit_app.scoring.rules import rule_set
from tests.unit.scoring.keys import AUGUST, V4, calls_task, graded, tool

A, B = tool("a", ("x",), x="integer"), tool("b", ("x",), x="integer")
BOX = tool("ship", ("box",), box="dict")
PARALLEL = "parallel_function_checker_no_order"


@pytest.mark.parametrize(
    ("task", "output", "v4", "august"),
    [
        pytest.param(calls_task(A, B, key=[{"a": {"x": [1]}}], category="multiple"),
                     "[a(x=1), b(x=1)]", "multiple_function_checker:wrong_count",
                     f"{PARALLEL}:wrong_count", id="multiple is parallel"),
        pytest.param(calls_task(A, B, key=[{"a_1": {"x": [1]}}], category="parallel_multiple"),
                     "[a(x=1)]", "TypeError", "valid", id="numbered names"),
        pytest.param(calls_task(A, B, key=[{"zz": {"x": [1]}}], category="parallel_multiple"),
                     "[a(x=1)]", "TypeError", f"{PARALLEL}:cannot_find_description",
                     id="name not offered"),
        pytest.param(calls_task(BOX, key=[{"ship": {"box": [{"kg": [5], "to": ["x", ""]}]}}]),
                     "[ship(box={'kg': 5})]", "valid", "value_error:dict_items",
                     id="fields left out"),
        pytest.param(calls_task(BOX, key=[{"ship": {"box": [{"kg": {"n": [5]}}]}}]),
                     "[ship(box={'kg': {'n': 5}})]", "KeyError", "valid", id="dict in a dict"),
        pytest.param(calls_task(A, key=[{"a": {"x": [1]}}]), "[a(1)]",
                     "simple_function_checker:missing_required",
                     "ast_decoder:decoder_wrong_output_format", id="call without keywords"),
        pytest.param(calls_task(A, key=[{"a": {"x": [1]}}]), "\n[a(x=1)]\n", "valid",
                     "ast_decoder:decoder_failed", id="nothing is stripped"),
    ],
)  # fmt: skip
def test_versions_differ(task: Any, output: str, v4: str, august: str) -> None:
    assert graded(task, output, V4).reason_code == v4
    assert graded(task, output, AUGUST).reason_code == august


def test_key_of_one_object_has_one_call_a_field() -> None:
    key = {"a": {"x": [1]}, "b": {"x": [2]}}
    task = calls_task(A, B, key=key, category="parallel_multiple_function")
    assert graded(task, "[b(x=2), a(x=1)]", AUGUST).passed


def test_an_empty_version_is_the_newest_and_another_is_named() -> None:
    assert rule_set("").version == "v4"
    with pytest.raises(InputError, match="2023-01"):
        rule_set("2023-01")
