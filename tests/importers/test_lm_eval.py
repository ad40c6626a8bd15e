"""lm-evaluation-harness: one task a document, one entry a filter, readable picks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.benchmark import KeyKind, Message, Output
from audit_app.errors import InputError
from audit_app.importers.registry import parse_benchmark, parse_outputs
from audit_app.importers.report import ParsedBenchmark
from tests.importers.bfcl_folder import lines, write_folder

TIME = "2025-01-02T03-04-05.678901"
GSM8K = f"samples_gsm8k_{TIME}.jsonl"


def _line(doc_id: int = 0, filter_: str = "none", **further: Any) -> dict[str, Any]:
    return {
        "doc_id": doc_id,
        "doc": {"question": f"Question {doc_id}?"},
        "target": f"So {doc_id}. #### {doc_id}",
        "arguments": {"gen_args_0": {"arg_0": f"Q{doc_id}", "arg_1": {"until": []}}},
        "resps": [[f"It is {doc_id}."]],
        "filtered_resps": [str(doc_id)],
        "filter": filter_,
        "metrics": ["exact_match"],
        "exact_match": 1.0,
        **further,
    }


def _choice(target: str = "1", **further: Any) -> dict[str, Any]:
    return _line(
        target=target,
        arguments={
            "gen_args_0": {"arg_0": "Sky?", "arg_1": " green"},
            "gen_args_1": {"arg_0": "Sky?", "arg_1": " blue"},
        },
        resps=[[["-3.25", "False"]], [["-0.5", "True"]]],
        filtered_resps=[["-3.25", "False"], ["-0.5", "True"]],
        metrics=["acc", "acc_norm"],
        acc=1.0,
        acc_norm=0.0,
        **further,
    )


def _tasks(root: Path, files: Mapping[str, bytes]) -> ParsedBenchmark:
    return parse_benchmark("lm-eval", write_folder(root, files))


def _outputs(root: Path, files: Mapping[str, bytes]) -> list[Output]:
    return list(parse_outputs("lm-eval", write_folder(root, files)).outputs)


def test_several_filters_are_one_task_with_several_entries(tmp_path: Path) -> None:
    filters = ("strict-match", "flexible-extract")
    body = lines(*(_line(doc, name) for name in filters for doc in (0, 1)))
    parsed = _tasks(tmp_path, {GSM8K: body})
    assert [(t.id, t.category, t.key) for t in parsed.tasks] == [
        ("0", "gsm8k", "So 0. #### 0"),
        ("1", "gsm8k", "So 1. #### 1"),
    ]
    assert [(task, entry.id) for task, entry in parsed.entries] == [
        (doc, f"{doc}/{name}") for doc in ("0", "1") for name in filters
    ]
    outputs = _outputs(tmp_path, {})
    assert {o.entry_id for o in outputs} == {entry.id for _, entry in parsed.entries}
    assert {o.body for o in outputs} == {"It is 0.", "It is 1."}
    assert outputs[0].reason == "exact_match 1.0; filter strict-match took '0'"


def test_a_single_filter_leaves_the_ids_alone(tmp_path: Path) -> None:
    parsed = _tasks(tmp_path, {GSM8K: lines(_line(7, "strict-match"))})
    assert [(task, entry.id) for task, entry in parsed.entries] == [("7", "7")]
    assert [o.entry_id for o in _outputs(tmp_path, {})] == ["7"]


def test_several_suites_put_their_names_in_front_and_later_outputs_find_them(
    tmp_path: Path,
) -> None:
    files = {GSM8K: lines(_line()), f"samples_arc_{TIME}.jsonl": lines(_choice())}
    parsed = _tasks(tmp_path, files)
    entries = [entry.id for _, entry in parsed.entries]
    assert entries == ["arc/0", "gsm8k/0"]
    alone = parse_outputs("lm-eval", tmp_path / GSM8K, entries=entries)
    assert [o.entry_id for o in alone.outputs] == ["gsm8k/0"]


@pytest.mark.parametrize(
    ("target", "body"),
    [pytest.param("1", "1", id="index"), pytest.param("blue", "blue", id="text")],
)
def test_the_pick_of_a_multiple_choice_is_the_likeliest(
    tmp_path: Path, target: str, body: str
) -> None:
    (task,) = _tasks(tmp_path, {GSM8K: lines(_choice(target))}).tasks
    assert (task.scorer, task.context["choices"]) == ("multiple_choice", ["green", "blue"])
    assert task.turns == ((Message("user", "Sky?"),),)
    (output,) = _outputs(tmp_path, {})
    assert (output.body, output.passed) == (body, True)
    assert output.reason == (
        "acc 1.0, acc_norm 0.0; picked choice 1, 'blue' (log-likelihoods -3.25, -0.5)"
    )


@pytest.mark.parametrize(
    ("arguments", "content"),
    [
        pytest.param([["Q?", {"until": []}]], "Q?", id="older list"),
        pytest.param([["Q?"]], "Q?", id="prompt alone"),
        pytest.param(
            {"gen_args_0": {"arg_0": ['[{"role": "user", "content": "Q?"}]'], "arg_1": {}}},
            "Q?",
            id="chat as text in a list",
        ),
        pytest.param({"gen_args_0": {"arg_0": "[1, 2]?"}}, "[1, 2]?", id="text that looks so"),
    ],
)
def test_prompts_of_every_form(tmp_path: Path, arguments: Any, content: str) -> None:
    (task,) = _tasks(tmp_path, {GSM8K: lines(_line(arguments=arguments))}).tasks
    assert task.turns == ((Message("user", content),),)


def test_a_row_without_prompt_or_target_is_loaded_as_missing_evidence(tmp_path: Path) -> None:
    record = _line(arguments={})
    del record["target"]
    (task,) = _tasks(tmp_path, {GSM8K: lines(record)}).tasks
    assert (task.turns, task.key_kind, task.key) == ((), KeyKind.MISSING, None)


@pytest.mark.parametrize(
    ("metrics", "passed"),
    [
        pytest.param({"exact_match": 0.0}, False, id="failed"),
        pytest.param({"bleu": 0.37, "acc": True}, True, id="the first that is a verdict"),
        pytest.param({"bleu": 0.37}, None, id="no verdict"),
    ],
)
def test_the_grade_is_a_metric_of_0_or_1(
    tmp_path: Path, metrics: dict[str, Any], passed: bool | None
) -> None:
    record = {**_line(), **metrics, "metrics": list(metrics)}
    (output,) = _outputs(tmp_path, {GSM8K: lines(record)})
    assert output.passed is passed


def test_repeats_are_trials_graded_together(tmp_path: Path) -> None:
    first, second = _outputs(tmp_path, {GSM8K: lines(_line(resps=[["a", "b"]]))})
    assert (first.trial, first.body, first.passed) == (1, "a", True)
    assert (second.trial, second.body, second.passed) == (2, "b", None)


@pytest.mark.parametrize(
    ("beside", "model"),
    [
        pytest.param({f"results_{TIME}.json": b'{"model_name": "org/m"}'}, "org/m", id="results"),
        pytest.param({}, "org__m", id="folder"),
        pytest.param({f"results_{TIME}.json": b'{"model'}, "org__m", id="broken results"),
    ],
)
def test_the_model_is_named_by_the_results_or_the_folder(
    tmp_path: Path, beside: dict[str, bytes], model: str
) -> None:
    files = {f"org__m/{name}": body for name, body in {GSM8K: lines(_line()), **beside}.items()}
    assert [o.model for o in _outputs(tmp_path, files)] == [model]
    alone = parse_outputs("lm-eval", tmp_path / "org__m" / GSM8K)
    assert [o.model for o in alone.outputs] == [model]


def test_models_share_their_tasks_unless_the_documents_differ(tmp_path: Path) -> None:
    other = _line(1, doc={"question": "Another?"})
    files = {f"a/{GSM8K}": lines(_line(), _line(1)), f"b/{GSM8K}": lines(_line(), other)}
    parsed = _tasks(tmp_path, files)
    assert [task.id for task in parsed.tasks] == ["0", "1"]
    assert [(row.source, row.line, row.reason) for row in parsed.rejected] == [
        (f"b/{GSM8K}", 2, f"document '1' differs from the one in a/{GSM8K}:2")
    ]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        pytest.param(b'{"doc_id": 1, "do', "the record breaks off before its end", id="half"),
        pytest.param(
            b'{"id": 1}',
            "the record has no doc_id, so it is no sample of lm-evaluation-harness",
            id="another layout",
        ),
        pytest.param(
            json.dumps(_line(1, resps=[])).encode(), "the record has no response", id="no response"
        ),
        pytest.param(
            json.dumps(_line(0)).encode(),
            "a second output for '0' under filter 'none'; the first is in line 1",
            id="duplicate",
        ),
        pytest.param(
            json.dumps(_line(1, arguments=3)).encode(), "arguments is a number, not a list", id="3"
        ),
    ],
)
def test_a_bad_line_costs_that_line(tmp_path: Path, line: bytes, reason: str) -> None:
    folder = write_folder(tmp_path, {GSM8K: b"\n".join([lines(_line()), line, lines(_line(2))])})
    parsed = parse_outputs("lm-eval", folder)
    assert [o.entry_id for o in parsed.outputs] == ["0", "2"]
    assert [(row.source, row.line, row.reason) for row in parsed.rejected] == [(GSM8K, 2, reason)]


def test_a_folder_without_samples_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="holds no samples file"):
        parse_benchmark("lm-eval", tmp_path)
    with pytest.raises(InputError, match="there is no file or folder"):
        parse_outputs("lm-eval", tmp_path / "none")
