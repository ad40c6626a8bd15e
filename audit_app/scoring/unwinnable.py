"""Keys that no output can satisfy, found by feeding each key its own accepted values.

A call is winnable if each argument that must be given has an accepted value that passes its own
rule; arguments are judged one by one, so this finds what there is to find without a search.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from itertools import islice, permutations
from typing import Any

import msgspec

from audit_app.domain.benchmark import Task
from audit_app.domain.record import Json
from audit_app.scoring.agentic import AgenticScorer, PreparedAgentic
from audit_app.scoring.arguments import ArgumentRule
from audit_app.scoring.ast_rules import STOPS, BfclAstScorer, PreparedCalls
from audit_app.scoring.calls import CallRule
from audit_app.scoring.decoding import Decoding
from audit_app.scoring.dispatch import language_name
from audit_app.scoring.faults import CheckerStopError
from audit_app.scoring.grade import Grade, GradeStatus, ScoringSettings
from audit_app.scoring.own_answers import renderings
from audit_app.scoring.registry import ScorerRegistry
from audit_app.scoring.shown import alternatives

_MOST_ORDERS = 720


class Obstacle(StrEnum):
    """Why a key cannot be satisfied."""

    NO_ACCEPTED_VALUE = "no_accepted_value"
    """An argument must be given, and its list of accepted values is empty."""
    VALUE_REFUSED = "value_refused"
    """An argument must be given, and none of its accepted values passes the rule. (Where a dict
    of the key has a bare text for a list of values, one letter of it would pass.)"""
    REQUIRED_NOT_IN_KEY = "required_not_in_key"
    """The schema requires an argument that the key does not list: giving it is unexpected."""
    NOT_IN_SCHEMA = "not_in_schema"
    """The key demands an argument that the schema lacks."""
    NOT_OFFERED = "not_offered"
    """The key names a function that the task does not offer."""
    CHECKER_STOPS = "checker_stops"
    """The benchmark's checker would stop with an exception."""
    CALLS_COLLIDE = "calls_collide"
    """Each expected call can be made, but in no order do all of them pass."""
    ANSWER_REFUSED = "answer_refused"
    """The accepted answers, given back word for word, do not pass."""


class Unwinnable(msgspec.Struct, frozen=True):
    """A key that no output can satisfy.

    Attributes:
        obstacle: Why.
        where: The argument, or the function, or ``key``.
        reason: One sentence.
    """

    obstacle: Obstacle
    where: str
    reason: str


def find_obstacle(task: Task, key: Json, settings: ScoringSettings) -> Unwinnable | None:
    """What keeps every output from satisfying the key; None where its own answer passes.

    Tasks without a key, and those whose key cannot be tried here (multi-turn without a simulator,
    patterns), give None too.
    """
    if task.scorer == BfclAstScorer.name:
        return _calls_obstacle(BfclAstScorer().prepare(task, key, settings), task)
    if task.scorer == AgenticScorer.name:
        prepared = PreparedAgentic(key)
        answers = key if isinstance(key, list) else [key]
        return _answers_obstacle([prepared.grade_message(answer) for answer in answers], answers)
    if task.scorer in ("regex", "bfcl-multi-turn"):
        return None
    scorer = ScorerRegistry().prepare(task, key, settings)
    answers = key if isinstance(key, list) and key else [key]
    grades = [scorer.grade(answer) for answer in (*answers, key)]
    if grades[0].status is GradeStatus.NOT_GRADED or task.key is None:
        return None
    return _answers_obstacle(grades, answers)


def _answers_obstacle(grades: list[Grade], answers: list[Json]) -> Unwinnable | None:
    if any(grade.passed for grade in grades):
        return None
    reason = f"The accepted answers do not pass when given back: {alternatives(answers)}."
    return Unwinnable(Obstacle.ANSWER_REFUSED, "key", reason)


def _calls_obstacle(prepared: PreparedCalls, task: Task) -> Unwinnable | None:
    language = language_name(task)
    calls = []
    try:
        if missing := prepared.missing_function():
            reason = f"The key names the function {missing}, which the task does not offer."
            return Unwinnable(Obstacle.NOT_OFFERED, missing, reason)
        for rule in prepared.call_rules():
            arguments = _own_arguments(rule, language)
            if isinstance(arguments, Unwinnable):
                return arguments
            calls.append({rule.function: arguments})
    except CheckerStopError as error:
        return Unwinnable(Obstacle.CHECKER_STOPS, "key", f"The checker stops: {error.reason}.")
    except STOPS as error:
        reason = f"The checker stops with {type(error).__name__}: {error}."
        return Unwinnable(Obstacle.CHECKER_STOPS, "key", reason)
    for order in islice(permutations(calls), _MOST_ORDERS):
        if prepared.check(Decoding(list(order), None)).passed:
            return None
    reason = "Each expected call can be made, but in no order do all of them pass."
    return Unwinnable(Obstacle.CALLS_COLLIDE, "key", reason)


def _own_arguments(rule: CallRule, language: str) -> dict[str, Any] | Unwinnable:
    """Arguments made of the key's own values, or what keeps one from being made."""
    chosen: dict[str, Any] = {}
    for name in rule.required:
        if name not in rule.accepted:
            reason = f"{rule.function}: {name} is required, and the key does not list it."
            return Unwinnable(Obstacle.REQUIRED_NOT_IN_KEY, name, reason)
    for name, values in rule.accepted.items():
        must_stay = name in rule.required or "" not in values
        argument = rule.arguments.get(name)
        if argument is None:
            if must_stay:
                reason = f"{rule.function}: the key demands {name}, which the schema lacks."
                return Unwinnable(Obstacle.NOT_IN_SCHEMA, name, reason)
            continue
        passing = next(_passing(argument, language), _NONE)
        if passing is not _NONE:
            chosen[name] = passing
        elif must_stay:
            return _refused(rule, name)
    return chosen


_NONE = object()


def _passing(argument: ArgumentRule, language: str) -> Iterator[Any]:
    for value in argument.accepted:
        for given in renderings(value, language, argument.declared, argument.item_word):
            if argument.fault(given) is None:
                yield given


def _refused(rule: CallRule, name: str) -> Unwinnable:
    accepted = rule.arguments[name].accepted
    if not accepted:
        reason = f"{rule.function}: {name} must be given, and the key accepts no value for it."
        return Unwinnable(Obstacle.NO_ACCEPTED_VALUE, name, reason)
    reason = (
        f"{rule.function}: {name} must be given, and none of its accepted values passes: "
        f"{alternatives(accepted)}."
    )
    return Unwinnable(Obstacle.VALUE_REFUSED, name, reason)
