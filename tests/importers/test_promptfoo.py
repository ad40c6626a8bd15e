"""promptfoo results: test cases, prompts, repeats; errors are never wrong answers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.benchmark import KeyKind, Message, Output, OutputStatus
from audit_app.errors import InputError
from audit_app.importers.registry import parse_benchmark, parse_outputs
from audit_app.importers.report import RejectedRow

ASSERT = [{"type": "llm-rubric", "value": "Polite."}, {"type": "equals", "value": "Paris"}]


def _result(**further: Any) -> dict[str, Any]:
    return {
        "testIdx": 0,
        "promptIdx": 0,
        "promptId": "p",
        "provider": {"id": "openai:gpt", "label": ""},
        "prompt": {"raw": "Capital of France?", "label": "Capital of {{country}}?"},
        "vars": {"country": "France"},
        "testCase": {"vars": {"country": "France"}, "assert": ASSERT, "metadata": {"level": 1}},
        "response": {"output": "Paris"},
        "success": True,
        "failureReason": 0,
        "gradingResult": {"pass": True, "reason": "All assertions passed"},
        **further,
    }


def _write(path: Path, *results: Any, version: int = 3) -> Path:
    body = {"evalId": "e", "results": {"version": version, "results": results, "prompts": []}}
    path.write_text(json.dumps(body))
    return path


def _outputs(path: Path) -> tuple[list[Output], list[RejectedRow]]:
    parsed = parse_outputs("promptfoo", path)
    return list(parsed.outputs), parsed.rejected


def test_a_test_case_is_a_task_whose_key_is_the_plainest_assertion(tmp_path: Path) -> None:
    parsed = parse_benchmark("promptfoo", _write(tmp_path / "r.json", _result()))
    (task,) = parsed.tasks
    assert (task.id, task.key_kind, task.key, task.scorer) == (
        "0",
        KeyKind.VALUE,
        "Paris",
        "exact",
    )
    assert task.turns == ((Message("user", "Capital of France?"),),)
    assert task.context == {"vars": {"country": "France"}, "assert": ASSERT}
    assert [entry.id for _, entry in parsed.entries] == ["0"]


def test_prompts_are_entries_providers_models_and_repeats_trials(tmp_path: Path) -> None:
    other = {"provider": "local:m", "promptIdx": 1}
    second = {"promptId": "q", "promptIdx": 2, "prompt": {"raw": "France's capital?"}}
    path = _write(
        tmp_path / "r.json", _result(), _result(**other), _result(**second), _result(**other)
    )
    parsed = parse_benchmark("promptfoo", path)
    assert [entry.id for _, entry in parsed.entries] == ["0/1", "0/2"]
    assert parsed.tasks[0].context["prompts"] == ["Capital of France?", "France's capital?"]
    outputs, _ = _outputs(path)
    assert [(o.entry_id, o.model, o.trial) for o in outputs] == [
        ("0/1", "openai:gpt", 1),
        ("0/1", "local:m", 1),
        ("0/2", "openai:gpt", 1),
        ("0/1", "local:m", 2),
    ]


@pytest.mark.parametrize(
    ("further", "status", "passed", "code", "reason"),
    [
        pytest.param({}, "answer", True, "", "All assertions passed", id="passed"),
        pytest.param(
            {
                "success": False,
                "failureReason": 1,
                "error": "Expected Paris",
                "gradingResult": {
                    "pass": False,
                    "reason": "Expected Paris",
                    "componentResults": [
                        {"pass": True, "assertion": {"type": "llm-rubric"}},
                        {"pass": False, "assertion": {"type": "equals"}},
                    ],
                },
            },
            "answer",
            False,
            "equals",
            "Expected Paris",
            id="failed",
        ),
        pytest.param(
            {"success": False, "failureReason": 2, "error": "429", "gradingResult": None},
            "error",
            None,
            "error",
            "429",
            id="request failed",
        ),
        pytest.param(
            {
                "success": False,
                "failureReason": 1,
                "gradingResult": {"reason": "No judge", "metadata": {"graderError": True}},
            },
            "error",
            None,
            "grader_error",
            "No judge",
            id="grader failed",
        ),
        pytest.param(
            {"success": False, "failureReason": None, "error": "Late", "response": None},
            "error",
            None,
            "error",
            "Late",
            id="older error",
        ),
    ],
)
def test_grades(
    tmp_path: Path,
    further: dict[str, Any],
    status: str,
    passed: bool | None,
    code: str,
    reason: str,
) -> None:
    further = {"gradingResult": {"reason": "All assertions passed"}, **further}
    if further["gradingResult"] is None:
        further["gradingResult"] = {}
    (output,), _ = _outputs(_write(tmp_path / "r.json", _result(**further)))
    assert (output.status, output.passed, output.reason_code) == (
        OutputStatus(status),
        passed,
        code,
    )
    assert output.reason == ("All assertions passed" if passed else reason)


def test_a_test_without_gold_has_no_key(tmp_path: Path) -> None:
    case = {"vars": {}, "assert": [{"type": "is-json"}]}
    path = _write(tmp_path / "r.json", _result(testCase=case))
    assert parse_benchmark("promptfoo", path).tasks[0].key_kind is KeyKind.MISSING


def test_version_2_is_read_from_its_table(tmp_path: Path) -> None:
    cell = {"pass": False, "text": "Lyon", "prompt": "Capital of France?", "error": "Expected"}
    columns = [{"provider": "a", "raw": "{{x}}", "id": "p"}, {"provider": "b", "raw": "{{x}}"}]
    table = {
        "head": {"prompts": [*columns[:1], {**columns[1], "id": "p"}], "vars": ["country"]},
        "body": [
            {
                "outputs": [{**cell, "pass": True}, cell],
                "vars": ["France"],
                "test": {"assert": ASSERT},
            }
        ],
    }
    path = tmp_path / "r.json"
    path.write_text(json.dumps({"results": {"version": 2, "results": [{}, {}], "table": table}}))
    parsed = parse_benchmark("promptfoo", path)
    assert [(t.id, t.key, t.context["vars"]) for t in parsed.tasks] == [
        ("0", "Paris", {"country": "France"})
    ]
    outputs, rejected = _outputs(path)
    assert [(o.entry_id, o.model, o.body, o.passed) for o in outputs] == [
        ("0", "a", "Lyon", True),
        ("0", "b", "Lyon", False),
    ]
    assert rejected == []


@pytest.mark.parametrize(
    ("bad", "reason"),
    [
        pytest.param(3, "result 2: the result is a number, not an object", id="number"),
        pytest.param(
            _result(testIdx=None),
            "result 2: the result has no testIdx, which names its test case",
            id="no test",
        ),
        pytest.param(
            _result(provider={}), "result 2: the result names no provider", id="no provider"
        ),
        pytest.param(
            _result(response={"output": json.loads("[" * 300 + "]" * 300)}),
            "result 2: the output is nested more than 200 levels deep",
            id="deep",
        ),
    ],
)
def test_a_bad_result_costs_that_result(tmp_path: Path, bad: Any, reason: str) -> None:
    path = _write(tmp_path / "r.json", _result(), bad, _result(testIdx=1))
    outputs, rejected = _outputs(path)
    assert [o.entry_id for o in outputs] == ["0", "1"]
    assert rejected == [RejectedRow("r.json", 0, reason)]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b'{"results": {"version": 4, "results": []}}', "version 4; known are 2 and 3"),
        (b'{"results": 3}', "holds no results of promptfoo"),
        (b'{"results": {"version": 3}}', "holds no results of promptfoo"),
        (b"[]", "is a list, not an object"),
        (b'{"results": {"ver', "the file breaks off before its end"),
    ],
)
def test_another_layout_is_refused_in_one_sentence(
    tmp_path: Path, content: bytes, reason: str
) -> None:
    path = tmp_path / "r.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match=reason):
        parse_outputs("promptfoo", path)


def test_half_a_surrogate_pair_costs_its_own_result_only(tmp_path: Path) -> None:
    broken = _result(response={"output": "\ud83d"}, provider={"id": "b"})
    outputs, rejected = _outputs(_write(tmp_path / "r.json", _result(), broken))
    assert [output.model for output in outputs] == ["openai:gpt"]
    assert [row.reason.split(" (")[0] for row in rejected] == [
        "result 2: the result holds half of a surrogate pair"
    ]
