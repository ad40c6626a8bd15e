"""Inspect logs: archives and JSON, crashed runs, scores of every kind, layouts not known."""

from __future__ import annotations

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.benchmark import KeyKind, Message, OutputStatus
from audit_app.errors import InputError
from audit_app.importers.registry import parse_benchmark, parse_outputs
from audit_app.importers.report import ParsedBenchmark, RejectedRow

HEADER = {"version": 2, "status": "success", "eval": {"task": "capitals", "model": "org/m"}}


def _sample(id_: Any = 1, epoch: int = 1, **further: Any) -> dict[str, Any]:
    return {
        "id": id_,
        "epoch": epoch,
        "input": "Capital of France?",
        "target": "Paris",
        "messages": [{"role": "user", "content": "attachment://0a"}],
        "output": {"completion": "Paris", "choices": []},
        "scores": {"match": {"value": "C", "answer": "Paris", "explanation": "It matches."}},
        "metadata": {"level": 1},
        "events": [{"event": "model"}] * 3,
        **further,
    }


def _members(*samples: dict[str, Any], header: str = "header.json") -> dict[str, Any]:
    listing = [{k: s[k] for k in ("id", "epoch", "scores") if k in s} for s in samples]
    journal = header.startswith("_journal")
    return {
        header: HEADER,
        "_journal/summaries/1.json" if journal else "summaries.json": listing,
        **{f"samples/{s['id']}_epoch_{s['epoch']}.json": s for s in samples},
    }


def _archive(path: Path, members: dict[str, Any], method: int = zipfile.ZIP_DEFLATED) -> Path:
    with zipfile.ZipFile(path, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, json.dumps(content))
    return path


def _outputs(path: Path) -> tuple[list[Any], list[RejectedRow]]:
    parsed = parse_outputs("inspect", path)
    return list(parsed.outputs), parsed.rejected


def _tasks(path: Path) -> ParsedBenchmark:
    return parse_benchmark("inspect", path)


