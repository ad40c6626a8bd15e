from __future__ import annotations

import sys
from typing import Any

import pytest

from audit_app.scoring.decoding import decoder, has_call_shape
from audit_app.scoring.faults import DecodeError
from audit_app.scoring.forms import OutputForm
from audit_app.scoring.rules import AUGUST_2024


def f(**arguments: Any) -> list[Any]:
    return [{"f": arguments}]


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        pytest.param("[f(a=1)]", f(a=1), id="plain"),
        pytest.param("f(a=1), g.h()", [{"f": {"a": 1}}, {"g.h": {}}], id="brackets are added"),
        pytest.param("```\n [f(a=1)]\n```", f(a=1), id="fence without a word"),
        pytest.param("", [], id="empty text is an empty list"),
        pytest.param("]", [], id="lone bracket"),
        pytest.param("[f(3, b=1)]", f(b=1), id="positional arguments are dropped"),
        pytest.param("[f(**x)]", [{"f": {None: "x"}}], id="unpacking is filed under None"),
        pytest.param("[f(a=1, a=2)]", f(a=2), id="the later of two equal names counts"),
        pytest.param("[f(a=...)]", f(a="..."), id="three dots"),
        pytest.param("[f(a=+4)]", f(a=-4), id="any sign negates"),
        pytest.param("[f(a=not True)]", f(a=-1), id="not negates too"),
        pytest.param("[f(a=(1, [2]))]", f(a=(1, [2])), id="tuples are kept"),
        pytest.param("[f(a=(1))]", f(a=1), id="parentheses alone make no tuple"),
        pytest.param("[f(a=2**3 - 1)]", f(a=7), id="arithmetic"),
        pytest.param("[f(a='x' + 'y')]", f(a="xy"), id="text is added"),
        pytest.param("[f(a=len('abc') * 2)]", f(a=6), id="pure function in arithmetic"),
        pytest.param("[f(a=true)]", f(a="true"), id="a bare word is text"),
        pytest.param("[f(a=g(1, 'x'))]", f(a="g(1, 'x')"), id="inner call as its source"),
        pytest.param("[f(a=g.h(b=1))]", f(a={"g.h": {"b": 1}}), id="inner call with keywords"),
        pytest.param("[f(a=x[1, 2])]", f(a="x[(1, 2)]"), id="subscript as its source"),
        pytest.param("[f(a='it\\'s')]", f(a="it's"), id="escape"),
        pytest.param("[f(a='\\d')]", f(a="\\d"), id="escape that Python warns of"),
        pytest.param("[f(a='x' 'y')]", f(a="xy"), id="texts side by side"),
        pytest.param("[f(a=1e3, b=0x10)]", f(a=1000.0, b=16), id="other notations of numbers"),
        pytest.param("[f(a={'b': [1.5, None], 2: {}})]", f(a={"b": [1.5, None], 2: {}}), id="deep"),
        pytest.param("[f()(a=1)]", [{"": {"a": 1}}], id="call of a call has no name"),
    ],
)
def test_prompt_text(text: str, calls: Any) -> None:
    decoded = decoder({})(text).calls
    assert decoded == calls
    assert repr(decoded) == repr(calls)  # 1, 1.0 and True are equal but not the same


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("I cannot do that.", id="prose"),
        pytest.param("```python\n[f(a=1)]\n```", id="fence with a word"),
        pytest.param("[f(a=1)];", id="semicolon"),
        pytest.param("f(a=1)\nf(a=2)", id="lines without a comma"),
        pytest.param("[1]", id="element that is no call"),
        pytest.param("[f(a=f'{x}')]", id="f-string"),
        pytest.param("[f(a=1 < 2)]", id="comparison"),
        pytest.param("[f(a=x.y)]", id="attribute"),
        pytest.param("[f(a=-x)]", id="sign before a name"),
        pytest.param("[f(a=x + 1)]", id="arithmetic with a name"),
        pytest.param("[f(a=1/0)]", id="division by zero"),
        pytest.param("[f(a={[1]: 2})]", id="list as a field name"),
        pytest.param("[f(a={**b})]", id="unpacked dict"),
        pytest.param("[f(a='\ud800')]", id="lone surrogate"),
        pytest.param("[f(a='\x00')]", id="null byte"),
        pytest.param("[f(a=9**9**9)]", id="arithmetic without end"),
        pytest.param("[f(a='%999999999d' % 1)]", id="format without end"),
        pytest.param("[f(a='x' * 10**9)]", id="text without end"),
        pytest.param("[f(a=[[1] * 900] * 900)]", id="rows without end"),
        pytest.param("[f(a=" + "+".join(["'x' * 900"] * 120) + ")]", id="sum without end"),
        pytest.param("[f(a=" + "[" * 3_000 + "]" * 3_000 + ")]", id="nested too deeply"),
        pytest.param("[f(a=" + "-" * 100_000 + "1)]", id="signs without end"),
        pytest.param("[f(a=a" + ".b" * 100_000 + ")]", id="attributes without end"),
    ],
)
def test_unreadable_text(text: str) -> None:
    with pytest.raises(DecodeError):
        decoder({})(text)


