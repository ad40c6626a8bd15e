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
