from __future__ import annotations

import string
from contextlib import suppress
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from audit_app.scoring.decoding import decoder
from audit_app.scoring.faults import DecodeError
from audit_app.scoring.literals import read_plain_calls
from audit_app.scoring.rules import RULE_SETS, V4
from audit_app.scoring.syntax_tree import parse_calls

TOKENS = [
    *"[](){},:=.+-*/'\"\\#@ \n\t\r\x0c\x00", "f", "g.h", "if", "None", "True", "a", "_",
    "__debug__", "0", "1", "-1", "007", "1.5", "1.", ".5", "-0.0", "1e5", "1_0", "0x1f", "1j",
    "9" * 25,
    "'x'", '"y"', "'it\\'s'", "f''", "b''", "lambda", "**", "\ud800", "é", "ﬁ", "\u2028", "`",
    "<TOOLCALL>", "</TOOLCALL>", "<functions>", "</functions>",
]  # fmt: skip
names = st.text(string.ascii_lowercase + "_", min_size=1, max_size=4)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
tokens = st.lists(st.sampled_from(TOKENS), max_size=25).map("".join)
calls = st.lists(
    st.tuples(names, st.dictionaries(names, plain | tokens, max_size=3)), min_size=1, max_size=3
)


def _written(parts: list[tuple[str, dict[str, Any]]], *, raw: bool) -> str:
    inner = [
        f"{name}({', '.join(f'{k}={v if raw else repr(v)}' for k, v in arguments.items())})"
        for name, arguments in parts
    ]
    return f"[{', '.join(inner)}]"


def _agrees_with_parser(text: str) -> bool:
    short = read_plain_calls(text)
    if short is None:
        return True
    return repr(short) == repr(parse_calls(text, V4))


@given(calls)
def test_short_way_gives_what_the_parser_gives_for_calls(
    parts: list[tuple[str, dict[str, Any]]],
) -> None:
    assert _agrees_with_parser(_written(parts, raw=False))
    assert _agrees_with_parser(_written(parts, raw=True))


@given(tokens)
def test_short_way_never_reads_what_the_parser_refuses(text: str) -> None:
    assert _agrees_with_parser(f"[{text}")
    assert _agrees_with_parser(f"[{text}]")
    assert _agrees_with_parser(f"[f(a={text})]")


def test_usual_texts_are_read_by_the_short_way() -> None:
    text = "[a.b(x=1, y=-2.5, z='q'), c(l=[1, 'x'], d={'k': None, 2: []}, w=word)]"
    assert read_plain_calls(text) == [
        {"a.b": {"x": 1, "y": -2.5, "z": "q"}},
        {"c": {"l": [1, "x"], "d": {"k": None, 2: []}, "w": "word"}},
    ]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | tokens,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    json_values | tokens,
    st.sampled_from(["auto", "prompt", "fc", "fc-objects", "as-is", "unquoted", "calls-object"]),
    st.sampled_from(["python", "json", "verbose_xml", "concise_xml"]),
    st.booleans(),
    st.sampled_from(sorted(RULE_SETS)),
)
def test_decoders_read_or_refuse_anything(
    output: Any, form: str, return_format: str, tagged: bool, version: str
) -> None:
    options = {"form": form, "return_format": return_format, "tool_call_tag": tagged}
    with suppress(DecodeError):
        msgspec.json.encode(decoder(options, rules=RULE_SETS[version])(output).shown)