def test_long_outputs_are_read_or_refused_at_once() -> None:
    read = decoder({})
    assert read(f"[f(a='{'x' * 10_000_000}')]").calls[0]["f"]["a"] == "x" * 10_000_000
    with pytest.raises(DecodeError, match="longer than"):
        read("1," * 5_000_000)


class _Watch:
    """Collects what the interpreter reports while it is on; an audit hook cannot be removed."""

    def __init__(self) -> None:
        self.on, self.seen = False, list[str]()
        sys.addaudithook(self._note)

    def _note(self, event: str, _: object) -> None:
        if self.on and event in ("exec", "import", "open", "os.system", "subprocess.Popen"):
            self.seen.append(event)


def test_nothing_is_ever_evaluated() -> None:
    read, watch, outcomes = decoder({}), _Watch(), []
    watch.on = True
    for text in (
        "[f(a=eval('1'))]",
        "[f(a=__import__('os').getcwd() + 'x')]",
        "[f(a=open('/etc/passwd').read() + '')]",
        "[f(a=(lambda: 1)() + 1)]",
        "[f(a=eval('1') * 2)]",
    ):
        try:
            outcomes.append(read(text).calls)
        except DecodeError:
            outcomes.append(None)
    watch.on = False
    assert outcomes == [f(a="eval('1')"), None, None, None, None]
    assert watch.seen == []


@pytest.mark.parametrize(
    ("form", "output", "calls"),
    [
        pytest.param("fc", [{"f": '{"a": 1}'}], f(a=1), id="arguments as JSON text"),
        pytest.param("fc", "", [], id="empty text is no call"),
        pytest.param("fc", [{"f": "{}", "g": "{}"}], [{"f": {}}], id="first field only"),
        pytest.param("fc", [{"f": "NaN"}], None, id="not a number is JSON to Python"),
        pytest.param("fc-objects", [{"f": {"a": 1}}], f(a=1), id="arguments as objects"),
        pytest.param("fc-objects", "prose", ["prose"], id="prose is wrapped"),
        pytest.param("auto", [{"f": {"a": 1}}, {"g": "{}"}], [*f(a=1), {"g": {}}], id="both"),
        pytest.param("calls-object", '{"tool_calls": [{"name": "f", "arguments": {"a": 1}}]}',
                     f(a=1), id="calls object"),
        pytest.param("calls-object", "prose", "prose", id="not JSON stays text"),
        pytest.param("one-line", "[f(a=1)\n]", f(a=1), id="line feeds deleted"),
        pytest.param("within-brackets", "Sure: [f(a=1)] done", f(a=1), id="within brackets"),
        pytest.param("unquoted", ' ["f(a=1)"]', f(a=1), id="quotes around elements"),
    ],
)  # fmt: skip
def test_forms(form: str, output: Any, calls: Any) -> None:
    decoded = decoder({"form": form})(output).calls
    if calls is not None:
        assert decoded == calls


