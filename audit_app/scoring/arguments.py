"""What one argument may be, prepared once for many outputs: conversion, a short test, the rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from audit_app.scoring.dicts import ValueFault
from audit_app.scoring.faults import CheckerStopError
from audit_app.scoring.languages import Language
from audit_app.scoring.rules import RuleSet
from audit_app.scoring.strings import standardise
from audit_app.scoring.values import argument_fault, first_type

QuickTest = Callable[[Any], bool]


class ArgumentRule:
    """The rule for one argument that both the schema and the key have.

    ``passes`` is a short test that never passes what `fault` would not; where it does not pass,
    `fault` decides. ``declared`` and ``item_word`` are the schema's type words.
    """

    __slots__ = (
        "_accepted",
        "_expected",
        "_item",
        "_language",
        "_rules",
        "_stop",
        "declared",
        "item_word",
        "passes",
    )

    def __init__(
        self, schema: Mapping[str, Any], accepted: Any, language: Language, rules: RuleSet
    ) -> None:
        self._accepted, self._language, self._rules = accepted, language, rules
        self.declared: str = ""
        self.item_word: str | None = None
        self._expected: type = str
        self._item: type | None = None
        self._stop: CheckerStopError | None = None
        self.passes: QuickTest = _never
        try:
            self._read_schema(schema)
        except (KeyError, TypeError) as error:
            self._stop = _schema_stop(error)
        else:
            if language.convert is None and type(accepted) is list:
                self.passes = _quick_test(accepted, self._expected, self._item, self.declared)

    def _read_schema(self, schema: Mapping[str, Any]) -> None:
        types = self._language.types
        self.declared = schema["type"]
        self._expected = types[self.declared]
        if self.declared in self._language.sequences:
            self.item_word = schema["items"]["type"]
            self._item = types[self.item_word]

    @property
    def accepted(self) -> tuple[Any, ...]:
        """The accepted values without the omission mark, as the key has them."""
        values = self._accepted if isinstance(self._accepted, list) else [self._accepted]
        return tuple([value for value in values if value != ""])

    def fault(self, value: Any) -> ValueFault | None:
        """Why the value is not accepted; None where it is.

        Raises:
            CheckerStopError: The schema uses a word that the benchmark's checker does not know.
        """
        language = self._language
        if language.convert is not None and type(value) is not str:
            if self.declared not in language.types and self._stop is not None:
                raise self._stop
            return ValueFault(language.not_text)
        if self._stop is not None:
            raise self._stop
        if language.convert is not None:
            value = language.convert(value, self.declared, self.item_word)
        elif self.declared == "tuple" and type(value) is tuple:
            value = list(value)
        elif self.declared == "float" and type(value) is int:
            value = float(value)
        return argument_fault(
            value,
            self._accepted,
            expected=self._expected,
            item=self._item,
            sizes_must_agree=self._rules.dict_sizes_must_agree,
        )


def _schema_stop(error: KeyError | TypeError) -> CheckerStopError:
    if isinstance(error, TypeError):
        return CheckerStopError("TypeError", "the schema of the argument is malformed")
    word = error.args[0]
    if word in ("type", "items"):
        return CheckerStopError("KeyError", f"the schema of the argument has no {word}")
    return CheckerStopError("KeyError", f"its schema uses the type word {word!r}")


def _never(_: Any) -> bool:
    return False


def _quick_test(
    accepted: Sequence[Any], expected: type, item: type | None, declared: str
) -> QuickTest:
    if expected is str and first_type(accepted) is str:
        return _text_test(accepted)
    if declared == "float":
        return lambda value: (
            (type(value) is float or type(value) is int) and float(value) in accepted
        )
    if expected is int or expected is bool:
        return lambda value: type(value) is expected and value in accepted
    if expected is list and item is not dict and first_type(accepted) is list:
        return _list_test(accepted, item)
    return _never


def _text_test(accepted: Sequence[Any]) -> QuickTest:
    texts = frozenset([value for value in accepted if type(value) is str])
    standard: frozenset[str] | None = None

    def passes(value: Any) -> bool:
        nonlocal standard
        if type(value) is not str:
            return False
        if value in texts:
            return True
        if standard is None:
            standard = frozenset([standardise(text) for text in texts])
        return standardise(value) in standard

    return passes


def _list_test(accepted: Sequence[Any], item: type | None) -> QuickTest:
    if any(type(alternative) not in (list, str) for alternative in accepted):
        return _never
    return lambda value: (
        type(value) is list and value in accepted and all(type(member) is item for member in value)
    )
