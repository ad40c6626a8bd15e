from __future__ import annotations

from pathlib import Path

import pytest

from audit_app.domain.benchmark import Task
from audit_app.domain.record import Json
from audit_app.importers.bfcl import parse_bfcl
from audit_app.scoring.detection import GradedOutput, readings, usual_reading
from tests.unit.scoring.keys import AUGUST, V4, calls_task, tool
from tests.unit.scoring.published import graded_outputs


@pytest.fixture(scope="module")
def tasks(bfcl_v1: Path) -> dict[str, Task]:
    return {task.id: task for task in parse_bfcl(bfcl_v1).tasks}


@pytest.mark.parametrize(
    ("model", "form", "dots"),
    [
        pytest.param("Salesforce_xLAM-7b-fc-r", "calls-object", False, id="JSON object"),
        pytest.param("claude-3-5-sonnet-20240620", "bracketed", False, id="clean text"),
        pytest.param("claude-3-haiku-20240307-FC", "fc", True, id="haiku, function calling"),
        pytest.param("command-r-plus", "bracketed", False, id="text without brackets"),
        pytest.param("gemini-1.5-pro-preview-0514", "fc", True, id="gemini"),
        pytest.param("google_gemma-7b-it", "within-brackets", False, id="list inside prose"),
        pytest.param("gpt-3.5-turbo-0125-FC", "fc", True, id="gpt-3.5"),
        pytest.param("gpt-4-0125-preview", "as-is", False, id="gpt-4, text as it is"),
        pytest.param("gpt-4o-2024-08-06", "as-is", False, id="gpt-4o, fences"),
        pytest.param("gpt-4o-2024-08-06-FC", "fc", True, id="gpt-4o, function calling"),
        pytest.param("meetkai_functionary-medium-v3.1-FC", "fc", True, id="functionary"),
        pytest.param("meta-llama_Meta-Llama-3-70B-Instruct", "one-line", False, id="llama 70B"),
        pytest.param("meta-llama_Meta-Llama-3-8B-Instruct", "one-line", False, id="llama 8B"),
        pytest.param("mistral-large-2407-FC-Auto", "fc", True, id="mistral"),
    ],
)
def test_every_grade_and_code_of_2024_is_reproduced(
    bfcl_v1: Path, tasks: dict[str, Task], model: str, form: str, dots: bool
) -> None:
    found = readings(graded_outputs(bfcl_v1, model, tasks), AUGUST)[0]
    assert (found.form, found.dots_to_underscores) == (form, dots)
    assert (found.agree, found.agree_in_code, found.graded) == (1_390, 1_390, 1_390)


DOTTED = calls_task(tool("a.b"), key=[{"a.b": {}}])


def test_dots_are_found_by_the_grades_they_reproduce() -> None:
    outputs = [
        GradedOutput(DOTTED, [{"a_b": "{}"}], True),
        GradedOutput(DOTTED, [{"a.b": "{}"}], False, "simple_function_checker:wrong_func_name"),
    ]
    found = readings(outputs, V4, forms=("auto",), exhaustive=True)
    both = {reading.dots_to_underscores: reading for reading in found}
    assert (both[True].agree, both[False].agree) == (2, 0)
    assert both[True].settings(V4).dots_to_underscores


def test_prose_of_a_function_calling_model_is_not_read_as_calls() -> None:
    outputs = [
        GradedOutput(DOTTED, [{"a_b": "{}"}], True),
        GradedOutput(DOTTED, "[a_b()]", False, "ast_decoder:decoder_failed"),
    ]
    best = readings(outputs, V4)[0]
    assert (best.form, best.dots_to_underscores, best.agree_in_code) == ("fc", True, 2)
    assert usual_reading([o.body for o in outputs]).form == "fc"


def test_without_grades_text_keeps_its_dots() -> None:
    assert usual_reading(["[a.b()]"]).dots_to_underscores is False


@pytest.mark.parametrize(
    ("bodies", "form", "dots"),
    [
        pytest.param(["[a.b()]", [["[find(k='x')]", "Lund"]]], "auto", False, id="prompted turns"),
        pytest.param([[[[{"find": "{}"}], "Lund"]]], "fc", True, id="called in turns"),
        pytest.param(["", [{"a_b": "{}"}]], "fc", True, id="called"),
        pytest.param(["", [["Lund"]], [[]]], "auto", False, id="no call at all"),
    ],
)
def test_turns_alone_do_not_make_a_model_a_calling_one(
    bodies: list[Json], form: str, dots: bool
) -> None:
    reading = usual_reading(bodies)
    assert (reading.form, reading.dots_to_underscores) == (form, dots)
