from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.scoring.faults import CheckerStopError
from audit_app.scoring.javascript_values import convert_javascript
from audit_app.scoring.languages import JAVASCRIPT_TYPES


@pytest.mark.parametrize(
    ("text", "declared", "item", "value"),
    [
        pytest.param("'oak'", "String", None, "oak", id="quotes go"),
        pytest.param("'oak\"", "String", None, "'oak\"", id="unlike quotes stay"),
        pytest.param("7", "integer", None, 7, id="integer"),
        pytest.param("7.0", "integer", None, "7.0", id="no integer stays text"),
        pytest.param("7", "float", None, 7.0, id="float without decimals"),
        pytest.param("7e2", "float", None, "7e2", id="float takes no exponent"),
        pytest.param("7n", "Bigint", None, 7, id="big integer"),
        pytest.param("7", "Bigint", None, "7", id="big integer needs its suffix"),
        pytest.param("false", "Boolean", None, False, id="truth"),
        pytest.param("5", "any", None, "5", id="any stays text"),
        pytest.param("[1, 2]", "array", "integer", [1, 2], id="array"),
        pytest.param("new Array(1, 2)", "array", "integer", [1, 2], id="array constructor"),
        pytest.param("[]", "array", "integer", [], id="empty array"),
        pytest.param("[1, 'two', true]", "array", None, [1, "two", True], id="guessed items"),
        pytest.param("['ash, old']", "array", "String", ["'ash", "old'"], id="comma splits"),
        pytest.param("[[1, 2], [3]]", "array", "array", [[1, 2], [3]], id="rows"),
        pytest.param(
            "new Array([1], ['a'])", "array", "array", [[1], ["a"]], id="rows by constructor"
        ),
        pytest.param("[[1], [2", "array", "array", ["[1"], id="open rows are one array"),
        pytest.param("x", "array", "integer", "x", id="no array stays text"),
        pytest.param("{'k': 1, 's': 'V'}", "dict", None, {"k": 1, "s": "V"}, id="object"),
        pytest.param(
            '{"a": "x, y: z", "b": [1, 2]}',
            "dict",
            None,
            {"a": "x", "y": "z", "b": [1, 2]},
            id="comma and colon inside a text",
        ),
        pytest.param(
            "{'k': {'z': 1}}", "dict", None, {"k": "{'z': 1"}, id="a nested brace ends it"
        ),
        pytest.param("{}", "dict", None, {}, id="empty object"),
    ],
)
def test_converted(text: str, declared: str, item: str | None, value: Any) -> None:
    assert repr(convert_javascript(text, declared, item)) == repr(value)


def test_items_that_python_cannot_read_leave_the_array_as_text() -> None:
    text = f"[{'9' * 5000}]"
    assert convert_javascript(text, "array", "integer") == text
    with pytest.raises(CheckerStopError):
        convert_javascript("9" * 5000, "integer", None)


@given(st.text(max_size=60), st.sampled_from(sorted(set(JAVASCRIPT_TYPES) - {"String"})))
def test_what_does_not_fit_stays_text(text: str, declared: str) -> None:
    value = convert_javascript(text, declared, None)
    assert type(value) in (JAVASCRIPT_TYPES[declared], str)
    assert not isinstance(value, str) or value == (
        text.strip() if declared in ("array", "dict") else text
    )


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        pytest.param("[" + "[1]," * 50_000, "array", id="open rows"),
        pytest.param("[[" + "]" * 100_000 + "\n", "array", id="closing brackets"),
        pytest.param("[[" + "],[" * 100_000 + "\n]]", "array", id="broken rows"),
        pytest.param("{" + "a" * 500_000 + "}", "dict", id="no colon"),
        pytest.param("{a: 1," + " " * 500_000 + ",}", "dict", id="white space"),
        pytest.param("{a: " + "," * 200_000 + "}", "dict", id="commas"),
    ],
)
def test_hostile_text_is_read_in_one_pass(text: str, declared: str) -> None:
    began = time.perf_counter()
    convert_javascript(text, declared, None)
    assert time.perf_counter() - began < 2.0  # a pattern that retries everywhere never ends
