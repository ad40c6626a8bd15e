"""Physical lines of a byte stream with a bound on their length, and JSON records in them."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator
from io import BufferedReader
from typing import Any

import msgspec

from audit_app.domain.record import Json
from audit_app.errors import RowRejectedError
from audit_app.importers.report import RejectedRow
from audit_app.importers.source import reading

RECORD_LIMIT = 20_000_000
"""Bytes of one record. The largest known of BFCL is 100 KB; a runaway file must not fill memory."""

_OTHER_ENCODINGS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
_NOT_A_NUMBER = re.compile(rb"[\[:,\s](-?(?:NaN|Infinity))\s*[\]},]")
_TEXT_OR_NOT_A_NUMBER = re.compile(rb'"(?:[^"\\]|\\.)*"|-?(?:NaN|Infinity)')
_HALF_PAIR = "the record holds half of a surrogate pair (\\ud800–\\udfff)"
_POSITION = re.compile(r"\(byte (\d+)\)")
_decode: Callable[[bytes], Json] = msgspec.json.Decoder().decode


def too_long(limit: int = RECORD_LIMIT) -> str:
    """Reason for a record beyond the limit."""
    return f"the record is longer than {limit // 1_000_000} MB; shorten or split it"


def json_type(value: Json) -> str:
    """What a JSON value is, in words for a person."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, str):
        return "text"
    if isinstance(value, list):
        return "a list"
    return "an object" if isinstance(value, dict) else "a number"


def refuse_other_encodings(head: bytes, name: str) -> None:
    """Refuse text that is not UTF-8 by its first bytes.

    Raises:
        RowRejectedError: It is UTF-16 or UTF-32 text; line 0.
    """
    if head.startswith(_OTHER_ENCODINGS) or b"\0" in head[:4]:
        raise RowRejectedError(name, 0, "is UTF-16 or UTF-32 text; save it as UTF-8")


def read_lines(
    stream: BufferedReader, name: str, *, limit: int = RECORD_LIMIT
) -> Iterator[tuple[int, bytes | None]]:
    """(physical line number, line with its end), None for a line beyond the limit.

    A UTF-8 byte order mark is taken off. Memory stays within the limit.

    Raises:
        RowRejectedError: The file is not UTF-8 text, or it breaks off; line 0.
    """
    with reading(name):
        readline, number = stream.readline, 1
        line: bytes | None = readline(limit + 1)
        if line:
            refuse_other_encodings(line, name)
            line = line.removeprefix(codecs.BOM_UTF8)
        while line:
            if len(line) > limit:
                while line and not line.endswith(b"\n"):
                    line = readline(limit)
                yield number, None
            else:
                yield number, line
            number += 1
            line = readline(limit + 1)


def decode_object(data: bytes, name: str, line: int) -> dict[str, Any]:
    """One JSON object.

    Raises:
        RowRejectedError: The text is not one JSON object, with the reason in words.
    """
    try:
        value = _decode(data)
    except (msgspec.DecodeError, RecursionError) as error:
        raise RowRejectedError(name, line, json_fault(data, error)) from error
    if not isinstance(value, dict):
        raise RowRejectedError(name, line, f"the record is {json_type(value)}, not an object")
    return value


def without_not_a_number(data: bytes) -> bytes:
    """The text with null for ``NaN`` and ``Infinity``, which Python's own writer puts into JSON."""
    return _TEXT_OR_NOT_A_NUMBER.sub(
        lambda found: found[0] if found[0].startswith(b'"') else b"null", data
    )


def read_objects(
    stream: BufferedReader, name: str, rejected: list[RejectedRow], *, limit: int = RECORD_LIMIT
) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line, record) of JSON lines; blank lines are skipped, bad ones go to ``rejected``.

    Raises:
        RowRejectedError: The file as a whole cannot be used; line 0.
    """
    found = False
    for number, data in read_lines(stream, name, limit=limit):
        if data is None:
            found = True
            rejected.append(RejectedRow(name, number, too_long(limit)))
        elif not data.isspace():
            found = True
            try:
                yield number, decode_object(data, name, number)
            except RowRejectedError as error:
                rejected.append(RejectedRow.of(error))
    if not found:
        raise RowRejectedError(name, 0, "is empty")


def json_fault(data: bytes, error: Exception) -> str:
    """Why a text is not JSON that Assay takes, in one sentence."""
    if isinstance(error, RecursionError):
        return "the record is nested too deeply"
    try:
        data.decode()
    except UnicodeDecodeError as fault:
        return f"the record is not valid UTF-8 (byte {fault.start + 1} of it)"
    if match := _NOT_A_NUMBER.search(data):
        return f"{match[1].decode()} is not a JSON value; write null or a text instead"
    if "surrogate" in str(error):
        return _HALF_PAIR
    position = _POSITION.search(str(error))
    # A line cut inside a text ends in a line feed, which msgspec calls an invalid character.
    at_end = position is not None and int(position[1]) >= len(data.rstrip(b"\r\n"))
    if at_end or "truncated" in str(error):
        # msgspec says the same of a text with half a surrogate pair, which is no text either.
        if rb"\ud" in data.lower() and data.rstrip().endswith(b"}"):
            return _HALF_PAIR
        return "the record breaks off before its end"
    return f"the record is not JSON: {str(error).removeprefix('JSON is malformed: ')}"
