"""Memory and web search: whether an accepted text occurs in the final message.

The final message is the last step that cannot be read as calls. The whole of it is searched,
explanations included; how the answer was found plays no part.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from audit_app.domain.benchmark import Task
from audit_app.domain.record import Json
from audit_app.scoring.decoding import known_form
from audit_app.scoring.execution import decode_step, step_form
from audit_app.scoring.faults import DecodeError
from audit_app.scoring.forms import OutputForm
from audit_app.scoring.grade import Decision, Grade, GradeStatus, ScoringSettings
from audit_app.scoring.shown import alternatives, jsonable, quoted

INFERENCE_ERROR, NO_MESSAGE = "agentic:inference_error", "agentic:no_last_message"
NOT_FOUND = "agentic:answer_not_found"

_DELETED = str.maketrans("", "", ",./-_*^()")


def standardise_message(text: str) -> str:
    """The text without ``,./-_*^()``, in lower case, single quotes as double; spaces stay."""
    return text.translate(_DELETED).lower().replace("'", '"')


def final_message(steps: Sequence[Json], form: OutputForm = OutputForm.AUTO) -> Json:
    """The last step that cannot be read as calls, or that holds none; None where there is none."""
    form = step_form(steps, form)
    message: Json = None
    for step in steps:
        try:
            texts = decode_step(step, form)
        except DecodeError:
            message = step
        else:
            if not texts or texts == [""]:
                message = step
    return message


class PreparedAgentic:
    """The accepted texts of one key, made ready to be searched for."""

    def __init__(self, key: Json, form: OutputForm = OutputForm.AUTO) -> None:
        self._key: list[Any] = key if isinstance(key, list) else [key]
        self._form = form
        self._patterns = [
            (text, re.compile(rf"\b{re.escape(standardise_message(text))}\b"))
            for text in self._key
            if isinstance(text, str)
        ]

    def grade(self, output: Json) -> Grade:
        """The verdict on one output: a list of one turn of steps."""
        if not isinstance(output, list) or len(output) != 1:
            reason = "The output is not a list of exactly one turn: the run failed."
            return Grade(False, INFERENCE_ERROR, reason)
        try:
            steps = list(output[0])
        except TypeError:
            return _stopped("TypeError", "the turn is not a list of steps")
        message = final_message(steps, self._form)
        if not message:
            reason = "The last step is empty, or every step is a call: there is no final message."
            return Grade(False, NO_MESSAGE, reason)
        return self.grade_message(message)

    def grade_message(self, message: Json) -> Grade:
        """The verdict on a final message; of a list, its first element."""
        if len(self._patterns) < len(self._key):
            return _stopped("TypeError", "an accepted answer is not text")
        if isinstance(message, list):
            if not message:
                return _stopped("IndexError", "the message is an empty list")
            message = message[0]
        try:
            text = message if isinstance(message, str) else str(message)
        except RecursionError:
            return _stopped("RecursionError", "the message is nested too deeply")
        searched = standardise_message(text)
        shown = jsonable(text)
        for accepted, pattern in self._patterns:
            if pattern.search(searched):
                reason = f"The final message contains {quoted(accepted)}."
                return Grade(True, "valid", reason, decoded=shown)
        decision = Decision(
            where="final message", given=shown, accepted=tuple([jsonable(k) for k in self._key])
        )
        reason = f"The final message contains none of the accepted answers: {self._accepted()}."
        return Grade(False, NOT_FOUND, reason, decision=decision, decoded=shown)

    def _accepted(self) -> str:
        return alternatives(self._key)


def _stopped(exception: str, why: str) -> Grade:
    reason = f"The benchmark's own checker would stop here with {exception}: {why}."
    return Grade(False, exception, reason, status=GradeStatus.RAISES)


class AgenticScorer:
    """Final message compared with a key of alternative texts."""

    name = "bfcl-agentic"

    def prepare(self, task: Task, key: Json, settings: ScoringSettings) -> PreparedAgentic:
        """The rule for outputs of ``task`` under ``key``."""
        return PreparedAgentic(key, known_form(settings.options.get("form", OutputForm.AUTO)))

    def grade(self, task: Task, key: Json, output: Json, settings: ScoringSettings) -> Grade:
        """The verdict on one output under ``key``."""
        return self.prepare(task, key, settings).grade(output)
