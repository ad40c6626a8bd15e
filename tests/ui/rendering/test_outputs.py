from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import msgspec
import pytest

from audit_app.domain.benchmark import KeyKind, Output, OutputStatus, Task
from audit_app.domain.record import Json
from audit_app.services.task_views import OutputGroup, TaskView, group_outputs
from audit_app.ui.rendering.outputs import entry_labels, outputs_pane, outputs_summary, verdict
from tests.browser import desk_cases
from tests.ui.rendering.markup import text_of

PLAIN = desk_cases.plain(7).task


def groups_of(task: Task, *outputs: Output) -> tuple[OutputGroup, ...]:
    return group_outputs(task, outputs)


def an_output(body: Json, model: str = "m", **more: object) -> Output:
    given = Output(entry_id=PLAIN.id, model=model, body=body)
    return msgspec.structs.replace(given, **more)


def pane_of(task: Task, *outputs: Output) -> str:
    view = TaskView(task=task, entries=(), documents={}, groups=groups_of(task, *outputs))
    return outputs_pane(view, full=False)


@pytest.mark.parametrize(
    ("bodies", "sizes"),
    [
        pytest.param(
            ["[greenhouse.open(bay=7)]", "greenhouse.open( bay = 7 )\n"], [2], id="white space"
        ),
        pytest.param(
            ["[greenhouse.open(bay=7, pace='slow')]", '[greenhouse.open(pace="slow", bay=7)]'],
            [2],
            id="quotes and order of arguments",
        ),
        pytest.param(
            ["[greenhouse.open(bay=7)]", [{"greenhouse_open": '{"bay": 7}'}]],
            [2],
            id="text and function calling",
        ),
        pytest.param(["[greenhouse.open(bay=7)]", "[greenhouse.open(bay='7')]"], [1, 1], id="type"),
        pytest.param(["I  cannot.", "I cannot. "], [2], id="prose by its words"),
        pytest.param(
            ["[greenhouse.open(bay=7)]", "[greenhouse.open(bay=7), greenhouse.open(bay=7)]"],
            [1, 1],
            id="number of calls",
        ),
    ],
)
def test_answers_that_read_the_same_are_one_group(bodies: list[Json], sizes: list[int]) -> None:
    outputs = [an_output(body, f"m{i}") for i, body in enumerate(bodies)]
    assert [len(group.raw) for group in groups_of(PLAIN, *outputs)] == sizes


@pytest.mark.parametrize(
    ("output", "word", "says"),
    [
        pytest.param(
            an_output("[greenhouse.open(bay=7)]"), "Pass", "matches an accepted", id="pass"
        ),
        pytest.param(
            an_output("[greenhouse.open(bay=8)]"), "Fail", "bay is 8; accepted: 7.", id="fail"
        ),
        pytest.param(
            an_output("Which bay?"), "Not parsed", "counts this as a fail", id="prose is not parsed"
        ),
        pytest.param(
            an_output("timed out", status=OutputStatus.ERROR, reason_code="x"),
            "Error",
            "never counted as a wrong one. The benchmark counted it as a fail.",
            id="an error is not a wrong answer",
        ),
        pytest.param(
            an_output(None, passed=True),
            "Pass",
            "Only the outcome was imported",
            id="outcome alone",
        ),
    ],
)
def test_a_group_carries_one_word_and_says_why(output: Output, word: str, says: str) -> None:
    """R47: why is said on passes too, and what could not be parsed is not called wrong."""
    (group,) = groups_of(PLAIN, output)
    assert verdict(group)[1] == word
    assert says in text_of(pane_of(PLAIN, output))


@pytest.mark.parametrize(
    ("passed", "says", "differs"),
    [
        pytest.param([True, True], "= published", 0, id="the same"),
        pytest.param([False, False], "≠ published: fail", 2, id="other for all"),
        pytest.param([True, False], "≠ published: fail for 1", 1, id="other for one"),
        pytest.param([None, None], "none published", 0, id="none"),
    ],
)
def test_the_published_grade_stands_beside_ours(
    passed: Sequence[bool | None], says: str, differs: int
) -> None:
    outputs = [
        an_output("[greenhouse.open(bay=7)]", f"m{i}", passed=p) for i, p in enumerate(passed)
    ]
    view = TaskView(task=PLAIN, entries=(), documents={}, groups=groups_of(PLAIN, *outputs))
    assert says in text_of(outputs_pane(view, full=False))
    assert (f"{differs} published otherwise" in outputs_summary(view)) == bool(differs)


def test_without_simulators_the_published_verdict_is_kept_and_said_so() -> None:
    task = msgspec.structs.replace(
        PLAIN, scorer="bfcl-multi-turn", key_kind=KeyKind.CALL_TURNS, key=[["ls()"]]
    )
    output = an_output(
        [[[{"ls": "{}"}]]], passed=False, reason_code="multi_turn:x", reason="Two files."
    )
    text = text_of(pane_of(task, output))
    assert "1 published fail" in text
    assert "Not re-scorable here" in text
    assert "Published reason: Two files." in text


def test_the_deciding_argument_is_underlined() -> None:
    html = pane_of(PLAIN, an_output("[greenhouse.open(bay=7, pace='fast')]"))
    assert "greenhouse.open(bay=7, <mark>pace=&quot;fast&quot;</mark>)" in html


@pytest.mark.parametrize(
    ("entries", "labels"),
    [
        pytest.param(["a"], [], id="one entry needs no name"),
        pytest.param(
            ["memory_kv_3-x-1", "memory_rec_sum_3-x-1", "memory_vector_3-x-1"],
            ["kv", "rec sum", "vector"],
            id="memory",
        ),
        pytest.param(["web_search_base_9", "web_search_9"], None, id="not told apart by a word"),
    ],
)
def test_entries_are_told_apart_by_few_words(entries: list[str], labels: list[str] | None) -> None:
    assert list(entry_labels(entries).values()) == (entries if labels is None else labels)


def test_entries_of_one_key_are_named_beside_their_models() -> None:
    view = next(v for v in desk_cases.kinds() if v.task.id == "web_search_9")
    ids = ["web_search_base_9", "web_search_no_snippet_9"]
    outputs = [an_output([["Ada Vell."]], "m", entry_id=entry) for entry in ids]
    entries = tuple(msgspec.structs.replace(view.entries[0], id=entry) for entry in ids)
    shown = replace(view, entries=entries, groups=groups_of(view.task, *outputs))
    text = text_of(outputs_pane(shown, full=False))
    assert "m (base, no snippet)" in text
    assert "2of 2" in text
    assert "1 model, 2 outputs, 1 answer: 2 pass" in text
