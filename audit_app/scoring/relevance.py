"""Tasks that ask whether anything is called at all: irrelevance (nothing) and relevance (any)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from audit_app.domain.benchmark import Task
from audit_app.domain.record import Json
from audit_app.scoring.decoding import decoder, has_call_shape
from audit_app.scoring.faults import DecodeError
from audit_app.scoring.grade import Decision, Grade, ScoringSettings
from audit_app.scoring.rules import rule_set
from audit_app.scoring.shown import quoted

NO_CALL_MADE = "relevance_error:decoder_failed"


class PreparedRelevance:
    """The rule under one setting; outputs are always read as Python, whatever the category."""

    def __init__(self, settings: ScoringSettings, *, wants_call: bool) -> None:
        rules = rule_set(settings.rules)
        self._decode = decoder(settings.options, rules=rules)
        self._call_code = rules.abstention_code
        self._wants_call = wants_call

    def grade(self, output: Json) -> Grade:
        """The verdict on one output."""
        shown: Json = None
        calls: Sequence[Any] = ()
        try:
            decoding = self._decode(output)
            shown = decoding.shown
            if has_call_shape(decoding.calls):
                calls = decoding.calls
            why = "" if calls else "it holds no call"
        except DecodeError as error:
            why = str(error)
        if calls:
            return self._with_calls(calls, shown)
        if not self._wants_call:
            reason = f"The output makes no call, as the task expects ({why})."
            return Grade(True, "valid", reason, decoded=shown)
        decision = Decision(where="calls", given=None, accepted=("any call",))
        reason = f"The task expects a call, and none could be read: {why}."
        return Grade(False, NO_CALL_MADE, reason, decision=decision, decoded=shown)

    def _with_calls(self, calls: Sequence[Any], shown: Json) -> Grade:
        names = ", ".join([str(name) for call in calls for name in call])
        if self._wants_call:
            reason = f"The output calls {names}; any call is right here."
            return Grade(True, "valid", reason, decoded=shown)
        reason = f"The output calls {quoted(names)[1:-1]}, but the task expects no call."
        decision = Decision(where="calls", given=shown, accepted=(), may_omit=True)
        return Grade(False, self._call_code, reason, decision=decision, decoded=shown)


class RelevanceScorer:
    """Whether any call is made; ``wants_call`` says whether that is right."""

    def __init__(self, name: str, *, wants_call: bool) -> None:
        self.name = name
        self._wants_call = wants_call

    def prepare(self, task: Task, key: Json, settings: ScoringSettings) -> PreparedRelevance:
        """The rule for outputs of ``task``; it has no key."""
        return PreparedRelevance(settings, wants_call=self._wants_call)

    def grade(self, task: Task, key: Json, output: Json, settings: ScoringSettings) -> Grade:
        """The verdict on one output."""
        return self.prepare(task, key, settings).grade(output)
