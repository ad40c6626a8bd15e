"""Calls of a step re-rendered as call texts: the form that multi-turn and agentic tasks use."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from audit_app.domain.record import Json
from audit_app.scoring.decoding import decode_python
from audit_app.scoring.faults import DecodeError
from audit_app.scoring.forms import OutputForm, text_to_parse

_FAULTS = (ValueError, TypeError, AttributeError, LookupError, RecursionError)


def step_form(steps: Sequence[Json], form: OutputForm = OutputForm.AUTO) -> OutputForm:
    """The form of a model's steps: function calling where any step is a structure."""
    if form is not OutputForm.AUTO:
        return form
    structured = any(isinstance(step, list | dict) for step in steps)
    return OutputForm.FC if structured else OutputForm.PROMPT


def decode_step(step: Json, form: OutputForm) -> list[str]:
    """Call texts of one step; none for a step that holds no call.

    Args:
        step: What the model said.
        form: ``prompt`` or ``fc``.

    Raises:
        DecodeError: It cannot be read as calls: for the benchmark it is then a message.
    """
    try:
        if form is OutputForm.FC:
            return _function_calls(step)
        if not isinstance(step, str):
            raise DecodeError("the step is not text")
        calls = decode_python(text_to_parse(step, OutputForm.PROMPT)).calls
        return [_rendered(name, arguments) for call in calls for name, arguments in call.items()]
    except _FAULTS as error:
        if isinstance(error, DecodeError):
            raise
        raise DecodeError(f"the step cannot be rendered as calls: {error}") from error


def _function_calls(step: Json) -> list[str]:
    texts = []
    for call in [step] if isinstance(step, dict) else step:
        for name, given in call.items():
            arguments = json.loads(given) if isinstance(given, str) else given
            inner = ",".join([f"{k}={v!r}" for k, v in arguments.items()])
            texts.append(f"{name}({inner})")
    return texts


def _rendered(name: Any, arguments: dict[Any, Any]) -> str:
    inner = ", ".join([f"{argument}={_value_text(value)}" for argument, value in arguments.items()])
    return f"{name}({inner})"


def _value_text(value: Any) -> str:
    """A value as the benchmark writes it.

    A dict of dicts is taken for an inner call, of which the first field alone is written; an
    empty dict is one too and has no first field, so the step fails.
    """
    if not isinstance(value, dict):
        return repr(value)
    if all(isinstance(field, dict) for field in value.values()):
        name = list(value)[0]  # noqa: RUF015  # an empty dict must raise IndexError
        return _rendered(name, value[name])
    fields = ", ".join([f"'{name}': {_value_text(field)}" for name, field in value.items()])
    return f"{{{fields}}}"
