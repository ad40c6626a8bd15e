"""Recorded repeated runs: trials with their conditions, and what may be put together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from audit_app.domain.conditions import condition_digest
from audit_app.domain.record import Json
from audit_app.domain.trials import TrialStatus

GRADED = frozenset({TrialStatus.PASS, TrialStatus.FAIL})

CONDITION_FIELDS = (
    "benchmark",
    "benchmark_version",
    "subset_rule",
    "model_id",
    "runtime",
    "runtime_version",
    "hardware",
    "context_len",
    "temperature",
    "top_p",
    "seed_policy",
    "extended_thinking",
    "follow_up_policy",
    "follow_up_text_hash",
    "system_prompt_hash",
    "grader_version",
    "key_version",
    "error_policy",
    "k",
    "date",
)
"""What must accompany a number from repeated runs; what is not known is said to be unknown."""


@dataclass(frozen=True)
class RecordedTrial:
    """One trial as a log has it.

    Attributes:
        model: Who was asked.
        condition: What the log says of the condition: a text, an object, or None.
        category: Category of the task, empty where the log has none.
        task: Id of the task.
        trial: Which trial of the task, as written.
        status: How it ended; an error is not a wrong answer.
        signature: What the failure looked like, so that the same failure is recognised; may be
            empty.
    """

    model: str
    condition: Json
    category: str
    task: str
    trial: str
    status: TrialStatus
    signature: str = ""


@dataclass(frozen=True)
class RunSummary:
    """One run of a category of which only the failures are named; every other task passed.

    Attributes:
        model: Who was asked.
        run: Id of the run; it is its condition, since nothing says that two runs were alike.
        category: The category.
        total: Tasks of the category.
        failed: Id of each failed task → what the failure looked like.
        details: What else the summary says of the run.
    """

    model: str
    run: str
    category: str
    total: int
    failed: Mapping[str, str]
    details: Mapping[str, Json] = field(default_factory=dict)


def condition_id(condition: Json) -> str:
    """Identity of a condition: equal content, equal id, whatever the order of its members."""
    return condition_digest(stated_fields(condition))[:12]


def stated_fields(condition: Json) -> dict[str, Json]:
    """The condition as fields; a text or a number is one field ``condition``, None is none."""
    if condition is None:
        return {}
    return dict(condition) if isinstance(condition, dict) else {"condition": condition}


def fields_not_stated(condition: Json) -> tuple[str, ...]:
    """Fields that a condition leaves open, of those that must accompany a number."""
    stated = stated_fields(condition)
    return tuple(f for f in CONDITION_FIELDS if stated.get(f, "unknown") in ("unknown", "", None))


def differing_fields(first: Json, second: Json) -> tuple[str, ...]:
    """Fields in which two conditions differ; rows may be put together only where there is none.

    A field that one of them does not state differs: unknown is not equal.
    """
    a, b = stated_fields(first), stated_fields(second)
    names = [*a, *(name for name in b if name not in a)]
    return tuple(name for name in names if name not in a or name not in b or a[name] != b[name])
