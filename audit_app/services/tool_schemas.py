"""Tools as endpoints take them: names without dots, parameters in JSON Schema.

BFCL names types after Python, Java and JavaScript. Java and JavaScript arguments are graded as the
text of that language, so their parameters are asked for as texts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from audit_app.domain.record import Json
from audit_app.domain.trials import Tool

NAME_LENGTH = 64
"""Longest name of a tool that all endpoints take."""

_TYPES = {
    **dict.fromkeys(("dict", "object", "HashMap", "Hashtable"), "object"),
    **dict.fromkeys(("float", "number", "double"), "number"),
    **dict.fromkeys(("integer", "int", "long", "short", "byte", "Bigint"), "integer"),
    **dict.fromkeys(("boolean", "bool", "Boolean"), "boolean"),
    **dict.fromkeys(
        ("array", "list", "tuple", "Array", "ArrayList", "Set", "Queue", "Stack"), "array"
    ),
    **dict.fromkeys(("string", "String", "char"), "string"),
}
"""BFCL's words for types; ``any`` and what is not here allow every value."""

_KEPT = frozenset(
    {"description", "enum", "default", "minimum", "maximum", "minItems", "maxItems", "pattern"}
)
_TEXT_LANGUAGES = {"java": "Java", "javascript": "JavaScript"}
_NOT_IN_NAMES = re.compile(r"[^a-zA-Z0-9_-]")


@dataclass(frozen=True)
class OfferedTools:
    """Tools ready to be sent.

    Attributes:
        tools: In the order of the task.
        originals: Name as sent → name as the task has it.
    """

    tools: tuple[Tool, ...]
    originals: Mapping[str, str]

    def original(self, name: str) -> str:
        """The task's name of a tool that a model called; as it is where there is no such tool."""
        return self.originals.get(name, name)


def offered_tools(documents: Sequence[Json], language: str = "") -> OfferedTools:
    """The tools of a task's documents.

    Args:
        documents: BFCL's form, ``{name, description, parameters}``, or that of chat completions.
        language: ``java`` or ``javascript`` where arguments are texts of that language.

    Raises:
        ValueError: A document is none of a tool.
    """
    tools, originals = [], dict[str, str]()
    for document in documents:
        name, description, parameters = _parts(document)
        sent = _free_name(name, originals)
        originals[sent] = name
        tools.append(Tool(sent, description, _schema_of(parameters, language)))
    return OfferedTools(tuple(tools), originals)


def _parts(document: Json) -> tuple[str, str, dict[str, Json]]:
    tool = document.get("function", document) if isinstance(document, dict) else None
    name = tool.get("name") if isinstance(tool, dict) else None
    if not isinstance(tool, dict) or not isinstance(name, str) or not name:
        raise ValueError("a tool has no name")
    parameters = tool.get("parameters", tool.get("input_schema", {}))
    description = tool.get("description", "")
    return (
        name,
        description if isinstance(description, str) else "",
        parameters if isinstance(parameters, dict) else {},
    )


def _free_name(name: str, used: Mapping[str, str]) -> str:
    """The name with underscores for what cannot be sent, told apart from those before it."""
    base = _NOT_IN_NAMES.sub("_", name)[:NAME_LENGTH]
    sent, number = base, 1
    while sent in used:
        number += 1
        sent = f"{base[: NAME_LENGTH - len(str(number)) - 1]}_{number}"
    return sent


def _schema_of(parameters: dict[str, Json], language: str) -> dict[str, Json]:
    properties = parameters.get("properties")
    if not isinstance(properties, dict):
        return {"type": "object", "properties": {}}
    convert = _text_of_language if language in _TEXT_LANGUAGES else _schema
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {name: convert(value, language) for name, value in properties.items()},
    }
    if required := _required(parameters, properties):
        schema["required"] = required
    return schema


def _schema(given: Json, language: str = "") -> dict[str, Json]:
    if not isinstance(given, dict):
        return {}
    kind = _TYPES.get(given.get("type", ""), "") if isinstance(given.get("type"), str) else ""
    schema: dict[str, Json] = {"type": kind} if kind else {}
    schema |= {name: value for name, value in given.items() if name in _KEPT}
    if schema.get("default", 0) is None:  # of no type at all; BFCL means: may be left out
        del schema["default"]
    if kind == "array":
        schema["items"] = _schema(given.get("items"))  # some endpoints refuse an array without
    properties = given.get("properties")
    if isinstance(properties, dict):
        schema["properties"] = {name: _schema(value) for name, value in properties.items()}
        if required := _required(given, properties):
            schema["required"] = required
    return schema


def _text_of_language(given: Json, language: str) -> dict[str, Json]:
    """A parameter whose value is to be written as source text."""
    given = given if isinstance(given, dict) else {}
    kind, said = given.get("type", "any"), given.get("description", "")
    wanted = f"Write the value as {_TEXT_LANGUAGES[language]} source text of type {kind}."
    return {"type": "string", "description": f"{said} {wanted}".strip()}


def _required(schema: Mapping[str, Json], properties: Mapping[str, Json]) -> list[str]:
    required = schema.get("required")
    if not isinstance(required, list):
        return []
    return [name for name in required if isinstance(name, str) and name in properties]
