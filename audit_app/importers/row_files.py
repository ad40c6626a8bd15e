"""The rows of a small table, CSV or JSON lines, with the physical line each begins on."""

from __future__ import annotations

import codecs
import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field

from audit_app.domain.record import Json
from audit_app.domain.review_file import unguarded
from audit_app.errors import RowRejectedError
from audit_app.importers.lines import decode_object, refuse_other_encodings
from audit_app.importers.report import RejectedRow

_CELL_LIMIT = 16_000_000
"""Longest cell read (characters): far above the longest note, whose own limit then speaks."""


@dataclass(frozen=True)
class Line:
    """One row.

    Attributes:
        number: Physical line on which it begins (from 1).
        cells: Column → value; text for CSV, any JSON for JSON lines.
    """

    number: int
    cells: dict[str, Json]


@dataclass
class Rows:
    """What a file holds.

    Attributes:
        columns: The header, or the fields of the first row of JSON lines.
        lines: Rows that could be read.
        rejected: Rows that could not.
    """

    columns: tuple[str, ...] = ()
    lines: list[Line] = field(default_factory=list)
    rejected: list[RejectedRow] = field(default_factory=list)


def read_rows(content: str | bytes, source: str) -> Rows:
    """The rows of ``content``; JSON lines if it begins with ``{``, else CSV.

    Raises:
        RowRejectedError: The file as a whole cannot be read.
    """
    data = content.encode("utf-8", "surrogatepass") if isinstance(content, str) else content
    refuse_other_encodings(data[:4], source)
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data.strip():
        raise RowRejectedError(source, 0, "the file is empty")
    if data.lstrip().startswith(b"{"):
        return _json_lines(data, source)
    # A byte that is not UTF-8 becomes a lone surrogate, so that only its own row is lost.
    return _csv(data.decode("utf-8", "surrogateescape"), source)


def _undecodable(text: str) -> str:
    """Why ``text`` is not text, or an empty string."""
    bad = next((c for c in text if "\udc80" <= c <= "\udcff"), None)
    return f"the byte 0x{ord(bad) - 0xDC00:02X} is not UTF-8; save the file as UTF-8" if bad else ""


def _csv(text: str, source: str) -> Rows:
    """Rows under a header; blank lines and rows of empty cells are passed over."""
    csv.field_size_limit(max(csv.field_size_limit(), _CELL_LIMIT))
    found = Rows()
    for number, row, fault in _csv_rows(text):
        if not fault and not any(row):
            continue
        if not found.columns:
            found.columns = _header(row, fault, source, number)
            continue
        fault = fault or _undecodable("".join(row))
        if not fault and len(row) != len(found.columns):
            fault = f"the row has {len(row)} cells where the header has {len(found.columns)}"
        if fault:
            found.rejected.append(RejectedRow(source, number, fault))
        else:
            cells = dict(zip(found.columns, map(unguarded, row), strict=True))
            found.lines.append(Line(number, cells))
    return found


def _csv_rows(text: str) -> Iterator[tuple[int, list[str], str]]:
    """(first physical line, cells, what is wrong) of each record."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        number = reader.line_num + 1
        try:
            yield number, next(reader), ""
        except StopIteration:
            return
        except csv.Error as error:
            open_quote = "unexpected end of data" in str(error)
            what = "a quotation mark is never closed" if open_quote else f"not CSV: {error}"
            yield number, [], what


def _header(row: list[str], fault: str, source: str, number: int) -> tuple[str, ...]:
    columns = tuple(cell.strip() for cell in row)
    double = next((c for c in columns if columns.count(c) > 1), None)
    if double is not None:
        fault = fault or f"the column {double!r} stands twice in the header"
    if fault:
        raise RowRejectedError(source, number, fault)
    return columns


def _json_lines(data: bytes, source: str) -> Rows:
    found = Rows()
    for number, line in enumerate(data.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            cells = decode_object(line, source, number)
        except RowRejectedError as error:
            found.rejected.append(RejectedRow.of(error))
        else:
            found.columns = found.columns or tuple(cells)
            found.lines.append(Line(number, cells))
    return found
