"""BFCL result and score trees: where models, outputs and published grades come from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.benchmark import Output, OutputStatus
from audit_app.errors import InputError
from audit_app.importers.bodies import published_verdict
from audit_app.importers.registry import parse_outputs
from tests.importers.bfcl_folder import lines, write_folder, write_zip
from tests.importers.bfcl_trees import (
    PYTHON,
    failure,
    grades,
    read,
    result,
    results,
    score,
)

V1 = "gorilla_openfunctions_v1_test_"


def test_an_output_holds_the_result_and_nothing_else(tmp_path: Path) -> None:
    line = result(
        "simple_python_0", [{"f": '{"a": 1}'}], inference_log=["long"], input_token_count=9
    )
    outputs, rejected, _ = read(tmp_path, {f"{PYTHON}_result.json": lines(line)})
    assert outputs == [Output(entry_id="simple_python_0", model="m", body=[{"f": '{"a": 1}'}])]
    assert rejected == []


def test_what_a_score_file_does_not_list_has_passed(tmp_path: Path) -> None:
    outputs, rejected, _ = read(
        tmp_path,
        {f"{PYTHON}_result.json": results(3)},
        {f"{PYTHON}_score.json": score(3, failure("simple_python_1"))},
    )
    assert grades(outputs) == {
        "simple_python_0": True,
        "simple_python_1": False,
        "simple_python_2": True,
    }
    assert (outputs[1].reason_code, outputs[1].reason) == ("value_error:others", "It is wrong.")
    assert rejected == []


def test_a_category_without_a_score_file_has_no_grades(tmp_path: Path) -> None:
    files = {
        f"{PYTHON}_result.json": results(1),
        "m/non_live/BFCL_v4_irrelevance_result.json": lines(result("irrelevance_0", "No.")),
    }
    outputs, _, _ = read(tmp_path, files, {f"{PYTHON}_score.json": score(1)})
    assert grades(outputs) == {"irrelevance_0": None, "simple_python_0": True}


@pytest.mark.parametrize(
    ("error", "code", "reason"),
    [
        pytest.param(
            {"error": ["Wrong number of functions."], "error_type": "a:wrong_count"},
            "a:wrong_count",
            "Wrong number of functions.",
            id="single-turn",
        ),
        pytest.param(
            {
                "error": [
                    "No match.",
                    {"Model Result Index 1": {"sub_error": ["Bad a."], "sub_error_type": "v"}},
                ],
                "error_type": "p:cannot_find_match",
            },
            "p:cannot_find_match",
            "No match. Model Result Index 1: Bad a.",
            id="parallel",
        ),
        pytest.param(
            {"error": {"error_message": "State.", "error_type": "multi_turn:x", "details": {}}},
            "multi_turn:x",
            "State.",
            id="multi-turn",
        ),
        pytest.param(
            {"error": {"error_message": ["Early."], "error_type": "agentic:y"}},
            "agentic:y",
            "Early.",
            id="early failure",
        ),
    ],
)
def test_reasons_of_every_form(
    tmp_path: Path, error: dict[str, Any], code: str, reason: str
) -> None:
    line = {"id": "simple_python_0", "valid": False, **error}
    (output,), rejected, _ = read(
        tmp_path, {f"{PYTHON}_result.json": results(1)}, {f"{PYTHON}_score.json": score(1, line)}
    )
    assert (output.passed, output.reason_code, output.reason) == (False, code, reason)
    assert rejected == []


def test_nested_results_stay_nested_and_memory_lies_deeper(tmp_path: Path) -> None:
    turns = [[[{"f": "{}"}], "Done."], ["Bye."]]
    folder = "org_m-FC/agentic/memory/kv"
    files = {
        "org_m-FC/multi_turn/BFCL_v4_multi_turn_base_result.json": lines(
            result("multi_turn_base_4", turns)
        ),
        f"{folder}/BFCL_v4_memory_kv_result.json": lines(
            result("memory_kv_3-customer-3", [["Lund"]])
        ),
        f"{folder}/BFCL_v4_memory_kv_prereq_result.json": lines(
            result("memory_kv_prereq_0-customer-0", [["Hi"]])
        ),
        f"{folder}/memory_snapshot/customer_final.json": b"{}",
        "org_m-FC/format_sensitivity/BFCL_v4_format_sensitivity_result.json": lines(
            result("format_sensitivity_0:x:simple_python_0", "[]")
        ),
    }
    outputs, rejected, ignored = read(tmp_path, files)
    assert [(o.entry_id, o.model, o.body) for o in outputs] == [
        ("memory_kv_3-customer-3", "org_m-FC", [["Lund"]]),
        ("multi_turn_base_4", "org_m-FC", turns),
    ]
    assert rejected == []
    assert ignored == [
        f"{folder}/BFCL_v4_memory_kv_prereq_result.json",
        "org_m-FC/format_sensitivity/BFCL_v4_format_sensitivity_result.json",
    ]


@pytest.mark.parametrize("below", ["", "m", "m/non_live"])
def test_the_model_is_named_wherever_the_tree_is_entered(tmp_path: Path, below: str) -> None:
    write_folder(tmp_path / "result", {f"{PYTHON}_result.json": results(1)})
    (output,) = parse_outputs("bfcl", tmp_path / "result" / below).outputs
    assert output.model == "m"


def test_a_tree_is_found_far_below(tmp_path: Path) -> None:
    file = "runs/2026/result/m/agentic/memory/kv/BFCL_v4_memory_kv_result.json"
    (output,), rejected, _ = read(tmp_path, {file: lines(result("memory_kv_3-customer-3", []))})
    assert (output.model, rejected) == ("m", [])


def test_a_tree_may_come_as_a_zip(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "r.zip", {f"result/{PYTHON}_result.json": results(2)})
    outputs = list(parse_outputs("bfcl", path).outputs)
    assert [(o.model, o.entry_id) for o in outputs] == [
        ("m", "simple_python_0"),
        ("m", "simple_python_1"),
    ]


@pytest.mark.parametrize("prefix", ["", V1])
def test_failures_of_2024_are_joined_by_the_id_of_their_task(tmp_path: Path, prefix: str) -> None:
    body = lines(*(result(f"simple_{i}", f"[f(a={i})]") for i in (2, 0, 1)))
    outputs, rejected, _ = read(
        tmp_path,
        {f"m/{V1}simple_result.json": body},
        {f"m/{prefix}simple_score.json": score(3, failure(1, prompt={"id": "simple_0"}))},
    )
    assert grades(outputs) == {"simple_0": False, "simple_1": True, "simple_2": True}
    assert rejected == []


def test_a_failure_of_2024_without_a_task_is_found_by_its_place_and_checked(tmp_path: Path) -> None:
    body = lines(*(result(f"relevance_{i}", [{"f": str(i)}]) for i in (5, 3, 4)))
    listed = {"valid": False, "error": ["A call."], "error_type": "relevance_error:x"}
    right = {"id": 2, **listed, "model_result": [{"f": "3"}]}
    wrong = {"id": 3, **listed, "model_result": [{"f": "elsewhere"}]}
    outputs, rejected, _ = read(
        tmp_path,
        {f"m/{V1}relevance_result.json": body},
        {"m/relevance_score.json": score(3, right, wrong)},
    )
    assert grades(outputs) == {"relevance_3": False, "relevance_4": None, "relevance_5": True}
    assert [(row.source, row.line) for row in rejected] == [("m/relevance_score.json", 3)]


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(result("x", "Error during inference: 429"), id="text"),
        pytest.param({"id": "x", "result": "Late.", "traceback": "Trace"}, id="traceback"),
        pytest.param(result("x", "Internal error occurred."), id="text of 2024"),
    ],
)
@pytest.mark.parametrize("passed", [True, False, None])
def test_a_failed_request_has_no_grade_but_keeps_the_published_one(
    tmp_path: Path, line: dict[str, Any], passed: bool | None
) -> None:
    failures = [] if passed else [failure("irrelevance_0", "irrelevance_error:x")]
    name = "m/non_live/BFCL_v4_irrelevance"
    (output,), rejected, _ = read(
        tmp_path,
        {f"{name}_result.json": lines({**line, "id": "irrelevance_0"})},
        None if passed is None else {f"{name}_score.json": score(1, *failures)},
    )
    assert (output.status, output.passed, output.body) == (
        OutputStatus.ERROR,
        None,
        line["result"],
    )
    assert published_verdict(output) is passed
    assert rejected == []


def test_nothing_to_read_is_said_plainly(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no BFCL result file"):
        parse_outputs("bfcl", write_folder(tmp_path / "r", {"m/notes.json": b"{}"}))
    folder = write_folder(tmp_path / "result", {f"{PYTHON}_result.json": results(1)})
    with pytest.raises(InputError, match="holds no BFCL score file"):
        parse_outputs("bfcl", folder, scores=folder)


def test_only_bfcl_takes_a_folder_of_scores(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="table holds its grades itself"):
        parse_outputs("table", tmp_path, scores=tmp_path)
