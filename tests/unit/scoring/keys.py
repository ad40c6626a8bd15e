"""Short ways to write tasks, keys and outputs."""

from __future__ import annotations

from typing import Any

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.scoring.ast_rules import BfclAstScorer
from audit_app.scoring.grade import Grade, ScoringSettings

V4 = ScoringSettings()
AUGUST = ScoringSettings(rules="2024-08")


def tool(name: str, required: tuple[str, ...] = (), **types: Any) -> dict[str, Any]:
    """A tool whose arguments have these type words; a pair is (array or tuple, item)."""
    properties = {
        argument: {"type": word}
        if isinstance(word, str)
        else {"type": word[0], "items": {"type": word[1]}}
        for argument, word in types.items()
    }
    parameters = {"type": "dict", "properties": properties, "required": list(required)}
    return {"name": name, "parameters": parameters}


def calls_task(*tools: dict[str, Any], key: Any, category: str = "simple_python") -> Task:
    return Task(
        id="t",
        category=category,
        group="",
        scorer="bfcl-ast",
        turns=(),
        tools=tools,
        key_kind=KeyKind.CALLS,
        key=key,
    )


def graded(task: Task, output: Any, settings: ScoringSettings = V4) -> Grade:
    return BfclAstScorer().grade(task, task.key, output, settings)


def value_task(scorer: str, key: Any, **context: Any) -> Task:
    return Task(
        id="t",
        category="all",
        group="all",
        scorer=scorer,
        turns=(),
        key_kind=KeyKind.VALUE,
        key=key,
        context=context,
    )
