from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.scoring.multi_turn_rules import (
    differing_attributes,
    is_empty_turn,
    missing_results,
)


@pytest.mark.parametrize(
    ("given_state", "key_state", "differing"),
    [
        pytest.param({"hay": 3}, {"hay": 3}, [], id="equal"),
        pytest.param({"hay": 4}, {"hay": 3}, ["hay"], id="unequal"),
        pytest.param({"_cursor": 9}, {"_cursor": 1}, [], id="private is not compared"),
        pytest.param({"log": ["a", "b"]}, {"log": ["b", "a"]}, ["log"], id="order counts"),
        pytest.param({"hay": 3, "straw": 1}, {"hay": 3}, [], id="more than the key has"),
        pytest.param({"hay": 3.0, "ok": 1}, {"hay": 3, "ok": True}, [], id="Python's equality"),
    ],
)
def test_state(
    given_state: dict[str, object], key_state: dict[str, object], differing: list[str]
) -> None:
    assert differing_attributes(given_state, key_state) == differing


def test_an_attribute_that_the_output_lacks_stops_the_checker() -> None:
    with pytest.raises(AttributeError, match="hay"):
        differing_attributes({}, {"hay": 3})


@pytest.mark.parametrize(
    ("expected", "so_far", "missing"),
    [
        pytest.param(["b", "a"], ["a", "b", "c"], [], id="any order, extras allowed"),
        pytest.param(["a", "a"], ["a"], ["a"], id="twice means twice"),
        pytest.param(['{"ok":1}'], ['{"ok": 1}'], ['{"ok":1}'], id="raw text"),
        pytest.param(["Error during execution: x"], ["Error during execution: x"], [], id="errors"),
    ],
)
def test_results(expected: list[str], so_far: list[str], missing: list[str]) -> None:
    assert missing_results(expected, so_far) == missing


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_missing_results_are_the_difference_of_multisets(key: list[str], out: list[str]) -> None:
    assert Counter(missing_results(key, out)) == Counter(key) - Counter(out)


@pytest.mark.parametrize(
    ("steps", "empty"),
    [([], True), ([[]], True), ([["ls()"]], False), ([[], []], False)],
    ids=["no step", "one empty step", "a call", "two empty steps are not seen as empty"],
)
def test_empty_turn(steps: list[list[str]], empty: bool) -> None:
    assert is_empty_turn(steps) is empty
