"""Wrong values look like the right ones and are not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.controls.plausible import has_same_look, wrong_values
from audit_app.controls.turn_text import call_constants, with_constant


@pytest.mark.parametrize(
    ("value", "options", "wrong"),
    [
        pytest.param(18, {}, [19, 17, 81], id="a number moves by one, or its digits swap"),
        pytest.param(500, {}, [600, 400], id="a round number moves by its last digit"),
        pytest.param(1, {}, [2], id="never to zero"),
        pytest.param(-3, {}, [-2, -4], id="the sign stays"),
        pytest.param(3.5, {}, [3.6, 3.4, 5.3], id="decimals stay decimals"),
        pytest.param(80.0, {}, [90.0, 70.0], id="a whole float stays a float"),
        pytest.param(True, {}, [False], id="the other truth value"),
        pytest.param(
            "2026-02-28", {}, ["2026-03-01", "2026-02-27", "2026-03-07"], id="dates stay dates"
        ),
        pytest.param("PX09", {}, ["PX10", "PX08"], id="digits keep their width"),
        pytest.param("low", {"options": ["low", "high", 3]}, ["high"], id="another option"),
        pytest.param(
            "Harn",
            {"others": ["harn", "Sula", "a long and winding text", "Pier 7", "sea"]},
            ["Sula"],
            id="another name of the same look",
        ),
        pytest.param("Harn", {}, [], id="nothing to put in its place"),
        pytest.param([3, "x"], {}, [[4, "x"], [2, "x"]], id="one member of a list"),
        pytest.param({"n": [5]}, {}, [{"n": [6]}, {"n": [4]}], id="one field of an object"),
    ],
)
def test_wrong_values(value: Any, options: dict[str, Any], wrong: list[Any]) -> None:
    found = wrong_values(value, **options)
    assert found == wrong
    assert all(type(w) is type(value) for w in found)


@given(
    st.one_of(
        st.booleans(),
        st.integers(-(10**15), 10**15),
        st.floats(-1e9, 1e9, allow_nan=False),
        st.text(max_size=30),
    )
)
def test_wrong_values_are_of_the_type_and_look_of_the_right_one(value: Any) -> None:
    for wrong in wrong_values(value, others=["Sula", "Pier 7"]):
        assert wrong != value
        assert has_same_look(value, wrong)


@pytest.mark.parametrize(
    ("text", "place", "value", "expected"),
    [
        pytest.param("cd(folder='docs')", 0, "temp", "cd(folder='temp')", id="its own quotes"),
        pytest.param('cd(folder="docs")', 0, "temp", 'cd(folder="temp")', id="other quotes"),
        pytest.param("echo('é', 3)", 1, 4, "echo('é', 4)", id="after a character of two bytes"),
        pytest.param("buy(a=[1, -2.5])", 1, 2.6, "buy(a=[1, -2.6])", id="inside a list"),
        pytest.param("cd(folder='a')", 0, "it's", 'cd(folder="it\'s")', id="a quote in the value"),
    ],
)
def test_one_constant_of_a_call_is_replaced_and_nothing_else(
    text: str, place: int, value: Any, expected: str
) -> None:
    assert with_constant(text, call_constants(text)[place], value) == expected


@pytest.mark.parametrize("text", ["", "ls", "ls(", "a = 1", "x" * 3 + "(\n)", None, 7])
def test_what_is_no_call_has_no_constants(text: Any) -> None:
    assert call_constants(text) == []
