"""The layout of BFCL in 2024 (v1): one text a question, one object of calls a key.

Its overall score covered executed calls too, which files alone cannot grade, so that no weight
is known for the tasks that are read here.
"""

from __future__ import annotations

import re
from typing import Any

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.domain.record import Json
from audit_app.importers.bfcl_generations import Layout
from audit_app.importers.bfcl_layout import Category
from audit_app.importers.content import ShapeError
from audit_app.importers.lines import json_type

PREFIX = "gorilla_openfunctions_v1_test_"
RULES = "2024-08"
KEY_NAMES = "key names"
"""Context of a task whose key names its calls otherwise than the task does: the written names."""

_IGNORED = re.compile(r"sql|rest|chatable|executable_.+")
_SUFFIX = re.compile(r"[_ ][0-9]+$")


def _category(name: str, language: str = "python") -> Category:
    return Category(
        name, "non_live_ast", "non_live", KeyKind.CALLS, None, name, (), language, PREFIX
    )


_RELEVANCE = Category(
    "relevance", "irrelevance", "non_live", KeyKind.NO_CALL, None, "relevance", prefix=PREFIX
)
_CATEGORIES = (
    *(
        _category(name)
        for name in (
            "simple",
            "multiple_function",
            "parallel_function",
            "parallel_multiple_function",
        )
    ),
    _category("java", "java"),
    _category("javascript", "javascript"),
    _RELEVANCE,
)


def _check_key(category: Category, record: dict[str, Any]) -> None:
    """Only the outer form: arguments that are no object are a defect to be seen, not lost."""
    if "ground_truth" not in record:
        raise ShapeError("the key has no ground_truth")
    calls = record["ground_truth"]
    if not isinstance(calls, dict):
        raise ShapeError(f"the key is {json_type(calls)}, not an object")


def _shaped(
    category: Category, question: dict[str, Any], key: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """One user turn, a list of tools, and one object a call without the number in its name.

    Raises:
        ShapeError: The question is not text.
    """
    shaped = dict(question)
    if "question" in question:
        text = question["question"]
        if not isinstance(text, str):
            raise ShapeError(f"question is {json_type(text)}, not text")
        shaped["question"] = [[{"role": "user", "content": text}]]
    tools = question.get("function")
    if isinstance(tools, dict):
        shaped["function"] = [tools]
    if "ground_truth" not in key:
        return shaped, key
    written: dict[str, Json] = key["ground_truth"]
    names = list(written)
    if category.name.startswith("parallel"):
        names = _without_numbers(names, shaped.get("function"))
    if names != list(written):
        shaped[KEY_NAMES] = list(written)
    calls = [{name: arguments} for name, arguments in zip(names, written.values(), strict=True)]
    return shaped, {**key, "ground_truth": calls}


def _without_numbers(written: list[str], tools: Json) -> list[str]:
    """Names of calls as the tools bear them: a number tells calls of one function apart."""
    offered = {
        tool["name"]
        for tool in (tools if isinstance(tools, list) else ())
        if isinstance(tool, dict) and isinstance(tool.get("name"), str)
    }
    return [name if name in offered else _SUFFIX.sub("", name) for name in written]


def written_key(task: Task, key: Json) -> dict[str, Json]:
    """A key in the benchmark's own form, one object with the names that its file has.

    Args:
        task: A task of this layout.
        key: Its key, or one that shall replace it: one object a call.

    Raises:
        ValueError: The key cannot be written so: two calls would bear one name.
    """
    if task.key == key:
        names: list[str] = task.context.get(KEY_NAMES, [next(iter(call)) for call in key])
    elif task.category.startswith("parallel"):
        names = _numbered(task, [next(iter(call)) for call in key])
    else:
        names = [next(iter(call)) for call in key]
    if len(set(names)) < len(names):
        raise ValueError(f"{task.id}: two calls of the key bear one name")
    return {name: next(iter(call.values())) for name, call in zip(names, key, strict=True)}


def _numbered(task: Task, names: list[str]) -> list[str]:
    """The written names where the calls are the same, else names with a running number."""
    written: list[str] | None = task.context.get(KEY_NAMES)
    if written and names == [next(iter(call)) for call in task.key]:
        return written
    if len(set(names)) == len(names):
        return names
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
    numbered, count = [], dict.fromkeys(seen, 0)
    for name in names:
        count[name] += 1
        numbered.append(f"{name}_{count[name]}" if seen[name] > 1 else name)
    return numbered


V1 = Layout(
    "v1",
    RULES,
    PREFIX,
    {category.name: category for category in _CATEGORIES},
    lambda name: _IGNORED.fullmatch(name) is not None,
    _check_key,
    _shaped,
)
