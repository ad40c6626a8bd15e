"""Sentences and decisions for grades of calls."""

from __future__ import annotations

from typing import Any

from audit_app.scoring.calls import (
    MISSING_OPTIONAL,
    MISSING_REQUIRED,
    UNEXPECTED,
    WRONG_NAME,
    CallFailure,
)
from audit_app.scoring.grade import Decision
from audit_app.scoring.shown import alternatives, jsonable, quoted

_STAGES = (WRONG_NAME, MISSING_REQUIRED, UNEXPECTED)
_TYPE_REASONS = {
    "type_error:nested": "an item of it has another type than the schema or the key has",
    "type_error:simple": "its type is neither that of the schema nor of the first accepted value",
    "type_error:java": "the checker takes only the source text of a Java value",
    "type_error:js": "the checker takes only the source text of a JavaScript value",
    "value_error:dict_items": "it has another number of fields",
    "value_error:list_dict_count": "the list has another length",
}


def nearness(failure: CallFailure) -> tuple[int, int]:
    """How near a failed call came: the later the stage and the more arguments fit, the larger."""
    stage = _STAGES.index(failure.code) if failure.code in _STAGES else len(_STAGES)
    return stage, failure.fitting


def decision(failure: CallFailure) -> Decision:
    """The point at which the verdict fell."""
    fault = failure.fault
    where = "function name" if failure.argument is None else str(failure.argument)
    given, accepted = failure.given, failure.accepted
    if failure.argument is None and failure.code != WRONG_NAME:
        where = "**"
    if fault is not None and fault.field is not None:
        where = f"{where}.{fault.field}"
        given, accepted = fault.given, fault.accepted
    return Decision(
        where=where,
        given=jsonable(given),
        accepted=tuple([jsonable(value) for value in accepted if _is_answer(value)]),
        may_omit=failure.may_omit,
    )


def sentence(failure: CallFailure) -> str:
    """Why the call does not fit, for a person."""
    function, argument = failure.function, failure.argument
    match failure.code:
        case code if code == WRONG_NAME:
            return f"The key expects the function {function}; the output calls {failure.given}."
        case code if code == MISSING_REQUIRED:
            return f"{function}: the required argument {argument} is missing."
        case code if code == UNEXPECTED:
            holder = "key" if failure.known else "schema"
            return f"{function}: the {holder} knows no argument {argument}, so any value fails."
        case code if code == MISSING_OPTIONAL:
            return f"{function}: the key does not let the argument {argument} be left out."
    return _value_sentence(failure)


def _value_sentence(failure: CallFailure) -> str:
    fault = failure.fault
    start = f"{failure.function}: {failure.argument} is {quoted(failure.given)}"
    why = _TYPE_REASONS.get(failure.code)
    if why is None and fault is not None and fault.field is not None:
        if fault.missing:
            why = f"the field {fault.field} may not be left out"
        elif fault.code == "value_error:dict_key":
            why = f"the key knows no field {fault.field}"
        else:
            return f"{start}; its field {fault.field} must be {alternatives(fault.accepted)}."
    because = f" ({why})" if why else ""
    return f"{start}{because}; accepted: {alternatives(failure.accepted)}."


def _is_answer(value: Any) -> bool:
    return not (isinstance(value, str) and value == "")
