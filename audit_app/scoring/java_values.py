"""Python values of the texts of Java values, as the benchmark converts them before its type check.

Text that does not have the form of its declared type stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit_app.domain.record import Json
from audit_app.scoring.faults import CheckerStopError
from audit_app.scoring.java_text import (
    after_space,
    enclosed,
    guessed_number,
    line_end,
    whole_number,
)

_WHOLE = re.compile(r"(-?\d+)$")
_LONG = re.compile(r"(-?\d+)[lL]$")
_DOUBLE = re.compile(r"(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)$")
_FLOAT = re.compile(_DOUBLE.pattern[:-1] + "[fF]$")
_TRUTH = {"true": True, "false": False}

_AS_TEXT = frozenset({"String", "any", "char"})
_QUOTED_ITEMS = frozenset({"String", "char"})
_UNCONVERTED = frozenset({"Set", "Hashtable", "Queue", "Stack"})

_LIST_OF = re.compile(r"new\s+ArrayList<\w*>\(Arrays\.asList\(")
_LIST_BLOCK = re.compile(r"new\s+ArrayList<\w*>\(\)\s*\{\{")
_EMPTY_LIST = re.compile(r"new\s+ArrayList<\w*>\(\)")
_ADD = re.compile(r"add\(")
_ARRAY = re.compile(r"new\s+\w+\[\]\s*\{")
_MAP = re.compile(r"new\s+HashMap<")
_MAP_MADE = re.compile(r">\s*\(\)")
_MAP_BLOCK = re.compile(r">\s*\(\)\s*\{")
_PUT = re.compile(r'put\("')


def convert_java(value: str, declared: str, item: str | None) -> Json:
    """The Python value of a text under its declared type.

    Args:
        value: The text.
        declared: The schema's type word.
        item: The type word of the items of an ``Array`` or ``ArrayList``; None: guess each.

    Raises:
        CheckerStopError: The benchmark's converter would stop.
    """
    if declared in _AS_TEXT:
        return value
    if declared == "boolean":
        return _TRUTH.get(value, value)
    if declared == "ArrayList":
        return _array_list(value, item)
    if declared == "Array":
        return _array(value, item)
    if declared == "HashMap":
        return _hash_map(value)
    if declared in _UNCONVERTED:
        raise CheckerStopError("NotImplementedError", f"{declared} has no conversion")
    return _number(value, declared)


def _number(value: str, declared: str) -> Json:
    if declared in ("float", "double"):
        match = (_FLOAT if declared == "float" else _DOUBLE).match(value)
        return float(match[1]) if match else value
    match = (_LONG if declared == "long" else _WHOLE).match(value)
    return whole_number(match[1]) if match else value


def _array_list(text: str, item: str | None) -> Json:
    listed = next(enclosed(text, _LIST_OF, "))", least=1), None)
    if listed is not None:
        return [_list_item(part.strip(), item) for part in listed.split(",")]
    block = _list_block(text)
    if block is not None:
        return [_list_item(part.strip(), item) for part in enclosed(block, _ADD, ")", least=1)]
    return [] if _EMPTY_LIST.search(text) else text


def _list_block(text: str) -> str | None:
    """What stands in the double braces of the first list that has them; white space counts."""
    opening = _LIST_BLOCK.search(text)
    if opening is None:
        return None
    start = after_space(text, opening.end())
    end = text.find("}}", start + 1)
    if end >= 0:
        return text[start:end]
    return "" if start > opening.end() and text.startswith("}}", start) else None


def _list_item(part: str, item: str | None) -> Json:
    if item in _QUOTED_ITEMS:
        return part[1:-1]
    return _guessed(part) if item is None else convert_java(part, item, None)


def _array(text: str, item: str | None) -> Json:
    listed = next(enclosed(text, _ARRAY, "}"), None)
    if listed is None:
        return text
    parts = [part.strip() for part in listed.split(",")]
    return [_guessed(p) if item is None else convert_java(p, item, None) for p in parts if p]


def _hash_map(text: str) -> Json:
    block = _map_block(text)
    if block is not None:
        return {name: _guessed(value.strip()) for name, value in _puts(block)}
    return {} if _makes_map(text) else text


def _map_block(text: str) -> str | None:
    """What stands in the braces of the first map, up to the first closing one."""
    opening = _MAP.search(text)
    made = _MAP_BLOCK.search(text, opening.end()) if opening else None
    if made is None:
        return None
    start = after_space(text, made.end())
    if text.startswith("{", start):
        start = after_space(text, start + 1)
    end = text.find("}", start)
    return text[start:end].rstrip() if end >= 0 else None


def _makes_map(text: str) -> bool:
    """Whether a map is made somewhere, its types on one line."""
    made: re.Match[str] | None = None
    ends_at = -1
    for opening in _MAP.finditer(text):
        if made is None or made.start() < opening.end():
            made = _MAP_MADE.search(text, opening.end())
            if made is None:
                return False
        ends_at = ends_at if ends_at >= opening.end() else line_end(text, opening.end())
        if made.start() < ends_at:
            return True
    return False


def _puts(block: str) -> Iterator[tuple[str, str]]:
    """The names and values that ``put("name", value)`` puts; each stands on one line."""
    position, close = 0, -1
    while opening := _PUT.search(block, position):
        start = opening.end()
        name_line = line_end(block, start)
        comma = block.find('",', start, name_line)
        while comma >= 0:
            value = after_space(block, comma + 2)
            close = close if close >= value else block.find(")", value)
            if close < 0:
                return
            if close <= (name_line if value <= name_line else line_end(block, value)):
                yield block[start:comma], block[value:close]
                position = close + 1
                break
            comma = block.find('",', comma + 1, name_line)
        else:
            position = name_line  # what fails here fails for a later opening on this line too


def _guessed(text: str) -> Json:
    if text in _TRUTH:
        return _TRUTH[text]
    if text.startswith('"') and text.endswith('"'):
        return text[1:-1]
    if match := _LONG.match(text):
        return whole_number(match[1])
    if match := _FLOAT.match(text):
        return float(match[1])
    return guessed_number(text)
