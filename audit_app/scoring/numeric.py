"""Numbers within a tolerance."""

from __future__ import annotations

import re
from math import isclose, isfinite

from audit_app.domain.record import Json
from audit_app.scoring.value_scorer import Comparison, KeyUnusableError, UnreadableError, text_of

_NUMBER = re.compile(
    r"[-+−]?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?:[eE][-+]?\d{1,3})?(?:\s?%)?"
)
_LONGEST = 100_000


def numeric(output: Json, accepted: Json, given: Comparison) -> bool:
    """Whether the output's number is the accepted one.

    Of a text, the last number counts (option ``which``: ``last`` or ``first``). A percent sign
    divides by 100 where both sides have one or option ``percent`` is set, and is passed over
    otherwise. Options ``tolerance`` (absolute, default 0) and ``relative`` (default 1e-9).

    Raises:
        UnreadableError: The output has no number.
        KeyUnusableError: The accepted value is no number.
    """
    first = given.options.get("which", "last") == "first"
    expected = _number(accepted, first=first)
    if expected is None:
        raise KeyUnusableError(f"{accepted!r} is not a number")
    found = _number(output, first=first)
    if found is None:
        raise UnreadableError("the output holds no number")
    tolerance = float(given.options.get("tolerance", 0.0))
    relative = float(given.options.get("relative", 1e-9))
    return isclose(found, expected, rel_tol=relative, abs_tol=tolerance)


def _number(value: Json, *, first: bool) -> float | None:
    """The number of a value, or the first or last one of a text; None where there is none."""
    if isinstance(value, bool) or value is None or isinstance(value, list | dict):
        return None
    if isinstance(value, int | float):
        return _finite(value)
    found = [m for m in _NUMBER.findall(text_of(value)[-_LONGEST:])]
    return _parsed(found[0] if first else found[-1]) if found else None


def _parsed(text: str) -> float | None:
    return _finite(text.rstrip("% ").replace(",", "").replace("−", "-"))


def _finite(value: float | str) -> float | None:
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None
