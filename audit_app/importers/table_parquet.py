"""Parquet rows as JSON values; the line of a row is its number, from 1."""

from __future__ import annotations

import math
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from io import BufferedReader
from typing import Any

from audit_app.domain.record import Json
from audit_app.errors import RowRejectedError
from audit_app.importers.content import ShapeError
from audit_app.importers.report import RejectedRow
from audit_app.importers.source import reading, why

_BATCH_ROWS = 1_000

Rows = Iterator[tuple[int, dict[str, Any]]]


def read_parquet(
    stream: BufferedReader, name: str, rejected: list[RejectedRow]
) -> tuple[tuple[str, ...], Rows]:
    """Columns and rows.

    Raises:
        RowRejectedError: It is not a complete Parquet file; line 0.
    """
    # Imported here because pyarrow takes longer to load than most imports take to run.
    from pyarrow import ArrowException  # type: ignore[import-untyped]
    from pyarrow.parquet import ParquetFile  # type: ignore[import-untyped]

    try:
        file = ParquetFile(stream)
    except (ArrowException, OSError, ValueError) as error:
        reason = f"is not a complete Parquet file ({why(error)})"
        raise RowRejectedError(name, 0, reason) from error
    columns = tuple(str(column) for column in file.schema_arrow.names)
    for column in columns:
        if columns.count(column) > 1:
            raise RowRejectedError(name, 0, f"the column {column!r} stands twice")

    def batches() -> Iterator[list[dict[str, Any]]]:
        with reading(name):
            try:
                for batch in file.iter_batches(batch_size=_BATCH_ROWS):
                    yield batch.to_pylist()
            except (ArrowException, ValueError) as error:
                reason = f"cannot be read to its end ({why(error)})"
                raise RowRejectedError(name, 0, reason) from error

    return columns, _rows(batches(), name, rejected)


def _rows(batches: Iterator[list[dict[str, Any]]], name: str, rejected: list[RejectedRow]) -> Rows:
    number = 0
    for batch in batches:
        for row in batch:
            number += 1
            try:
                yield number, {column: _as_json(value) for column, value in row.items()}
            except ShapeError as error:
                rejected.append(RejectedRow(name, number, str(error)))


def _as_json(value: Any) -> Json:
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            if not math.isfinite(value):
                raise ShapeError(f"{value} is not a JSON value; write null or a text instead")
            return value
        case list():
            return [_as_json(item) for item in value]
        case tuple():
            return [_as_json(item) for item in value]
        case dict():
            return {str(key): _as_json(item) for key, item in value.items()}
        case datetime() | date() | time():
            return value.isoformat()
        case Decimal() | timedelta():
            return str(value)
        case _:
            raise ShapeError(f"a value is {type(value).__name__}, which is neither text nor JSON")
