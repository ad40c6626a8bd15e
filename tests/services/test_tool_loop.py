from __future__ import annotations

import ast
import json
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import pytest

from audit_app.domain.benchmark import KeyKind, Message, Task
from audit_app.domain.conditions import Condition, EndpointKind, FollowUp, ToolsMode
from audit_app.domain.trials import (
    Completion,
    CompletionStatus,
    Executed,
    Request,
    ToolCall,
    TrialRun,
)
from audit_app.external.simulators import find_simulators
from audit_app.importers.bfcl import parse_bfcl
from audit_app.scoring.grade import ScoringSettings
from audit_app.scoring.registry import ScorerRegistry
from audit_app.services.task_prompts import FOLLOW_UP_TEXTS, MORE_TOOLS, UNREADABLE_CALL
from audit_app.services.tool_loop import STEP_LIMIT, run_trial
from audit_app.settings import read_settings

DOCUMENTS = {
    "tools/Yard": [
        {"name": name, "description": "", "parameters": {"type": "dict", "properties": {}}}
        for name in ("ls", "sort")
    ]
}


def task(turns: int = 1, **context: Any) -> Task:
    return Task(
        id="multi_turn_base_0",
        category="multi_turn_base",
        group="multi_turn",
        scorer="bfcl-multi-turn",
        turns=tuple((Message("user", f"wish {n}"),) for n in range(1, turns + 1)),
        key_kind=KeyKind.CALL_TURNS,
        key=[["ls()"]] * turns,
        documents={"tools/Yard": "hash"},
        context=context,
    )


def under(tools: ToolsMode = ToolsMode.NATIVE, follow_up: FollowUp = FollowUp.NONE) -> Condition:
    return Condition(
        model="m",
        endpoint="http://e",
        provider=EndpointKind.OPENAI,
        tools=tools,
        follow_up=follow_up,
        follow_up_text=FOLLOW_UP_TEXTS[follow_up],
    )


class Model:
    """Says what it is told to, one answer a request, and remembers the requests."""

    def __init__(self, *answers: Completion | str | list[tuple[str, str]]) -> None:
        self._answers = list(answers)
        self.requests: list[Request] = []

    def __call__(self, request: Request) -> Completion:
        self.requests.append(request)
        answer = self._answers.pop(0)
        if isinstance(answer, Completion):
            return answer
        if isinstance(answer, str):
            return Completion(status=CompletionStatus.OK, text=answer, tokens_in=10, tokens_out=1)
        calls = tuple(ToolCall(f"c{i}", *call) for i, call in enumerate(answer))
        return Completion(status=CompletionStatus.OK, tool_calls=calls, tokens_in=10, tokens_out=1)

    def last_said(self) -> list[tuple[str, str]]:
        return [(m.role, m.content) for m in self.requests[-1].messages]


class Yard:
    """Gives each call of the last step its number among all calls."""

    def __init__(self, error: str = "") -> None:
        self.seen: list[Any] = []
        self._error = error

    def execute(self, task: Task, turns: Sequence[Sequence[Sequence[str]]]) -> Executed:
        self.seen.append(json.loads(json.dumps(turns)))
        total = sum(len(step) for steps in turns for step in steps)
        last = turns[-1][-1]
        first = total - len(last) + 1
        return Executed(tuple(f"result {first + i}" for i in range(len(last))), self._error)


def play(
    model: Callable[[Request], Completion],
    task: Task,
    condition: Condition | None = None,
    yard: Yard | None = None,
) -> TrialRun:
    return run_trial(
        task, condition or under(), 1, model, documents=DOCUMENTS, executor=yard or Yard()
    )


LS: list[tuple[str, str]] = [("ls", "{}")]


def test_results_are_fed_back_until_the_model_speaks() -> None:
    model, yard = Model([("ls", "{}"), ("sort", '{"by": "age"}')], LS, "Done.", "Nothing."), Yard()
    run = play(model, task(2), yard=yard)
    assert run.status is CompletionStatus.OK
    assert run.output == [
        [[{"ls": "{}"}, {"sort": '{"by": "age"}'}], [{"ls": "{}"}], "Done."],
        ["Nothing."],
    ]
    assert run.form == "fc"
    assert yard.seen == [
        [[["ls()", "sort(by='age')"]]],
        [[["ls()", "sort(by='age')"], ["ls()"]]],
    ]
    assert model.last_said() == [
        ("user", "wish 1"),
        ("assistant", ""),
        ("tool", "result 1"),
        ("tool", "result 2"),
        ("assistant", ""),
        ("tool", "result 3"),
        ("assistant", "Done."),
        ("user", "wish 2"),
    ]
    assert [r.step for r in model.requests] == [1, 2, 3, 4]
    assert (run.tokens_in, run.tokens_out, len(set(run.requests))) == (40, 4, 4)


def test_calls_written_as_text() -> None:
    model = Model("[ls(), sort(by='age')]", "Done.")
    run = play(model, task(), under(ToolsMode.PROMPT))
    assert run.output == [["[ls(), sort(by='age')]", "Done."]]
    system, *said = model.last_said()
    assert system[0] == "system"
    assert '"name": "sort"' in system[1]
    assert [role for role, _ in said] == ["user", "assistant", "user"]
    assert '{"call": "sort(by=\'age\')", "result": "result 2"}' in said[-1][1]
    assert not model.requests[0].tools


