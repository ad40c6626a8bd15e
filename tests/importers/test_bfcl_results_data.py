"""BFCL result and score trees on the real data: counts by the summaries of the score files."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from audit_app.importers.bfcl import parse_bfcl
from audit_app.importers.bodies import published_verdict
from audit_app.importers.registry import parse_outputs


def _published(scores: Path) -> Counter[tuple[str, bool]]:
    counts: Counter[tuple[str, bool]] = Counter()
    for path in scores.rglob("*_score.json"):
        if "format_sensitivity" not in path.name:
            summary = json.loads(path.read_text().split("\n", 1)[0])
            right, total = summary["correct_count"], summary["total_count"]
            model = path.relative_to(scores).parts[0]
            counts[model, True] += right
            counts[model, False] += total - right
    return counts


@pytest.mark.parametrize(
    ("fixture", "outputs", "errors"),
    [
        # 14 models by 1,390 tasks. Errors: 19 "Internal error" and 4 blocked answers of Gemini.
        pytest.param("bfcl_v1", 14 * 1390, 23, id="2024"),
        # 11,466 graded lines less the 260 of format sensitivity; 101 tracebacks, 2 of them there.
        pytest.param("bfcl_v4_results", 11_466 - 260, 101 - 2, id="v4"),
    ],
)
def test_every_published_grade_is_read(
    request: pytest.FixtureRequest, fixture: str, outputs: int, errors: int
) -> None:
    root: Path = request.getfixturevalue(fixture)
    parsed = parse_outputs("bfcl", root / "result", scores=root / "score")
    read = list(parsed.outputs)
    verdicts = Counter((o.model, published_verdict(o)) for o in read)
    assert verdicts == _published(root / "score")
    assert len(read) == outputs
    assert sum(o.status == "error" for o in read) == errors
    assert all((o.passed is None) == (o.status == "error") for o in read)
    assert parsed.rejected == []


def test_outputs_answer_the_entries_of_their_benchmark(
    bfcl_v4: Path, bfcl_v4_results: Path
) -> None:
    entries = {entry.id for _, entry in parse_bfcl(bfcl_v4).entries}
    outputs = parse_outputs("bfcl", bfcl_v4_results / "result").outputs
    assert {output.entry_id for output in outputs} == entries - _unanswered(
        entries, bfcl_v4_results
    )


def _unanswered(entries: set[str], root: Path) -> set[str]:
    answered = set()
    for path in (root / "result").rglob("BFCL_v4_*_result.json"):
        answered |= {json.loads(line)["id"] for line in path.read_text().splitlines()}
    return entries - answered


def test_failures_of_2024_are_those_of_the_outcome_table(bfcl_v1: Path) -> None:
    models = {path.name for path in (bfcl_v1 / "result").iterdir()}
    table = (bfcl_v1 / "outcomes_all71_failures.jsonl").read_text().splitlines()
    listed = {
        (row["model"], row["task"], row["error_type"])
        for row in map(json.loads, table)
        if row["model"] in models
    }
    outputs = parse_outputs("bfcl", bfcl_v1 / "result", scores=bfcl_v1 / "score").outputs
    failed = {(o.model, o.entry_id, o.reason_code) for o in outputs if not published_verdict(o)}
    assert failed == listed


def test_a_table_of_failures_is_completed_with_passes(bfcl_v1: Path) -> None:
    entries = [entry.id for _, entry in parse_bfcl(bfcl_v1 / "data").entries]
    path = bfcl_v1 / "outcomes_all71_failures.jsonl"
    parsed = parse_outputs("table", path, columns={"absent": "passed"}, entries=entries)
    passed = Counter(output.model for output in parsed.outputs if output.passed)
    models = json.loads((bfcl_v1 / "models.json").read_text())
    assert {m: round(n / 1390, 4) for m, n in passed.items()} == {
        m: row["accuracy_v1_1390"] for m, row in models.items()
    }
    assert parsed.rejected == []
    assert parsed.absent_passed
