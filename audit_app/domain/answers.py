"""Reading the answer to a rubric item from text: a status id, or the value that implies one."""

from __future__ import annotations

import math
import re

from audit_app.domain.record import Json
from audit_app.domain.review import MAX_TEXT
from audit_app.domain.rubric import Item, ValueType
from audit_app.errors import InputError

_MAX_DIGITS = 30
"""Longest number that is read (characters): far above any score or count."""

_INTEGER = re.compile(r"[+-]?[0-9]+")


def read_answer(item: Item, given: str) -> tuple[str, Json]:
    """Status id and value of an answer as it was given.

    Args:
        item: The question.
        given: A status id; or, where the item takes one, the text, the whole number, or
            ``floor,ceiling`` with either side left blank.

    Returns:
        The status and the value: None, a text, a count, or ``[floor, ceiling]``.

    Raises:
        InputError: The status is unknown, a status that needs a value comes without one, or the
            value does not fit the item.
    """
    text = given.strip()
    if item.status(text) is not None and text != item.value_status:
        return text, None
    if item.value is ValueType.NONE or not text or text == item.value_status:
        raise InputError(_refusal(item, text))
    return item.value_status, _value(item, text)


def _refusal(item: Item, text: str) -> str:
    forms = {
        ValueType.NONE: "",
        ValueType.TEXT: " or a text",
        ValueType.INTEGER: " or a whole number",
        ValueType.RANGE: " or FLOOR,CEILING",
    }
    # A status that a value implies says nothing without the value.
    known = ", ".join(status.id for status in item.statuses if status.id != item.value_status)
    return f"item {item.id!r} takes {known}{forms[item.value]}, not {text!r}"


def _value(item: Item, text: str) -> Json:
    if item.value is ValueType.INTEGER:
        return _count(item, text)
    if item.value is ValueType.RANGE:
        return _range(item, text)
    if len(text) > MAX_TEXT:
        raise InputError(f"item {item.id!r}: the text is longer than {MAX_TEXT} characters")
    return text


def _count(item: Item, text: str) -> int:
    if not _INTEGER.fullmatch(text) or len(text) > _MAX_DIGITS:
        raise InputError(_refusal(item, text))
    count = int(text)
    if count < 1:
        raise InputError(f"item {item.id!r} takes a number of at least 1, not {count}")
    return count


def _range(item: Item, text: str) -> list[float | None]:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) != 2 or not any(parts):
        raise InputError(_refusal(item, text))
    floor, ceiling = (_number(item, part) if part else None for part in parts)
    if floor is not None and ceiling is not None and floor > ceiling:
        raise InputError(f"item {item.id!r}: the floor {floor} is above the ceiling {ceiling}")
    return [floor, ceiling]


def _number(item: Item, text: str) -> float:
    """A finite number; a whole one stays whole."""
    if len(text) > _MAX_DIGITS or "_" in text:
        raise InputError(f"item {item.id!r}: {text[:_MAX_DIGITS]!r} is not a number")
    if _INTEGER.fullmatch(text):
        return int(text)
    try:
        number = float(text)
    except ValueError as error:
        raise InputError(f"item {item.id!r}: {text!r} is not a number") from error
    if not math.isfinite(number):
        raise InputError(f"item {item.id!r}: {text!r} is not a finite number")
    return number
