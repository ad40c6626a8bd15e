"""A small grader after the published rules of the Berkeley function-calling leaderboard.

It covers what these tasks need: Python-style call texts with flat arguments. Its quirks are those
of the original and on purpose: text is compared without case, spaces and punctuation, and of
several expected calls each takes the first call that fits it and never gives it back.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from samples.toolshop.calls import Call
from samples.toolshop.source import CallKey, Category, Property, Tool, Value

_PYTHON_TYPES = {"string": str, "integer": int, "float": float, "boolean": bool, "array": list}
_PUNCTUATION = re.compile(r"[ ,./\-_*^]")
_RULES = {
    Category.SINGLE: "simple_function_checker",
    Category.CHOOSE: "multiple_function_checker",
    Category.PARALLEL: "parallel_function_checker_no_order",
    Category.MIXED: "parallel_function_checker_no_order",
    Category.NO_CALL: "multiple_function_checker",
}


class Grade(NamedTuple):
    """Result of grading one output: the reason code is ``valid`` for a pass."""

    passed: bool
    code: str
    reason: str


class DecodeError(ValueError):
    """The output is not a list of calls."""


def decode(text: str) -> list[Call]:
    """The calls that an output text holds.

    Raises:
        DecodeError: The text does not parse, or an element of it is not a call.
    """
    body = text.strip("`\n ")
    body = body if body.startswith("[") else f"[{body}"
    body = body if body.endswith("]") else f"{body}]"
    try:
        tree = ast.parse(body, mode="eval").body
    except SyntaxError as error:
        raise DecodeError("the output is not a list of calls") from error
    if not isinstance(tree, ast.List):
        raise DecodeError("the output is not a list of calls")
    return [_decode_call(node) for node in tree.elts]


def _decode_call(node: ast.expr) -> Call:
    if not isinstance(node, ast.Call):
        raise DecodeError("an element of the output is not a call")
    arguments = {str(keyword.arg): _decode_value(keyword.value) for keyword in node.keywords}
    return Call(ast.unparse(node.func), arguments)


def _decode_value(node: ast.expr) -> Value:
    try:
        value: Value = ast.literal_eval(node)
    except ValueError as error:
        raise DecodeError(f"the value {ast.unparse(node)} cannot be read") from error
    return value


def grade(
    text: str, *, category: Category, tools: Mapping[str, Tool], key: Sequence[CallKey] | None
) -> Grade:
    """Grade of an output under a key; None as the key means that nothing is to be called."""
    try:
        calls = decode(text)
    except DecodeError as error:
        if key is None:
            return Grade(True, "valid", "The output makes no call, as the task expects.")
        return Grade(False, "ast_decoder:decoder_failed", f"No call could be read: {error}.")
    if key is None:
        return _grade_abstention(calls)
    return _grade_calls(calls, _RULES[category], tools, key)


def _grade_abstention(calls: Sequence[Call]) -> Grade:
    if not calls:
        return Grade(True, "valid", "The output makes no call, as the task expects.")
    names = ", ".join(call.function for call in calls)
    reason = f"The output calls {names}, but the task expects no call."
    return Grade(False, "irrelevance_error:decoder_success", reason)


def _grade_calls(
    calls: Sequence[Call], rule: str, tools: Mapping[str, Tool], key: Sequence[CallKey]
) -> Grade:
    if len(calls) != len(key):
        made = "1 call" if len(calls) == 1 else f"{len(calls)} calls"
        reason = f"The output makes {made}; the key expects {len(key)}."
        return Grade(False, f"{rule}:wrong_count", reason)
    if not rule.startswith("parallel"):
        return _grade_expected(calls[0], tools, key[0])
    unused = list(calls)
    for number, expected in enumerate(key, start=1):
        grades = [_grade_expected(call, tools, expected) for call in unused]
        fit = next((i for i, result in enumerate(grades) if result.passed), None)
        if fit is None:
            nearest = max(grades, key=lambda result: result.code not in _NOT_EVEN_NEAR)
            reason = f"No unused call fits expected call {number}. {nearest.reason}"
            return Grade(False, f"{rule}:cannot_find_match", reason)
        del unused[fit]
    return Grade(True, "valid", "Every expected call is matched by a call of the output.")


_NOT_EVEN_NEAR = ("simple_function_checker:wrong_func_name",)


def _grade_expected(call: Call, tools: Mapping[str, Tool], expected: CallKey) -> Grade:
    ((name, accepted),) = expected.items()
    tool = tools[name]
    rule = "simple_function_checker"
    if call.function != name:
        reason = f"The key expects the function {name}; the output calls {call.function}."
        return Grade(False, f"{rule}:wrong_func_name", reason)
    for argument in tool.required:
        if argument not in call.arguments:
            reason = f"{name}: the required argument {argument} is missing."
            return Grade(False, f"{rule}:missing_required", reason)
    for argument, value in call.arguments.items():
        if argument not in tool.properties or argument not in accepted:
            reason = f"{name}: the key knows no argument {argument}."
            return Grade(False, f"{rule}:unexpected_param", reason)
        code = _value_code(value, tool.properties[argument], accepted[argument])
        if code is not None:
            shown = " or ".join(repr(v) for v in accepted[argument] if v != "") or "nothing"
            reason = f"{name}: {argument} is {value!r}; accepted: {shown}."
            return Grade(False, code, reason)
    for argument, values in accepted.items():
        if argument not in call.arguments and "" not in values:
            reason = f"{name}: the key does not let the argument {argument} be left out."
            return Grade(False, f"{rule}:missing_optional", reason)
    return Grade(True, "valid", "The call matches an accepted answer.")


def _value_code(value: Value, schema: Property, accepted: Sequence[Value]) -> str | None:
    """Reason code of a value that is not accepted; None for one that is."""
    declared = _PYTHON_TYPES[schema.type]
    if declared is float and type(value) is int:
        value = float(value)
    first = next((type(v) for v in accepted if v != ""), None)
    if type(value) is declared:
        if isinstance(value, list) and not _items_fit(value, schema, accepted):
            return "type_error:nested"
    elif type(value) is not first:
        return "type_error:simple"
    if first is not None and first is not declared:
        return None if value in accepted else "value_error:others"
    if isinstance(value, str):
        texts = {standardise(v) for v in accepted if isinstance(v, str)}
        return None if standardise(value) in texts else "value_error:string"
    if isinstance(value, list):
        lists = [_standard_items(v) for v in accepted]
        return None if _standard_items(value) in lists else "value_error:list/tuple"
    return None if value in accepted else "value_error:others"


def _items_fit(value: Sequence[Value], schema: Property, accepted: Sequence[Value]) -> bool:
    item_type = _PYTHON_TYPES[(schema.items or {"type": "string"})["type"]]
    for alternative in accepted:
        if not isinstance(alternative, list):
            return True
        types = (item_type, type(alternative[0]) if alternative else item_type)
        if all(type(item) in types for item in value):
            return True
    return False


def _standard_items(value: Value) -> list[Value]:
    items: Sequence[Value] = value if isinstance(value, list | str) else []
    return [standardise(item) if isinstance(item, str) else item for item in items]


def standardise(text: str) -> str:
    """The text as the scorer compares it: no spaces, no ``,./-_*^``, lower case, double quotes."""
    return _PUNCTUATION.sub("", text).lower().replace("'", '"')