@pytest.mark.parametrize(
    ("form", "output"),
    [
        pytest.param("fc", "prose", id="text is no list of calls"),
        pytest.param("fc", None, id="null"),
        pytest.param("fc", [{"f": {"a": 1}}], id="objects are not JSON text"),
        pytest.param("fc", [{"f": "{a: 1}"}], id="broken JSON"),
        pytest.param("fc", [{}], id="element without a field"),
        pytest.param("fc", [{"f": "[" * 100_000}], id="JSON without end"),
        pytest.param("as-is", "f(a=1), g(b=2)]", id="as it is: no bracket is added"),
        pytest.param("within-brackets", "no list", id="no brackets"),
        pytest.param("prompt", [{"f": "{}"}], id="structure where text is expected"),
    ],
)
def test_forms_that_fail(form: str, output: Any) -> None:
    with pytest.raises(DecodeError):
        decoder({"form": form})(output)


def test_bare_call_is_a_list_only_in_v4() -> None:
    assert decoder({"tool_call_tag": True})("<TOOLCALL>'f(a=1)'</TOOLCALL>").calls == f(a=1)
    with pytest.raises(DecodeError):
        decoder({"form": OutputForm.AS_IS}, rules=AUGUST_2024)("f(a=1)")


def test_call_without_keywords_is_text_in_2024() -> None:
    assert decoder({}, rules=AUGUST_2024)("[f(1), g(a=1)]").calls == ["f(1)", {"g": {"a": 1}}]
    assert decoder({}, rules=AUGUST_2024)("[f()]").calls == ["f()"]


@pytest.mark.parametrize(
    ("value", "holds"),
    [
        pytest.param([], True, id="empty list"),
        pytest.param([{"f": {}}], True, id="call"),
        pytest.param(({"f": {}},), False, id="tuple"),
        pytest.param([{"f": {}, "g": {}}], False, id="two fields"),
        pytest.param([{}], False, id="no field"),
        pytest.param([{"f": [1]}], False, id="arguments are no object"),
        pytest.param(None, False, id="nothing"),
    ],
)
def test_call_shape(value: Any, holds: bool) -> None:
    assert has_call_shape(value) is holds


@pytest.mark.parametrize(
    ("options", "text", "calls"),
    [
        pytest.param({"return_format": "json"},
                     'Sure [{"function": "f", "parameters": {"a": 1}}] done', f(a=1), id="json"),
        pytest.param({"return_format": "json"}, "[{broken}]", [], id="broken json is no call"),
        pytest.param({"return_format": "concise_xml"},
                     '<functions><function name="f"><param name="a" type="integer">1</param>'
                     "</function></functions>", f(a=1), id="concise xml"),
        pytest.param({"return_format": "verbose_xml"},
                     '<functions><function name="f"><params><param name="a" type="array"'
                     ' value="[1, 2]"/></params></function></functions>', f(a=[1, 2]), id="xml"),
        pytest.param({"tool_call_tag": True}, "x <TOOLCALL>[f(a=1)]</TOOLCALL>", f(a=1), id="tag"),
    ],
)  # fmt: skip
def test_return_formats(options: dict[str, Any], text: str, calls: Any) -> None:
    assert decoder(options)(text).calls == calls


def test_shown_value_is_json() -> None:
    decoding = decoder({})("[f(a=(1, 2), b=1e999, c=b'x', d=2**70, **e)]")
    assert decoding.shown == [
        {"f": {"a": [1, 2], "b": "inf", "c": "b'x'", "d": str(2**70), "None": "e"}}
    ]
