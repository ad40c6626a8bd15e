"""Calls out of a text by way of Python's own parser: the tree is read, never run."""

from __future__ import annotations

import ast
import re
import warnings
from threading import Lock
from typing import Any

from audit_app.scoring.arithmetic import work_out
from audit_app.scoring.faults import DecodeError
from audit_app.scoring.rules import RuleSet

LONGEST = 250_000
"""Characters that are handed to the parser: a tree takes some hundred bytes for each."""

_MAY_WARN = re.compile(r"\\|[0-9]\.?[A-Za-z]").search
_warnings_lock = Lock()
_PARSER_FAULTS = (SyntaxError, ValueError, MemoryError, RecursionError, OverflowError)
_READER_FAULTS = (ValueError, TypeError, ArithmeticError, RecursionError, MemoryError)


def parse_calls(text: str, rules: RuleSet) -> list[Any]:
    """The calls of a text that is one Python expression: a list of calls, or a bare call.

    Positional arguments are dropped and a ``**`` argument is filed under None, as the benchmark
    has it. Values keep their Python types, tuples included.

    Raises:
        DecodeError: The text is no such expression, or holds a value that cannot be read.
    """
    body = parse_expression(text)
    try:
        if isinstance(body, ast.Call) and rules.bare_call:
            return [_read_call(body, rules)]
        if not isinstance(body, ast.List | ast.Tuple | ast.Set):
            raise DecodeError("the output is not a list of calls")
        return [_read_element(element, rules) for element in body.elts]
    except _READER_FAULTS as error:
        if isinstance(error, DecodeError):
            raise
        raise DecodeError(f"a value in the output cannot be read: {error}") from error


def parse_expression(text: str) -> ast.expr:
    """The tree of a text that is one Python expression; the parser's warnings are not shown.

    Raises:
        DecodeError: The text is no expression, or too long for the parser.
    """
    if len(text) > LONGEST:
        raise DecodeError(f"the output is longer than {LONGEST:,} characters and not plain calls")
    try:
        if _MAY_WARN(text) is None:
            return ast.parse(text, mode="eval").body
        with _warnings_lock, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text, mode="eval").body
    except SyntaxError as error:
        raise DecodeError(f"the output is not written as calls: {error.msg}") from error
    except _PARSER_FAULTS as error:
        raise DecodeError("the output cannot be parsed") from error


def _read_element(node: ast.expr, rules: RuleSet) -> Any:
    if not isinstance(node, ast.Call):
        raise DecodeError("an element of the output is not a call")
    if rules.empty_call_as_text and not node.keywords:
        return ast.unparse(node)
    return _read_call(node, rules)


def _read_call(node: ast.Call, rules: RuleSet) -> dict[str, dict[Any, Any]]:
    parts = []
    function = node.func
    while isinstance(function, ast.Attribute):
        parts.append(function.attr)
        function = function.value
    if isinstance(function, ast.Name):
        parts.append(function.id)
    arguments = {keyword.arg: _read_value(keyword.value, rules) for keyword in node.keywords}
    return {".".join(reversed(parts)): arguments}


def _read_value(node: ast.expr | None, rules: RuleSet) -> Any:
    match node:
        case ast.Constant(value=value):
            return "..." if value is Ellipsis else value
        case ast.List(elts=items):
            return [_read_value(item, rules) for item in items]
        case ast.Tuple(elts=items):
            return tuple([_read_value(item, rules) for item in items])
        case ast.Dict(keys=names, values=values):
            pairs = zip(names, values, strict=True)
            return {_read_value(n, rules): _read_value(v, rules) for n, v in pairs}
        case ast.UnaryOp(operand=ast.Constant(value=value)):
            return -value  # type: ignore[operator]  # whatever the sign, and text fails
        case ast.Name(id=name):
            return name
        case ast.BinOp():
            return work_out(node)
        case ast.Call(keywords=[]):
            return ast.unparse(node)
        case ast.Call():
            return _read_call(node, rules)
        case ast.Subscript(value=value, slice=index):
            return f"{ast.unparse(value)}[{ast.unparse(index)}]"
    kind = type(node).__name__ if node is not None else "unpacking"
    raise DecodeError(f"a value in the output is no constant ({kind})")
