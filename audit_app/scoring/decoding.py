"""Decoding of outputs into calls, without ever evaluating them.

A text is read by the short way where it is plain (`audit_app.scoring.literals`) and by Python's
parser otherwise. Tuples are kept: the checker tells them from lists.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import Any, TypeAlias

import msgspec

from audit_app.domain.record import Json
from audit_app.errors import InputError
from audit_app.scoring.faults import DecodeError
from audit_app.scoring.forms import (
    OutputForm,
    bracketed,
    calls_object,
    function_calls,
    tagged_part,
    text_to_parse,
)
from audit_app.scoring.literals import Calls, read_plain_calls
from audit_app.scoring.markup_formats import decode_json_calls, decode_xml_calls
from audit_app.scoring.rules import V4, RuleSet
from audit_app.scoring.shown import jsonable
from audit_app.scoring.syntax_tree import parse_calls

__all__ = ["DecodeError", "Decoder", "Decoding", "decode_python", "decoder", "has_call_shape"]

Parser: TypeAlias = Callable[[str], Any]
"""Calls of a text that is ready for it; raises DecodeError."""


_FORMS = {form.value: form for form in OutputForm}


class Decoding(msgspec.Struct, frozen=True, gc=False):
    """What an output was read as.

    Attributes:
        calls: The decoded value; a list of calls where the shape test holds.
        shown: The same as JSON, for display and storage.
        has_shape: Whether it is known to have the shape of calls; see `has_call_shape`.
    """

    calls: Any
    shown: Json
    has_shape: bool = False


Decoder: TypeAlias = Callable[[Json], Decoding]


def has_call_shape(value: Any) -> bool:
    """Whether a decoded value is a list of one-field objects whose value is an object."""
    if type(value) is not list:
        return False
    for call in value:
        if type(call) is not dict or len(call) != 1:
            return False
        for arguments in call.values():
            if type(arguments) is not dict:
                return False
    return True


def decode_python(text: str, rules: RuleSet = V4) -> Decoding:
    """Calls of a text that is ready for the parser.

    Raises:
        DecodeError: It cannot be read as calls.
    """
    plain = read_plain_calls(text) if text[:1] == "[" else None
    if plain is not None and not (rules.empty_call_as_text and _has_empty_call(plain)):
        return Decoding(plain, plain, has_shape=True)
    calls = parse_calls(text, rules)
    return Decoding(calls, jsonable(calls))


def _has_empty_call(calls: Calls) -> bool:
    return any(not arguments for call in calls for arguments in call.values())


def decoder(
    options: Mapping[str, Json], *, rules: RuleSet = V4, language: Parser | None = None
) -> Decoder:
    """The function that reads outputs of one model on one task.

    Args:
        options: ``form`` (an `OutputForm`), ``return_format`` (python, json, verbose_xml,
            concise_xml) and ``tool_call_tag``; all may be missing.
        rules: Rule version of the benchmark.
        language: Reads a bracketed text in another language than Python.

    Raises:
        InputError: An option has a value that is not known.
    """
    return _decoder(
        known_form(options.get("form", OutputForm.AUTO)),
        str(options.get("return_format", "python")),
        bool(options.get("tool_call_tag")),
        rules,
        language,
    )


@lru_cache(maxsize=256)
def _decoder(
    form: OutputForm, return_format: str, tagged: bool, rules: RuleSet, language: Parser | None
) -> Decoder:
    read_text = _text_reader(return_format, rules, language)
    if tagged:
        read_text = partial(_read_tagged, read_text)
    if form is OutputForm.FC or form is OutputForm.FC_OBJECTS:
        return partial(_decode_calls, objects=form is OutputForm.FC_OBJECTS)
    if form is OutputForm.CALLS_OBJECT:
        return partial(_decode_text, form, partial(_read_with, calls_object))
    if form is not OutputForm.AUTO:
        return partial(_decode_text, form, read_text)
    if rules.version != V4.version:
        return partial(_decode_any, OutputForm.BRACKETED, read_text)
    if return_format == "python" and language is None and not tagged:
        return _decode_usual
    return partial(_decode_any, OutputForm.PROMPT, read_text)


def _decode_usual(output: Json) -> Decoding:
    """What the other paths amount to for most outputs: v4, Python, text."""
    if type(output) is not str:
        return _decode_any(OutputForm.PROMPT, decode_python, output)
    text = bracketed(output.strip("`\n "))
    plain = read_plain_calls(text)
    if plain is not None:
        return Decoding(plain, plain, has_shape=True)
    calls = parse_calls(text, V4)
    return Decoding(calls, jsonable(calls))


def known_form(name: Json) -> OutputForm:
    """The form of that name.

    Raises:
        InputError: There is no such form.
    """
    form = _FORMS.get(str(name))
    if form is None:
        raise InputError(f"there is no output form {name!r}; known: {', '.join(OutputForm)}")
    return form


def _text_reader(
    return_format: str, rules: RuleSet, language: Parser | None
) -> Callable[[str], Decoding]:
    if return_format == "python":
        if language is None:
            return partial(decode_python, rules=rules)
        return partial(_read_with, language)
    match return_format:
        case "json":
            return partial(_read_with, decode_json_calls)
        case "verbose_xml" | "concise_xml":
            verbose = return_format == "verbose_xml"
            return partial(_read_with, partial(decode_xml_calls, verbose=verbose))
    raise InputError(f"there is no return format {return_format!r}")


def _read_with(parser: Parser, text: str) -> Decoding:
    calls = parser(text)
    return Decoding(calls, jsonable(calls))


def _read_tagged(read: Callable[[str], Decoding], text: str) -> Decoding:
    return read(tagged_part(text).strip("'"))


def _decode_calls(output: Json, *, objects: bool | None) -> Decoding:
    calls = function_calls(output, objects=objects)
    return Decoding(calls, jsonable(calls))


def _decode_text(form: OutputForm, read: Callable[[str], Decoding], output: Json) -> Decoding:
    if not isinstance(output, str):
        raise DecodeError("the output is not text")
    return read(output if form is OutputForm.CALLS_OBJECT else text_to_parse(output, form))


def _decode_any(form: OutputForm, read: Callable[[str], Decoding], output: Json) -> Decoding:
    if isinstance(output, str):
        return read(text_to_parse(output, form))
    return _decode_calls(output, objects=None)
