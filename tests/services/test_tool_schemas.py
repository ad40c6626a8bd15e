from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.benchmark import Task
from audit_app.importers.bfcl import parse_bfcl
from audit_app.scoring.dispatch import language_name
from audit_app.services.tool_schemas import NAME_LENGTH, offered_tools


def tool(name: str = "f", **properties: Any) -> dict[str, Any]:
    required = ["a"] if "a" in properties else []
    return {
        "name": name,
        "description": "d",
        "parameters": {"type": "dict", "properties": properties, "required": required},
    }


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        pytest.param({"type": "float"}, {"type": "number"}, id="float"),
        pytest.param({"type": "any"}, {}, id="any value at all"),
        pytest.param({"type": "mystery"}, {}, id="a word that is not known"),
        pytest.param(
            {"type": "tuple", "items": {"type": "float"}},
            {"type": "array", "items": {"type": "number"}},
            id="tuple",
        ),
        pytest.param({"type": "array"}, {"type": "array", "items": {}}, id="array of anything"),
        pytest.param(
            {"type": "dict", "properties": {"x": {"type": "boolean"}}, "required": ["x", "y"]},
            {"type": "object", "properties": {"x": {"type": "boolean"}}, "required": ["x"]},
            id="nested, with a required name that does not exist",
        ),
        pytest.param(
            {"type": "string", "enum": ["a"], "default": "a", "optional": True, "description": "x"},
            {"type": "string", "enum": ["a"], "default": "a", "description": "x"},
            id="what is no JSON Schema is left out",
        ),
        pytest.param({"type": "string", "default": None}, {"type": "string"}, id="default of none"),
    ],
)
def test_types(given: dict[str, Any], sent: dict[str, Any]) -> None:
    parameters = offered_tools([tool(a=given)]).tools[0].parameters
    assert parameters == {"type": "object", "properties": {"a": sent}, "required": ["a"]}


def test_java_arguments_are_texts() -> None:
    parameters = offered_tools([tool(a={"type": "HashMap"})], "java").tools[0].parameters
    asked = "Write the value as Java source text of type HashMap."
    assert parameters["properties"] == {"a": {"type": "string", "description": asked}}


def test_names_are_sent_in_a_form_that_all_take_and_found_again() -> None:
    names = ["math.area", "math_area", "math area", "x" * 80, "x" * 81]
    offered = offered_tools([tool(name) for name in names])
    sent = [t.name for t in offered.tools]
    assert sent[:3] == ["math_area", "math_area_2", "math_area_3"]
    assert len(set(sent)) == 5
    assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in sent)
    assert [offered.original(name) for name in sent] == names
    assert offered.original("never_offered") == "never_offered"


def test_tools_in_the_form_of_chat_completions() -> None:
    document = {"type": "function", "function": {"name": "f", "description": "d"}}
    (sent,) = offered_tools([document]).tools
    assert (sent.name, sent.parameters) == ("f", {"type": "object", "properties": {}})


@pytest.mark.parametrize("document", [None, "f", {}, {"name": 3}, {"function": {}}])
def test_what_is_no_tool(document: Any) -> None:
    with pytest.raises(ValueError, match="no name"):
        offered_tools([document])


@cache
def bfcl_tasks(folder: Path) -> list[Task]:
    return parse_bfcl(folder).tasks


def _types(schema: Any) -> set[str]:
    found = {schema["type"]} if isinstance(schema, dict) and "type" in schema else set()
    for inner in (schema.get("items"), *(schema.get("properties") or {}).values()):
        if isinstance(inner, dict):
            found |= _types(inner)
    return found


def test_all_tools_of_the_benchmark_become_json_schema(bfcl_v4: Path) -> None:
    known = {"object", "number", "integer", "boolean", "array", "string"}
    count = 0
    for task in bfcl_tasks(bfcl_v4):
        offered = offered_tools(task.tools, language_name(task))
        assert len(offered.originals) == len(task.tools)
        for sent in offered.tools:
            assert _types(sent.parameters) <= known
            assert len(sent.name) <= NAME_LENGTH
            json.dumps(sent.parameters, allow_nan=False)
        count += len(offered.tools)
    assert count == 8_726  # function documents in the question files
