"""CSV rows with the physical line each begins on; cells stay text, exactly."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import BufferedReader
from itertools import chain

from audit_app.errors import RowRejectedError
from audit_app.importers.lines import RECORD_LIMIT, read_lines, too_long
from audit_app.importers.report import RejectedRow

Rows = Iterator[tuple[int, dict[str, str]]]


def read_csv(
    stream: BufferedReader, name: str, rejected: list[RejectedRow]
) -> tuple[tuple[str, ...], Rows]:
    """Header and rows.

    Cells are parted by commas, by tabs in a .tsv file, or by semicolons where the header holds
    those and no comma.

    Raises:
        RowRejectedError: There is no usable header.
    """
    records = _Records(stream, name)
    number, header, reason = next(records, (0, [], "is empty"))
    if reason:
        raise RowRejectedError(name, number, reason)
    columns = tuple([cell or f"column {i}" for i, cell in enumerate(header, start=1)])
    for column in columns:
        if columns.count(column) > 1:
            raise RowRejectedError(name, number, f"the column {column!r} stands twice")
    return columns, _rows(columns, records, rejected)


def _rows(columns: tuple[str, ...], records: _Records, rejected: list[RejectedRow]) -> Rows:
    for line, cells, reason in records:
        if not reason and len(cells) == len(columns):
            yield line, dict(zip(columns, cells, strict=True))
            continue
        ragged = f"the row has {len(cells)} cells where the header has {len(columns)}"
        rejected.append(RejectedRow(records.name, line, reason or ragged))


class _Records(Iterator[tuple[int, list[str], str]]):
    """(first line, cells, what is wrong with them) of every record that is not blank."""

    def __init__(self, stream: BufferedReader, name: str) -> None:
        csv.field_size_limit(RECORD_LIMIT)
        self.name = name
        self._too_long: set[int] = set()
        lines = self._text_lines(stream)
        first = next(lines, "")
        self._reader = csv.reader(
            chain([first] if first else [], lines), delimiter=_delimiter(name, first), strict=True
        )

    def __next__(self) -> tuple[int, list[str], str]:
        while True:
            start = self._reader.line_num + 1
            try:
                cells = next(self._reader)
            except csv.Error as error:
                return start, [], _reason(error)
            if self._too_long and not self._too_long.isdisjoint(
                range(start, self._reader.line_num + 1)
            ):
                return start, cells, too_long()
            if cells:
                return start, cells, "" if _is_text(cells) else "the row is not valid UTF-8"

    def _text_lines(self, stream: BufferedReader) -> Iterator[str]:
        # Bytes that are not UTF-8 come as lone surrogates, so that one bad row stays one bad row.
        for number, data in read_lines(stream, self.name):
            if data is None:
                self._too_long.add(number)
            yield "\n" if data is None else data.decode("utf-8", "surrogateescape")


def _delimiter(name: str, header: str) -> str:
    if name.lower().endswith(".tsv"):
        return "\t"
    return ";" if ";" in header and "," not in header else ","


def _is_text(cells: list[str]) -> bool:
    try:
        for cell in cells:
            cell.encode()
    except UnicodeEncodeError:
        return False
    return True


def _reason(error: csv.Error) -> str:
    text = str(error)
    if "unexpected end of data" in text:
        return "a quoted cell is not closed before the end of the file"
    if "field limit" in text:
        return too_long()
    return f"the row is not CSV: {text}"
