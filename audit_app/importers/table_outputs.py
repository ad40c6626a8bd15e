"""Importer ``table`` for outputs: one row, one output, or only its outcome."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from audit_app.domain.benchmark import Output, OutputStatus, encode
from audit_app.domain.record import Json
from audit_app.errors import InputError
from audit_app.importers.columns import OUTPUT_FIELDS, require, resolve_columns
from audit_app.importers.content import ShapeError
from audit_app.importers.outcomes import SECOND, completed, split_map
from audit_app.importers.report import ParsedOutputs, RejectedRow
from audit_app.importers.table_rows import Table, open_table
from audit_app.importers.table_tasks import row_id, text_of

_PASSED = {"1": True, "1.0": True, "true": True, "0": False, "0.0": False, "false": False}
_MAX_TRIAL = 1_000_000


def parse_table_outputs(
    path: Path, columns: Mapping[str, str] | None, entries: Collection[str] | None = None
) -> ParsedOutputs:
    """Outputs of a table, read while they are asked for.

    A table without outputs, of outcomes alone, is enough. An output whose status is ``error``
    has no grade: a failed request that the source counts as not passed is not a wrong answer.
    With ``absent`` mapped to ``passed`` a table of failures is enough: its rows have failed
    unless a column says otherwise, and what it does not list has passed.

    Raises:
        InputError: The file is no table, has no column of ids or models, the map does not fit
            it, or it needs the ``entries`` of the benchmark and they are not given.
    """
    columns, absent_passed = split_map(columns)
    if absent_passed and entries is None:
        raise InputError("--map absent=passed needs the benchmark that the table belongs to")
    # Opened here only for its header, so that a stream nobody reads leaves no file open.
    with open_table(path, []) as table:
        found = resolve_columns(OUTPUT_FIELDS, table.columns, columns, source=table.name)
        for field in ("id", "model"):
            require(found, field, table.columns, table.name)
    rejected: list[RejectedRow] = []
    outputs = _outputs(path, found, rejected, unsaid=False if absent_passed else None)
    if absent_passed and entries is not None:
        outputs = completed(outputs, entries, rejected, source=path.name)
    return ParsedOutputs(outputs, rejected, absent_passed=absent_passed)


def _outputs(
    path: Path, found: Mapping[str, str], rejected: list[RejectedRow], *, unsaid: bool | None
) -> Iterator[Output]:
    # A digest of the triple: long ids and model names would not fit memory by the million.
    seen: set[bytes] = set()
    with open_table(path, rejected) as table:
        for line, row in table.rows:
            try:
                output = _output(table, found, row, unsaid)
                triple = encode([output.entry_id, output.model, output.trial])
                digest = blake2b(triple, digest_size=16).digest()
                if digest in seen:
                    raise ShapeError(
                        f"{SECOND}{output.model!r} for {output.entry_id!r} in trial {output.trial}"
                    )
            except ShapeError as error:
                rejected.append(RejectedRow(table.name, line, str(error)))
                continue
            seen.add(digest)
            yield output


def _output(
    table: Table, found: Mapping[str, str], row: dict[str, Any], unsaid: bool | None
) -> Output:
    def value(field: str) -> Json:
        return table.value(row, found.get(field))

    model = text_of(value("model"), "model")
    if not model:
        raise ShapeError("the row has no model")
    status = _status(value("status"))
    passed = _passed(value("passed")) if "passed" in found else unsaid
    if status is OutputStatus.ERROR:
        if passed:
            raise ShapeError("the status is error, but the row says that it passed")
        passed = None
    column = found.get("output")
    return Output(
        entry_id=row_id(row.get(found["id"])),
        model=model,
        body=None if column is None else row.get(column),
        trial=_trial(value("trial")),
        status=status,
        passed=passed,
        reason_code=text_of(value("reason_code"), "reason_code"),
        reason=text_of(value("reason"), "reason"),
    )


def _status(value: Json) -> OutputStatus:
    try:
        return OutputStatus.ANSWER if value is None else OutputStatus(value)
    except ValueError as error:
        statuses = " or ".join(OutputStatus)
        raise ShapeError(f"the status {_shown(value)} is not {statuses}") from error


def _passed(value: Json) -> bool | None:
    if value is None:
        return None
    text = value if isinstance(value, str) else _shown(value)
    if (passed := _PASSED.get(text.lower())) is None:
        raise ShapeError(f"the outcome {_shown(value)} is neither true or 1 nor false or 0")
    return passed


def _trial(value: Json) -> int:
    if value is None:
        return 1
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 8:
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= _MAX_TRIAL:
        raise ShapeError(f"the trial {_shown(value)} is not a whole number from 1")
    return value


def _shown(value: Json) -> str:
    return encode(value).decode()[:80]
