"""Python values of the texts of JavaScript values, as the benchmark converts them.

Text that does not have the form of its declared type stays text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from audit_app.domain.record import Json
from audit_app.scoring.faults import CheckerStopError
from audit_app.scoring.java_text import after_space, enclosed, guessed_number, whole_number

_WHOLE = re.compile(r"-?\d+$")
_FLOAT = re.compile(r"-?\d+(\.\d+)?$")
_BIG = re.compile(r"-?\d+n$")
_TRUTH = {"true": True, "false": False}

_ARRAY = re.compile(r"\[|new\s+Array\(")
_ROWS = re.compile(r"\[\s*\[|new\s+Array\(\s*\[")
_BRACKET = re.compile(r"\[")


def convert_javascript(value: str, declared: str, item: str | None) -> Json:
    """The Python value of a text under its declared type.

    Args:
        value: The text.
        declared: The schema's type word.
        item: The type word of an array's items; None: guess each.

    Raises:
        CheckerStopError: The benchmark's converter would stop.
    """
    if declared == "String":
        return value[1:-1] if _is_quoted(value) else value
    if declared == "Boolean":
        return _TRUTH.get(value, value)
    if declared == "array":
        return _array(value.strip(), item)
    if declared == "dict":
        return _object(value.strip())
    if declared == "integer" and _WHOLE.match(value):
        return whole_number(value)
    if declared == "float" and _FLOAT.match(value):
        return float(value)
    if declared == "Bigint" and _BIG.match(value):
        return whole_number(value[:-1])
    return value


def _array(text: str, item: str | None) -> Json:
    end = _rows_end(text)
    if end is not None:
        rows = list(enclosed(text[:end], _BRACKET, "]"))
        rows[:1] = [row.strip().removeprefix("[") for row in rows[:1]]
        return [[_guessed(part.strip()) for part in row.strip().split(",")] for row in rows]
    opening = _ARRAY.match(text)
    close = text.find("]" if text.startswith("[") else ")")
    if opening is None or close < 0 or "\n" in text[opening.end() : close]:
        return text
    listed = text[opening.end() : close].strip()
    parts = [part.strip() for part in listed.split(",")] if listed else []
    try:
        return [_guessed(p) if item is None else _array_item(p, item) for p in parts]
    except CheckerStopError:
        return text


def _array_item(part: str, item: str) -> Json:
    return convert_javascript(part, item, "String" if part.startswith(("'", '"')) else None)


def _rows_end(text: str) -> int | None:
    """Where the array of arrays that a text begins with ends; None: it begins with none.

    Each row is closed by the first bracket after which the rest still makes rows and an end; it
    may stand inside of the row. Walking from the right, that is the nearest good one.
    """
    opening = _ROWS.match(text)
    if opening is None:
        return None
    close = "]" if text.startswith("[") else ")"
    line_ends = [match.start() for match in re.finditer("\n", text)]

    def nearest(start: int) -> int | None:
        if good is None:
            return None
        line = bisect_left(line_ends, start)
        broken = line < len(line_ends) and line_ends[line] < good[0]
        return None if broken else good[1]

    good: tuple[int, int] | None = None
    bracket = text.rfind("]")
    while bracket >= opening.end():
        after = after_space(text, bracket + 1)
        if text.startswith(close, after):
            good = (bracket, after + 1)
        elif text.startswith(",", after):
            row = after_space(text, after + 1)
            end = nearest(row + 1) if text.startswith("[", row) else None
            good = good if end is None else (bracket, end)
        bracket = text.rfind("]", 0, bracket)
    return nearest(opening.end())


def _object(text: str) -> Json:
    """An object up to its first closing brace; values are guessed, arrays one level deep."""
    close = text.find("}")
    if not text.startswith("{") or close < 0 or "\n" in text[:close]:
        return text
    found: dict[str, Json] = {}
    for name, value in _pairs(text[1:close]):
        value = value.strip()
        is_array = value.startswith("[") and value.endswith("]")
        found[name.strip().strip("'\"")] = (
            _array(value, None) if is_array else _guessed(value.strip("'\""))
        )
    return found


def _pairs(content: str) -> Iterator[tuple[str, str]]:
    """Names and values: a name ends at the next colon, a value before a comma and a name."""
    position = 0
    while position < len(content):
        if content[position] == ":":
            position += 1
            continue
        colon = content.find(":", position)
        if colon < 0:
            return
        start = after_space(content, colon + 1)
        end, following = _value_end(content, start)
        yield content[position:colon], content[start:end]
        position = following


def _value_end(content: str, start: int) -> tuple[int, int]:
    """Where a value ends and where the name after it begins."""
    comma = content.find(",", start)
    while comma >= 0:
        next_comma = content.find(",", comma + 1)
        colon = content.rfind(":", comma + 1, next_comma if next_comma >= 0 else len(content))
        if colon > comma + 1:
            name = after_space(content, comma + 1)
            return comma, min(name, colon - 1)
        comma = next_comma
    return len(content), len(content)


def _guessed(text: str) -> Json:
    text = text.strip()
    if text in _TRUTH:
        return _TRUTH[text]
    return text[1:-1] if _is_quoted(text) else guessed_number(text)


def _is_quoted(text: str) -> bool:
    return any(text.startswith(quote) and text.endswith(quote) for quote in ('"', "'"))
