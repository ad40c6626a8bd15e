"""Calls written as text, as keys of several turns have them: their constants, and changing one."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from audit_app.domain.record import Json


class CallConstant(NamedTuple):
    """One text, number or truth value among the arguments of a call.

    Attributes:
        function: Name of the function.
        argument: Name of the argument, or its place from 0 where it has none.
        value: The value.
        start: Where its source text begins, in bytes of UTF-8.
        end: Where it ends.
    """

    function: str
    argument: str
    value: Json
    start: int
    end: int


def call_constants(text: Json) -> list[CallConstant]:
    """The constants of one call, in the order of the text; none where it cannot be read."""
    if not isinstance(text, str) or "\n" in text:
        return []
    try:
        call = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    return list(_constants(call)) if isinstance(call, ast.Call) else []


def with_constant(text: str, constant: CallConstant, value: Json) -> str:
    """The call with another value in the place of one of its constants, in the same quotes."""
    source = text.encode()
    old = source[constant.start : constant.end].decode()
    quote = old[:1]
    new = repr(value)
    if isinstance(value, str) and quote in "\"'" and not {quote, "\\", "\n"} & set(value):
        new = f"{quote}{value}{quote}"
    return (source[: constant.start] + new.encode() + source[constant.end :]).decode()


def _constants(call: ast.Call) -> Iterator[CallConstant]:
    function = ast.unparse(call.func)
    given = [(str(place), node) for place, node in enumerate(call.args)]
    given += [(keyword.arg or "", keyword.value) for keyword in call.keywords]
    for argument, value in given:
        for node in ast.walk(value):
            if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float):
                yield CallConstant(
                    function, argument, node.value, node.col_offset, node.end_col_offset or 0
                )
