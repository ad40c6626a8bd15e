"""The layout of 2024: told by its names, brought into the shape of v4, and written back."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.domain.benchmark import Entry, KeyKind, Message, Task
from audit_app.errors import InputError
from audit_app.importers.bfcl import parse_bfcl
from audit_app.importers.bfcl_v1 import KEY_NAMES, written_key
from audit_app.importers.report import ParsedBenchmark, RejectedRow
from tests.importers.bfcl_folder import TOOL, call, call_key, lines, write_folder

PREFIX = "gorilla_openfunctions_v1_test_"
OPEN = "greenhouse.open_vent"


def _question(id_: str, function: Any = TOOL) -> dict[str, Any]:
    return {"id": id_, "question": "Open vents.", "function": function}


def _read(root: Path, category: str, question: Any, key: Any = None) -> ParsedBenchmark:
    files = {f"{PREFIX}{category}.json": lines(question)}
    if key is not None:
        files[f"possible_answer/{PREFIX}{category}.json"] = lines(key)
    return parse_bfcl(write_folder(root, files))


def test_a_question_is_one_turn_and_its_function_a_list(tmp_path: Path) -> None:
    key = {"id": "simple_0", "ground_truth": {OPEN: {"bay": [3]}}}
    parsed = _read(tmp_path, "simple", _question("simple_0"), key)
    assert parsed.tasks == [
        Task(
            id="simple_0",
            category="simple",
            group="non_live_ast",
            scorer="bfcl-ast",
            turns=((Message("user", "Open vents."),),),
            tools=(TOOL,),
            key_kind=KeyKind.CALLS,
            key=[{OPEN: {"bay": [3]}}],
            fields={"section": "non_live", "language": "python"},
        )
    ]
    assert parsed.entries == [("simple_0", Entry("simple_0", None))]
    assert (parsed.rules, parsed.rejected) == ("2024-08", [])


def test_relevance_is_what_v4_calls_irrelevance(tmp_path: Path) -> None:
    (task,) = _read(tmp_path, "relevance", _question("relevance_0", [TOOL])).tasks
    assert (task.category, task.group, task.key_kind) == (
        "relevance",
        "irrelevance",
        KeyKind.NO_CALL,
    )


@pytest.mark.parametrize(
    ("names", "read"),
    [
        pytest.param([f"{OPEN}_1", f"{OPEN}_2"], [OPEN, OPEN], id="underscore"),
        pytest.param([f"{OPEN} 1", f"{OPEN} 2"], [OPEN, OPEN], id="space"),
        pytest.param([OPEN, "vent_2"], [OPEN, "vent_2"], id="a tool that ends so"),
        pytest.param([f"{OPEN}_x"], [f"{OPEN}_x"], id="no number"),
    ],
)
def test_numbers_of_parallel_calls_are_no_part_of_the_name(
    tmp_path: Path, names: list[str], read: list[str]
) -> None:
    tools = [TOOL, {"name": "vent_2", "parameters": {}}]
    truth = {name: {"bay": [i]} for i, name in enumerate(names)}
    key = {"id": "parallel_multiple_function_0", "ground_truth": truth}
    question = _question("parallel_multiple_function_0", tools)
    (task,) = _read(tmp_path, "parallel_multiple_function", question, key).tasks
    assert task.key == [{name: {"bay": [i]} for name in [name]} for i, name in enumerate(read)]
    assert task.context.get(KEY_NAMES, names) == names
    assert written_key(task, task.key) == truth


@given(
    names=st.lists(st.sampled_from(["f_1", "f_2", "f 3", "g", "g_1", "h_2_2"]), unique=True),
)
def test_a_key_is_written_back_as_it_was(names: list[str]) -> None:
    key = [{name.split("_")[0].split(" ")[0]: {"a": [i]}} for i, name in enumerate(names)]
    task = Task(
        id="t",
        category="parallel_function",
        group="",
        scorer="",
        turns=(),
        key=key,
        context={KEY_NAMES: names},
    )
    written = {name: {"a": [i]} for i, name in enumerate(names)}
    assert written_key(task, key) == written
    changed = [{next(iter(c)): {"a": [9]}} for c in key]
    assert written_key(task, changed) == {name: {"a": [9]} for name in names}


def test_a_replaced_parallel_key_gets_numbers_of_its_own() -> None:
    task = Task(id="t", category="parallel_function", group="", scorer="", turns=(), key=[])
    key = [{"f": {"a": [1]}}, {"g": {}}, {"f": {"a": [2]}}]
    assert written_key(task, key) == {"f_1": {"a": [1]}, "g": {}, "f_2": {"a": [2]}}


def test_categories_that_files_cannot_grade_are_left_alone(tmp_path: Path) -> None:
    files = {
        f"{PREFIX}relevance.json": lines(_question("relevance_0")),
        f"{PREFIX}sql.json": lines(_question("sql_0")),
        f"{PREFIX}executable_simple.json": lines(_question("executable_simple_0")),
        f"{PREFIX}cobol.json": lines(_question("cobol_0")),
    }
    parsed = parse_bfcl(write_folder(tmp_path, files))
    assert [task.id for task in parsed.tasks] == ["relevance_0"]
    assert parsed.ignored == [f"{PREFIX}executable_simple.json", f"{PREFIX}sql.json"]
    assert parsed.rejected == [
        RejectedRow(f"{PREFIX}cobol.json", 0, "'cobol' is not a category of BFCL v1")
    ]


@pytest.mark.parametrize(
    ("question", "key", "reason"),
    [
        pytest.param(
            {**_question("simple_0"), "question": [[]]},
            {"id": "simple_0", "ground_truth": {}},
            "question is a list, not text",
            id="question",
        ),
        pytest.param(
            _question("simple_0", "f"),
            {"id": "simple_0", "ground_truth": {}},
            "function is text, not a list",
            id="function",
        ),
        pytest.param(
            _question("simple_0"),
            {"id": "simple_0", "ground_truth": []},
            "the key is a list, not an object",
            id="key",
        ),
    ],
)
def test_a_bad_row_costs_that_row(
    tmp_path: Path, question: dict[str, Any], key: dict[str, Any], reason: str
) -> None:
    parsed = _read(tmp_path, "simple", question, key)
    assert (parsed.tasks, [row.reason for row in parsed.rejected]) == ([], [reason])


def test_a_malformed_call_of_a_key_is_kept_to_be_seen(tmp_path: Path) -> None:
    key = {"id": "simple_0", "ground_truth": {OPEN: {"bay": [3]}, "deck": [[], ""]}}
    (task,) = _read(tmp_path, "simple", _question("simple_0"), key).tasks
    assert task.key == [{OPEN: {"bay": [3]}}, {"deck": [[], ""]}]


def test_data_of_both_layouts_are_ambiguous(tmp_path: Path) -> None:
    write_folder(
        tmp_path,
        {
            f"old/{PREFIX}relevance.json": lines(_question("relevance_0")),
            "new/BFCL_v4_simple_python.json": lines(call("simple_python_0")),
            "new/possible_answer/BFCL_v4_simple_python.json": lines(call_key("simple_python_0")),
        },
    )
    with pytest.raises(InputError, match="holds BFCL v4 and v1 data in new/ and in old/; name one"):
        parse_bfcl(tmp_path)


def test_every_task_of_the_data_is_read_and_can_be_written_back(bfcl_v1: Path) -> None:
    parsed = parse_bfcl(bfcl_v1 / "data")
    counts: Counter[str] = Counter()
    keys: dict[str, str] = {}
    for path in (bfcl_v1 / "data").glob(f"{PREFIX}*.json"):
        category = path.stem.removeprefix(PREFIX)
        counts[category] = len([x for x in path.read_text().splitlines() if x.strip()])
    for path in (bfcl_v1 / "data" / "possible_answer").glob("*.json"):
        for row in map(json.loads, path.read_text().splitlines()):
            keys[row["id"]] = json.dumps(row["ground_truth"])
    assert Counter(task.category for task in parsed.tasks) == counts
    assert counts.total() == 1390
    written = {t.id: json.dumps(written_key(t, t.key)) for t in parsed.tasks if t.key is not None}
    assert written == keys
    assert parsed.rejected == []
