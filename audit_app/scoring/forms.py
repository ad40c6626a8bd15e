"""Forms that an output can have: how a model's handler turns what it said into text to be read.

The benchmark has one handler a model, and some trim or mend the text first. What a model's
handler does cannot be seen from one output; `audit_app.scoring.detection` finds out which form
reproduces the published grades.
"""

from __future__ import annotations

import json
import re
from enum import StrEnum

from audit_app.domain.record import Json
from audit_app.scoring.faults import DecodeError


class OutputForm(StrEnum):
    """How an output is turned into calls."""

    AUTO = "auto"
    """By its shape: a text is ``prompt``, anything else ``fc``."""
    PROMPT = "prompt"
    """The default of v4: backticks, spaces and line feeds stripped, brackets added."""
    FC = "fc"
    """Function calling: objects ``{name: arguments as JSON text}``; an object is taken as it is
    only under ``auto`` and ``fc-objects``."""
    FC_OBJECTS = "fc-objects"
    """Function calling with arguments as objects."""
    AS_IS = "as-is"
    """2024-08: the text alone, which must be a list."""
    BRACKETED = "bracketed"
    """2024-08: brackets added where they are missing, nothing stripped."""
    ONE_LINE = "one-line"
    """2024-08: line feeds deleted, brackets added."""
    WITHIN_BRACKETS = "within-brackets"
    """2024-08: from the first bracket to the last."""
    UNQUOTED = "unquoted"
    """2024-08: quotes around elements deleted, one leading space dropped, brackets added."""
    CALLS_OBJECT = "calls-object"
    """A JSON text ``{"tool_calls": [{"name": …, "arguments": …}]}``."""


TEXT_FORMS_2024 = (
    OutputForm.BRACKETED,
    OutputForm.AS_IS,
    OutputForm.ONE_LINE,
    OutputForm.WITHIN_BRACKETS,
    OutputForm.UNQUOTED,
    OutputForm.CALLS_OBJECT,
)
_TAGGED = re.compile(r"<TOOLCALL>(.*?)</TOOLCALL>", re.DOTALL)


def bracketed(text: str) -> str:
    """The text with a bracket at each end."""
    if not text.startswith("["):
        text = "[" + text
    return text if text.endswith("]") else text + "]"


def text_to_parse(text: str, form: OutputForm) -> str:
    """What is left of an output text for the parser.

    Raises:
        DecodeError: The form asks for something that the text lacks.
    """
    if form is OutputForm.PROMPT:
        return bracketed(text.strip("`\n "))
    match form:
        case OutputForm.AS_IS:
            return text
        case OutputForm.BRACKETED:
            return bracketed(text)
        case OutputForm.ONE_LINE:
            return bracketed(text.replace("\n", ""))
        case OutputForm.WITHIN_BRACKETS:
            first, last = text.find("["), text.rfind("]")
            if not 0 <= first < last:
                raise DecodeError("the output holds nothing in brackets")
            return text[first : last + 1]
        case OutputForm.UNQUOTED:
            text = text.replace('", "', ",").replace('["', "[").replace('"]', "]")
            return bracketed(text.removeprefix(" "))
    raise ValueError(f"{form} is not a form of text")


def tagged_part(text: str) -> str:
    """What stands between the first pair of ``TOOLCALL`` tags.

    Raises:
        DecodeError: There is no such pair.
    """
    found = _TAGGED.search(text)
    if found is None:
        raise DecodeError("the output has no TOOLCALL tags")
    return found[1].strip()


def function_calls(output: Json, *, objects: bool | None) -> Json:
    """Calls of an output in function-calling mode.

    Args:
        output: A list of ``{name: arguments}``.
        objects: Whether arguments are objects; None takes objects and JSON texts alike.

    Raises:
        DecodeError: An element is not an object, or its arguments are not JSON text.
    """
    if objects:
        return output if isinstance(output, list) else [output]
    if isinstance(output, str) and output:
        raise DecodeError("the output is text, not calls")
    if not isinstance(output, str | list | dict):
        raise DecodeError("the output holds no calls")
    return [_function_call(element, take_objects=objects is None) for element in output]


def _function_call(element: Json, *, take_objects: bool) -> Json:
    if not isinstance(element, dict) or not element:
        raise DecodeError("an element of the output is not a call")
    name, arguments = next(iter(element.items()))
    if take_objects and not isinstance(arguments, str):
        return element if isinstance(arguments, dict) else {name: arguments}
    if not isinstance(arguments, str):
        raise DecodeError(f"the arguments of {name} are not JSON text")
    try:
        return {name: json.loads(arguments)}
    except (ValueError, RecursionError) as error:
        raise DecodeError(f"the arguments of {name} are not valid JSON") from error


def calls_object(text: str) -> Json:
    """Calls of a ``{"tool_calls": [{"name": …, "arguments": …}]}`` text, or of such a list.

    Returns:
        The text itself where it is not JSON: the shape test refuses it.

    Raises:
        DecodeError: The JSON value is neither.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return text
    if isinstance(value, dict):
        value = value.get("tool_calls", [])
    if not isinstance(value, list):
        raise DecodeError("the JSON text holds no list of calls")
    return [_named_call(element) for element in value if isinstance(element, dict)]


def _named_call(element: dict[str, Json]) -> Json:
    name = element.get("name", "")
    if not isinstance(name, str):
        raise DecodeError("the name of a call is not text")
    return {name: element.get("arguments", {})}
