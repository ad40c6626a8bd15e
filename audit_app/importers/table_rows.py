"""Rows of a table, whatever it is stored as: CSV, JSON lines, a JSON list, or Parquet.

The kind is told by the ending and, failing that, by the content. CSV cells are text and stay
text; JSON and Parquet values keep their types.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader
from itertools import chain, islice
from pathlib import Path
from typing import Any

import msgspec

from audit_app.domain.record import Json
from audit_app.errors import RowRejectedError
from audit_app.importers.lines import (
    RECORD_LIMIT,
    decode_object,
    json_fault,
    read_objects,
    refuse_other_encodings,
    too_long,
)
from audit_app.importers.report import RejectedRow
from audit_app.importers.source import open_regular, reading
from audit_app.importers.table_csv import read_csv
from audit_app.importers.table_parquet import read_parquet

LIST_LIMIT = 500_000_000
"""Bytes of a JSON list, which has to be read whole; JSON lines have no such bound."""
_PEEKED_ROWS = 1_000
"""Rows of JSON whose fields make up the header, since JSON has none of its own."""

Rows = Iterator[tuple[int, dict[str, Any]]]


@dataclass
class Table:
    """A table with its header known and its rows still to be read.

    Attributes:
        name: Name of the file.
        columns: Its columns, in order.
        is_text: Whether every value is text, so that an empty cell stands for no value.
        rows: (line, row), once.
    """

    name: str
    columns: tuple[str, ...]
    is_text: bool
    rows: Rows

    def value(self, row: dict[str, Any], column: str | None) -> Json:
        """The value in a column, None where there is none."""
        if column is None:
            return None
        value = row.get(column)
        return None if self.is_text and value == "" else value

    def structured(self, row: dict[str, Any], column: str | None) -> Json:
        """The same, with a text cell that is a JSON list or object read as JSON."""
        value = self.value(row, column)
        if self.is_text and isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
            try:
                return msgspec.json.decode(value)
            except (msgspec.DecodeError, RecursionError, UnicodeError):
                return value
        return value


@contextmanager
def open_table(path: Path, rejected: list[RejectedRow]) -> Iterator[Table]:
    """The table in a file, open while the block runs.

    Args:
        path: The file.
        rejected: Where rows go that cannot be read; complete when the rows are exhausted.

    Raises:
        RowRejectedError: The file cannot be opened, is empty or is no table.
    """
    name = path.name
    with open_regular(path, name) as stream:
        match _kind(path, stream):
            case "parquet":
                columns, rows = read_parquet(stream, name, rejected)
                yield Table(name, columns, False, rows)
            case "json":
                yield _json_table(stream, name, rejected)
            case _:
                columns, rows = read_csv(stream, name, rejected)
                yield Table(name, columns, True, rows)


def _kind(path: Path, stream: BufferedReader) -> str:
    suffix = path.suffix.lower()
    if suffix in (".csv", ".tsv"):
        return "csv"
    if suffix in (".jsonl", ".json", ".ndjson"):
        return "json"
    head = _head(stream, path.name)
    if suffix == ".parquet" or head.startswith(b"PAR1"):
        return "parquet"
    return "json" if head.startswith((b"{", b"[")) else "csv"


def _head(stream: BufferedReader, name: str) -> bytes:
    with reading(name):
        return stream.peek(64).removeprefix(codecs.BOM_UTF8).lstrip()


def _json_table(stream: BufferedReader, name: str, rejected: list[RejectedRow]) -> Table:
    rows: Rows = (
        _list_items(stream, name, rejected)
        if _head(stream, name).startswith(b"[")
        else read_objects(stream, name, rejected)
    )
    first = list(islice(rows, _PEEKED_ROWS))
    if not first:
        fault = rejected[0] if rejected else RejectedRow(name, 0, "holds no rows")
        raise RowRejectedError(name, fault.line, fault.reason)
    columns = tuple(dict.fromkeys(column for _, row in first for column in row))
    return Table(name, columns, False, chain(first, rows))


def _list_items(stream: BufferedReader, name: str, rejected: list[RejectedRow]) -> Rows:
    """Objects of a JSON list, each with the line on which it begins."""
    with reading(name):
        data = stream.read(LIST_LIMIT + 1)
    if len(data) > LIST_LIMIT:
        limit = f"{LIST_LIMIT // 1_000_000} MB"
        raise RowRejectedError(name, 0, f"is a JSON list larger than {limit}; write JSON lines")
    refuse_other_encodings(data, name)
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        items = msgspec.json.decode(data, type=list[msgspec.Raw])
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        reason = json_fault(data, error).replace("the record", "the list", 1)
        raise RowRejectedError(name, 0, reason) from error
    line, position = 1, 0
    for item in items:
        text = bytes(item)
        # Only white space and commas stand between items, so the first match is the item.
        start = data.index(text, position)
        line += data.count(b"\n", position, start)
        try:
            if len(text) > RECORD_LIMIT:
                raise RowRejectedError(name, line, too_long())
            yield line, decode_object(text, name, line)
        except RowRejectedError as error:
            rejected.append(RejectedRow.of(error))
        position = start + len(text)
        line += text.count(b"\n")
