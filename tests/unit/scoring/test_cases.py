from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_app.errors import InputError
from audit_app.scoring.cases import grade_case

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "data" / "bfcl_checker_cases.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["case_id"]))
def test_outcome_is_that_of_the_public_checker(case: dict[str, Any]) -> None:
    result = grade_case(case)
    if case.get("needs_backend") and result.verdict == "skipped":
        assert result.agrees is None
        return
    assert result.verdict == case["expected"]
    if case["expected"] != "valid":
        assert result.reason_code == case["error_type"]
    assert result.agrees
    assert result.reason.endswith(".")


def test_a_wrong_expectation_disagrees() -> None:
    case = {**CASES[0], "expected": "invalid", "error_type": "value_error:string"}
    assert grade_case(case).agrees is False


def test_without_an_expectation_nothing_agrees_or_disagrees() -> None:
    case = {k: v for k, v in CASES[0].items() if k not in ("expected", "error_type")}
    assert grade_case(case).agrees is None


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param({"output_kind": "telepathy"}, "telepathy", id="unknown kind"),
        pytest.param({"language": "cobol"}, "cobol", id="unknown language"),
        pytest.param({"rules": "v9"}, "v9", id="unknown rules"),
        pytest.param({"output_kind": "prompt", "return_format": "yaml"}, "yaml", id="format"),
    ],
)
def test_unknown_words_are_named(change: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        grade_case({**CASES[0], **change})


def test_missing_field_is_named() -> None:
    with pytest.raises(InputError, match="output_kind"):
        grade_case({"case_id": "x", "category": "simple_python", "output": []})


STORED = {
    "case_id": "a/1",
    "task_id": "a",
    "category": "sums",
    "output_kind": "stored",
    "scorer": "numeric",
    "key_kind": "value",
    "key": ["4"],
    "output": "4.0",
    "expected": "valid",
}


@pytest.mark.parametrize(
    ("change", "verdict"),
    [
        pytest.param({}, "valid", id="numeric"),
        pytest.param({"scorer": "exact"}, "invalid", id="exact"),
        pytest.param(
            {"scorer": "multiple_choice", "choices": ["3", "4"], "key": "B", "output": "4"},
            "valid",
            id="choices of the task",
        ),
        pytest.param(
            {"scorer": "bfcl-irrelevance", "key_kind": "no_call", "key": None, "output": "No."},
            "valid",
            id="no key",
        ),
        pytest.param(
            {
                "scorer": "bfcl-multi-turn",
                "key_kind": "call_turns",
                "key": [["ls()"]],
                "output": [["[ls()]"]],
                "involved_classes": ["GorillaFileSystem"],
            },
            "skipped",
            id="simulators are absent",
        ),
        pytest.param(
            {"scorer": "bfcl-agentic", "key_kind": "texts", "output": [["It is 4."]]},
            "valid",
            id="final message",
        ),
    ],
)
def test_stored_outputs_are_graded_by_the_scorer_that_is_named(
    change: dict[str, Any], verdict: str
) -> None:
    result = grade_case({**STORED, **change})
    assert result.verdict == verdict
    assert result.agrees is (None if verdict == "skipped" else verdict == "valid")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param({"scorer": "oracle"}, "unknown scorer 'oracle'", id="scorer"),
        pytest.param({"scorer": None}, "unknown scorer None", id="no scorer"),
        pytest.param({"key_kind": "riddle"}, "unknown key_kind 'riddle'", id="kind of key"),
        pytest.param({"form": "smoke"}, "smoke", id="form"),
    ],
)
def test_a_stored_output_needs_scorer_and_kind_of_key(change: dict[str, Any], words: str) -> None:
    if "form" in change:
        change |= {"scorer": "bfcl-ast", "key_kind": "calls", "key": [{"f": {}}]}
    with pytest.raises(InputError, match=words):
        grade_case({**STORED, **change})
