from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.domain.benchmark import KeyKind
from audit_app.domain.record import Json
from audit_app.errors import InputError
from audit_app.scoring.key_differences import key_differences
from audit_app.scoring.key_edits import (
    AcceptValue,
    DropTask,
    KeyEdit,
    MakeOmissible,
    ReplaceKey,
    apply_edit,
    argument_path,
    settle_proposals,
)
from audit_app.scoring.key_shapes import ReadKey, key_fault, read_proposed_key

CALLS, TEXTS, VALUE = KeyKind.CALLS, KeyKind.TEXTS, KeyKind.VALUE
KEY = [{"f": {"x": [5], "box": [{"to": ["Lund"]}]}}, {"g": {"y": ["a", ""]}}]


@pytest.mark.parametrize(
    ("kind", "key", "edit", "expected"),
    [
        pytest.param(
            CALLS,
            [{"f": {"x": [5]}}],
            AcceptValue((0, "f", "x"), 5.0),
            [{"f": {"x": [5, 5.0]}}],
            id="5.0 is not 5",
        ),
        pytest.param(
            CALLS,
            [{"f": {"x": [{"to": ["a"]}]}}],
            AcceptValue((0, "f", "x", 0, "to"), "b"),
            [{"f": {"x": [{"to": ["a", "b"]}]}}],
            id="in an object",
        ),
        pytest.param(
            CALLS,
            [{"f": {"x": [5]}}],
            MakeOmissible((0, "f", "x")),
            [{"f": {"x": [5, ""]}}],
            id="omissible",
        ),
        pytest.param(TEXTS, ["Lund"], AcceptValue((), "Malmö"), ["Lund", "Malmö"], id="text"),
        pytest.param(VALUE, "A", AcceptValue((), "B"), ["A", "B"], id="one value becomes a list"),
        pytest.param(VALUE, ["A"], ReplaceKey('"B"'), "B", id="replace"),
    ],
)
def test_edits(kind: KeyKind, key: Json, edit: KeyEdit, expected: Json) -> None:
    before = json.dumps(key)
    edited = apply_edit(kind, key, edit)
    assert json.dumps(edited.key) == json.dumps(expected)
    assert (edited.kind, edited.dropped) == (kind, False)
    assert json.dumps(key) == before


@pytest.mark.parametrize(
    ("kind", "edit", "message"),
    [
        pytest.param(
            CALLS, AcceptValue((0, "f", "x"), 5), "call 1, f, x accepts 5 already", id="there"
        ),
        pytest.param(
            CALLS, AcceptValue((2, "f", "x"), 5), "the key has no call 3", id="no such call"
        ),
        pytest.param(
            CALLS, AcceptValue((0, "f", "z"), 5), "no call 1, f, z", id="no such argument"
        ),
        pytest.param(
            CALLS, AcceptValue((0, "f"), 5), "an object, not a list", id="not accepted values"
        ),
        pytest.param(CALLS, AcceptValue((), 5), "not a list of accepted values", id="the root"),
        pytest.param(
            KeyKind.CALL_TURNS, AcceptValue((0,), "f()"), "replace the key", id="call turns"
        ),
        pytest.param(TEXTS, MakeOmissible(()), "only an argument of a call", id="texts"),
        pytest.param(TEXTS, AcceptValue((), " "), "not a text that an answer", id="empty text"),
    ],
)
def test_edits_that_do_not_fit(kind: KeyKind, edit: KeyEdit, message: str) -> None:
    with pytest.raises(InputError, match=message):
        apply_edit(kind, KEY, edit)


def test_path_of_an_argument() -> None:
    assert argument_path(KEY, 2, "y") == (1, "g", "y")
    with pytest.raises(InputError, match="call 2 has no argument 'x'"):
        argument_path(KEY, 2, "x")


