from __future__ import annotations

from collections.abc import Sequence

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.domain.benchmark import KeyKind, Output, Task
from audit_app.domain.record import Json
from audit_app.scoring.grade import Decision, Grade
from audit_app.scoring.multi_turn_rules import RESPONSE_MISMATCH, STATE_MISMATCH
from audit_app.services.answer_diff import Accepted, DiffRow, Excerpt, Value, Words, differing
from audit_app.services.task_views import OutputGroup, group_outputs
from audit_app.services.turn_diff import compare_turns, turn_marks, turns_in_words

TIDE: Json = {
    "name": "tide.predict",
    "parameters": {
        "type": "dict",
        "properties": {
            "harbour": {"type": "string"},
            "day": {"type": "integer"},
            "kind": {"type": "string"},
        },
        "required": ["harbour"],
    },
}
KEY: Json = [{"tide.predict": {"harbour": ["Veyo"], "day": [3], "kind": ["high", ""]}}]


def a_task(key: Json = KEY, kind: KeyKind = KeyKind.CALLS, scorer: str = "bfcl-ast") -> Task:
    return Task(
        id="t",
        category="tides",
        group="tides",
        scorer=scorer,
        turns=(),
        tools=(TIDE,),
        key_kind=kind,
        key=key,
    )


def a_group(task: Task, body: Json) -> OutputGroup:
    (group,) = group_outputs(task, [Output(entry_id="t", model="m", body=body)])
    return group


def marks(group: OutputGroup) -> str:
    """Each part with its mark; the deciding one in brackets."""
    rows = group.diff.rows if group.diff else ()
    return " ".join(
        f"[{row.part}{row.mark.value}]" if row.decides else f"{row.part}{row.mark.value}"
        for row in rows
    )


def row_of(group: OutputGroup, part: str) -> DiffRow:
    assert group.diff is not None
    return next(row for row in group.diff.rows if row.part == part)


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        pytest.param(
            "[tide.predict(harbour='Veyo', day=3)]", "function= harbour= day= kind=", id="pass"
        ),
        pytest.param(
            "[tide.predict(harbour='Veyo', day=4)]", "function= harbour= [day≠] kind=", id="value"
        ),
        pytest.param(
            "[tide.predict(harbour='Harn', day=4)]",
            "function= [harbour≠] day≠ kind=",
            id="the first wrong value decides",
        ),
        pytest.param(
            "[tide.predict(harbour='Veyo')]",
            "function= harbour= [day≠] kind=",
            id="left out although the key does not let it be",
        ),
        pytest.param(
            "[tide.predict(day=3)]", "function= [harbour≠] day= kind=", id="required by the tool"
        ),
        pytest.param(
            "[tide.predict(harbour='Veyo', day=3, unit='m')]",
            "function= harbour= day= kind= [unit≠]",
            id="unknown argument",
        ),
        pytest.param("[tide.list(harbour='Veyo')]", "[function≠]", id="another function"),
        pytest.param("I cannot.", "", id="nothing to lay beside"),
    ],
)
def test_the_diff_marks_each_argument_and_the_one_that_decided(body: str, shown: str) -> None:
    assert marks(a_group(a_task(), body)) == shown


def test_a_row_shows_what_is_given_and_what_is_accepted() -> None:
    group = a_group(a_task(), "[tide.predict(harbour='VEYO', day=4)]")
    assert row_of(group, "day").given == Value(4)
    assert row_of(group, "day").accepted == Accepted([3])
    assert row_of(group, "kind").given == Words("omitted")
    assert row_of(group, "kind").accepted == Accepted(["high", ""], may_omit=True)
    assert row_of(group, "harbour").note == "equal as the scorer compares texts"


TWO: Json = [
    {"tide.predict": {"harbour": ["Veyo"], "day": [3]}},
    {"tide.predict": {"harbour": ["Harn"], "day": [4]}},
]


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        pytest.param(
            "[tide.predict(harbour='Harn', day=4), tide.predict(harbour='Veyo', day=3)]",
            'tide.predict(harbour="Veyo", day=3)= tide.predict(harbour="Harn", day=4)=',
            id="any order",
        ),
        pytest.param(
            "[tide.predict(harbour='Harn', day=4), tide.predict(harbour='Veyo', day=5)]",
            'function= harbour= [day≠] tide.predict(harbour="Harn", day=4)=',
            id="the call that fits is not taken for the nearest",
        ),
        pytest.param(
            "[tide.predict(harbour='Veyo', day=3)]",
            '[calls≠] tide.predict(harbour="Veyo", day=3)= tide.predict≠',
            id="a call is missing",
        ),
        pytest.param(
            "[tide.predict(harbour='Veyo', day=3), tide.predict(harbour='Harn', day=4), f()]",
            '[calls≠] tide.predict(harbour="Veyo", day=3)= tide.predict(harbour="Harn", day=4)='
            " f()≠",
            id="one too many",
        ),
    ],
)
def test_parallel_calls_are_paired_with_their_nearest_keys(body: str, shown: str) -> None:
    assert marks(a_group(a_task(TWO), body)) == shown


