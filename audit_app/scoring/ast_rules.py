"""BFCL's rules for calls: decode, test the shape, then the simple, multiple or parallel rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from audit_app.domain.benchmark import Task
from audit_app.domain.record import Json
from audit_app.scoring.call_wording import decision, nearness, sentence
from audit_app.scoring.calls import RULE, CallFailure, CallRule
from audit_app.scoring.decoding import Decoding, decoder, has_call_shape
from audit_app.scoring.dispatch import CallCount, call_count, language_name
from audit_app.scoring.faults import CheckerStopError, DecodeError
from audit_app.scoring.grade import Decision, Grade, GradeStatus, ScoringSettings
from audit_app.scoring.languages import language
from audit_app.scoring.rules import rule_set

DECODER_FAILED = "ast_decoder:decoder_failed"
WRONG_FORMAT = "ast_decoder:decoder_wrong_output_format"
MULTIPLE, PARALLEL = "multiple_function_checker", "parallel_function_checker_no_order"
STOPS = (TypeError, LookupError, AttributeError, ValueError, ArithmeticError, RecursionError)
"""What the benchmark's checker raises on keys, schemas and values that it does not foresee. The
rules here do the same operations on them, so the same is raised."""

_REMEMBERED, _LONGEST_REMEMBERED = 64, 4_000
_FITS = "The call matches an accepted answer."
_ALL_FIT = "Every expected call is matched by a call of the output."


class PreparedCalls:
    """The rule of one task under one key; equal texts are graded once."""

    def __init__(self, task: Task, key: Json, settings: ScoringSettings) -> None:
        rules = rule_set(settings.rules)
        self._rules = rules
        self._language = language(language_name(task))
        self._decode = decoder(settings.options, rules=rules, language=self._language.decode)
        self._tools: Sequence[Any] = task.tools
        self._dots = settings.dots_to_underscores
        self._key = _expected_calls(key)
        count = call_count(task.category, self._key, task.tools)
        if count is CallCount.MULTIPLE and rules.multiple_is_parallel:
            count = CallCount.PARALLEL
        self._count = count
        self._rules_made: dict[int, CallRule] = {}
        self._remembered: dict[str, Grade] = {}

    def grade(self, output: Json) -> Grade:
        """The verdict on one output."""
        if type(output) is not str or len(output) > _LONGEST_REMEMBERED:
            return self._decode_and_check(output)
        grade = self._remembered.get(output)
        if grade is None:
            grade = self._decode_and_check(output)
            if len(self._remembered) < _REMEMBERED:
                self._remembered[output] = grade
        return grade

    def _decode_and_check(self, output: Json) -> Grade:
        try:
            decoding = self._decode(output)
        except DecodeError as error:
            return Grade(False, DECODER_FAILED, f"No call could be read: {error}.")
        if not decoding.has_shape and not has_call_shape(decoding.calls):
            reason = "The output was read, but not as a list of calls with named arguments."
            return Grade(False, WRONG_FORMAT, reason, decoded=decoding.shown)
        return self.check(decoding)

    def check(self, decoding: Decoding) -> Grade:
        """The verdict on calls that were decoded already."""
        try:
            if self._count is CallCount.PARALLEL:
                return self._check_parallel(decoding)
            return self._check_one(decoding)
        except CheckerStopError as error:
            return _stopped(error.exception, error.reason, decoding)
        except STOPS as error:
            reason = "the key, the schema or the value has a shape it does not foresee"
            return _stopped(type(error).__name__, f"{reason} ({error})", decoding)

    def call_rules(self) -> list[CallRule]:
        """The rule for each expected call that is looked at.

        A malformed key or tool raises CheckerStopError, or what it raises in the benchmark's
        checker (`STOPS`).
        """
        places = len(self._key) if self._count is CallCount.PARALLEL else 1
        return [self._call_rule(place) for place in range(places)]

    def missing_function(self) -> str | None:
        """The first function of the key that the task does not offer, where names are looked up."""
        if self._count is CallCount.SIMPLE:
            return None
        names = [self._expected_name(place) for place in range(len(self._key))]
        return next((n for place, n in enumerate(names) if self._tool(place) is None), None)

    def _check_one(self, decoding: Decoding) -> Grade:
        calls = decoding.calls
        if self._count is CallCount.SIMPLE:
            if len(calls) != 1:
                return _wrong_count(RULE, 1, decoding)
        elif len(calls) != len(self._key):
            return _wrong_count(MULTIPLE, len(self._key), decoding)
        failure = self._call_rule(0).failure(calls[0])
        if failure is None:
            return Grade(True, "valid", _FITS, decoded=decoding.shown)
        return Grade(
            False,
            failure.code,
            sentence(failure),
            decision=decision(failure),
            decoded=decoding.shown,
        )

    def _check_parallel(self, decoding: Decoding) -> Grade:
        calls = decoding.calls
        if len(calls) != len(self._key):
            return _wrong_count(PARALLEL, len(self._key), decoding)
        unused = list(range(len(calls)))
        for place in range(len(self._key)):
            failures: list[CallFailure] = []
            if self._rules.names_by_containment and self._tool(place) is None:
                return _no_description(self._expected_name(place), decoding)
            rule = self._call_rule(place)
            for index in unused:
                failure = rule.failure(calls[index])
                if failure is None:
                    unused.remove(index)
                    break
                failures.append(failure)
            else:
                return _no_match(place, max(failures, key=nearness), decoding)
        return Grade(True, "valid", _ALL_FIT, decoded=decoding.shown)

    def _call_rule(self, place: int) -> CallRule:
        """The rule for one expected call; a malformed key or tool raises what it raises there."""
        rule = self._rules_made.get(place)
        if rule is None:
            expected = self._key[place]
            tool = self._tools[0] if self._count is CallCount.SIMPLE else self._tool(place)
            if tool is None:
                name = self._expected_name(place)
                reason = f"the key names the function {name}, which the task does not offer"
                raise CheckerStopError("TypeError", reason)
            rule = self._rules_made[place] = CallRule(
                tool,
                list(expected.values())[0],  # noqa: RUF015  # an empty key must raise IndexError
                language=self._language,
                rules=self._rules,
                dots_to_underscores=self._dots,
            )
        return rule

    def _expected_name(self, place: int) -> str:
        name: str = list(self._key[place])[0]  # noqa: RUF015
        return name

    def _tool(self, place: int) -> Mapping[str, Any] | None:
        name = self._expected_name(place)
        if not self._rules.names_by_containment:
            return next((tool for tool in self._tools if tool["name"] == name), None)
        if len(self._tools) == 1:
            return self._tools[0]  # type: ignore[no-any-return]
        return next((tool for tool in self._tools if tool["name"] in name), None)


class BfclAstScorer:
    """Calls compared with a key of accepted values, as BFCL does."""

    name = "bfcl-ast"

    def prepare(self, task: Task, key: Json, settings: ScoringSettings) -> PreparedCalls:
        """The rule for outputs of ``task`` under ``key``."""
        return PreparedCalls(task, key, settings)

    def grade(self, task: Task, key: Json, output: Json, settings: ScoringSettings) -> Grade:
        """The verdict on one output under ``key``."""
        return self.prepare(task, key, settings).grade(output)


def _expected_calls(key: Json) -> Sequence[Any]:
    """One object per expected call; the layout of 2024 has one object for all."""
    if isinstance(key, dict):
        return [{name: arguments} for name, arguments in key.items()]
    return key if isinstance(key, list) else []


def _wrong_count(rule: str, expected: int, decoding: Decoding) -> Grade:
    made = len(decoding.calls)
    calls = "1 call" if made == 1 else f"{made} calls" if made else "no call"
    return Grade(
        False,
        f"{rule}:wrong_count",
        f"The output makes {calls}; the key expects {expected}.",
        decision=Decision(where="number of calls", given=made, accepted=(expected,)),
        decoded=decoding.shown,
    )


def _no_match(place: int, nearest: CallFailure, decoding: Decoding) -> Grade:
    return Grade(
        False,
        f"{PARALLEL}:cannot_find_match",
        f"No unused call fits expected call {place + 1}. Nearest: {sentence(nearest)}",
        decision=decision(nearest),
        decoded=decoding.shown,
    )


def _no_description(name: str, decoding: Decoding) -> Grade:
    reason = f"The key names the function {name}, which the task does not offer."
    return Grade(False, f"{PARALLEL}:cannot_find_description", reason, decoded=decoding.shown)


def _stopped(exception: str, reason: str, decoding: Decoding) -> Grade:
    return Grade(
        False,
        exception,
        f"The benchmark's own checker would stop here with {exception}: {reason}.",
        status=GradeStatus.RAISES,
        decoded=decoding.shown,
    )
