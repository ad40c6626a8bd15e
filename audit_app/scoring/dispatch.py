"""Which rule for calls applies to a task, and in which language its calls are."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

from audit_app.domain.benchmark import Task
from audit_app.domain.record import Json
from audit_app.scoring.languages import language_of_category

_BFCL_NAME = re.compile(
    r"(?:live_)?(?:simple(?:_python|_java|_javascript)?|multiple|parallel|parallel_multiple)"
    r"|(?:multiple|parallel|parallel_multiple)_function|java|javascript"
)
"""Names of categories of calls, v4 and 2024."""


class CallCount(StrEnum):
    """The three rules for calls."""

    SIMPLE = "simple"
    """One call of the one tool offered; the key's function name is never looked at."""
    MULTIPLE = "multiple"
    """One call of one of several tools, found by the key's function name."""
    PARALLEL = "parallel"
    """Several calls in any order, each expected one taking the first unused call that fits."""


def call_count(category: str, key: Sequence[Json], tools: Sequence[Json]) -> CallCount:
    """The rule for a task: by name in a category of BFCL's, by numbers in any other.

    BFCL looks at the name alone, so there a key that was changed to another number of calls is
    graded by the same rule as before. Other benchmarks name their categories as they like: there
    several expected calls (or none) are parallel, one out of several tools is multiple, one of
    one is simple. On BFCL's own tasks both ways give the same rule.
    """
    if _BFCL_NAME.fullmatch(category):
        for count in (CallCount.PARALLEL, CallCount.MULTIPLE):
            if count in category:
                return count
        return CallCount.SIMPLE
    if len(key) != 1:
        return CallCount.PARALLEL
    return CallCount.MULTIPLE if len(tools) > 1 else CallCount.SIMPLE


def language_name(task: Task) -> str:
    """Language of a task's calls: the one it states, else by the name of its category."""
    return task.fields.get("language") or language_of_category(task.category)
