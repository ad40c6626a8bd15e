"""Tables of failures: what is absent has passed, but only where every row was read."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_app.errors import InputError
from audit_app.importers.registry import parse_outputs
from audit_app.importers.report import RejectedRow

ENTRIES = ["a", "b", "c"]
Outcomes = dict[tuple[str, str, int], bool | None]


def _read(path: Path, content: str) -> tuple[Outcomes, list[RejectedRow]]:
    path.write_text(content)
    parsed = parse_outputs("table", path, columns={"absent": "passed"}, entries=ENTRIES)
    outputs = list(parsed.outputs)
    outcomes = {(o.model, o.entry_id, o.trial): o.passed for o in outputs}
    assert len(outcomes) == len(outputs)
    assert all(output.body is None for output in outputs)
    return outcomes, parsed.rejected


def test_rows_failed_and_what_is_absent_passed(tmp_path: Path) -> None:
    outcomes, rejected = _read(tmp_path / "t.csv", "model,task,error_type\nm,b,v\nn,a,v\nn,c,v\n")
    assert outcomes == {
        **{("m", "a", 1): True, ("m", "b", 1): False, ("m", "c", 1): True},
        **{("n", "a", 1): False, ("n", "b", 1): True, ("n", "c", 1): False},
    }
    assert rejected == []


def test_each_trial_is_completed(tmp_path: Path) -> None:
    outcomes, _ = _read(tmp_path / "t.csv", "model,task,trial\nm,a,1\nm,a,2\nm,b,2\n")
    assert [key[1] for key, passed in outcomes.items() if passed and key[2] == 1] == ["b", "c"]
    assert [key[1] for key, passed in outcomes.items() if passed and key[2] == 2] == ["c"]


def test_a_column_of_outcomes_still_speaks_and_an_error_is_no_failure(tmp_path: Path) -> None:
    rows = "model,task,passed,status\nm,a,1,answer\nm,b,0,error\n"
    outcomes, _ = _read(tmp_path / "t.csv", rows)
    assert outcomes == {("m", "a", 1): True, ("m", "b", 1): None, ("m", "c", 1): True}


def test_nothing_is_taken_as_passed_when_a_row_could_not_be_read(tmp_path: Path) -> None:
    outcomes, rejected = _read(tmp_path / "t.jsonl", '{"model": "m", "task": "a"}\n{"model": "m",')
    assert outcomes == {("m", "a", 1): False}
    assert rejected[1:] == [
        RejectedRow(
            "t.jsonl", 0, "1 rows could not be read, so that what is absent is not taken as passed"
        )
    ]


def test_a_repeated_row_costs_nothing_else(tmp_path: Path) -> None:
    outcomes, rejected = _read(tmp_path / "t.csv", "model,task\nm,a\nm,a\n")
    assert outcomes == {("m", "a", 1): False, ("m", "b", 1): True, ("m", "c", 1): True}
    assert [row.line for row in rejected] == [3]


@pytest.mark.parametrize(
    ("columns", "entries", "message"),
    [
        ({"absent": "failed"}, ENTRIES, "absent=failed is not known; write absent=passed"),
        ({"absent": "passed"}, None, "needs the benchmark that the table belongs to"),
    ],
)
def test_what_cannot_be_completed_is_refused(
    tmp_path: Path, columns: dict[str, str], entries: list[str] | None, message: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_text("model,task\nm,a\n")
    with pytest.raises(InputError, match=message):
        parse_outputs("table", path, columns=columns, entries=entries)
