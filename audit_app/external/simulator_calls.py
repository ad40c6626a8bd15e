"""Calls given as text, made on the simulated back-ends without ever evaluating the text.

The benchmark hands each call text to Python's ``eval``. Here the text is parsed, and only what is
harmless by its kind is done: constants, lists, dicts, signs, calls of the back-ends' public
methods, and a few pure functions. What ``eval`` would refuse, an unknown name above all, gives the
same error text; what would need more is refused as a whole.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import json
import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

_CALLED = re.compile(r"\b([a-zA-Z_]\w*)\s*(?=\()")
_NOT_ALLOWED = frozenset({"kill", "exit", "quit", "remove", "unlink", "popen", "Popen", "run"})
_PURE: Mapping[str, Callable[..., Any]] = {
    f.__name__: f
    for f in (
        *(abs, bool, dict, float, int, len, list, max, min, pow, print, round, sorted, str, sum),
        tuple,
    )
}
_VISIBLE = frozenset(dir(builtins)) | {
    # names that the benchmark's own module and function have where a call is evaluated there
    *("copy", "importlib", "inspect", "json", "re", "method", "method_name", "module"),
    *("class_", "class_instance", "class_method_name_mapping", "class_name", "module_name"),
    *("execution_results", "func_call", "func_call_copy", "func_call_list", "initial_config"),
    *("instance_name", "involved_classes", "involved_instances", "is_evaL_run", "long_context"),
    *("model_name", "module_name", "test_entry_id", "execute_multi_turn_func_call"),
    *("is_empty_execute_response", "CLASS_FILE_PATH_MAPPING", "STATELESS_CLASSES"),
}
_SIGNS: Mapping[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Not: operator.not_,
}
_PLAIN = (bool, int, float, complex, str, bytes, list, tuple, dict, set, type(None))


class CallRefusedError(Exception):
    """A call that would need evaluation of code; it is not made."""


class _Unknown:
    """A name that exists where the benchmark evaluates, and whose value is not touched here."""

    def __init__(self, name: str) -> None:
        self.name = name


class CallRunner:
    """Makes calls on one set of back-ends.

    Args:
        label: What tells this set from another; it occurs in texts that mention a method.
        instances: Class name → back-end, in the order of the task; of two methods of one name the
            later back-end's is called.
    """

    def __init__(self, label: str, instances: Mapping[str, object]) -> None:
        self._methods: dict[str, dict[str, Callable[..., Any]]] = {}
        self._owner: dict[str, str] = {}
        for class_name, instance in instances.items():
            owner = f"{label}_{class_name}_instance"
            methods = inspect.getmembers(instance, predicate=inspect.ismethod)
            self._methods[owner] = {n: m for n, m in methods if not n.startswith("_")}
            self._owner.update(dict.fromkeys(self._methods[owner], owner))

    def run(self, call: str) -> str:
        """The result of a call as the benchmark has it: text, JSON text, or an error text.

        Raises:
            CallRefusedError: It would need evaluation of code.
            MemoryError: There is not enough memory.
        """
        text = _CALLED.sub(self._with_owner, call)
        try:
            _check_allowed(text)
            return _as_text(self._value(_parsed(text)))
        except (CallRefusedError, MemoryError):
            raise
        except Exception as error:  # whatever a back-end raises is a result to the benchmark
            return f"Error during execution: {error}"

    def _with_owner(self, match: re.Match[str]) -> str:
        name = match[1]
        return f"{self._owner[name]}.{name}" if name in self._owner else name

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value=value):
                return value
            case ast.List(elts=items):
                return [self._value(item) for item in items]
            case ast.Tuple(elts=items):
                return tuple([self._value(item) for item in items])
            case ast.Set(elts=items):
                return {self._value(item) for item in items}
            case ast.Dict(keys=names, values=values):
                return {self._key(n): self._value(v) for n, v in zip(names, values, strict=True)}
            case ast.Name(id=name):
                return self._named(name)
            case ast.UnaryOp(op=sign, operand=operand) if type(sign) in _SIGNS:
                return _SIGNS[type(sign)](_plain(self._value(operand)))
            case ast.Call():
                return self._called(node)
            case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in self._methods:
                method = self._methods[owner].get(name)
                return _Unknown(name) if method is None else method
        return self._refused(node)

    def _key(self, node: ast.expr | None) -> Any:
        if node is None:
            raise CallRefusedError("a dict is unpacked in it")
        return self._value(node)

    def _named(self, name: str) -> Any:
        if name in _PURE:
            return _PURE[name]
        if name in _VISIBLE or name in self._methods:
            return _Unknown(name)
        raise NameError(f"name {name!r} is not defined")

    def _called(self, node: ast.Call) -> Any:
        function = self._value(node.func)
        given = [self._value(argument) for argument in node.args]
        named: dict[str, Any] = {}
        for keyword in node.keywords:
            value = self._value(keyword.value)
            if keyword.arg is None:
                raise CallRefusedError("arguments are unpacked in it")
            named[keyword.arg] = value
        for value in (*given, *named.values()):
            if isinstance(value, _Unknown) or callable(value):
                raise CallRefusedError("it hands a function or a module to another function")
        if isinstance(function, _Unknown):
            raise CallRefusedError(f"it calls {function.name}")
        if isinstance(function, _PLAIN):
            raise TypeError(f"{type(function).__name__!r} object is not callable")
        return function(*given, **named)

    def _refused(self, node: ast.expr) -> Any:
        """Refuse an expression, unless a name or attribute at its front is unknown: an error."""
        match node:
            case ast.Attribute(value=first, attr=name):
                value = self._value(first)
                if isinstance(value, _PLAIN) and not hasattr(value, name):
                    return getattr(value, name)
            case ast.Subscript(value=first) | ast.Starred(value=first):
                self._value(first)
            case ast.Compare(left=first) | ast.BoolOp(values=[first, *_]):
                self._value(first)
            case ast.BinOp(left=left, right=right):
                self._value(left)
                self._value(right)
        raise CallRefusedError(f"it holds code to be evaluated ({type(node).__name__})")


def _check_allowed(text: str) -> None:
    """Refuse a few names, found by the benchmark's own rough cut of the text.

    Raises:
        RuntimeError: The name is one of them.
    """
    name = text.split("(")[0]
    if "." in name:
        name = name.split(".")[1]
    if name in _NOT_ALLOWED:
        raise RuntimeError(f"Function call {name} is not allowed.")


def _parsed(text: str) -> ast.expr:
    """The expression in a text; compiled too, for the errors that only that finds, and not run."""
    tree = ast.parse(text.lstrip(" \t"), "<string>", "eval")
    compile(tree, "<string>", "eval")
    return tree.body


def _plain(value: Any) -> Any:
    if not isinstance(value, _PLAIN):
        raise CallRefusedError("it applies an operator to a function or a back-end's object")
    return value


def _as_text(result: Any) -> str:
    if isinstance(result, _Unknown) or inspect.isroutine(result) or isinstance(result, type):
        raise CallRefusedError("its result is a function or a module")
    if type(result) is str:
        return result
    if type(result) is dict:
        try:
            return json.dumps(result)
        except (TypeError, ValueError, RecursionError):
            return str(result)
    return str(result)
