"""The short way past the Python parser: lists of calls with plain literal arguments.

Most outputs look like ``[f(a=1, b="x"), g.h(c=[1.5, 2])]``. This reader takes a part of that
notation for which it gives just what the full parser gives, and returns None for everything else:
then the full parser decides. What it takes: dotted ASCII names, keyword arguments, integers and
decimal fractions of ordinary length, quoted text without escapes, True, False, None, bare names,
and lists and dicts of these; spaces and line feeds between them.
"""

from __future__ import annotations

import re
from keyword import kwlist
from typing import TypeAlias

from audit_app.domain.record import Json

Calls: TypeAlias = list[dict[str, dict[str, Json]]]
"""Calls in order, each ``{name: {argument: value}}``."""

_CONSTANTS = {"True": True, "False": False, "None": None}
_RESERVED = frozenset(kwlist) | {"__debug__"}
_DEEPEST = 40
"""Levels of brackets that are read here; the full parser allows more."""

_GAP = r"[ \n]*"
_NAME = "[A-Za-z_][A-Za-z0-9_]*"
_NOT_PLAIN = r"\\\n\r\x00\ud800-\udfff"
_VALUE = (
    rf'(?:"([^"{_NOT_PLAIN}]*)"'
    rf"|'([^'{_NOT_PLAIN}]*)'"
    r"|(-?(?:0|[1-9][0-9]{0,17}))"
    r"|(-?(?:0|[1-9][0-9]{0,17})\.[0-9]{1,300})"
    rf"|({_NAME}))"
)
_OPENED = r"(\[)|(\{)"
_CALL = re.compile(rf"{_GAP}({_NAME}(?:\.{_NAME})*)\({_GAP}").match
_ARGUMENT = re.compile(rf"{_GAP}({_NAME}){_GAP}={_GAP}(?:{_VALUE}{_GAP}[,)]|{_OPENED})").match
_ITEM = re.compile(rf"{_GAP}()(?:{_VALUE}{_GAP}[,\]}}]|{_OPENED})").match
_FIELD = re.compile(rf"{_GAP}(){_VALUE}{_GAP}:").match
_COMMA_OR_END = re.compile(rf"{_GAP}([,)\]}}])").match
_EMPTY = re.compile(rf"{_GAP}[\]}}]").match
_TEXT, _TEXT_IN_SINGLE_QUOTES, _INTEGER, _FRACTION, _WORD, _LIST = 2, 3, 4, 5, 6, 7


class _NotPlainError(Exception):
    """The text is outside the part of the notation that is read here."""


def read_plain_calls(text: str) -> Calls | None:
    """The calls of a text that starts with ``[``.

    Returns:
        None where the text is not plain: it may hold calls all the same.
    """
    last = len(text) - 1
    calls: Calls = []
    at = 1
    try:
        while True:
            call = _CALL(text, at)
            if call is None:
                return [] if text == "[]" else None
            name = call[1]
            if not _RESERVED.isdisjoint(name.split(".") if "." in name else (name,)):
                return None
            arguments, at = _read_arguments(text, call.end())
            calls.append({name: arguments})
            after = _COMMA_OR_END(text, at)
            if after is None or after[1] in ")}":
                return None
            at = after.end()
            if after[1] == "]":
                return calls if at > last else None
    except _NotPlainError:
        return None


def _read_arguments(text: str, at: int) -> tuple[dict[str, Json], int]:
    """Arguments from behind ``(`` to behind ``)``."""
    arguments: dict[str, Json] = {}
    if text[at : at + 1] == ")":
        return arguments, at + 1
    end = ","
    while end == ",":
        found = _ARGUMENT(text, at)
        if found is None:
            raise _NotPlainError
        name = found[1]
        if name in _RESERVED:
            raise _NotPlainError
        kind = found.lastindex or 0
        if kind >= _LIST:
            arguments[name], at, end = _nested(text, found, _DEEPEST)
            continue
        # Most arguments are text or integers: no further call for those.
        word = found[kind]
        arguments[name] = word if kind < _INTEGER else _scalar(kind, word)
        at = found.end()
        end = text[at - 1]
    if end != ")":
        raise _NotPlainError
    return arguments, at


def _value(text: str, found: re.Match[str], levels: int) -> tuple[Json, int, str]:
    """The value that was found, the position behind the mark that ends it, and that mark."""
    kind = found.lastindex or 0
    if kind >= _LIST:
        return _nested(text, found, levels)
    at = found.end()
    return _scalar(kind, found[kind]), at, text[at - 1]


def _nested(text: str, found: re.Match[str], levels: int) -> tuple[Json, int, str]:
    """A list or dict of which the opening was found, and what `_value` gives with it."""
    if not levels:
        raise _NotPlainError
    read = _read_items if found.lastindex == _LIST else _read_fields
    value, at = read(text, found.end(), levels - 1)
    mark = _COMMA_OR_END(text, at)
    if mark is None:
        raise _NotPlainError
    return value, mark.end(), mark[1]


def _scalar(kind: int, word: str) -> Json:
    if kind <= _TEXT_IN_SINGLE_QUOTES:
        return word
    if kind == _INTEGER:
        return int(word)
    if kind == _FRACTION:
        return float(word)
    if word in _CONSTANTS:
        return _CONSTANTS[word]
    if word in _RESERVED:
        raise _NotPlainError
    return word


def _read_items(text: str, at: int, levels: int) -> tuple[list[Json], int]:
    """Items from behind ``[`` to behind ``]``."""
    empty = _EMPTY(text, at)
    if empty is not None:
        return [], _behind(text, empty, "]")
    items = []
    end = ","
    while end == ",":
        found = _ITEM(text, at)
        if found is None:
            raise _NotPlainError
        value, at, end = _value(text, found, levels)
        items.append(value)
    if end != "]":
        raise _NotPlainError
    return items, at


def _read_fields(text: str, at: int, levels: int) -> tuple[dict[Json, Json], int]:
    """Fields from behind ``{`` to behind ``}``."""
    empty = _EMPTY(text, at)
    if empty is not None:
        return {}, _behind(text, empty, "}")
    fields: dict[Json, Json] = {}
    end = ","
    while end == ",":
        name = _FIELD(text, at)
        found = _ITEM(text, name.end()) if name is not None else None
        if name is None or found is None:
            raise _NotPlainError
        kind = name.lastindex or 0
        field = _scalar(kind, name[kind])
        fields[field], at, end = _value(text, found, levels)
    if end != "}":
        raise _NotPlainError
    return fields, at


def _behind(text: str, closing: re.Match[str], mark: str) -> int:
    if text[closing.end() - 1] != mark:
        raise _NotPlainError
    return closing.end()
