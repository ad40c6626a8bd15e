"""A task as the beginning of a conversation, and an answer as an output that scorers take."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from audit_app.domain.benchmark import KeyKind, Message, Task
from audit_app.domain.conditions import Condition, ToolsMode
from audit_app.domain.record import Json
from audit_app.domain.trials import ChatMessage, Completion, Request
from audit_app.scoring.dispatch import language_name
from audit_app.scoring.forms import OutputForm
from audit_app.services.task_prompts import tools_prompt
from audit_app.services.tool_schemas import OfferedTools, offered_tools

_CALL_KINDS = (KeyKind.CALLS, KeyKind.NO_CALL, KeyKind.SOME_CALL)
_THOUGHT = re.compile(r"\s*<think>.*?</think>\s*", re.DOTALL)
_BACK_ENDS = {"MemoryAPI": "a memory back-end", "WebSearchAPI": "live web search"}
_NO_TOOLS = OfferedTools((), {})
_ROLES = ("system", "user", "assistant")


@dataclass(frozen=True)
class Opening:
    """How a conversation begins.

    Attributes:
        messages: The first turn, what the system says included.
        offered: Tools to be called natively.
    """

    messages: tuple[ChatMessage, ...]
    offered: OfferedTools

    def request(self, task_id: str, trial: int) -> Request:
        """The first request of a trial."""
        return Request(
            task_id=task_id, trial=trial, messages=self.messages, tools=self.offered.tools
        )


def obstacle(task: Task, *, has_simulators: bool = False) -> str:
    """Why a task cannot be sent, in one clause; empty where it can.

    Args:
        task: The task.
        has_simulators: Whether calls of multi-turn tasks can be executed.
    """
    if not any(task.turns):
        return "it has no prompt"
    classes = task.context.get("involved_classes")
    for name in classes if isinstance(classes, list) else ():
        if isinstance(name, str) and (needed := _BACK_ENDS.get(name.partition("_")[0])):
            return f"it needs {needed}, which is not here"
    for message in (message for turn in task.turns for message in turn):
        if message.role not in _ROLES:
            return f"a message of its prompt is of the role {message.role[:40]!r}"
        if (kind := _not_text(message.content)) is not None:
            return f"its prompt holds what is not text ({kind[:40]})"
    if task.key_kind is KeyKind.CALL_TURNS:
        needs = "its calls have to be executed, and the simulators are not here"
        return "" if has_simulators else f"{needs}; get them with: assay fetch bfcl-v4"
    if len(task.turns) > 1:
        return f"it has {len(task.turns)} turns, and nothing plays the user between them"
    return _choices_obstacle(task) or _tools_obstacle(task)


def opening(task: Task, condition: Condition) -> Opening:
    """The beginning of a single-turn task's conversation.

    Raises:
        ValueError: The task cannot be sent: `obstacle` says why.
    """
    return open_with(task, task.tools, task.turns[0], condition)


def open_with(
    task: Task, documents: tuple[Json, ...], turn: tuple[Message, ...], condition: Condition
) -> Opening:
    """The beginning of a conversation with these tools and this first turn."""
    language = language_name(task)
    is_native = condition.tools is ToolsMode.NATIVE
    offered = offered_tools(documents, language) if is_native else _NO_TOOLS
    messages = turn_messages(turn)
    system = [condition.system_prompt]
    if documents and not is_native:
        system.append(tools_prompt(documents, language))
    system += [message.content for message in messages if message.role == "system"]
    said = "\n\n".join(text for text in system if text)
    first = (ChatMessage("system", said),) if said else ()
    rest = tuple(message for message in messages if message.role != "system")
    return Opening((*first, *rest), offered)


def turn_messages(turn: tuple[Message, ...]) -> tuple[ChatMessage, ...]:
    """A turn's messages, texts in several parts joined."""
    return tuple(ChatMessage(message.role, _text(message.content)) for message in turn)


def output_form(task: Task, condition: Condition) -> OutputForm:
    """How outputs of a task under a condition are to be read: the scorers' setting ``form``."""
    if task.key_kind not in (*_CALL_KINDS, KeyKind.CALL_TURNS):
        return OutputForm.AUTO
    return OutputForm.FC if condition.tools is ToolsMode.NATIVE else OutputForm.PROMPT


def output_of(completion: Completion, offered: OfferedTools) -> Json:
    """What was answered, as a result file of the benchmark would hold it.

    Returns:
        Calls as ``[{name: arguments as JSON text}]`` under the task's own names; else the text,
        without a thought that it begins with.
    """
    if completion.tool_calls:
        return [{offered.original(call.name): call.arguments} for call in completion.tool_calls]
    return without_thought(completion.text)


def without_thought(text: str) -> str:
    """The text without a ``<think>`` part at its beginning, which some servers leave in it."""
    found = _THOUGHT.match(text)
    return text[found.end() :] if found else text


def _choices_obstacle(task: Task) -> str:
    """Choices were once scored by their likelihood: then the prompt does not name them."""
    choices = task.context.get("choices")
    if not isinstance(choices, list):
        return ""
    prompt = "".join(_text(message.content) for message in task.turns[0])
    named = all(str(choice).strip() in prompt for choice in choices)
    return "" if named else "its prompt does not name the choices that its key is one of"


def _tools_obstacle(task: Task) -> str:
    try:
        offered_tools(task.tools)
    except ValueError as error:
        return f"its tools cannot be offered: {error}"
    if task.key_kind in (KeyKind.CALLS, KeyKind.SOME_CALL) and not task.tools:
        return "its key asks for calls, and it offers no tool"
    return ""


def _not_text(content: Json) -> str | None:
    """The kind of what is not text in a message; None where all of it is."""
    if isinstance(content, str):
        return None
    if not isinstance(content, list):
        return type(content).__name__
    for part in content:
        kind = part.get("type") if isinstance(part, Mapping) else None
        if kind != "text" or not isinstance(part.get("text"), str):
            return str(kind or type(part).__name__)
    return None


def _text(content: Json) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)