@pytest.mark.parametrize(
    ("body", "labels"),
    [
        pytest.param("[tide.predict(harbour='Veyo', day=4)]", ["Accept 4"], id="value"),
        pytest.param("[tide.predict(harbour='Veyo')]", ["day may be omitted"], id="omission"),
        pytest.param("[tide.predict(day=3)]", [], id="the tool requires it, no key helps"),
        pytest.param("[tide.predict(harbour='Veyo', day=3)]", [], id="a pass needs no edit"),
    ],
)
def test_edits_of_the_key_are_offered_where_one_could_help(body: str, labels: list[str]) -> None:
    assert [offer.label for offer in a_group(a_task(), body).offers] == labels


@pytest.mark.parametrize(
    ("message", "shown", "hit"),
    [
        pytest.param("It is in Port Lund.", "[Lund=] Port Lund=", "Lund", id="found in place"),
        pytest.param("In LUND, (yes).", "[Lund=] Port Lund≠", "LUND", id="case is passed over"),
        pytest.param("In Lundby.", "Lund≠ Port Lund≠", None, id="no whole word"),
    ],
)
def test_accepted_texts_are_shown_where_they_occur(
    message: str, shown: str, hit: str | None
) -> None:
    task = a_task(["Lund", "Port Lund"], KeyKind.TEXTS, "bfcl-agentic")
    group = a_group(task, [[message]])
    assert marks(group).startswith(shown)
    cell = row_of(group, "Lund").given
    assert (cell.hit if isinstance(cell, Excerpt) else None) == hit


def test_no_call_counts_calls_and_nothing_else() -> None:
    task = a_task(None, KeyKind.NO_CALL, "bfcl-irrelevance")
    assert marks(a_group(task, "[f(a=1)]")) == "[calls≠]"
    assert marks(a_group(task, "Sorry.")) == "calls="


TURNS: Json = [["cd(folder='a')"], [], ["ls()", "echo(content='x', file_name='f')"], ["pwd()"]]


def fell(where: str, given: Json = None, accepted: Sequence[Json] = ()) -> Grade:
    code = RESPONSE_MISMATCH if where.endswith("results") else STATE_MISMATCH
    made = [[["cd(folder='a')"]], [], [["ls()", "echo(content='y', file_name='f')"]], []]
    decision = Decision(where, given, tuple(accepted))
    return Grade(False, code, "r", decision=decision, decoded=made)


@pytest.mark.parametrize(
    ("grade", "cells"),
    [
        pytest.param(Grade(True, "valid", "r"), "=–==", id="pass"),
        pytest.param(fell("turn 3: results"), "=–≠·", id="fell in turn 3"),
        pytest.param(fell("turn 1"), "≠···", id="fell at once"),
        pytest.param(Grade(False, "multi_turn:force_terminated", "r"), "", id="no turn decided"),
    ],
)
def test_turns_carry_marks_up_to_where_it_fell(grade: Grade, cells: str) -> None:
    assert "".join(turn_marks(TURNS, grade)) == cells


def test_the_turn_that_decided_is_laid_beside_the_key() -> None:
    diff = compare_turns(TURNS, fell("turn 3: Files.root", {"f": "y"}, [{"f": "x"}]))
    assert diff is not None
    parts = [(row.part, row.mark.value, row.decides) for row in diff.rows]
    assert parts == [
        ("ls()", "=", False),
        ("echo", "≠", False),
        ("content", "≠", False),
        ("file_name", "=", False),
        ("Files.root", "≠", True),
    ]
    assert diff.rows[1].note == "1 of 2 arguments differs"
    assert [passage.title for passage in diff.folded] == [
        "Turn 4: no call, 0 of them among the key’s 1",
        "Turn 1: 1 call, as in the key",
    ]
    assert turns_in_words(TURNS, fell("turn 3")) == "3 calls, 2 as in the key, which has 4"


def test_results_that_the_key_gives_and_the_output_lacks_decide() -> None:
    diff = compare_turns(TURNS, fell("turn 3: results", ["[]"], ['{"a": 1}']))
    assert diff is not None
    assert (diff.rows[-1].part, diff.rows[-1].decides) == ('{"a": 1}', True)
    assert diff.folded[0].title == "1 result of this output"


@given(st.text("ab", max_size=60), st.text("ab", max_size=60))
def test_excerpts_leave_out_only_what_both_texts_share(one: str, other: str) -> None:
    pair = differing(one, other)
    if pair is None:
        return
    first, second = pair
    assert (first.cut, first.cut_after) == (second.cut, second.cut_after)
    for text, cell in ((one, first), (other, second)):
        kept = cell.before + cell.hit + cell.after
        assert text[cell.cut : len(text) - cell.cut_after] == kept
    assert first.hit != second.hit


def test_a_key_that_the_checker_stops_on_has_no_diff() -> None:
    task = msgspec.structs.replace(a_task(), key=[{"tide.predict": 3}])
    group = a_group(task, "[tide.predict(harbour='Veyo')]")
    assert group.verdict == "checker stops"
    assert group.diff is None