def test_step_beyond_the_limit_ends_the_whole_task() -> None:
    model = Model(*[LS] * (STEP_LIMIT + 1))
    run = play(model, task(2))
    assert run.status is CompletionStatus.OK
    assert isinstance(run.output, list)
    assert [len(turn) for turn in run.output] == [STEP_LIMIT + 1]  # the second turn is missing


def test_call_that_cannot_be_read_ends_the_turn_and_gets_an_answer() -> None:
    model, yard = Model([("ls", "{not json")], "ok"), Yard()
    run = play(model, task(2), yard=yard)
    assert run.output == [[[{"ls": "{not json"}]], ["ok"]]
    assert ("tool", UNREADABLE_CALL) in model.last_said()
    assert not yard.seen


def test_withheld_tools_come_in_their_turn() -> None:
    kept = task(2, missed_function={"1": ["sort"]})
    kept = msgspec.structs.replace(kept, turns=(kept.turns[0], ()))
    model = Model("There is no way to sort.", "Thanks.")
    play(model, kept)
    assert [[t.name for t in r.tools] for r in model.requests] == [["ls"], ["ls", "sort"]]
    assert model.last_said()[-1] == ("user", MORE_TOOLS)
    prompted = Model("There is no way to sort.", "Thanks.")
    play(prompted, kept, under(ToolsMode.PROMPT))
    assert '"name": "sort"' not in prompted.last_said()[0][1]
    assert '"name": "sort"' in prompted.last_said()[-1][1]


@pytest.mark.parametrize("policy", [FollowUp.AGREE, FollowUp.ONLY_ASKED])
def test_a6_one_question_a_turn_gets_the_reply_of_the_condition(policy: FollowUp) -> None:
    model = Model("Which file?", "Really that one?", "Shall I?", LS, "Done.")
    run = play(model, task(2), under(follow_up=policy))
    # Turn 1: asked twice, replied to once. Turn 2: asked, replied to, done.
    assert run.output == [
        ["Which file?", "Really that one?"],
        ["Shall I?", [{"ls": "{}"}], "Done."],
    ]
    assert (run.questions, run.follow_ups) == ((1, 1, 2), 2)
    assert model.last_said().count(("user", FOLLOW_UP_TEXTS[policy])) == 2


def test_a6_without_a_policy_a_question_is_only_noted() -> None:
    run = play(Model("Which file?"), task())
    assert (run.output, run.questions, run.follow_ups) == ([["Which file?"]], (1,), 0)


def test_r49_an_error_midway_is_no_output_and_loses_no_completion() -> None:
    failed = Completion(status=CompletionStatus.RATE_LIMITED, error="HTTP 429")
    run = play(Model(LS, failed), task())
    assert (run.status, run.output, run.error) == (CompletionStatus.RATE_LIMITED, None, "HTTP 429")
    assert len(run.completions) == 2
    assert run.tokens_in == 10  # what was answered was paid for


def test_failing_simulators_are_the_harness_not_the_model() -> None:
    run = play(Model(LS), task(), yard=Yard("the simulators gave no result"))
    assert (run.status, run.output) == (CompletionStatus.HARNESS, None)


def test_single_turn_is_one_request() -> None:
    plain = Task(
        id="q",
        category="c",
        group="g",
        scorer="exact",
        turns=((Message("user", "2+2?"),),),
        key_kind=KeyKind.VALUE,
        key="4",
    )
    run = run_trial(plain, under(), 3, Model("4"))
    assert (run.output, run.trial, run.form, len(run.completions)) == ("4", 3, "auto", 1)
    failed = Completion(status=CompletionStatus.TIMEOUT, error="slow")
    assert run_trial(plain, under(), 1, Model(failed)).output is None


def test_multi_turn_without_an_executor_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="need an executor"):
        run_trial(task(), under(), 1, Model())


def _is_named(calls: Sequence[str]) -> bool:
    """Whether all arguments are named: the benchmark drops the others from text."""
    trees = (ast.parse(call, mode="eval").body for call in calls)
    return all(isinstance(tree, ast.Call) and not tree.args for tree in trees)


def _playable(tasks: Sequence[Task], category: str) -> list[Task]:
    found = (t for t in tasks if t.category == category and all(map(_is_named, t.key)))
    return list(islice(found, 2))


def test_keys_of_real_tasks_played_by_a_model_pass(bfcl_v4: Path) -> None:
    """A model that makes the key's calls passes on the real simulators, its results fed back."""
    pool = find_simulators(read_settings().cache, workers=2)
    if pool is None:
        pytest.skip("the package is not in the cache folder; get it with: assay fetch bfcl-v4")
    parsed = parse_bfcl(bfcl_v4)
    documents = {document.id: document.body for document in parsed.documents}
    tasks = [
        *_playable(parsed.tasks, "multi_turn_base"),
        *_playable(parsed.tasks, "multi_turn_miss_func"),
    ]
    assert len(tasks) == 4
    condition = under(ToolsMode.PROMPT)
    with pool:
        scorers = ScorerRegistry(pool)
        for played in tasks:
            texts = [said for calls in played.key for said in (*(f"[{c}]" for c in calls), "Done.")]
            model = Model(*texts)
            run = run_trial(played, condition, 1, model, documents=documents, executor=pool)
            settings = ScoringSettings(options={"form": run.form})
            grade = scorers.grade(played, played.key, run.output, settings)
            assert grade.passed, (played.id, grade.reason)
            fed = [m.content for m in model.requests[-1].messages if "Results of" in m.content]
            assert len(fed) == sum(map(len, played.key))
            assert not any("Error during execution" in text for text in fed)
