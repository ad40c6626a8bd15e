from __future__ import annotations

import pytest

from audit_app.domain.benchmark import KeyKind, Message, Task
from audit_app.domain.record import Json
from audit_app.ui.rendering.answer_keys import alternatives, answer_key, called_functions
from audit_app.ui.rendering.scorers import scorer_rule
from tests.ui.rendering.markup import Markup, text_of


def a_task(kind: KeyKind, key: Json = None, **more: Json) -> Task:
    return Task(
        id="t",
        category=more.pop("category", "c"),
        group="g",
        scorer=more.pop("scorer", "s"),
        turns=((Message("user", "x"),),),
        key_kind=kind,
        key=key,
        context=more,
    )


@pytest.mark.parametrize(
    ("values", "shown"),
    [
        pytest.param([3], "3", id="one"),
        pytest.param(["slow", ""], '"slow"', id="the omission marker is no value"),
        pytest.param([1, "one"], '1 or "one"', id="two"),
        pytest.param([""], "only when left out", id="only omitted"),
        pytest.param([None, False], "null or false", id="null and false are values"),
        pytest.param([], "nothing", id="nothing"),
        pytest.param([[1, 2]], "[1, 2]", id="a list is one value"),
        pytest.param(
            [{"to": ["Lund"], "note": ["x", ""]}], 'to: "Lund"note: "x" or omitted', id="nested"
        ),
        pytest.param(
            [[{"sku": ["A1"]}, {"sku": ["B2"]}]],
            'item 1sku: "A1"item 2sku: "B2"',
            id="list of objects",
        ),
    ],
)
def test_accepted_values_read_like_a_sentence(values: Json, shown: str) -> None:
    assert text_of(alternatives(values)) == shown


def test_each_expected_call_is_a_table_of_its_own() -> None:
    key = [{"f.a": {"x": [1], "y": [2, ""]}}, {"f.b": {}}]
    seen = text_of(answer_key(a_task(KeyKind.CALLS, key)))
    assert "Call 1 of 2 f.a" in seen
    assert "x1no" in seen
    assert "y2yes" in seen
    assert "Call 2 of 2 f.b" in seen
    assert "no argument" in seen


@pytest.mark.parametrize(
    ("kind", "key", "words"),
    [
        pytest.param(KeyKind.NO_CALL, None, "No call.", id="no call"),
        pytest.param(KeyKind.SOME_CALL, None, "Any call.", id="some call"),
        pytest.param(KeyKind.MISSING, None, "Evidence missing:", id="missing"),
        pytest.param(KeyKind.TEXTS, ["Lund", "Port Lund"], "One of these texts", id="texts"),
        pytest.param(KeyKind.VALUE, 42, "42", id="value"),
        pytest.param(KeyKind.CALLS, {"odd": 1}, '"odd": 1', id="key of another shape"),
    ],
)
def test_every_kind_of_key_has_words(kind: KeyKind, key: Json, words: str) -> None:
    assert words in text_of(answer_key(a_task(kind, key)))


@pytest.mark.parametrize(
    ("key", "keyed"),
    [
        pytest.param("B", ["B"], id="by letter"),
        pytest.param("b ", ["B"], id="by letter, loosely"),
        pytest.param("13", ["B"], id="by text"),
        pytest.param(1, ["B"], id="by position"),
        pytest.param(["A", "C"], ["A", "C"], id="alternatives"),
        pytest.param("E", [], id="none"),
        pytest.param(True, [], id="true is not position 1"),
    ],
)
def test_the_keyed_choice_is_marked(key: Json, keyed: list[str]) -> None:
    html = answer_key(a_task(KeyKind.VALUE, key, choices=["8", "13", "17"]))
    rows = [text_of("<tr " + row) for row in html.split("</table>")[0].split("<tr ")[1:]]
    assert [chr(65 + i) for i, row in enumerate(rows) if row.endswith("key")] == keyed
    assert ("names none" in text_of(html)) is (not keyed)


def test_called_functions_of_turns_come_with_and_without_class() -> None:
    task = a_task(KeyKind.CALL_TURNS, [["Files.mkdir(a='x(')", "ls()"], []])
    assert called_functions(task) == {"Files.mkdir", "mkdir", "ls"}


@pytest.mark.parametrize(
    ("category", "words"),
    [
        pytest.param("live_parallel_multiple", "rule parallel", id="parallel first"),
        pytest.param("live_multiple", "rule multiple", id="multiple"),
        pytest.param("simple_java", "rule simple", id="simple"),
        pytest.param("invented", "as many calls as the key has", id="of another benchmark"),
    ],
)
def test_the_scorer_rule_follows_the_category(category: str, words: str) -> None:
    task = a_task(KeyKind.CALLS, [], category=category, scorer="bfcl-ast")
    assert words in text_of(scorer_rule(task))


def test_a_foreign_scorer_is_named_and_not_explained_away() -> None:
    html = scorer_rule(a_task(KeyKind.VALUE, 1, scorer="<b>mine</b>"))
    assert "b" not in Markup(html).tags
    assert "<b>mine</b>" in text_of(html)
