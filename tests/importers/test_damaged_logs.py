"""The law that a damaged log or tree raises nothing but AuditError, and costs only what it must.

Two kinds of damage: bytes overwritten or cut, and a value somewhere in sound JSON replaced by a
value of another shape.
"""

from __future__ import annotations

import copy
import json
import zipfile
from contextlib import suppress
from io import BytesIO
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit_app.domain.benchmark import encode
from audit_app.errors import AuditError
from audit_app.importers.registry import parse_benchmark, parse_outputs
from tests.importers.bfcl_folder import lines, write_folder
from tests.importers.bfcl_trees import failure, result, score

QUICK = settings(
    max_examples=80,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=4,
)
SAMPLES = [
    {
        "doc_id": 0,
        "doc": {"q": "Sky?"},
        "target": "1",
        "arguments": {f"gen_args_{i}": {"arg_0": "Sky?", "arg_1": c} for i, c in enumerate("ab")},
        "resps": [[["-3", "False"]], [["-1", "True"]]],
        "filtered_resps": [["-3", "False"], ["-1", "True"]],
        "filter": "none",
        "metrics": ["acc"],
        "acc": 1.0,
    },
    {"doc_id": 1, "arguments": [["Q?", {}]], "resps": [["A"]], "filtered_resps": ["A"]},
]
LOG: dict[str, Any] = {
    "version": 2,
    "eval": {"task": "t", "model": "m", "scorers": [{"name": "match"}]},
    "samples": [
        {
            "id": 1,
            "epoch": 1,
            "input": [{"role": "user", "content": "Q?"}],
            "choices": ["A", "B"],
            "target": ["A"],
            "output": {"completion": "", "choices": [{"message": {"tool_calls": [1]}}]},
            "scores": {"match": {"value": "C", "answer": "A", "explanation": "Yes."}},
            "metadata": {"level": 1},
            "error": {"message": "late"},
        }
    ],
}
RESULTS = {
    "results": {
        "version": 3,
        "results": [
            {
                "testIdx": 0,
                "provider": {"id": "m"},
                "prompt": {"raw": "Q?"},
                "testCase": {"assert": [{"type": "equals", "value": "A"}], "metadata": {"a": 1}},
                "response": {"output": "A"},
                "success": True,
                "failureReason": 0,
                "gradingResult": {"componentResults": [{"pass": False, "assertion": {}}]},
            }
        ],
    }
}
TABLE = {
    "results": {
        "version": 2,
        "table": {
            "head": {"prompts": [{"provider": "m", "raw": "Q?"}], "vars": ["a"]},
            "body": [{"outputs": [{"pass": True, "text": "A"}], "vars": ["1"], "test": {}}],
        },
    }
}


def _paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The place of every value inside a value."""
    inner: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        inner = list(value.items())
    elif isinstance(value, list):
        inner = list(enumerate(value))
    return [path, *(found for key, item in inner for found in _paths(item, (*path, key)))]


def _replaced(value: Any, path: tuple[Any, ...], by: Any) -> Any:
    if not path:
        return by
    changed = copy.deepcopy(value)
    holder = changed
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = by
    return changed


@st.composite
def damaged(draw: st.DrawFn, sound: Any) -> Any:
    """The value with one value in it replaced."""
    return _replaced(sound, draw(st.sampled_from(_paths(sound))), draw(VALUES))


def _read(format_id: str, path: Path, scores: Path | None = None) -> None:
    with suppress(AuditError):
        parse_benchmark(format_id, path)
    with suppress(AuditError):
        for output in parse_outputs(format_id, path, scores=scores).outputs:
            encode(output)


@QUICK
@given(samples=damaged(SAMPLES))
def test_lm_eval(tmp_path: Path, samples: Any) -> None:
    rows = samples if isinstance(samples, list) else [samples]
    path = tmp_path / "samples_t.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    _read("lm-eval", path)


@QUICK
@given(log=damaged(LOG))
def test_inspect_json(tmp_path: Path, log: Any) -> None:
    path = tmp_path / "log.json"
    path.write_text(json.dumps(log))
    _read("inspect", path)


@QUICK
@given(at=st.floats(0, 1), content=st.binary(min_size=1, max_size=8), cut=st.booleans())
def test_inspect_archive(tmp_path: Path, at: float, content: bytes, cut: bool) -> None:
    memory = BytesIO()
    (sample,) = LOG["samples"]
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(LOG))
        archive.writestr("summaries.json", json.dumps([sample]))
        archive.writestr("samples/1_epoch_1.json", json.dumps(sample))
    data = memory.getvalue()
    position = int(at * len(data))
    path = tmp_path / "log.eval"
    path.write_bytes(data[:position] + content + (b"" if cut else data[position + len(content) :]))
    _read("inspect", path)


@QUICK
@given(document=damaged(RESULTS) | damaged(TABLE))
def test_promptfoo(tmp_path: Path, document: Any) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps(document))
    _read("promptfoo", path)


@QUICK
@given(
    rows=damaged([result("irrelevance_0", "No."), result("irrelevance_1", [{"f": "{}"}])]),
    graded=damaged([{"correct_count": 1, "total_count": 2}, failure("irrelevance_1")])
    | damaged(
        [{"correct_count": 1, "total_count": 2}, {**failure(2), "model_result": [{"f": "{}"}]}]
    ),
)
def test_bfcl_trees(tmp_path: Path, rows: Any, graded: Any) -> None:
    name = "m/non_live/BFCL_v4_irrelevance"
    tree = write_folder(tmp_path / "result", {f"{name}_result.json": _jsonl(rows)})
    scores = write_folder(tmp_path / "score", {f"{name}_score.json": _jsonl(graded)})
    _read("bfcl", tree, scores)


@QUICK
@given(content=st.binary(max_size=60), at=st.integers(0, 200), where=st.sampled_from("rs"))
def test_bfcl_tree_bytes(tmp_path: Path, content: bytes, at: int, where: str) -> None:
    name = "m/non_live/BFCL_v4_irrelevance"
    sound = {
        "r": lines(result("irrelevance_0", "No."), result("irrelevance_1", [])),
        "s": score(2, failure("irrelevance_1")),
    }
    sound[where] = sound[where][:at] + content + sound[where][at + len(content) :]
    tree = write_folder(tmp_path / "result", {f"{name}_result.json": sound["r"]})
    scores = write_folder(tmp_path / "score", {f"{name}_score.json": sound["s"]})
    _read("bfcl", tree, scores)


@QUICK
@given(content=st.binary(max_size=200), name=st.sampled_from(["a.eval", "a.json", "a.jsonl"]))
def test_random_bytes(tmp_path: Path, content: bytes, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    for format_id in ("lm-eval", "inspect", "promptfoo"):
        _read(format_id, path)


def _jsonl(rows: Any) -> bytes:
    return "\n".join(map(json.dumps, rows if isinstance(rows, list) else [rows])).encode()
