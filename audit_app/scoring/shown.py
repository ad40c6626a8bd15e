"""Values as they are shown and stored: JSON whatever they were, and short in sentences."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any

from audit_app.domain.record import Json

_LONGEST = 160
_MOST_BITS = 63


def jsonable(value: Any) -> Json:
    """The value as JSON: tuples as lists, and as text what JSON has no place for."""
    try:
        return _jsonable(value)
    except RecursionError:
        return "(nested too deeply to be shown)"


def _jsonable(value: Any) -> Json:
    kind = type(value)
    if kind is str:
        return value if value.isascii() else value.encode("utf-8", "replace").decode()
    if value is None or kind is bool:
        return value
    if kind is int:
        return value if value.bit_length() <= _MOST_BITS else _number_text(value)
    if kind is float:
        return value if isfinite(value) else repr(value)
    if kind is list or kind is tuple:
        return [_jsonable(item) for item in value]
    if kind is dict:
        return {_name(name): _jsonable(field) for name, field in value.items()}
    return repr(value)


def _name(name: Any) -> str:
    return str(_jsonable(name))


def _number_text(value: int) -> str:
    return str(value) if value.bit_length() < 1_000 else hex(value)


def quoted(value: Any) -> str:
    """The value in a sentence: as Python writes it, cut where it is long."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        text = f"a {type(value).__name__} too large to be shown"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def alternatives(values: Iterable[Any]) -> str:
    """Accepted values in a sentence, without the mark that the argument may be left out."""
    shown = [quoted(value) for value in values if value != ""]
    if not shown:
        return "nothing"
    if len(shown) > 6:
        shown = [*shown[:6], f"{len(shown) - 6} more"]
    return " or ".join(shown)
