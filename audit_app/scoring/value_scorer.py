"""The frame of the general scorers: an output fits if it fits one of the key's accepted values.

A list as the key holds alternatives. Each rule is a function in a module of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import msgspec

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.domain.record import Json
from audit_app.scoring.grade import Decision, Grade, GradeStatus, ScoringSettings
from audit_app.scoring.shown import alternatives, jsonable, quoted


class UnreadableError(ValueError):
    """The output does not hold what the rule compares; the text says what is missing."""


class KeyUnusableError(ValueError):
    """An accepted value cannot be used by the rule; the text says why."""


class Comparison(msgspec.Struct, frozen=True):
    """What a rule is given beside the two values.

    Attributes:
        options: The scorer's settings.
        context: The task's further material, for example its choices.
    """

    options: Mapping[str, Json] = {}
    context: Mapping[str, Json] = {}


Rule: TypeAlias = Callable[[Json, Json, Comparison], bool]
"""Whether an output fits an accepted value; raises UnreadableError or KeyUnusableError."""


class PreparedValue:
    """One rule with the accepted values of one key."""

    def __init__(self, name: str, rule: Rule, accepted: Sequence[Json], given: Comparison) -> None:
        self._name, self._rule = name, rule
        self._accepted, self._comparison = accepted, given

    def grade(self, output: Json) -> Grade:
        """The verdict on one output."""
        shown = jsonable(output)
        try:
            for value in self._accepted:
                if self._rule(output, value, self._comparison):
                    reason = f"The output fits the accepted value {quoted(value)}."
                    return Grade(True, "valid", reason, decoded=shown)
        except UnreadableError as error:
            return self._failed("unreadable", f"Nothing to compare: {error}.", shown)
        except KeyUnusableError as error:
            return Grade(
                False,
                f"{self._name}:key_unusable",
                f"The key cannot be used by the scorer {self._name}: {error}.",
                status=GradeStatus.NOT_GRADED,
            )
        what = alternatives(self._accepted)
        return self._failed("not_equal", f"The output fits none of: {what}.", shown)

    def _failed(self, code: str, reason: str, shown: Json) -> Grade:
        accepted = tuple([jsonable(value) for value in self._accepted])
        return Grade(
            False,
            f"{self._name}:{code}",
            reason,
            decision=Decision(where="output", given=shown, accepted=accepted),
            decoded=shown,
        )


class ValueScorer:
    """A general scorer.

    Args:
        name: What tasks call it by.
        rule: Compares an output with one accepted value.
        of_lists: Whether an accepted value is itself a list, so that a key is a list of
            alternatives only where all of its members are lists.
    """

    def __init__(self, name: str, rule: Rule, *, of_lists: bool = False) -> None:
        self.name = name
        self._rule, self._of_lists = rule, of_lists

    def prepare(self, task: Task, key: Json, settings: ScoringSettings) -> PreparedValue:
        """The rule for outputs of ``task`` under ``key``."""
        accepted = self._alternatives(key) if task.key_kind is not KeyKind.MISSING else ()
        given = Comparison(settings.options, task.context)
        return PreparedValue(self.name, self._rule, accepted, given)

    def _alternatives(self, key: Json) -> Sequence[Json]:
        if not isinstance(key, list):
            return (key,)
        if self._of_lists and not all(isinstance(member, list) for member in key):
            return (key,)
        return tuple(key)

    def grade(self, task: Task, key: Json, output: Json, settings: ScoringSettings) -> Grade:
        """The verdict on one output under ``key``."""
        return self.prepare(task, key, settings).grade(output)


def text_of(output: Json) -> str:
    """The output as text.

    Raises:
        UnreadableError: It is a list or an object.
    """
    if isinstance(output, str):
        return output
    if output is None or isinstance(output, list | dict):
        raise UnreadableError("the output is not text")
    return str(output).lower() if isinstance(output, bool) else str(output)
