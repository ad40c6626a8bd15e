from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.scoring.faults import DecodeError
from audit_app.scoring.javascript import decode_javascript

# Outcomes of the public package's decoder (tree-sitter 0.21 grammars) on the same texts.


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        pytest.param("[f(a='x', b=3)]", [{"f": {"a": "x", "b": "3"}}], id="values are text"),
        pytest.param('[a.f(x="y")]', [{"a.f": {"x": "y"}}], id="dotted name"),
        pytest.param("[f('oak', 3)]", [{"f": {}}], id="positional literals dropped"),
        pytest.param("[f(x, a=1)]", [{"f": {None: "x", "a": "1"}}], id="positional identifier"),
        pytest.param("[f(true)]", [{"f": {None: "true"}}], id="positional truth"),
        pytest.param("[f({a: 1})]", [{"f": {}}], id="object of arguments dropped"),
        pytest.param("[f(a=1)\ng(b=2)]", [{"f": {"a": "1"}}], id="first statement only"),
        pytest.param("[f(a=[1, 'b'])]", [{"f": {"a": "[1, 'b']"}}], id="array as written"),
        pytest.param("[f(a=b=1)]", [{"f": {"a": "b=1"}}], id="chained assignment"),
        pytest.param("[f(a=1n, b=-2)]", [{"f": {"a": "1n", "b": "-2"}}], id="signs and suffixes"),
        pytest.param("[f?.(a=1)]", [{"f": {}}], id="optional call loses its arguments"),
        pytest.param("[f(a=1)\n`x`]", [{"f": {"a": "1"}}], id="line break before a template"),
        pytest.param("[f(a=1), g(b=2)]", None, id="two calls are no call"),
        pytest.param("[const r = f(a='oak')]", None, id="declaration"),
        pytest.param("[await f(a=1)]", None, id="awaited call"),
        pytest.param("[new F(a=1)]", None, id="constructor"),
        pytest.param("[]", None, id="nothing"),
    ],
)
def test_decoded(text: str, decoded: Any) -> None:
    assert decode_javascript(text) == decoded


@pytest.mark.parametrize(
    ("text", "word"),
    [
        pytest.param("[f(a=1]", "syntax", id="open bracket"),
        pytest.param("[Sure, here you are: f(a=1)]", "syntax", id="prose"),
        pytest.param("[f(a=1, a=2)]", "twice", id="argument twice"),
        pytest.param("[f(x, y)]", "twice", id="two positional identifiers"),
        pytest.param("[f('\ud800')]", "surrogate", id="half a character"),
    ],
)
def test_not_decoded(text: str, word: str) -> None:
    with pytest.raises(DecodeError, match=word):
        decode_javascript(text)


@given(st.text(alphabet="f(a=1,b\"'`[]{}.;+-<>new x?\n", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(DecodeError):
        decoded = decode_javascript(f"[{text}]")
        assert decoded is None or all(
            isinstance(value, str) for value in next(iter(decoded[0].values())).values()
        )
