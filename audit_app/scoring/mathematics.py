"""Mathematical equivalence of numbers, expressions and LaTeX, by math-verify.

The library's own timeouts need the main thread, so they are off: a grade is bounded by refusing
what no bound in Python can stop (long texts, towers of powers), and by a deadline that is looked
at on each call made.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from time import monotonic
from types import FrameType
from typing import Any, TypeVar

from audit_app.domain.record import Json
from audit_app.scoring.value_scorer import Comparison, KeyUnusableError, UnreadableError, text_of

T = TypeVar("T")
_LONGEST = 2_000
_DEADLINE_S = 5.0
_MOST_BRACKETS = 100
_POWER = r"(?:\^|\*\*)"
_TOO_LARGE = re.compile(
    rf"{_POWER}[\s{{(\d.+-]*{_POWER}|{_POWER}[\s{{(]*\d{{5}}|[)}}]\s*{_POWER}[\s{{(]*\d{{3}}"
    r"|\d{4}[\s)}]*!|![\s)}]*!"
)
_DIGITS = re.compile(r"\d{400}")


class _DeadlineError(BaseException):
    """The deadline has passed."""


def equivalent(output: Json, accepted: Json, given: Comparison) -> bool:
    """Whether the output's last expression or boxed answer equals the accepted one.

    Raises:
        UnreadableError: The output has no expression, or one that cannot be compared in time.
        KeyUnusableError: The accepted value has none.
    """
    gold = _gold(text_of(accepted))
    if not gold:
        raise KeyUnusableError(f"{accepted!r} holds no expression")
    text = text_of(output).rstrip()[-_LONGEST:]
    found = _parsed(text) or _parsed(text.rpartition("\n")[2])
    if not found:
        raise UnreadableError("the output holds no expression")
    _, verify = _library()
    same = _within_deadline(lambda: verify(gold, found, timeout_seconds=None))
    if same is None:
        raise UnreadableError("the expressions could not be compared in time")
    return same


@lru_cache(maxsize=1_024)
def _gold(text: str) -> Sequence[Any]:
    return _parsed(text) or _parsed(f"${text}$")


def _parsed(text: str) -> Sequence[Any]:
    """Expressions of a text; none where there are none or they are too large."""
    if len(text) > _LONGEST or _TOO_LARGE.search(text) or _DIGITS.search(text):
        return ()
    if text.count("{") + text.count("(") > _MOST_BRACKETS:
        return ()
    parse, _ = _library()
    found: Sequence[Any] | None = _within_deadline(lambda: parse(text, parsing_timeout=None))
    return found or ()


@cache
def _library() -> tuple[Callable[..., Sequence[Any]], Callable[..., bool]]:
    """The library's parser and its comparison; loaded late, for it takes a second."""
    import math_verify  # type: ignore[import-untyped]
    from math_verify import grader, parser

    parser.TIMEOUT_WARNING_SHOWN = True
    grader.TIMEOUT_WARNING_SHOWN = True
    return math_verify.parse, math_verify.verify


def _within_deadline(work: Callable[[], T]) -> T | None:
    """Result of the work; None where the deadline passes first, or it nests too deeply."""
    end = monotonic() + _DEADLINE_S
    former = sys.getprofile()

    def look_at_clock(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call" and monotonic() > end:
            raise _DeadlineError

    sys.setprofile(look_at_clock)
    try:
        return work()
    except (_DeadlineError, RecursionError):
        return None
    finally:
        sys.setprofile(former)
