"""``assay trials``: rows apart by condition, pooled only on request, bad rows named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_app.cli import run
from tests.conftest import shared_data


def _run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, Any, str]:
    status = run(["trials", *arguments, "--json"])
    captured = capsys.readouterr()
    return status, json.loads(captured.out) if captured.out else None, captured.err


def _lines(path: Path, *rows: dict[str, Any]) -> str:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def _trials(outcomes: dict[str, list[str]], **more: Any) -> list[dict[str, Any]]:
    return [
        {"model": "m", "task": task, "trial": i, "status": status, **more}
        for task, statuses in outcomes.items()
        for i, status in enumerate(statuses, start=1)
    ]


_TOY = {
    "t1": ["pass", "pass", "harness_error", "pass", "pass"],
    "t2": ["fail", "connection_error", "connection_error", "pass", "fail"],
    "t3": ["connection_error"] * 5,
    "t4": ["pass"] * 5,
}


def test_every_policy_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, data, _ = _run(capsys, _lines(tmp_path / "t.jsonl", *_trials(_TOY)))
    (row,) = data["models"]
    assert status == 0
    assert (row["tasks"], row["trials"], row["k"], row["mean"]) == (4, 20, 5, 0.5)
    assert (row["ever"], row["all"], row["mixed"], row["never"]) == (3, 1, 2, 1)
    assert row["exclude"]["mean"] == pytest.approx(10 / 12)
    assert row["exclude"]["tasks"] == 1
    assert row["bounds"] == {
        "mean": [0.5, 0.9],
        "ever": [3, 4],
        "all": [1, 3],
        "mixed": [1, 3],
        "never": [0, 1],
    }
    assert row["errors"] == {"harness_error": 1, "connection_error": 7}
    assert row["hints"]["t3"]["triage"] == "environment"
    assert "temperature" in row["not_stated"]


def test_conditions_are_never_merged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = _trials({"t": ["pass", "fail"]}, condition={"temperature": 1, "top_p": 0.9})
    # The same condition with its members in another order, and another one.
    rows += [{**rows[0], "trial": 3, "condition": {"top_p": 0.9, "temperature": 1}}]
    rows += _trials({"t": ["fail"]}, condition={"temperature": 0, "top_p": 0.9})
    file = _lines(tmp_path / "t.jsonl", *rows)
    _, data, _ = _run(capsys, file)
    assert [row["trials"] for row in data["models"]] == [3, 1]
    _, pooled, _ = _run(capsys, file, "--pool", "only temperature differs")
    (row,) = pooled["models"]
    assert (row["trials"], row["mixed"]) == (4, 1)
    assert row["pooled"]["is_reliability_figure"] is False
    assert len(row["pooled"]["conditions"]) == 2
    assert row["curve"] == []
    assert row["undefined"]["curve"] == "trials of several conditions are no repeats"


def test_csv_and_json_lines_read_alike(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = tmp_path / "t.csv"
    table.write_text(
        'model,task,trial,status,condition\nm,007,1,pass,"{""k"": 2}"\nm,007,2,fail,"{""k"": 2}"\n'
    )
    rows = _trials({"007": ["pass", "fail"]}, condition={"k": 2})
    _, from_csv, _ = _run(capsys, str(table))
    _, from_json, _ = _run(capsys, _lines(tmp_path / "t.jsonl", *rows))
    assert from_csv == from_json


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        pytest.param({"status": "passed"}, "none of pass, fail, harness_error", id="status"),
        pytest.param({"task": ""}, "task is empty", id="no task"),
        pytest.param({"model": None}, "model is empty", id="no model"),
        pytest.param({"trial": 1.5}, "trial is a number, not text", id="trial no id"),
        pytest.param({"condition": [1]}, "condition is a list", id="condition"),
        pytest.param({"condition": "{1"}, "begins like an object", id="broken condition"),
        pytest.param({}, "trial 1 of 't' by 'm' stands on line 1 already", id="twice"),
    ],
)
def test_bad_rows_are_named_and_the_others_count(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], row: dict[str, Any], reason: str
) -> None:
    good = {"model": "m", "task": "t", "trial": 1, "status": "pass"}
    status, data, _ = _run(capsys, _lines(tmp_path / "t.jsonl", good, {**good, **row}))
    assert status == 1
    assert data["models"][0]["trials"] == 1
    (rejected,) = data["rejected"]
    assert rejected["line"] == 2
    assert reason in rejected["reason"]


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        pytest.param("", (), "the file is empty", id="empty"),
        pytest.param("a,b\n1,2\n", (), "no model, task, trial, status", id="other table"),
        pytest.param('{"model": 1', (), "breaks off before its end", id="cut"),
        pytest.param(
            "model,task,trial,status,category\nm,t,1,pass,x\n",
            ("--category", "y"),
            "no trial is of category 'y'; there are: x",
            id="no such category",
        ),
        pytest.param(
            "model,task,trial,status\nm,t,1,pass\n", ("--pool", " "), "a reason", id="no reason"
        ),
        pytest.param(
            "model,task,trial,status\nm,t,1,pass\n",
            ("--compare", "m", "n"),
            "no row is of model or condition 'n'",
            id="no such model",
        ),
        pytest.param(
            "model,category,total,failed,blob\nm,c,0,{},b\n", (), "total is '0'", id="no total"
        ),
    ],
)
def test_what_cannot_be_used_is_one_sentence(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    content: str,
    arguments: tuple[str, ...],
    message: str,
) -> None:
    file = tmp_path / "t.csv"
    file.write_text(content)
    status, data, error = _run(capsys, str(file), *arguments)
    assert (status, data) == (2, None)
    assert message in error
    assert error.count("\n") == 1


def test_runs_that_name_only_failures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = [
        {"model": "m", "category": "c", "total": 4, "failed": failed, "blob": blob}
        for blob, failed in (("b1", {"t1": "x", "t2": "y"}), ("b2", {"t1": "x"}), ("b3", {}))
    ]
    file = _lines(tmp_path / "runs.jsonl", *runs)
    _, data, _ = _run(capsys, file)
    assert [(row["condition_id"], row["all"]) for row in data["models"]] == [
        ("b1", 2),
        ("b2", 3),
        ("b3", 4),
    ]
    _, pooled, _ = _run(capsys, file, "--pool", "three builds")
    (row,) = pooled["models"]
    # t1 failed twice of three, t2 once, the two that no run names never.
    assert (row["all"], row["mixed"], row["never"], row["trials"]) == (2, 2, 0, 12)
    assert row["successes_per_task"] == {"0": 0, "1": 1, "2": 1, "3": 2}


def test_two_models_task_by_task(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = _trials({"a": ["pass", "pass"], "b": ["pass", "fail"], "c": ["fail", "fail"]})
    second = [{**row, "model": "n", "status": "fail"} for row in first if row["task"] != "c"]
    file = _lines(tmp_path / "t.jsonl", *first, *second)
    _, data, _ = _run(capsys, file, "--compare", "m", "n")
    found = data["comparison"]
    assert (found["tasks"], found["k"], found["dropped"]) == (2, 2, ["c"])
    assert found["mean_difference"] == pytest.approx(3 / 4)
    assert found["p_mean"] == pytest.approx(2 / 4)  # of four sign patterns, ++ and −−
    cells = {(c["first"], c["second"]): c["task_ids"] for c in found["classes"] if c["count"]}
    assert cells == {("all", "never"): ["a"], ("mixed", "never"): ["b"]}


@pytest.mark.parametrize(
    ("row", "status", "says"),
    [
        pytest.param("62.8%,83,42,100,5", 0, "consistent", id="the published one"),
        pytest.param("0.628,83,42,100,5", 0, "consistent", id="as a share"),
        pytest.param("62.8%,42,83,100,5", 1, "impossible", id="ever and all swapped"),
        pytest.param("62.8%,83,42,100", 2, "not MEAN,EVER,ALL,TASKS,K", id="k left out"),
        pytest.param("162.8%,83,42,100,5", 2, "no figures of", id="no share"),
    ],
)
def test_published_rows(
    capsys: pytest.CaptureFixture[str], row: str, status: int, says: str
) -> None:
    assert run(["trials", "--published", row]) == status
    captured = capsys.readouterr()
    assert says in captured.out + captured.err


def test_twelve_builds_of_one_model(capsys: pytest.CaptureFixture[str]) -> None:
    file = shared_data("bfcl_v4_repeat_runs") / "pass_fail_runs.jsonl"
    arguments = [str(file), "--category", "multi_turn_base"]
    _, data, _ = _run(capsys, *arguments, "--pool", "same model, 12 builds")
    row = next(r for r in data["models"] if r["model"] == "openai_gpt-oss-120b")
    assert (row["never"], row["all"], row["mixed"], row["tasks"]) == (41, 29, 130, 200)
    assert len(row["pooled"]["conditions"]) == 12
    _, apart, _ = _run(capsys, *arguments)
    of_model = [r for r in apart["models"] if r["model"] == "openai_gpt-oss-120b"]
    assert len(of_model) == 12
    assert {r["pooled"] for r in of_model} == {None}
    status = run(["trials", *arguments, "--pool", "same model, 12 builds"])
    assert status == 0
    assert "pooled over 12 conditions (same model, 12 builds)" in capsys.readouterr().out
