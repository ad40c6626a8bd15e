"""Bad result and score files: named with file and line, and no grade is made up."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_app.importers.report import RejectedRow
from tests.importers.bfcl_folder import lines
from tests.importers.bfcl_trees import PYTHON, failure, grades, read, result, results, score

RESULT, SCORE = f"{PYTHON}_result.json", f"{PYTHON}_score.json"
KEPT = "; outputs that it does not list keep no published grade"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        pytest.param(b'{"id": "simple_python_1", "res', "breaks off before its end", id="half"),
        pytest.param(b'{"id": "simple_python_1", "result": "\xff"}', "not valid UTF-8", id="bytes"),
        pytest.param(b'["simple_python_1"]', "a list, not an object", id="list"),
        pytest.param(b'{"id": "simple_python_1"}', "the record has no result", id="no result"),
        pytest.param(b'{"id": 1, "result": ""}', "the id is a number, not text", id="number"),
        pytest.param(
            lines(result("multiple_1", "")), "'multiple_1' is not one of simple_python", id="other"
        ),
        pytest.param(
            lines(result("simple_python_0", "")),
            "a second output for 'simple_python_0'; the first is in 1",
            id="duplicate",
        ),
        pytest.param(
            b'{"id": "simple_python_1", "result": ' + b"[" * 300 + b"]" * 300 + b"}",
            "nested more than 200 levels deep",
            id="deep",
        ),
        pytest.param(
            b'{"id": "simple_python_1", "result": ' + b"[" * 90_000 + b"]" * 90_000 + b"}",
            "nested too deeply",
            id="deeper",
        ),
        pytest.param(
            b'{"id": "simple_python_1", "x": "' + b"x" * 20_000_000 + b'", "result": ""}',
            "longer than 20 MB",
            id="long",
        ),
    ],
)
def test_a_bad_line_costs_that_line(tmp_path: Path, line: bytes, reason: str) -> None:
    good = [lines(result(f"simple_python_{i}", "")) for i in (0, 2)]
    outputs, rejected, _ = read(tmp_path, {RESULT: b"\n".join([good[0], line, good[1]])})
    assert [o.entry_id for o in outputs] == ["simple_python_0", "simple_python_2"]
    assert [(row.source, row.line) for row in rejected] == [(RESULT, 2)]
    assert reason in rejected[0].reason


def test_an_output_of_10_mb_is_kept(tmp_path: Path) -> None:
    body = "x" * 10_000_000
    (output,), rejected, _ = read(tmp_path, {RESULT: lines(result("simple_python_0", body))})
    assert output.body == body
    assert rejected == []


def test_a_bad_file_costs_that_file(tmp_path: Path) -> None:
    files = {
        RESULT: results(1),
        "m/non_live/BFCL_v4_multiple_result.json": b"",
        "m/non_live/BFCL_v4_parallel_result.json": "{}".encode("utf-16"),
        "m/non_live/BFCL_v4_simple_cobol_result.json": b"{}",
    }
    outputs, rejected, _ = read(tmp_path, files)
    assert [o.entry_id for o in outputs] == ["simple_python_0"]
    assert {row.source.rsplit("/", 1)[1]: row.reason for row in rejected} == {
        "BFCL_v4_simple_cobol_result.json": "'simple_cobol' is not a category of BFCL v4",
        "BFCL_v4_multiple_result.json": "is empty",
        "BFCL_v4_parallel_result.json": "is UTF-16 or UTF-32 text; save it as UTF-8",
    }


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        pytest.param(
            score(3, failure("simple_python_1"), right=1),
            f"lists 1 failures where its summary counts 2{KEPT}",
            id="half a file",
        ),
        pytest.param(
            lines(failure("simple_python_1")), f"has no summary line{KEPT}", id="no summary"
        ),
        pytest.param(
            score(2, failure("simple_python_1")),
            f"counts 2 graded outputs, but there are 3 results{KEPT}",
            id="results came after grading",
        ),
    ],
)
def test_passes_are_not_inferred_from_a_score_file_that_may_lack_some(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    outputs, rejected, _ = read(tmp_path, {RESULT: results(3)}, {SCORE: content})
    assert grades(outputs) == {
        "simple_python_0": None,
        "simple_python_1": False,
        "simple_python_2": None,
    }
    assert rejected == [RejectedRow(SCORE, 1, reason)]


def test_a_broken_score_line_is_named_and_passes_are_not_inferred(tmp_path: Path) -> None:
    content = score(3, right=2) + b'\n{"id": "simple_'
    outputs, rejected, _ = read(tmp_path, {RESULT: results(3)}, {SCORE: content})
    assert set(grades(outputs).values()) == {None}
    assert [(row.source, row.line) for row in rejected] == [(SCORE, 2), (SCORE, 1)]


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity"])
def test_a_failure_is_read_though_its_output_holds_no_number(tmp_path: Path, number: str) -> None:
    shown = f'got "{number}" \\\\'
    line = lines(failure("simple_python_1", error=[shown], model_result_decoded=[{"f": {"a": 1}}]))
    line = line.replace(b'"a": 1', b'"a": ' + number.encode())
    assert line.count(number.encode()) == 2
    outputs, rejected, _ = read(
        tmp_path, {RESULT: results(3)}, {SCORE: score(3, right=2) + b"\n" + line}
    )
    assert grades(outputs) == {
        "simple_python_0": True,
        "simple_python_1": False,
        "simple_python_2": True,
    }
    assert outputs[1].reason == shown
    assert rejected == []


def test_missing_outputs_are_counted_and_the_others_graded(tmp_path: Path) -> None:
    content = score(4, failure("simple_python_1"), failure("simple_python_3"))
    outputs, rejected, _ = read(tmp_path, {RESULT: results(3)}, {SCORE: content})
    assert list(grades(outputs).values()) == [True, False, True]
    assert [(row.line, row.reason) for row in rejected] == [
        (3, "the failure of 'simple_python_3' has no output in the results"),
        (1, "counts 4 graded outputs, but only 3 of them are here"),
    ]


def test_an_output_for_no_task_does_not_cost_the_others_their_grades(tmp_path: Path) -> None:
    known = ["simple_python_0", "simple_python_1"]
    outputs, rejected, _ = read(
        tmp_path,
        {RESULT: results(3)},
        {SCORE: score(2, failure("simple_python_1"))},
        entries=known,
    )
    assert {id_: grades(outputs)[id_] for id_ in known} == {
        "simple_python_0": True,
        "simple_python_1": False,
    }
    assert rejected == []


def test_scores_without_results_are_named_for_the_models_that_have_some(tmp_path: Path) -> None:
    scores = {
        SCORE: score(1),
        "m/non_live/BFCL_v4_multiple_score.json": score(1),
        "other/non_live/BFCL_v4_simple_python_score.json": score(1),
    }
    _, rejected, ignored = read(tmp_path, {RESULT: results(1)}, scores)
    assert rejected == [
        RejectedRow(
            "m/non_live/BFCL_v4_multiple_score.json", 0, "there are no results of m for multiple"
        )
    ]
    assert ignored == ["other/non_live/BFCL_v4_simple_python_score.json"]
