"""The committed benchmark keeps its promises: sound where it is clean, faulty where it says so."""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from datetime import date
from itertools import permutations
from typing import Any

import pytest

from samples.toolshop.generate import HERE, build_files
from samples.toolshop.grading import grade
from samples.toolshop.source import Category, Tool, load_tools

FAMILIES = {"T": 5, "K": 6, "G": 6, "E": 5, "L": 3, "H": 4}
CAUSES = {f"{letter}{n}" for letter, size in FAMILIES.items() for n in range(1, size + 1)}
FIELDS = ["id", "category", "group", "prompt", "tools", "key", "key_kind", "scorer"]
JSON_TYPES = {"string": str, "integer": int, "float": float, "boolean": bool, "array": list}
Row = dict[str, Any]


def _lines(name: str) -> list[Row]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


TASKS = {task["id"]: task for task in _lines("tasks.jsonl")}
OUTPUTS = _lines("outputs.jsonl")
SHEET = _lines("answer_sheet.jsonl")
PLANTED = {line["task_id"] for line in SHEET}
CLEAN = [task for task in TASKS.values() if task["id"] not in PLANTED]
COUNTED = [line for line in SHEET if {"FN", "FP"} & set(line["effects"])]
TOOLS = load_tools()


def _passes(text: str, task: Row, key: list[Row] | None) -> bool:
    offered: dict[str, Tool] = {tool["name"]: TOOLS[tool["name"]] for tool in task["tools"]}
    return grade(text, category=Category(task["category"]), tools=offered, key=key).passed


def _first_call(expected: Row) -> str:
    """The call of the first accepted values, written without the generator's own renderer."""
    ((name, accepted),) = expected.items()
    given = {k: values[0] for k, values in accepted.items() if values[0] != ""}
    return f"{name}({', '.join(f'{k}={value!r}' for k, value in given.items())})"


def test_regenerating_gives_the_committed_bytes() -> None:
    for name, content in build_files().items():
        assert content == (HERE / name).read_bytes(), f"{name} differs: regenerate it"


def test_sizes_stay_small() -> None:
    assert (HERE / "tasks.jsonl").stat().st_size < 600_000
    assert (HERE / "outputs.jsonl").stat().st_size < 700_000


def test_ids_are_unique_and_name_their_category() -> None:
    ids = [task["id"] for task in _lines("tasks.jsonl")]
    assert len(set(ids)) == len(ids)
    for task in TASKS.values():
        assert re.fullmatch(rf"{task['category']}_\d{{3}}", task["id"])


def test_categories_are_of_different_sizes() -> None:
    sizes = Counter(task["category"] for task in TASKS.values())
    assert len(sizes) == len(set(sizes.values())) == 5
    assert all(30 <= size <= 70 for size in sizes.values())
    assert 230 <= sum(sizes.values()) <= 260


def test_prompts_and_tools_are_varied() -> None:
    assert len({task["prompt"] for task in TASKS.values()}) >= len(TASKS) - 1
    assert len({tool["name"] for task in TASKS.values() for tool in task["tools"]}) >= 50


def test_a_record_has_the_published_fields_alone() -> None:
    mechanisms = {line["mechanism"] for line in SHEET if "_" in line["mechanism"]}
    for task in TASKS.values():
        assert [field for field in task if field != "as_of"] == FIELDS
        assert not any(mechanism in json.dumps(task) for mechanism in mechanisms)


def test_a_day_is_given_with_sound_tasks_too() -> None:
    dated = {task["id"] for task in TASKS.values() if "as_of" in task}
    assert len(dated - PLANTED) >= len(dated & PLANTED) > 0


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task["id"])
def test_key_fits_its_kind(task: Row) -> None:
    if task["key_kind"] == "no_call":
        assert task["key"] is None
        assert task["scorer"] == "bfcl-irrelevance"
        return
    assert (task["key_kind"], task["scorer"]) == ("calls", "bfcl-ast")
    offered = {tool["name"] for tool in task["tools"]}
    for expected in task["key"]:
        ((name, accepted),) = expected.items()
        assert name in offered
        assert all(isinstance(values, list) and values for values in accepted.values())


def _fits(value: object, schema: Row) -> bool:
    described = schema["description"]
    if type(value) is not JSON_TYPES[schema["type"]]:
        return False
    if "YYYY-MM-DD" in described:
        return date.fromisoformat(str(value)).isoformat() == value
    if "HH:MM" in described:
        return re.fullmatch(r"([01]\d|2[0-3]):[0-5]\d", str(value)) is not None
    if isinstance(value, list):
        item_type = JSON_TYPES[schema["items"]["type"]]
        ascending = "ascending" not in described or value == sorted(value)
        return ascending and all(type(item) is item_type for item in value)
    return value in schema.get("enum", [value])


@pytest.mark.parametrize("task", CLEAN, ids=lambda task: task["id"])
def test_key_of_a_sound_task_keeps_to_the_schema(task: Row) -> None:
    schemas = {tool["name"]: tool["parameters"] for tool in task["tools"]}
    for expected in task["key"] or []:
        ((name, accepted),) = expected.items()
        properties, required = schemas[name]["properties"], schemas[name]["required"]
        assert set(accepted) == set(properties)
        for argument, values in accepted.items():
            schema = properties[argument]
            stated = [value for value in values if value != ""]
            assert all(_fits(value, schema) for value in stated), (argument, values)
            if argument in required:
                assert stated == values
            elif "default" in schema:
                assert ("" in values) == (schema["default"] in values)


