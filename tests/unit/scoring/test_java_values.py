from __future__ import annotations

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.scoring.faults import CheckerStopError
from audit_app.scoring.java_values import convert_java
from audit_app.scoring.languages import JAVA_TYPES


def _is_same(value: Any, expected: Any) -> bool:
    """Equal in type too, members included: 1, 1.0 and True differ here."""
    return repr(value) == repr(expected)


@pytest.mark.parametrize(
    ("text", "declared", "item", "value"),
    [
        pytest.param("-7", "integer", None, -7, id="integer"),
        pytest.param("7.0", "integer", None, "7.0", id="no integer stays text"),
        pytest.param("7", "byte", None, 7, id="byte"),
        pytest.param("7", "long", None, "7", id="long needs its suffix"),
        pytest.param("7L", "long", None, 7, id="long"),
        pytest.param("2.5f", "float", None, 2.5, id="float"),
        pytest.param("2.5", "float", None, "2.5", id="float needs its suffix"),
        pytest.param("2e3F", "float", None, 2000.0, id="float with exponent"),
        pytest.param("2.5", "double", None, 2.5, id="double"),
        pytest.param("7", "double", None, 7.0, id="whole double"),
        pytest.param("2.5d", "double", None, "2.5d", id="double takes no suffix"),
        pytest.param("true", "boolean", None, True, id="boolean"),
        pytest.param("True", "boolean", None, "True", id="capital is no boolean"),
        pytest.param("'x'", "char", None, "'x'", id="char stays"),
        pytest.param("5", "any", None, "5", id="any stays text"),
        pytest.param(
            'new ArrayList<>(Arrays.asList("a", "b"))', "ArrayList", "String", ["a", "b"], id="list"
        ),
        pytest.param(
            'new ArrayList<>(Arrays.asList("a, b"))',
            "ArrayList",
            "String",
            ["", ""],
            id="comma in an item splits it",
        ),
        pytest.param(
            "new ArrayList<Integer>() {{ add(1); add(x); }}",
            "ArrayList",
            "integer",
            [1, "x"],
            id="list by add",
        ),
        pytest.param("new ArrayList<>()", "ArrayList", "integer", [], id="empty list"),
        pytest.param('List.of("a")', "ArrayList", "String", 'List.of("a")', id="other list"),
        pytest.param(
            'new String[]{"a"}', "Array", "String", ['"a"'], id="text items keep their quotes"
        ),
        pytest.param("new int[]{1, 2,}", "Array", "integer", [1, 2], id="blank items dropped"),
        pytest.param("new int[] {1, 2.5, 3L}", "Array", None, [1, 2.5, 3], id="guessed items"),
        pytest.param(
            'new HashMap<String, Object>() {{ put("a", 1); put("b", "x"); put("c", true); }}',
            "HashMap",
            None,
            {"a": 1, "b": "x", "c": True},
            id="map",
        ),
        pytest.param("new HashMap<>()", "HashMap", None, {}, id="empty map"),
        pytest.param('Map.of("k", 1)', "HashMap", None, 'Map.of("k", 1)', id="other map"),
    ],
)
def test_converted(text: str, declared: str, item: str | None, value: Any) -> None:
    assert _is_same(convert_java(text, declared, item), value)


@pytest.mark.parametrize("declared", ["Set", "Hashtable", "Queue", "Stack"])
def test_types_without_a_conversion_stop_the_checker(declared: str) -> None:
    with pytest.raises(CheckerStopError) as stop:
        convert_java("new X()", declared, None)
    assert stop.value.exception == "NotImplementedError"


def test_more_digits_than_python_reads_stop_the_checker() -> None:
    with pytest.raises(CheckerStopError) as stop:
        convert_java("9" * 5000, "integer", None)
    assert stop.value.exception == "ValueError"


_convertible = sorted(set(JAVA_TYPES) - {"Set", "Hashtable", "Queue", "Stack"})


@given(st.text(max_size=60), st.sampled_from(_convertible))
def test_what_does_not_fit_stays_as_it_is(text: str, declared: str) -> None:
    value = convert_java(text, declared, None)
    assert type(value) in (JAVA_TYPES[declared], str)
    assert not isinstance(value, str) or value == text


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        pytest.param("new ArrayList<>(Arrays.asList(" * 20_000, "ArrayList", id="openings"),
        pytest.param("new ArrayList<>() {{" + "add(" * 100_000 + "}}", "ArrayList", id="open adds"),
        pytest.param("new HashMap<>() {" + " " * 500_000, "HashMap", id="white space"),
        pytest.param("new HashMap<" * 40_000 + "\n>()", "HashMap", id="open maps"),
        pytest.param(
            "new HashMap<>() {{" + 'put("",' * 40_000 + "\n)}}", "HashMap", id="broken puts"
        ),
        pytest.param("new int[]{" * 50_000, "Array", id="open arrays"),
    ],
)
def test_hostile_text_is_read_in_one_pass(text: str, declared: str) -> None:
    began = time.perf_counter()
    convert_java(text, declared, None)
    assert time.perf_counter() - began < 2.0  # a pattern that retries everywhere takes minutes