@pytest.fixture(params=["eval", "json", "crashed", "zstandard"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """The same log in every form that it may have."""
    samples = _sample(1), _sample("ü/2", choices=["A", "B"], target=["A", "B"])
    path = tmp_path / "log.eval"
    match request.param:
        case "json":
            path = tmp_path / "log.json"
            path.write_text(json.dumps({**HEADER, "samples": samples}))
            return path
        case "crashed":
            return _archive(path, _members(*samples, header="_journal/start.json"))
        case "zstandard":
            if sys.version_info < (3, 14):
                pytest.importorskip("zipfile_zstd")
            return _archive(path, _members(*samples), 93)
    return _archive(path, _members(*samples))


def test_samples_are_tasks(log: Path) -> None:
    parsed = _tasks(log)
    first, second = sorted(parsed.tasks, key=lambda task: task.id)
    assert (first.id, first.category, first.key) == ("1", "capitals", "Paris")
    assert first.turns == ((Message("user", "Capital of France?"),),)
    assert first.fields == {"level": "1"}
    assert (second.id, second.key, second.context["choices"]) == ("ü/2", ["A", "B"], ["A", "B"])
    assert {entry.id for _, entry in parsed.entries} == {"1", "ü/2"}
    assert parsed.rejected == []


def test_samples_are_outputs(log: Path) -> None:
    outputs, rejected = _outputs(log)
    assert {(o.entry_id, o.model, o.body, o.passed, o.reason) for o in outputs} == {
        (id_, "org/m", "Paris", True, "answer 'Paris'; It matches.") for id_ in ("1", "ü/2")
    }
    assert rejected == []


@pytest.mark.parametrize(
    ("value", "passed", "code"),
    [
        ("C", True, ""),
        ("I", False, ""),
        ("N", False, "N"),
        ("P", None, "P"),
        (True, True, ""),
        (0, False, ""),
        (1.0, True, ""),
        (0.5, None, "0.5"),
        ("no", False, ""),
        ("B+", None, "B+"),
        ([1, 0], None, "[1,0]"),
        ({"a": 1}, None, '{"a":1}'),
    ],
)
def test_scores_of_every_kind(tmp_path: Path, value: Any, passed: bool | None, code: str) -> None:
    sample = _sample(scores={"match": {"value": value}})
    (output,), _ = _outputs(_archive(tmp_path / "l.eval", _members(sample)))
    assert (output.passed, output.reason_code) == (passed, code)


def test_several_scorers_are_several_entries_and_an_epoch_is_a_trial(tmp_path: Path) -> None:
    scores = {"match": {"value": "C"}, "judge": {"value": "I"}}
    failed = _sample(epoch=2, scores={}, error={"message": "Out of memory"})
    path = _archive(tmp_path / "l.eval", _members(_sample(scores=scores), failed))
    assert [entry.id for _, entry in _tasks(path).entries] == ["1/match", "1/judge"]
    outputs, rejected = _outputs(path)
    assert [(o.entry_id, o.trial, o.status, o.passed) for o in outputs] == [
        ("1/match", 1, OutputStatus.ANSWER, True),
        ("1/judge", 1, OutputStatus.ANSWER, False),
        ("1/match", 2, OutputStatus.ERROR, None),
        ("1/judge", 2, OutputStatus.ERROR, None),
    ]
    assert outputs[2].reason == "Out of memory"
    assert rejected == []


@pytest.mark.parametrize("target", ["", [], None])
def test_a_sample_without_a_target_has_no_key(tmp_path: Path, target: Any) -> None:
    (task,) = _tasks(_archive(tmp_path / "l.eval", _members(_sample(target=target)))).tasks
    assert (task.key_kind, task.key) == (KeyKind.MISSING, None)


@pytest.mark.parametrize(
    ("output", "body"),
    [
        pytest.param({"choices": [{"message": {"content": "Hi"}}]}, "Hi", id="older"),
        pytest.param(
            {"completion": "", "choices": [{"message": {"content": "", "tool_calls": [1]}}]},
            {"content": "", "tool_calls": [1]},
            id="tool calls alone",
        ),
        pytest.param(None, None, id="none"),
    ],
)
def test_the_body_is_the_final_message(tmp_path: Path, output: Any, body: Any) -> None:
    (read,), _ = _outputs(_archive(tmp_path / "l.eval", _members(_sample(output=output))))
    assert read.body == body


def test_logs_of_a_folder_share_tasks_and_differing_ones_are_named(tmp_path: Path) -> None:
    _archive(tmp_path / "a.eval", _members(_sample(), _sample(2)))
    _archive(tmp_path / "b.eval", _members(_sample(), _sample(2, target="Lyon")))
    (tmp_path / "logs.json").write_text("{}")
    parsed = _tasks(tmp_path)
    assert [task.id for task in parsed.tasks] == ["1", "2"]
    assert [row.source for row in parsed.rejected] == ["b.eval/samples/2_epoch_1.json"]
    assert "sample '2' differs from the one in a.eval/" in parsed.rejected[0].reason


def test_undefined_metrics_do_not_cost_the_log(tmp_path: Path) -> None:
    path = tmp_path / "l.json"
    results = {"accuracy": float("nan")}
    path.write_text(json.dumps({**HEADER, "results": results, "samples": [_sample()]}))
    assert len(_outputs(path)[0]) == 1


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        pytest.param({"notes.txt": 1}, "has a layout that is not known; write it anew", id="other"),
        pytest.param(
            {"header.json": {**HEADER, "version": 3}}, "has layout version 3, newer", id="newer"
        ),
        pytest.param(
            {"header.json": HEADER, "summaries.json": [{"id": 1}], "chunks/0.json": []},
            "keeps its samples in a way not known; write it anew",
            id="chunks",
        ),
        pytest.param(
            {"header.json": {"eval": 1}}, "has not the shape of an Inspect log", id="eval"
        ),
    ],
)
def test_an_unknown_layout_is_refused_with_advice(
    tmp_path: Path, members: dict[str, Any], reason: str
) -> None:
    outputs, rejected = _outputs(_archive(tmp_path / "l.eval", members))
    assert outputs == []
    assert len(rejected) == 1
    assert reason in rejected[0].reason


def test_half_an_archive_costs_that_log_only(tmp_path: Path) -> None:
    whole = _archive(tmp_path / "b.eval", _members(_sample())).read_bytes()
    (tmp_path / "a.eval").write_bytes(whole[: len(whole) // 2])
    outputs, rejected = _outputs(tmp_path)
    assert len(outputs) == 1
    assert [row.source for row in rejected] == ["a.eval"]
    assert rejected[0].reason.startswith("is not a complete Inspect log")


def test_a_bad_sample_costs_that_sample(tmp_path: Path) -> None:
    members = _members(_sample(1), _sample(2), _sample(3))
    members["samples/2_epoch_1.json"] = ["no sample"]
    members["samples/4_epoch_1.json"] = _sample(1)
    outputs, rejected = _outputs(_archive(tmp_path / "l.eval", members))
    assert [o.entry_id for o in outputs] == ["1", "3"]
    assert [row.source.rsplit("/", 1)[1] for row in rejected] == [
        "2_epoch_1.json",
        "4_epoch_1.json",
    ]


def test_samples_that_are_listed_and_missing_are_counted(tmp_path: Path) -> None:
    members = _members(_sample(1), _sample(2))
    del members["samples/2_epoch_1.json"]
    outputs, rejected = _outputs(_archive(tmp_path / "l.eval", members))
    assert [o.entry_id for o in outputs] == ["1"]
    assert rejected == [RejectedRow("l.eval", 0, "lists 1 samples more than it holds")]


def test_a_folder_without_logs_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no Inspect log"):
        parse_outputs("inspect", tmp_path)