@pytest.mark.parametrize("task", CLEAN, ids=lambda task: task["id"])
def test_first_accepted_values_of_a_sound_task_pass_in_any_order(task: Row) -> None:
    if task["key"] is None:
        assert _passes("None of these tools fits.", task, None)
        return
    calls = [_first_call(expected) for expected in task["key"]]
    assert all(_passes(f"[{', '.join(o)}]", task, task["key"]) for o in permutations(calls))


@pytest.mark.parametrize("task", CLEAN, ids=lambda task: task["id"])
def test_category_of_a_sound_task_says_what_is_offered_and_wanted(task: Row) -> None:
    several_tools = len(task["tools"]) > 1
    assert several_tools == (task["category"] in ("choose", "mixed", "no_call"))
    if task["category"] == "no_call":
        assert task["key"] is None
        return
    functions = [name for expected in task["key"] for name in expected]
    assert (len(functions) > 1) == (task["category"] in ("parallel", "mixed"))
    assert (len(set(functions)) > 1) == (task["category"] == "mixed")


def test_answer_sheet_speaks_of_known_tasks_in_known_words() -> None:
    assert len(PLANTED) == len(SHEET)
    assert set(TASKS) >= PLANTED
    for line in SHEET:
        assert line["cause"] in CAUSES
        assert line["explanation"]
        assert set(line["effects"]) <= {"FN", "FP"} or line["effects"] == ["NEUTRAL"]
        assert (line["severity"] == 0) == (line["effects"] == ["NEUTRAL"])
        assert 0 <= line["severity"] <= 3


def test_defects_are_many_of_many_kinds_and_unevenly_spread() -> None:
    assert len({line["mechanism"] for line in COUNTED}) >= 25
    assert 0.22 <= len(COUNTED) / len(TASKS) <= 0.30
    sizes = Counter(task["category"] for task in TASKS.values())
    counts = Counter(TASKS[line["task_id"]]["category"] for line in COUNTED)
    shares = sorted(counts[category] / size for category, size in sizes.items())
    assert shares[0] > 0.1
    assert shares[-1] > 2 * shares[0]


@pytest.mark.parametrize("line", COUNTED, ids=lambda line: line["task_id"])
def test_planted_defect_shows_in_the_grades(line: Row) -> None:
    task = TASKS[line["task_id"]]
    graded = {(o["output"], o["passed"]) for o in OUTPUTS if o["id"] == task["id"]}
    right, wrong = line["right_answer_that_fails"], line["wrong_answer_that_passes"]
    assert (right is not None) == ("FN" in line["effects"])
    assert (wrong is not None) == ("FP" in line["effects"])
    mended = line["corrected_key_kind"] is not None
    if right is not None:
        assert (right, False) in graded
        assert not mended or _passes(right, task, line["corrected_key"])
    if wrong is not None:
        assert any(passed for text, passed in graded if _same(text, wrong))
        assert not mended or not _passes(wrong, task, line["corrected_key"])


def _same(text: str, other: str) -> bool:
    """Whether two outputs are the same but for whole floats written without ``.0``."""
    return re.sub(r"\.0\b", "", text) == re.sub(r"\.0\b", "", other)


@pytest.mark.parametrize("line", SHEET, ids=lambda line: line["task_id"])
def test_only_a_key_that_is_at_fault_is_corrected(line: Row) -> None:
    published = TASKS[line["task_id"]]["key"]
    if line["effects"] == ["NEUTRAL"]:
        assert line["corrected_key"] == published
    elif line["corrected_key_kind"] is not None:
        assert line["corrected_key"] != published


def test_every_model_answers_every_task_once() -> None:
    models = {output["model"] for output in OUTPUTS}
    assert len(models) == 6
    assert all(model.startswith("sim-") for model in models)
    pairs = Counter((output["id"], output["model"]) for output in OUTPUTS)
    assert set(pairs.values()) == {1}
    assert len(pairs) == len(TASKS) * len(models)


def test_a_failed_request_has_no_grade_and_every_answer_has_one() -> None:
    for output in OUTPUTS:
        assert (output["passed"] is None) == (output["status"] == "error")
        assert output["reason"].endswith(".")
        assert (output["reason_code"] == "valid") == (output["passed"] is True)
    assert {output["status"] for output in OUTPUTS} == {"answer", "error"}


def test_skill_shows_in_the_scores() -> None:
    clean = {task["id"] for task in CLEAN}
    passed = Counter(o["model"] for o in OUTPUTS if o["passed"] and o["id"] in clean)
    assert list(dict.fromkeys(o["model"] for o in OUTPUTS)) == [m for m, _ in passed.most_common()]


def test_plan_is_complete() -> None:
    assert tomllib.loads((HERE / "plan.toml").read_text(encoding="utf-8")) == {
        "name": "toolshop",
        "size": 50,
        "widen_to": 100,
        "seed": "toolshop-2026",
        "stratify_by": "category",
    }
