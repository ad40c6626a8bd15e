"""One BFCL v4 question and its key as a task: fields moved to their places, none dropped."""

from __future__ import annotations

from typing import Any

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.domain.record import Json
from audit_app.importers.bfcl_layout import Category
from audit_app.importers.content import ShapeError, as_turns, check_key, is_lossless
from audit_app.importers.lines import json_type

_PLACED = frozenset({"id", "question", "function"})
_CALL_KINDS = (KeyKind.CALLS, KeyKind.NO_CALL, KeyKind.SOME_CALL)


def record_id(record: dict[str, Any], what: str) -> str:
    """The record's id.

    Raises:
        ShapeError: It has none, or one that is not text.
    """
    if "id" not in record:
        raise ShapeError(f"the {what} has no id")
    value = record["id"]
    if not isinstance(value, str):
        raise ShapeError(f"the id of the {what} is {json_type(value)}, not text")
    if not value:
        raise ShapeError(f"the id of the {what} is empty")
    return value


def checked_key(category: Category, record: dict[str, Any]) -> None:
    """Check that a key record holds a key of the category's kind.

    Raises:
        ShapeError: It does not.
    """
    if "ground_truth" not in record:
        raise ShapeError("the key has no ground_truth")
    check_key(category.key_kind, record["ground_truth"])


def as_task(
    category: Category, question: dict[str, Any], key: dict[str, Any], documents: dict[str, str]
) -> Task:
    """The task that a question and its key record make.

    Args:
        category: Where the question stands.
        question: Its record.
        key: Its key record; empty where the category itself is the key.
        documents: The shared documents it rests on: id → digest.

    Raises:
        ShapeError: The question does not have the shape of its category.
    """
    if "question" not in question:
        raise ShapeError("the record has no question")
    turns = as_turns(question["question"], "question")
    context = {name: value for name, value in question.items() if name not in _PLACED}
    if not is_lossless(question["question"]):
        context["question"] = question["question"]
    for name, value in key.items():
        if name not in ("id", "ground_truth"):
            context[f"key {name}" if name in context else name] = value
    return Task(
        id=question["id"],
        category=category.name,
        group=category.group,
        scorer=category.scorer,
        turns=turns,
        tools=_tools(category, question),
        key_kind=category.key_kind,
        key=key.get("ground_truth"),
        documents=documents,
        fields=_fields(category, question, key),
        context=context,
    )


def involved_classes(question: dict[str, Any]) -> list[str]:
    """The tool classes that a multi-turn or agentic question names.

    Raises:
        ShapeError: They are not a list of texts.
    """
    classes = question.get("involved_classes")
    if not isinstance(classes, list) or not all(isinstance(name, str) for name in classes):
        raise ShapeError("involved_classes is not a list of texts")
    return classes


def scenario(question: dict[str, Any]) -> str:
    """The scenario of a memory question.

    Raises:
        ShapeError: It has none.
    """
    value = question.get("scenario")
    if not isinstance(value, str):
        raise ShapeError(f"the scenario is {json_type(value)}, not text")
    return value


def _tools(category: Category, question: dict[str, Any]) -> tuple[Json, ...]:
    if category.key_kind not in _CALL_KINDS:
        return ()
    tools = question.get("function")
    if not isinstance(tools, list):
        raise ShapeError(f"function is {json_type(tools)}, not a list")
    for tool in tools:
        if not isinstance(tool, dict):
            raise ShapeError(f"an offered function is {json_type(tool)}, not an object")
    return tuple(tools)


def _fields(category: Category, question: dict[str, Any], key: dict[str, Any]) -> dict[str, str]:
    fields: dict[str, str] = {"section": category.section}
    if category.language:
        fields["language"] = category.language
    if category.name == "memory":
        fields["scenario"] = scenario(question)
    if isinstance(hops := key.get("num_hops"), int):
        fields["hops"] = str(hops)
    return fields
