"""The table importer for outputs: lazily read, grades as published, errors never graded."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.benchmark import Output, OutputStatus
from audit_app.errors import InputError
from audit_app.importers.registry import parse_outputs
from audit_app.importers.report import RejectedRow


def _read(path: Path, content: str, **columns: str) -> tuple[list[Output], list[RejectedRow]]:
    path.write_text(content, encoding="utf-8", newline="")
    parsed = parse_outputs("table", path, columns=columns)
    return list(parsed.outputs), parsed.rejected


def test_a_full_row_becomes_an_output(tmp_path: Path) -> None:
    record = {
        "id": "simple_7",
        "model": "org/model",
        "output": [{"f": '{"n": 1}'}],
        "trial": 2,
        "status": "answer",
        "passed": False,
        "reason_code": "value",
        "reason": "n is 1, not 2",
    }
    assert _read(tmp_path / "o.jsonl", json.dumps(record)) == (
        [
            Output(
                entry_id="simple_7",
                model="org/model",
                body=[{"f": '{"n": 1}'}],
                trial=2,
                passed=False,
                reason_code="value",
                reason="n is 1, not 2",
            )
        ],
        [],
    )


def test_a_table_of_outcomes_is_enough(tmp_path: Path) -> None:
    outputs, rejected = _read(tmp_path / "o.csv", "model,task,passed\nm,007,1\nm,8,0\n")
    assert [(o.entry_id, o.passed, o.body) for o in outputs] == [
        ("007", True, None),
        ("8", False, None),
    ]
    assert rejected == []


def test_csv_outputs_stay_text(tmp_path: Path) -> None:
    content = 'id,model,output\n1,m,"[f(x=1), ""a""]"\n2,m,\n3,m,NA\n'
    outputs, _ = _read(tmp_path / "o.csv", content)
    assert [o.body for o in outputs] == ['[f(x=1), "a"]', "", "NA"]


@pytest.mark.parametrize(
    ("outcome", "passed"),
    [(True, True), (1, True), (1.0, True), ("True", True), (0, False), ("0", False), (None, None)],
)
def test_outcomes_in_every_spelling(tmp_path: Path, outcome: Any, passed: bool | None) -> None:
    row = {"id": "a", "model": "m", "right": outcome}
    (output,), _ = _read(tmp_path / "o.jsonl", json.dumps(row), score="right")
    assert output.passed is passed


def test_an_error_has_no_grade(tmp_path: Path) -> None:
    (output,), _ = _read(tmp_path / "o.csv", "id,model,status,passed\na,m,error,0\n")
    assert (output.status, output.passed) == (OutputStatus.ERROR, None)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        pytest.param(
            {"id": "a", "model": "m"}, "a second output of 'm' for 'a' in trial 1", id="duplicate"
        ),
        pytest.param({"id": "x", "model": ""}, "the row has no model", id="no model"),
        pytest.param({"model": "m"}, "the row has no id", id="no id"),
        pytest.param(
            {"id": "x", "model": "m", "passed": 0.5},
            "the outcome 0.5 is neither true or 1 nor false or 0",
            id="half passed",
        ),
        pytest.param(
            {"id": "x", "model": "m", "trial": 0},
            "the trial 0 is not a whole number from 1",
            id="trial 0",
        ),
        pytest.param(
            {"id": "x", "model": "m", "trial": "²"},
            'the trial "²" is not a whole number from 1',
            id="trial in superscript",
        ),
        pytest.param(
            {"id": "x", "model": "m", "status": "late"},
            'the status "late" is not answer or error',
            id="status",
        ),
        pytest.param(
            {"id": "x", "model": "m", "status": ["error"]},
            'the status ["error"] is not answer or error',
            id="status in a list",
        ),
        pytest.param(
            {"id": "x", "model": "m", "status": "error", "passed": 1},
            "the status is error, but the row says that it passed",
            id="error that passed",
        ),
    ],
)
def test_a_bad_row_costs_that_row(tmp_path: Path, row: dict[str, Any], reason: str) -> None:
    rows = [{"id": "a", "model": "m"}, row, {"id": "a", "model": "m", "trial": 2}]
    outputs, rejected = _read(tmp_path / "o.jsonl", "\n".join(map(json.dumps, rows)))
    assert [o.trial for o in outputs] == [1, 2]
    assert rejected == [RejectedRow("o.jsonl", 2, reason)]


def test_outputs_are_read_while_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "o.csv"
    path.write_text("id,model\n" + "".join(f"{i},m\n" for i in range(5_000)) + "0,m\n")
    parsed = parse_outputs("table", path)
    assert next(parsed.outputs).entry_id == "0"
    assert parsed.rejected == []
    assert sum(1 for _ in parsed.outputs) == 4_999
    assert [row.line for row in parsed.rejected] == [5_002]


def test_a_file_without_models_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "o.csv"
    path.write_text("id,passed\na,1\n")
    with pytest.raises(InputError, match="no column for 'model'"):
        parse_outputs("table", path)


def test_outputs_of_an_unknown_format_are_refused(tmp_path: Path) -> None:
    known = "known are bfcl, table, lm-eval, inspect, promptfoo"
    with pytest.raises(InputError, match=f"'xml' is not a format for outputs; {known}"):
        parse_outputs("xml", tmp_path)
