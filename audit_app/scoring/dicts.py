"""Dicts and lists of dicts in a call: the rules, under which a key's fields are lists of values.

Keys that do not have that shape make the benchmark's checker stop with the exception of the very
operation done here; callers turn it into a grade that says so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from audit_app.scoring.strings import standardise


class ValueFault(msgspec.Struct, frozen=True):
    """Why a value is not accepted.

    Attributes:
        code: The benchmark's code.
        field: The field of a dict at which the verdict fell, if there is one.
        given: What the field holds.
        accepted: What it could have held.
        missing: Whether the field is missing rather than wrong.
    """

    code: str
    field: Any = None
    given: Any = None
    accepted: tuple[Any, ...] = ()
    missing: bool = False


def dict_fault(
    value: dict[Any, Any], accepted: Sequence[Any], *, sizes_must_agree: bool
) -> ValueFault | None:
    """Why no accepted dict fits; None where one does.

    Args:
        value: The dict of the call.
        accepted: Alternatives, each a dict of lists of values; the omission mark is passed over.
        sizes_must_agree: Whether an alternative with another number of fields is refused, and a
            dict in the place of a list of values is compared as a dict (rules of 2024-08).

    Returns:
        The fault of the last alternative.
    """
    fault: ValueFault | None = ValueFault("dict_checker:unclear")
    for alternative in accepted:
        if alternative == "":
            continue
        if sizes_must_agree:
            fault = _sized_fault(value, alternative)
        else:
            fault = _fields_fault(value, alternative)
        if fault is None:
            return None
    return fault


def _fields_fault(value: dict[Any, Any], alternative: Any) -> ValueFault | None:
    fault = None
    for name, given in value.items():
        fault = _field_fault(name, given, alternative)
        if fault is not None:
            break
    for name, values in alternative.items():
        if name not in value and "" not in values:
            return ValueFault("value_error:dict_key", name, None, _listed(values), missing=True)
    return fault


def _sized_fault(value: dict[Any, Any], alternative: Any) -> ValueFault | None:
    if len(value.keys()) != len(alternative.keys()):
        return ValueFault("value_error:dict_items")
    for name, given in value.items():
        if name in alternative and isinstance(alternative[name], dict):
            fault = dict_fault(given, [alternative[name]], sizes_must_agree=True)
        else:
            fault = _field_fault(name, given, alternative)
        if fault is not None:
            return fault
    return None


def _field_fault(name: Any, given: Any, alternative: Any) -> ValueFault | None:
    if name not in alternative:
        return ValueFault("value_error:dict_key", name, given)
    values = alternative[name]
    compared = standardise(given) if type(given) is str else given
    if compared in standard_members(values):
        return None
    return ValueFault("value_error:dict_value", name, given, _listed(values))


def standard_members(values: Any) -> list[Any]:
    """Members of a sequence, texts standardised; a bare text counts as its letters."""
    members = [values[i] for i in range(len(values))]
    return [standardise(member) if type(member) is str else member for member in members]


def _listed(values: Any) -> tuple[Any, ...]:
    return tuple(values) if isinstance(values, list) else (values,)


def dict_list_fault(
    value: Sequence[Any], accepted: Sequence[Mapping[Any, Any]], *, sizes_must_agree: bool
) -> ValueFault | None:
    """Why no accepted list of dicts fits, place by place; None where one does."""
    fault: ValueFault | None = ValueFault("list_dict_checker:unclear")
    for alternative in accepted:
        if len(value) != len(alternative):
            fault = ValueFault("value_error:list_dict_count")
            continue
        fault = None
        for place in range(len(value)):
            expected = [alternative[place]]
            fault = dict_fault(value[place], expected, sizes_must_agree=sizes_must_agree)
            if fault is not None:
                break
        if fault is None:
            return None
    return fault
