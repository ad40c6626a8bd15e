"""A trial run to its end: one request, or turns of tool calls with their results fed back.

It knows neither network nor simulators: it is handed one function that completes and, for
multi-turn tasks, one object that executes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from audit_app.domain.benchmark import KeyKind, Message, Task
from audit_app.domain.conditions import Condition, ToolsMode
from audit_app.domain.record import Json
from audit_app.domain.trials import (
    ChatMessage,
    Completion,
    CompletionStatus,
    Executed,
    Request,
    TrialRun,
)
from audit_app.scoring.execution import decode_step
from audit_app.scoring.faults import DecodeError
from audit_app.services.task_prompts import (
    UNREADABLE_CALL,
    ends_with_question,
    more_tools,
    results_prompt,
)
from audit_app.services.task_requests import (
    open_with,
    opening,
    output_form,
    output_of,
    turn_messages,
    without_thought,
)
from audit_app.services.tool_schemas import OfferedTools, offered_tools

STEP_LIMIT = 20
"""Steps of calls in one turn; one more is executed and ends the whole task, as in BFCL."""

Complete = Callable[[Request], Completion]
"""Puts a request to the model."""


class CallExecutor(Protocol):
    """Executes the calls of a multi-turn task; each time all of them, from the beginning."""

    def execute(self, task: Task, turns: Sequence[Sequence[Sequence[str]]]) -> Executed:
        """Results of the last step, after turns of steps of calls."""
        ...


def run_trial(
    task: Task,
    condition: Condition,
    trial: int,
    complete: Complete,
    *,
    documents: Mapping[str, Json] | None = None,
    executor: CallExecutor | None = None,
) -> TrialRun:
    """One trial of one task.

    Args:
        task: A task that can be sent: `obstacle` found nothing.
        condition: Under which.
        trial: Number of the repetition, from 1.
        complete: Puts a request to the model.
        documents: Bodies of the benchmark's shared documents, for multi-turn tasks.
        executor: Executes calls, for multi-turn tasks.

    Raises:
        ValueError: It is a multi-turn task, and there is no executor.
    """
    if task.key_kind is KeyKind.CALL_TURNS:
        if executor is None:
            raise ValueError(f"{task.id}: calls of a multi-turn task need an executor")
        return _Conversation(task, condition, trial, complete, documents or {}, executor).run()
    start = opening(task, condition)
    request = start.request(task.id, trial)
    completion = complete(request)
    is_ok = completion.status is CompletionStatus.OK
    question = is_ok and not completion.tool_calls and ends_with_question(completion.text)
    return TrialRun(
        task_id=task.id,
        trial=trial,
        status=completion.status,
        output=output_of(completion, start.offered) if is_ok else None,
        form=output_form(task, condition).value,
        completions=(completion,),
        requests=(request.digest,),
        error=completion.error,
        questions=(1,) if question else (),
    )


class _Stopped(Exception):
    """The trial cannot go on."""

    def __init__(self, status: CompletionStatus, error: str) -> None:
        super().__init__(error)
        self.status, self.error = status, error


class _Conversation:
    """One multi-turn trial under way."""

    def __init__(
        self,
        task: Task,
        condition: Condition,
        trial: int,
        complete: Complete,
        documents: Mapping[str, Json],
        executor: CallExecutor,
    ) -> None:
        self._task, self._condition, self._trial = task, condition, trial
        self._complete, self._executor = complete, executor
        self._form = output_form(task, condition)
        self._tools = _Withheld(task, documents)
        self._messages: list[ChatMessage] = []
        self._offered = OfferedTools((), {})
        self._outputs: list[list[Json]] = []
        self._executed: list[list[list[str]]] = []
        self._completions: list[Completion] = []
        self._requests: list[str] = []
        self._questions: list[int] = []
        self._follow_ups = 0

    def run(self) -> TrialRun:
        status, error = CompletionStatus.OK, ""
        try:
            for index, turn in enumerate(self._task.turns):
                self._begin(index, turn)
                if not self._play(index):
                    break
        except _Stopped as stop:
            status, error = stop.status, stop.error
        return TrialRun(
            task_id=self._task.id,
            trial=self._trial,
            status=status,
            output=self._outputs if status is CompletionStatus.OK else None,
            form=self._form.value,
            completions=tuple(self._completions),
            requests=tuple(self._requests),
            error=error,
            questions=tuple(self._questions),
            follow_ups=self._follow_ups,
        )

    def _begin(self, index: int, turn: tuple[Message, ...]) -> None:
        """Say what the user says in a turn, and offer what is new in it."""
        mode = self._condition.tools
        released = self._tools.released(index)
        if index == 0:
            start = open_with(self._task, self._tools.visible, turn, self._condition)
            self._messages, self._offered = list(start.messages), start.offered
        else:
            if released and mode is ToolsMode.NATIVE:
                self._offered = offered_tools(self._tools.visible)
            said = turn_messages(turn)
            if released:
                said = (ChatMessage("user", more_tools(released, mode)), *said)
            self._messages += said
        self._outputs.append([])
        self._executed.append([])

    def _play(self, index: int) -> bool:
        """Play a turn; whether the task goes on after it."""
        steps, may_reply = 0, bool(self._condition.follow_up_text)
        while True:
            completion = self._ask()
            output = output_of(completion, self._offered)
            self._outputs[-1].append(output)
            text = without_thought(completion.text)
            self._messages.append(ChatMessage("assistant", text, completion.tool_calls))
            calls = self._calls(output)
            if calls:
                self._execute(calls, completion)
                steps += 1
                if steps > STEP_LIMIT:
                    return False
                continue
            self._answer_unread(completion)
            if ends_with_question(text):
                self._questions.append(index + 1)
                if may_reply:
                    may_reply = False
                    self._follow_ups += 1
                    self._messages.append(ChatMessage("user", self._condition.follow_up_text))
                    continue
            return True

    def _ask(self) -> Completion:
        request = Request(
            task_id=self._task.id,
            trial=self._trial,
            step=len(self._completions) + 1,
            messages=tuple(self._messages),
            tools=self._offered.tools,
        )
        completion = self._complete(request)
        self._completions.append(completion)
        self._requests.append(request.digest)
        if completion.status is not CompletionStatus.OK:
            raise _Stopped(completion.status, completion.error)
        return completion

    def _calls(self, output: Json) -> list[str]:
        """Call texts of a step; none where it is a message, as the scorer will see it too."""
        try:
            calls = decode_step(output, self._form)
        except DecodeError:
            return []
        return [] if calls == [""] else calls

    def _execute(self, calls: list[str], completion: Completion) -> None:
        self._executed[-1].append(calls)
        executed = self._executor.execute(self._task, self._executed)
        if executed.error:
            raise _Stopped(CompletionStatus.HARNESS, executed.error)
        if self._condition.tools is ToolsMode.NATIVE:
            self._messages += [
                ChatMessage("tool", result, tool_call_id=call.id)
                for call, result in zip(completion.tool_calls, executed.results, strict=True)
            ]
        else:
            said = results_prompt(calls, executed.results)
            self._messages.append(ChatMessage("user", said))

    def _answer_unread(self, completion: Completion) -> None:
        """Calls that could not be read still need a result: endpoints refuse to go on without."""
        self._messages += [
            ChatMessage("tool", UNREADABLE_CALL, tool_call_id=call.id)
            for call in completion.tool_calls
        ]


class _Withheld:
    """The tools of a multi-turn task, some of them kept back until a later turn."""

    def __init__(self, task: Task, documents: Mapping[str, Json]) -> None:
        self._all = [tool for name in task.documents for tool in documents.get(name, ())]
        missed = task.context.get("missed_function")
        self._until = {
            name: int(turn)
            for turn, names in (missed.items() if isinstance(missed, Mapping) else ())
            for name in names
        }
        self._turn = 0

    @property
    def visible(self) -> tuple[Json, ...]:
        """What is on offer in the turn that began last."""
        return tuple(t for t in self._all if self._until.get(t["name"], 0) <= self._turn)

    def released(self, turn: int) -> tuple[Json, ...]:
        """What a turn (from 0) adds; it begins."""
        self._turn = turn
        return tuple(t for t in self._all if turn and self._until.get(t["name"]) == turn)
