"""One argument of a call: the type check, then the value check.

The type is that of the schema or, failing that, of the first accepted value ("variable flag");
with the flag set, the value is compared raw.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from audit_app.scoring.dicts import ValueFault, dict_fault, dict_list_fault, standard_members
from audit_app.scoring.strings import standardise

NESTED, SIMPLE = "type_error:nested", "type_error:simple"


def first_type(accepted: Sequence[Any]) -> type | None:
    """Type of the first accepted value that is not the omission mark."""
    for value in accepted:
        if value != "":
            return type(value)
    return None


def argument_fault(
    value: Any,
    accepted: Sequence[Any],
    *,
    expected: type,
    item: type | None,
    sizes_must_agree: bool = False,
) -> ValueFault | None:
    """Why the value of an argument is not accepted; None where it is.

    Args:
        value: The value after conversion.
        accepted: The key's list for the argument.
        expected: Type that the schema's type word stands for.
        item: Type of the items, for a sequence.
        sizes_must_agree: See `dict_fault`.
    """
    code, is_variable = _type_check(value, accepted, expected, item)
    if code:
        return ValueFault(code)
    if not is_variable:
        if expected is dict:
            return dict_fault(value, accepted, sizes_must_agree=sizes_must_agree)
        if expected is list and item is dict:
            return dict_list_fault(value, accepted, sizes_must_agree=sizes_must_agree)
        if expected is str:
            return _text_fault(value, accepted)
        if expected is list:
            return _list_fault(value, accepted)
    return None if value in accepted else ValueFault("value_error:others")


def _type_check(
    value: Any, accepted: Sequence[Any], expected: type, item: type | None
) -> tuple[str, bool]:
    """The code of a type fault, or an empty text, and the variable flag."""
    first = first_type(accepted)
    kind = type(value)
    if kind is expected:
        if item is None or any(_items_fit(value, alternative, item) for alternative in accepted):
            return "", first is not None and first is not expected
        return (NESTED if kind is first else SIMPLE), False
    return ("", True) if first is not None and kind is first else (SIMPLE, False)


def _items_fit(value: Sequence[Any], alternative: Any, item: type) -> bool:
    """Whether each item has the declared type or that of the alternative's first item."""
    if type(alternative) is not list:
        return True
    first = first_type(alternative)
    return all(type(member) is item or type(member) is first for member in value)


def _text_fault(value: str, accepted: Sequence[Any]) -> ValueFault | None:
    compared = standardise(value)
    for alternative in accepted:
        if type(alternative) is str and standardise(alternative) == compared:
            return None
    return ValueFault("value_error:string")


def _list_fault(value: Sequence[Any], accepted: Sequence[Any]) -> ValueFault | None:
    compared = standard_members(value)
    alternatives = [standard_members(alternative) for alternative in accepted]
    return None if compared in alternatives else ValueFault("value_error:list/tuple")
