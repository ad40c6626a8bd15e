"""The bfcl importer on the real data: counts and weights by another route, and speed of shape."""

from __future__ import annotations

import json
import zipfile
from collections import Counter
from pathlib import Path

import pytest

from audit_app.domain.benchmark import KeyKind, encode
from audit_app.importers.bfcl import parse_bfcl
from audit_app.importers.report import ParsedBenchmark


@pytest.fixture(scope="module")
def parsed(bfcl_v4: Path) -> ParsedBenchmark:
    return parse_bfcl(bfcl_v4)


def _records(path: Path) -> list[dict[str, object]]:
    text = path.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _question_files(folder: Path) -> dict[str, Path]:
    named = {path.stem.removeprefix("BFCL_v4_"): path for path in folder.glob("BFCL_v4_*.json")}
    return {name: path for name, path in named.items() if name != "format_sensitivity"}


def test_every_question_is_a_task(parsed: ParsedBenchmark, bfcl_v4: Path) -> None:
    expected = {name: len(_records(path)) for name, path in _question_files(bfcl_v4).items()}
    assert len(expected) == 19
    assert Counter(task.category for task in parsed.tasks) == expected
    assert parsed.rejected == []


def test_entries_are_what_the_benchmark_scores(parsed: ParsedBenchmark, bfcl_v4: Path) -> None:
    sizes = {name: len(_records(path)) for name, path in _question_files(bfcl_v4).items()}
    scored = sum(sizes.values()) + 2 * sizes["memory"] + sizes["web_search"]
    assert len(parsed.entries) == scored == 5106
    assert len({entry.id for _, entry in parsed.entries}) == scored
    weighted = [entry for _, entry in parsed.entries if entry.weight]
    assert len(weighted) == scored - sizes["live_relevance"] == 5090


def test_weights_share_out_100_points_by_section(parsed: ParsedBenchmark) -> None:
    group = {task.id: task.group for task in parsed.tasks}
    points: Counter[str] = Counter()
    for task_id, entry in parsed.entries:
        points[group[task_id]] += entry.weight or 0  # type: ignore[assignment]
    assert points == pytest.approx(
        {
            "non_live_ast": 10,
            "live_ast": 10,
            "irrelevance": 10,
            "multi_turn": 30,
            "memory": 20,
            "web_search": 20,
            "live_relevance": 0,
        }
    )


@pytest.mark.parametrize(
    ("entry_id", "points"),
    [
        # The rounded figures of the benchmark's own rules, to four places.
        pytest.param("simple_python_0", 0.0021, id="python"),
        pytest.param("simple_java_0", 0.0083, id="java"),
        pytest.param("simple_javascript_0", 0.0167, id="javascript"),
        pytest.param("parallel_multiple_0", 0.0125, id="parallel multiple"),
        pytest.param("live_parallel_0-0-0", 0.0074, id="live"),
        pytest.param("irrelevance_0", 0.0208, id="irrelevance"),
        pytest.param("live_irrelevance_0-0-0", 0.0057, id="live irrelevance"),
        pytest.param("multi_turn_base_0", 0.0375, id="multi-turn"),
        pytest.param("memory_rec_sum_0-customer-0", 0.0430, id="memory"),
        pytest.param("web_search_no_snippet_0", 0.1, id="web search"),
    ],
)
def test_weight_of_one_entry(parsed: ParsedBenchmark, entry_id: str, points: float) -> None:
    weights = {entry.id: entry.weight for _, entry in parsed.entries}
    assert weights[entry_id] == pytest.approx(points, abs=5e-5)


def test_nothing_of_a_record_is_lost(parsed: ParsedBenchmark, bfcl_v4: Path) -> None:
    questions, keys = {}, {}
    for path in _question_files(bfcl_v4).values():
        questions.update({record["id"]: record for record in _records(path)})
    for path in (bfcl_v4 / "possible_answer").glob("*.json"):
        keys.update({record["id"]: record for record in _records(path)})
    for task in parsed.tasks:
        question, key = questions[task.id], keys.get(task.id, {})
        turns = [[{"role": m.role, "content": m.content} for m in turn] for turn in task.turns]
        assert turns == question.pop("question")
        assert list(task.tools) == question.pop("function", [])
        assert task.key == key.get("ground_truth")
        rest = {**question, **{k: v for k, v in key.items() if k != "ground_truth"}}
        assert {"id": task.id, **task.context} == rest


def test_shared_documents_are_all_there(parsed: ParsedBenchmark, bfcl_v4: Path) -> None:
    bodies = {document.id: document.body for document in parsed.documents}
    assert sum(name.startswith("conversation/") for name in bodies) == 5
    assert sum(name.startswith("tools/") for name in bodies) == 12
    raw = [
        _records(path)
        for folder in ("multi_turn_func_doc", "memory_prereq_conversation")
        for path in (bfcl_v4 / folder).glob("*.json")
    ]
    assert sorted(map(json.dumps, raw)) == sorted(map(json.dumps, bodies.values()))
    kinds = {task.category: task.key_kind for task in parsed.tasks}
    assert Counter(kinds.values()) == {
        KeyKind.CALLS: 10,
        KeyKind.NO_CALL: 2,
        KeyKind.SOME_CALL: 1,
        KeyKind.CALL_TURNS: 4,
        KeyKind.TEXTS: 2,
    }


def test_the_package_gives_the_same_as_the_folder(
    parsed: ParsedBenchmark, bfcl_v4: Path, tmp_path: Path
) -> None:
    path = tmp_path / "bfcl_eval-0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as wheel:
        wheel.writestr("bfcl_eval/__init__.py", "")
        for file in bfcl_v4.rglob("*"):
            if file.is_file():
                wheel.write(file, f"bfcl_eval/data/{file.relative_to(bfcl_v4).as_posix()}")
    other = parse_bfcl(path)
    assert encode(other.tasks) == encode(parsed.tasks)
    assert encode(other.entries) == encode(parsed.entries)
    assert encode(other.documents) == encode(parsed.documents)
    assert other.rejected == []
