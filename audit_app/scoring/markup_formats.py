"""Calls written as JSON or XML: the return formats of the format-sensitivity runs."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

from audit_app.domain.record import Json
from audit_app.scoring.faults import DecodeError
from audit_app.scoring.syntax_tree import parse_expression

_JSON_START = re.compile(r"\[\s*\{")
_JSON_END = re.compile(r"\}\s*\]")
_FAULTS = (
    ValueError,
    TypeError,
    KeyError,
    SyntaxError,
    OverflowError,
    RecursionError,
    MemoryError,
)


def decode_json_calls(text: str) -> Json:
    """Calls of a list of ``{"function": …, "parameters": …}``; none where it is not JSON.

    Raises:
        DecodeError: An object lacks one of the fields.
    """
    try:
        elements = json.loads(_json_part(text))
    except (ValueError, RecursionError):
        return []
    try:
        objects = [element for element in elements if isinstance(element, dict)]
        return [{element["function"]: element["parameters"]} for element in objects]
    except (KeyError, TypeError) as error:
        raise DecodeError("an object of the JSON text is not a call") from error


def _json_part(text: str) -> str:
    first, last = text.find("["), text.rfind("]")
    if 0 <= first < last:
        text = text[first : last + 1]
    start = _JSON_START.search(text)
    end = _JSON_END.search(text, start.end()) if start else None
    return text[start.start() : end.end()] if start and end else text


def decode_xml_calls(text: str, *, verbose: bool) -> Json:
    """Calls of the first ``<functions>`` element.

    Args:
        text: The output.
        verbose: Values stand in attributes (under ``params``), not in the element's text.

    Raises:
        DecodeError: There is no such element, or a value does not have the type it declares.
    """
    start = text.find("<functions>")
    end = text.find("</functions>", start)
    if start < 0 or end < 0:
        raise DecodeError("the output has no <functions> element")
    read = _verbose_arguments if verbose else _concise_arguments
    try:
        root = ElementTree.fromstring(text[start : end + len("</functions>")])
        return [{call.attrib["name"]: read(call)} for call in root.findall("function")]
    except _FAULTS as error:
        raise DecodeError(f"the XML text cannot be read as calls: {error}") from error


def _verbose_arguments(call: ElementTree.Element) -> dict[Any, Any]:
    container = call.find("params")
    elements = (call if container is None else container).findall("param")
    return {
        e.attrib.get("name"): _typed(e.attrib.get("value", ""), e.attrib.get("type", "string"))
        for e in elements
    }


def _concise_arguments(call: ElementTree.Element) -> dict[Any, Any]:
    return {
        e.attrib["name"]: _typed((e.text or "").strip(), e.attrib.get("type", "string"))
        for e in call.findall("param")
    }


def _boolean(text: str) -> bool:
    return text.lower() == "true"


def _nothing(_: str) -> None:
    return None


def _literal(text: str) -> Any:
    return ast.literal_eval(parse_expression(text.lstrip(" \t")))


_READERS: dict[str, Callable[[str], Any]] = {
    "integer": int,
    "float": float,
    "boolean": _boolean,
    "null": _nothing,
    "array": _literal,
    "tuple": _literal,
    "object": _literal,
    "dict": _literal,
}


def _typed(text: str, declared: str) -> Any:
    read = _READERS.get(declared)
    return text if read is None else read(text)
