"""Calls: the notation they are written in, the keys made of them, and their text in an output.

The source files write a call as Python does; ``any_of(a, b)`` as an argument's value means that
a and b are equally right, and the first one is what a model would say by default.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from samples.toolshop.source import CallKey, Tool, Value

Arguments: TypeAlias = dict[str, Value]


class Call(NamedTuple):
    """One call as a model makes it."""

    function: str
    arguments: Arguments


class Wish(NamedTuple):
    """One call that a prompt asks for: argument → values that are equally right."""

    function: str
    values: dict[str, list[Value]]


def parse_call(text: str) -> Wish:
    """The wish that a call text of the source files stands for.

    Raises:
        ValueError: The text is not a call with keyword arguments only.
    """
    node = ast.parse(text, mode="eval").body
    if not isinstance(node, ast.Call) or node.args:
        raise ValueError(f"{text!r} is not a call with keyword arguments only")
    values = {k.arg: _alternatives(k.value) for k in node.keywords if k.arg is not None}
    return Wish(ast.unparse(node.func), values)


def _alternatives(node: ast.expr) -> list[Value]:
    if isinstance(node, ast.Call):
        return [ast.literal_eval(argument) for argument in node.args]
    return [ast.literal_eval(node)]


def first_call(wish: Wish) -> Call:
    """The call with the first of the equally right values."""
    return Call(wish.function, {name: values[0] for name, values in wish.values.items()})


def complete_key(wishes: Iterable[Wish], tools: Mapping[str, Tool]) -> list[CallKey]:
    """The key that accepts every right way of making the wished calls, and no wrong one.

    An argument with a default may be left out when the default is what is wished, and stated
    when nothing is wished. One without a default that is not wished must be left out.

    Raises:
        ValueError: A required argument is not wished, or a wished one is unknown.
    """
    return [{wish.function: _accepted(wish, tools[wish.function])} for wish in wishes]


def _accepted(wish: Wish, tool: Tool) -> dict[str, list[Value]]:
    unknown = wish.values.keys() - tool.properties.keys()
    missing = set(tool.required) - wish.values.keys()
    if unknown or missing:
        raise ValueError(f"{wish.function}: unknown {sorted(unknown)}, missing {sorted(missing)}")
    accepted: dict[str, list[Value]] = {}
    for name, argument in tool.properties.items():
        values = list(wish.values.get(name, [] if argument.default is None else [argument.default]))
        may_omit = name not in tool.required and (not values or argument.default in values)
        accepted[name] = [*values, ""] if may_omit else values
    return accepted


def render(calls: Sequence[Call], *, bare_floats: bool = False) -> str:
    """The text of the calls as a model writes it.

    Args:
        calls: At least one.
        bare_floats: Write 18.0 as 18, which the scorer takes for the same number.
    """
    return f"[{', '.join(_call_text(call, bare_floats) for call in calls)}]"


def _call_text(call: Call, bare_floats: bool) -> str:
    arguments = (f"{k}={_value_text(v, bare_floats)}" for k, v in call.arguments.items())
    return f"{call.function}({', '.join(arguments)})"


def _value_text(value: Value, bare_floats: bool) -> str:
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return f"[{', '.join(_value_text(item, bare_floats) for item in value)}]"
    if bare_floats and isinstance(value, float) and value.is_integer():
        return str(int(value))
    return repr(value)
