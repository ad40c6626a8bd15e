"""Reading a TOML file into validated values; every mistake is one sentence with file and key."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Sequence
from typing import TypeVar

from pydantic import ValidationError

from audit_app.domain.record import Json, Record
from audit_app.errors import InputError

R = TypeVar("R", bound=Record)

_WORDING = {
    "missing": "is missing",
    "extra_forbidden": "is not a known key",
    "string_type": "must be text in quotes",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "bool_type": "must be true or false",
    "finite_number": "must be a finite number",
    "model_type": "must be a table",
    "dict_type": "must be a table",
    "tuple_type": "must be a list",
}
"""What pydantic's kinds of mistake are called here; the others keep pydantic's own words."""

_SHOWN = 60
"""Longest offending value that is printed (characters)."""


def parse_toml(text: str, *, source: str) -> dict[str, Json]:
    """The tables of a TOML text; a byte order mark at its start is passed over.

    Raises:
        InputError: The text is not TOML.
    """
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError) as error:  # a huge integer is a plain ValueError
        raise InputError(f"{source}: this is not valid TOML: {error}") from error


def validated(model: type[R], data: dict[str, Json], *, source: str) -> R:
    """``data`` as a ``model``, without coercion between text, numbers and truth values.

    Raises:
        InputError: The data do not fit; the first mistake is told.
    """

    def refuse(value: object) -> Json:
        raise InputError(f"{source}: the date or time {value} must be text in quotes")

    try:
        # JSON mode is strict about types and still takes lists for tuples and texts for enums.
        return model.model_validate_json(json.dumps(data, default=refuse), strict=True)
    except ValidationError as error:
        raise InputError(f"{source}: {_first_mistake(error, data)}") from error


def _first_mistake(error: ValidationError, data: Json) -> str:
    mistake = error.errors(include_url=False)[0]
    if mistake["type"] == "json_invalid":  # what was encoded here can only fail at a broken text
        return "a text holds half of a surrogate pair"
    where = _key_path(mistake["loc"], data)
    what = _WORDING.get(mistake["type"]) or mistake["msg"].removeprefix("Value error, ")
    given = mistake["input"]
    if isinstance(given, str):
        what += f" (given {given[:_SHOWN]!r})"
    elif isinstance(given, int | float):  # a table or list would not fit into a sentence
        what += f" (given {given})"
    return f"{where}: {what}" if where else what


def _key_path(loc: Sequence[str | int], data: Json) -> str:
    """The path to a key, with list places named by the id of what stands there."""
    parts: list[str] = []
    here = data
    for step in loc:
        is_place = isinstance(here, list) and isinstance(step, int) and step < len(here)
        is_key = isinstance(here, dict) and step in here
        here = here[step] if is_place or is_key else None
        name = here.get("id", here.get("code")) if isinstance(here, dict) else None
        parts.append(str(step + 1 if name is None else name) if isinstance(step, int) else step)
    return ".".join(parts)
