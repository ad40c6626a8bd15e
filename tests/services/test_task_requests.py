from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.benchmark import KeyKind, Message, Task
from audit_app.domain.conditions import Condition, EndpointKind, ToolsMode
from audit_app.domain.trials import Completion, CompletionStatus, ToolCall
from audit_app.scoring.forms import OutputForm
from audit_app.scoring.grade import ScoringSettings
from audit_app.scoring.registry import ScorerRegistry
from audit_app.services.task_prompts import ends_with_question, prompt_version
from audit_app.services.task_requests import obstacle, opening, output_form, output_of
from tests.services.test_tool_schemas import bfcl_tasks

TOOL = {
    "name": "greenhouse.open_vent",
    "description": "Opens a vent.",
    "parameters": {"type": "dict", "properties": {"bay": {"type": "integer"}}, "required": ["bay"]},
}
KEY = [{"greenhouse.open_vent": {"bay": [3]}}]


def task(**fields: Any) -> Task:
    base: dict[str, Any] = {
        "id": "t",
        "category": "simple",
        "group": "g",
        "scorer": "bfcl-ast",
        "turns": ((Message("user", "Open the vent of bay 3."),),),
        "tools": (TOOL,),
        "key_kind": KeyKind.CALLS,
        "key": KEY,
    }
    return Task(**{**base, **fields})


def under(tools: ToolsMode, **fields: Any) -> Condition:
    return Condition(
        model="m", endpoint="http://e", provider=EndpointKind.OPENAI, tools=tools, **fields
    )


NATIVE, PROMPT = under(ToolsMode.NATIVE), under(ToolsMode.PROMPT)


def answered(text: str = "", *calls: ToolCall) -> Completion:
    return Completion(status=CompletionStatus.OK, text=text, tool_calls=calls)


def test_native_tools_are_fields() -> None:
    request = opening(task(), NATIVE).request("t", 2)
    assert [(m.role, m.content) for m in request.messages] == [("user", "Open the vent of bay 3.")]
    assert [t.name for t in request.tools] == ["greenhouse_open_vent"]
    assert (request.task_id, request.trial, request.step) == ("t", 2, 1)


def test_prompted_tools_stand_in_the_system_prompt() -> None:
    turn = (Message("system", "Be brief."), Message("user", "Open bay 3."))
    condition = under(ToolsMode.PROMPT, system_prompt="You are tested.")
    start = opening(task(turns=(turn,)), condition)
    system, user = start.messages
    assert (system.role, user.content) == ("system", "Open bay 3.")
    assert system.content.startswith("You are tested.\n\nYou can call the functions")
    assert '"name": "greenhouse.open_vent"' in system.content  # as it is to be written
    assert system.content.endswith("\n\nBe brief.")
    assert not start.offered.tools


def test_equal_requests_have_equal_digests_whatever_the_trial() -> None:
    first, second = (opening(task(), NATIVE).request("t", n) for n in (1, 2))
    assert first.digest == second.digest
    assert first.digest != opening(task(), PROMPT).request("t", 1).digest


def test_wording_is_part_of_the_condition() -> None:
    assert prompt_version(ToolsMode.NATIVE) != prompt_version(ToolsMode.PROMPT)


@pytest.mark.parametrize(
    ("condition", "completion", "passes"),
    [
        pytest.param(
            NATIVE,
            answered("", ToolCall("1", "greenhouse_open_vent", '{"bay": 3}')),
            True,
            id="native call, name found again",
        ),
        pytest.param(
            NATIVE,
            answered("", ToolCall("1", "greenhouse_open_vent", '{"bay": 4}')),
            False,
            id="native call, wrong value",
        ),
        pytest.param(NATIVE, answered("It is open."), False, id="native, words"),
        pytest.param(PROMPT, answered("[greenhouse.open_vent(bay=3)]"), True, id="prompted"),
        pytest.param(
            PROMPT,
            answered("<think>\nbay 3 [x]\n</think>\n\n[greenhouse.open_vent(bay=3)]"),
            True,
            id="prompted, thought in front",
        ),
        pytest.param(PROMPT, answered("Sure: greenhouse.open_vent(3)"), False, id="prose"),
    ],
)
def test_answers_reach_the_scorer_in_its_form(
    condition: Condition, completion: Completion, passes: bool
) -> None:
    output = output_of(completion, opening(task(), condition).offered)
    settings = ScoringSettings(options={"form": output_form(task(), condition)})
    assert ScorerRegistry().grade(task(), KEY, output, settings).passed is passes


def test_plain_questions_have_no_form() -> None:
    plain = task(tools=(), key_kind=KeyKind.VALUE, key="4", scorer="exact")
    assert output_form(plain, NATIVE) is OutputForm.AUTO


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        pytest.param({}, "", id="can be sent"),
        pytest.param({"turns": ()}, "no prompt", id="no turns"),
        pytest.param({"turns": ((),)}, "no prompt", id="an empty turn"),
        pytest.param(
            {"turns": ((Message("user", [{"type": "image_url", "image_url": "x"}]),),)},
            r"not text \(image_url\)",
            id="image",
        ),
        pytest.param(
            {"turns": ((Message("user", [{"type": "text", "text": "hi"}]),),)}, "", id="text parts"
        ),
        pytest.param(
            {"turns": ((Message("function", "x"),),)}, "of the role 'function'", id="role"
        ),
        pytest.param({"turns": ((Message("user", "a"),),) * 2}, "2 turns", id="several turns"),
        pytest.param({"tools": ()}, "offers no tool", id="calls without tools"),
        pytest.param({"tools": ({"about": 1},)}, "no name", id="broken tool"),
        pytest.param(
            {"context": {"involved_classes": ["MemoryAPI"]}}, "memory back-end", id="memory"
        ),
        pytest.param(
            {"context": {"involved_classes": ["WebSearchAPI"]}}, "live web search", id="web"
        ),
        pytest.param(
            {"key_kind": KeyKind.CALL_TURNS, "tools": ()}, "assay fetch bfcl-v4", id="multi-turn"
        ),
        pytest.param(
            {"key_kind": KeyKind.VALUE, "context": {"choices": ["north", "south"]}},
            "does not name the choices",
            id="choices that were scored by likelihood",
        ),
    ],
)
def test_what_cannot_be_sent_says_why(fields: dict[str, Any], said: str) -> None:
    found = obstacle(task(**fields))
    assert re.search(said, found) if said else found == ""


def test_which_tasks_of_the_benchmark_can_be_sent(bfcl_v4: Path) -> None:
    tasks = bfcl_tasks(bfcl_v4)
    kept = Counter(t.group for t in tasks if obstacle(t, has_simulators=True))
    assert kept == {"memory": 155, "web_search": 100}
    without = Counter(t.group for t in tasks if obstacle(t))
    assert without == {"memory": 155, "web_search": 100, "multi_turn": 800}


@pytest.mark.parametrize(
    ("text", "is_question"),
    [
        pytest.param("Which bay do you mean?", True, id="question"),
        pytest.param("Done.\n\n**Shall I close it again?**", True, id="marked up"),
        pytest.param("どの区画ですか？", True, id="Japanese"),
        pytest.param("Let me know if you need more.", True, id="an offer counts: a rule of words"),
        pytest.param("You asked: which bay?\nIt was bay 3.", False, id="question before the end"),
        pytest.param("It is open.", False, id="statement"),
        pytest.param("", False, id="nothing"),
    ],
)
def test_question_at_the_end(text: str, is_question: bool) -> None:
    assert ends_with_question(text) is is_question
