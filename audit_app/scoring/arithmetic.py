"""Arithmetic of constants in an output, worked out from its syntax tree within bounds.

The benchmark's decoder hands an operation to Python's ``eval``. Here only constants, lists and
dicts of them, the operators and a few pure functions are worked out; any other name fails, as an
undefined name does there. Large results are refused, which the benchmark's decoder would go on to
compute: numbers beyond 16,000 bits, repetitions beyond 1,000 and sums beyond 100,000 members.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from typing import Any

from audit_app.scoring.faults import DecodeError

_MOST_BITS = 16_000
_LONGEST_REPEATED, _LONGEST_SUM = 1_000, 100_000
_WIDE_FORMAT = re.compile(rb"%[^a-zA-Z%]*(?:\*|[0-9]{4})")

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
}
_SIGNS: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.UAdd: operator.pos,
    ast.USub: operator.neg,
    ast.Not: operator.not_,
    ast.Invert: operator.invert,
}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    f.__name__: f for f in (abs, bool, float, int, len, max, min, round, str, sum)
}
_FAULTS = (TypeError, ValueError, ArithmeticError, RecursionError, MemoryError)


def work_out(node: ast.BinOp) -> Any:
    """Value of an operation on constants.

    Raises:
        DecodeError: It has none, it needs a name, or it is too large to be worked out.
    """
    try:
        return _value(node)
    except DecodeError:
        raise
    except _FAULTS as error:
        raise DecodeError(f"the operation in it has no value: {error}") from error


def _value(node: ast.expr) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.BinOp(left=left, op=op, right=right):
            return _applied(type(op), _value(left), _value(right))
        case ast.UnaryOp(op=sign, operand=operand):
            return _SIGNS[type(sign)](_value(operand))
        case ast.List(elts=items):
            return [_value(item) for item in items]
        case ast.Tuple(elts=items):
            return tuple([_value(item) for item in items])
        case ast.Dict(keys=names, values=values):
            pairs = zip(names, values, strict=True)
            return {_value(n): _value(v) for n, v in pairs if n is not None}
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in _FUNCTIONS:
            return _FUNCTIONS[name](*[_value(argument) for argument in arguments])
        case ast.JoinedStr(values=parts) if all(isinstance(p, ast.Constant) for p in parts):
            return "".join([_value(part) for part in parts])
    raise DecodeError("the operation in it needs more than constants")


def _applied(op: type[ast.operator], left: Any, right: Any) -> Any:
    if _size(op, left, right) > _MOST_BITS:
        raise DecodeError("the operation in it is too large to be worked out")
    if op not in _OPERATORS:
        raise DecodeError("the operation in it has no value")
    return _OPERATORS[op](left, right)


def _size(op: type[ast.operator], left: Any, right: Any) -> int:
    """A bound of the result, in bits where it is a number."""
    if isinstance(left, int) and isinstance(right, int):
        if op is ast.Pow:
            return left.bit_length() * max(right, 0)
        if op is ast.LShift:
            return left.bit_length() + max(right, 0)
        return left.bit_length() + right.bit_length()
    if op is ast.Mult:
        times = next((side for side in (left, right) if isinstance(side, int)), 1)
        return _over(max(_members(left), _members(right)) * times, _LONGEST_REPEATED)
    if op is ast.Mod and isinstance(left, str | bytes):
        text = left.encode("utf-8", "replace") if isinstance(left, str) else left
        return _over(1 if _WIDE_FORMAT.search(text) else 0, 0)
    return _over(_members(left) + _members(right), _LONGEST_SUM)


def _members(value: Any) -> int:
    """How much a value holds: letters, or members with all that they hold."""
    if isinstance(value, str | bytes):
        return len(value)
    if isinstance(value, dict):
        value = [*value, *value.values()]
    if isinstance(value, list | tuple):
        return len(value) + sum([_members(member) for member in value])
    return 0


def _over(length: int, most: int) -> int:
    return _MOST_BITS + 1 if length > most else 0
