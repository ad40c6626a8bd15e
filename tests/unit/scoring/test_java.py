from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.scoring.faults import DecodeError
from audit_app.scoring.java import decode_java

# Outcomes of the public package's decoder (tree-sitter 0.21 grammars) on the same texts.


@pytest.mark.parametrize(
    ("text", "decoded"),
    [
        pytest.param('[f(a="x", b=1)]', [{"f": {"a": "x", "b": "1"}}], id="values are text"),
        pytest.param("[g.f(c='y');]", [{"g.f": {"c": "y"}}], id="character loses its quotes"),
        pytest.param('[a.B.f("oak")]', [{"a.B.f": {}}], id="positional literal dropped"),
        pytest.param("[g.f(x, a=1)]", [{"g.f": {None: "x", "a": "1"}}], id="positional identifier"),
        pytest.param("[f(a=1); g(b=2);]", [{"f": {"a": "1"}}], id="first call only"),
        pytest.param('[int x = f(a="b");]', [{"f": {"a": "b"}}], id="call in a declaration"),
        pytest.param('[f(a="x" + "y")]', [{"f": {"a": '"x"+"y"'}}], id="inner quotes stay"),
        pytest.param(
            "[f(a=new int[]{1, 2})]", [{"f": {"a": "new int[]{1,2}"}}], id="array less spaces"
        ),
        pytest.param(
            '[f(a=new ArrayList<>(Arrays.asList("a", "b")))]',
            [{"f": {"a": 'new ArrayList<>(Arrays.asList("a", "b"))'}}],
            id="list of items",
        ),
        pytest.param(
            '[f(a=new HashMap<String, Object>() {{ put("k", 1); }})]',
            [{"f": {"a": "new HashMap<String,Object>()"}}],
            id="body of an anonymous class is lost",
        ),
        pytest.param(
            '[é(a="é", b=2)]', [{"é(": {"=": '",', "2": ""}}], id="cuts count bytes as characters"
        ),
        pytest.param("[x;]", {}, id="no call"),
        pytest.param("[]", {}, id="nothing"),
    ],
)
def test_decoded(text: str, decoded: Any) -> None:
    assert decode_java(text) == decoded


@pytest.mark.parametrize(
    ("text", "word"),
    [
        pytest.param("[f(a=1), g(b=2)]", "syntax", id="two calls in a list"),
        pytest.param("[f(a=b->c]", "syntax", id="half a lambda"),
        pytest.param("[f(a=1)]", "syntax", id="one bare argument reads as no call"),
        pytest.param("[f(a=1, a=2)]", "twice", id="argument twice"),
        pytest.param("[g.f(x, y);]", "twice", id="two positional identifiers"),
        pytest.param("[f(a=new int[5])]", "elements", id="array without elements"),
        pytest.param("[f(a='\ud800')]", "surrogate", id="half a character"),
        pytest.param("[f(a=" + "(" * 3000 + "1" + ")" * 3000 + ")]", "deep", id="deep"),
    ],
)
def test_not_decoded(text: str, word: str) -> None:
    with pytest.raises(DecodeError, match=word):
        decode_java(text)


names = st.from_regex(r"[a-z]{1,6}_", fullmatch=True)  # no word of the language ends so


@given(names, st.dictionaries(names, st.integers(0, 10**9), min_size=1, max_size=4))
def test_what_is_written_is_read(name: str, arguments: dict[str, int]) -> None:
    inner = ", ".join(f"{argument}={value}" for argument, value in arguments.items())
    expected = {argument: str(value) for argument, value in arguments.items()}
    assert decode_java(f"[A.{name}({inner});]") == [{f"A.{name}": expected}]


@given(st.text(alphabet="f(a=1,b\"'[]{}.;+-<>new x@\n", max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    with suppress(DecodeError):
        decoded = decode_java(f"[{text}]")
        assert decoded == {} or all(
            isinstance(value, str) for value in next(iter(decoded[0].values())).values()
        )