@pytest.mark.parametrize(
    ("proposals", "expected"),
    [
        pytest.param([None, None], DropTask("no key is proposed"), id="none"),
        pytest.param([None, '[{"f": {}}]'], ReplaceKey('[{"f": {}}]'), id="one"),
        pytest.param(
            ['[{"f": {}}]', '[ {"f":{}} ]'], ReplaceKey('[{"f": {}}]'), id="twice the same"
        ),
        pytest.param(
            ['[{"f": {"x": [1], "y": [2]}}]', '[{"f": {"y": [2], "x": [1]}}]'],
            ReplaceKey('[{"f": {"x": [1], "y": [2]}}]'),
            id="the same in another order",
        ),
        pytest.param(
            ['[{"f": {}}]', '[{"g": {}}]'],
            DropTask("its findings propose 2 different keys"),
            id="two",
        ),
        pytest.param(
            [json.dumps(KEY)], DropTask("the proposed key equals the published one"), id="same"
        ),
    ],
)
def test_what_the_findings_of_a_task_ask_for(
    proposals: list[str | None], expected: KeyEdit
) -> None:
    assert settle_proposals(CALLS, KEY, proposals) == expected


@pytest.mark.parametrize(
    ("kind", "text", "fault"),
    [
        pytest.param(CALLS, "[", "not valid JSON: .*line 1 column 2", id="no JSON"),
        pytest.param(CALLS, "[NaN]", "holds NaN", id="no number"),
        pytest.param(CALLS, "[1e999]", "holds 1e999", id="infinite"),
        pytest.param(CALLS, '["\\ud800"]', "half of a surrogate pair", id="half a letter"),
        pytest.param(CALLS, f"[{'9' * 5000}]", "a number too long", id="long number"),
        pytest.param(CALLS, "[" * 100_000, "nested too deeply", id="deep"),
        pytest.param(
            CALLS, '[{"f": {"x": [1], "x": [2]}}]', 'names "x" twice in one object', id="twice"
        ),
        pytest.param(CALLS, "{}", "it is an object, not a list of calls", id="no list"),
        pytest.param(CALLS, "[]", 'write "no_call"', id="no call"),
        pytest.param(CALLS, '[{"f": {}, "g": {}}]', "call 1 names 2 functions", id="two names"),
        pytest.param(
            CALLS, '[{"f": {}}, {"g": []}]', r"call 2 \(g\): the arguments are a list", id="args"
        ),
        pytest.param(
            CALLS,
            '[{"f": {}}, {"g": {"x": 5}}]',
            r"call 2 \(g\), argument x: 5 is a number, not a list of accepted values",
            id="not a list",
        ),
        pytest.param(
            CALLS, '[{"g": {"x": []}}]', "argument x: the list .* is empty", id="nothing accepted"
        ),
        pytest.param(
            CALLS,
            '[{"g": {"x": [[{"to": "Lund"}]]}}]',
            'argument x, field to: "Lund" is text, not a list',
            id="field of an object in a list",
        ),
        pytest.param(KeyKind.CALL_TURNS, '["f()"]', "turn 1 is text, not a list", id="turn"),
        pytest.param(KeyKind.CALL_TURNS, '[[], ["f"]]', 'turn 2, call 1: "f" is not', id="call"),
        pytest.param(TEXTS, '["a", 5]', "accepted text 2 is a number", id="text"),
        pytest.param(TEXTS, '["a", ""]', "accepted text 2 is empty", id="empty text"),
        pytest.param(VALUE, "null", "null accepts nothing", id="null"),
        pytest.param(VALUE, "[" * 102 + "]" * 102, "more than 100 levels deep", id="100 levels"),
    ],
)
def test_a_key_of_another_shape_is_refused_with_its_place(
    kind: KeyKind, text: str, fault: str
) -> None:
    with pytest.raises(InputError, match=fault) as caught:
        read_proposed_key(text, kind)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        pytest.param(CALLS, '"no_call"', ReadKey(KeyKind.NO_CALL, None), id="no call"),
        pytest.param(
            KeyKind.NO_CALL, '[{"f": {}}]', ReadKey(CALLS, [{"f": {}}]), id="calls after all"
        ),
        pytest.param(KeyKind.NO_CALL, '"some_call"', ReadKey(KeyKind.SOME_CALL, None), id="any"),
        pytest.param(KeyKind.MISSING, '"x"', ReadKey(VALUE, "x"), id="a key where none was"),
        pytest.param(
            KeyKind.CALL_TURNS,
            '[["f(a=1)"], []]',
            ReadKey(KeyKind.CALL_TURNS, [["f(a=1)"], []]),
            id="turns",
        ),
    ],
)
def test_kinds_of_proposed_keys(kind: KeyKind, text: str, expected: ReadKey) -> None:
    assert read_proposed_key(text, kind) == expected


