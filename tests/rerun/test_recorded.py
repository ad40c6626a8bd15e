from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.conditions import Endpoint, EndpointKind
from audit_app.domain.trials import Completion, CompletionStatus, Request, ToolCall
from audit_app.errors import InputError
from audit_app.rerun.connect import open_provider
from tests.rerun.conftest import condition


def recorded(tmp_path: Path, *lines: Any) -> Endpoint:
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return Endpoint(name="saved", url=str(path), kind=EndpointKind.RECORDED)


def complete(endpoint: Endpoint, task: str, trial: int = 1, step: int = 1) -> Completion:
    request = Request(task_id=task, trial=trial, step=step, messages=())
    return open_provider(endpoint).complete(request, condition(endpoint))


def test_r49_no_answer_is_given_for_two_trials(tmp_path: Path) -> None:
    endpoint = recorded(tmp_path, {"task": "a", "text": "one"}, {"task": "a", "text": "two"})
    found = [complete(endpoint, "a", trial) for trial in (1, 2, 3)]
    assert [c.text for c in found] == ["one", "two", ""]
    assert [c.cached for c in found] == [True, True, False]
    assert found[2].status is CompletionStatus.NOT_RECORDED
    assert found[2].error == "no answer is recorded for a, trial 3, request 1"


def test_places_and_calls(tmp_path: Path) -> None:
    endpoint = recorded(
        tmp_path,
        {"task": "a", "trial": 2, "step": 3, "tool_calls": [{"name": "f", "arguments": {"x": 1}}]},
        {"task": "a", "model": "m", "text": "of m"},
        {"task": "a", "model": "other", "text": "of another model"},
    )
    assert complete(endpoint, "a", 2, 3).tool_calls == (ToolCall("call_1", "f", '{"x":1}'),)
    assert complete(endpoint, "a").text == "of m"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        pytest.param(["no object"], r"answers.jsonl:1: is no recorded answer", id="not an object"),
        pytest.param([{"task": "a", "txt": "x"}], "txt", id="unknown field"),
        pytest.param([{"task": "a"}, {"task": "a", "trial": 1}], ":2: a second answer", id="twice"),
    ],
)
def test_files_that_cannot_be(tmp_path: Path, lines: list[Any], said: str) -> None:
    with pytest.raises(InputError, match=said):
        open_provider(recorded(tmp_path, *lines))


def test_no_file(tmp_path: Path) -> None:
    endpoint = Endpoint(name="s", url=str(tmp_path / "none"), kind=EndpointKind.RECORDED)
    with pytest.raises(InputError, match="cannot be read"):
        open_provider(endpoint)