def test_oddities_of_the_published_key_are_let_pass() -> None:
    published = [{"f": {"x": [], "y": [1]}}]
    proposed = [{"f": {"x": [], "y": [1, 2]}}]
    assert key_fault(CALLS, proposed, published=published) == ""
    assert "is empty" in key_fault(CALLS, proposed)


@pytest.mark.parametrize(
    ("kind", "before", "after", "expected"),
    [
        pytest.param(
            CALLS,
            KEY,
            [{"h": {"x": [5, 6, ""], "z": [1]}}, {"g": {"y": ["b"]}}, {"k": {}}],
            [
                "call 1: the function is h, not f",
                "call 1 (h), argument x may now be left out",
                "call 1 (h), argument x now accepts 6",
                "call 1 (h), argument box is removed",
                "call 1 (h), argument z is added: accepts [1]",
                "call 2 (g), argument y must now be given",
                'call 2 (g), argument y now accepts "b"',
                'call 2 (g), argument y no longer accepts "a"',
                'call 3 is added: {"k": {}}',
            ],
            id="calls",
        ),
        pytest.param(
            CALLS,
            [{"f": {"x": [1, 2]}}, {"g": {}}],
            [{"f": {"x": [2, 1]}}],
            [
                "call 1 (f), argument x accepts the same values in another order",
                'call 2 is removed: {"g": {}}',
            ],
            id="order and removal",
        ),
        pytest.param(
            KeyKind.CALL_TURNS,
            [["cd('a')", "ls()"], []],
            [["ls()"], ["pwd()"]],
            ["turn 1 no longer expects \"cd('a')\"", 'turn 2 now expects "pwd()"'],
            id="turns",
        ),
        pytest.param(VALUE, "A", ["A", "B"], ['the key now accepts "B"'], id="value"),
        pytest.param(
            VALUE, 5, 5.0, ["the key now accepts 5.0", "the key no longer accepts 5"], id="kind"
        ),
        pytest.param(TEXTS, ["a"], ["a"], [], id="same"),
    ],
)
def test_differences(kind: KeyKind, before: Json, after: Json, expected: list[str]) -> None:
    assert key_differences(ReadKey(kind, before), ReadKey(kind, after)) == expected


def test_a_change_of_label_is_one_difference() -> None:
    before, after = ReadKey(KeyKind.NO_CALL, None), ReadKey(CALLS, [{"f": {}}])
    assert key_differences(before, after) == ['no call is right, then the key is [{"f": {}}]']


arguments = st.dictionaries(
    st.sampled_from("xyz"), st.lists(st.integers(0, 3) | st.just(""), min_size=1, unique=True)
)
keys = st.lists(st.builds(lambda name, a: {name: a}, st.sampled_from("fg"), arguments), min_size=1)


@given(keys, keys)
def test_no_difference_means_the_same_key(before: Json, after: Json) -> None:
    differences = key_differences(ReadKey(CALLS, before), ReadKey(CALLS, after))
    assert key_differences(ReadKey(CALLS, before), ReadKey(CALLS, before)) == []
    if not differences:
        without_marks = [
            [
                {n: ({v for v in a if v == ""}, [v for v in a if v != ""]) for n, a in args.items()}
                for args in (next(iter(call.values())) for call in key)
            ]
            for key in (before, after)
        ]
        assert without_marks[0] == without_marks[1]


@given(keys)
def test_well_formed_keys_are_taken_as_they_are(key: Json) -> None:
    assert read_proposed_key(json.dumps(key), CALLS) == ReadKey(CALLS, key)
