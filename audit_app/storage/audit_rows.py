"""The rows of one audit as lines of JSON, and back: what `audit_tables` describes, done.

A line holds one record with its parts and its seal, so that equal records have equal lines in
every workspace. What a line says of a record that is there already must be what is there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import msgspec

from audit_app.domain.benchmark import encode
from audit_app.errors import ConflictError, InputError, VerificationError
from audit_app.storage.audit_tables import SUBJECTS, AuditTable, PartTable
from audit_app.storage.workspace import Workspace

_OWN, _SEAL = "is_own", "seal"
_Raw = dict[str, msgspec.Raw]
_line_decoder = msgspec.json.Decoder(_Raw)
_parts_decoder = msgspec.json.Decoder(list[_Raw])
_value_decoder = msgspec.json.Decoder(int | float | str | None)


@dataclass(frozen=True)
class Line:
    """One line of a file.

    Attributes:
        place: File and line, for messages.
        text: The line without its end.
    """

    place: str
    text: bytes


@dataclass
class Counted:
    """What became of the lines of one table."""

    added: int = 0
    there: int = 0


@dataclass
class _Known:
    """What is there of a table before lines are added.

    Attributes:
        lines: Identity → line.
        latest: What rows speak of → when the last one was saved.
    """

    lines: dict[tuple[object, ...], bytes] = field(default_factory=dict)
    latest: dict[tuple[object, ...], datetime] = field(default_factory=dict)


class AuditRows:
    """Reads and writes the records of one audit.

    Args:
        workspace: The open workspace.
        audit_id: UUID of the audit.
        benchmark: Key of the version it is pinned to.
    """

    def __init__(self, workspace: Workspace, audit_id: str, benchmark: int) -> None:
        self._workspace, self._audit, self._benchmark = workspace, audit_id, benchmark

    def lines(self, table: AuditTable) -> Iterator[bytes]:
        """Every record of a table, in its order.

        Raises:
            VerificationError: A record is not what was stored.
        """
        for values in self._records(table):
            line = encode(self._document(table, values))
            if b"\n" in line:  # JSON with white space, which Assay does not write
                raise VerificationError(f"a record of {table.name} is not as Assay stores it")
            yield line

    def _records(self, table: AuditTable) -> Iterator[dict[str, Any]]:
        columns = [*table.columns]
        if table.may_be_foreign:
            columns.append(f"coalesce(audit = :audit, 0) as {_OWN}")
        # Held at once, since the parts of each are asked for before the next is read.
        found = self._workspace.rows(
            f"select {', '.join(columns)} from {table.name} "
            f"where {table.picked} order by {table.order}".replace(":audit", "?1"),
            (self._audit,),
        )
        names = [*table.columns, *([_OWN] if table.may_be_foreign else [])]
        for row in found:
            yield dict(zip(names, row, strict=True))

    def _document(self, table: AuditTable, values: dict[str, Any]) -> dict[str, object]:
        with self._workspace.decoding():
            cleaned = {
                name: text
                for name, clean in table.shown.items()
                if (text := clean(values[name])) is not None
            }
        document = _shown(values | cleaned, table.json_columns)
        for part in table.parts:
            rows = self._workspace.rows(
                f"select {', '.join(part.columns)} from {part.name} where {part.of} = ? "
                f"order by {part.order}",
                (values["id"],),
            )
            document[part.name] = [
                _shown(dict(zip(part.columns, row, strict=True)), part.json_columns) for row in rows
            ]
        if table.is_sealed:
            seal = self._workspace.seal_of(table.name, values["id"])
            if seal is None:
                raise VerificationError(
                    f"{table.name[:-1]} {values['id']} is not what was stored; see assay verify"
                )
            document[_SEAL] = seal if values.get(_OWN, True) and not cleaned else ""
        return document

    def add(self, table: AuditTable, lines: Iterable[Line]) -> Counted:
        """Add the records of a file, inside `Workspace.write`; those that are there stay.

        Raises:
            ConflictError: A record that is there is another one, or a schema rule refuses one.
            InputError: A line is no record of the table, or its seal does not hold.
        """
        known, counted = self._known(table), Counted()
        for line in lines:
            values, parts = _read(table, line)
            identity = tuple(values[name] for name in table.identity)
            there = known.lines.get(identity)
            if there is None:
                _require_later(table, values, known, line.place)
                self._insert(table, values, parts, line.place)
                counted.added += 1
            elif there == line.text:
                counted.there += 1
            else:
                raise ConflictError(
                    f"{line.place}: {table.name} {identity[0]!r} is stored here with other content"
                )
        return counted

    def _known(self, table: AuditTable) -> _Known:
        known = _Known()
        for values in self._records(table):
            identity = tuple(values[name] for name in table.identity)
            known.lines[identity] = encode(self._document(table, values))
            if table.said_at:
                said = datetime.fromisoformat(values[table.said_at])
                known.latest[_subject(table, values)] = said
        return known

    def _insert(
        self,
        table: AuditTable,
        values: Mapping[str, Any],
        parts: Mapping[PartTable, Sequence[Mapping[str, Any]]],
        place: str,
    ) -> None:
        row = {name: values[name] for name in table.columns}
        if table.has_audit:
            row["audit"] = self._audit if values.get(_OWN, True) else None
        if table.has_benchmark:
            row["benchmark"] = self._benchmark
        try:
            self._write(table.name, row)
            for part, rows in parts.items():
                for found in rows:
                    self._write(part.name, {part.of: values["id"], **found})
            if table.is_sealed:
                self._seal(table, values, place)
        except (sqlite3.IntegrityError, OverflowError) as error:
            raise ConflictError(f"{place}: {_refusal(table, values, error)}") from error

    def _write(self, table: str, row: Mapping[str, Any]) -> None:
        marks = ", ".join("?" * len(row))
        self._workspace.run(
            f"insert into {table} ({', '.join(row)}) values ({marks})", tuple(row.values())
        )

    def _seal(self, table: AuditTable, values: Mapping[str, Any], place: str) -> None:
        id_ = values["id"]
        self._workspace.seal(table.name, id_)
        if values[_SEAL] and self._workspace.seal_of(table.name, id_) != values[_SEAL]:
            raise InputError(
                f"{place}: {table.name[:-1]} {id_!r} is not what was sealed; it was changed after "
                "it was stored"
            )


def _refusal(table: AuditTable, values: Mapping[str, Any], error: Exception) -> str:
    what = table.name.replace("_", " ")
    if "UNIQUE" not in str(error):
        return f"it is no row of the {what} that can be stored ({error})"
    of = "".join(
        f" {word} {values[n]}" for word, n in (("on", "task_id"), ("by", "reviewer")) if n in values
    )
    return f"of the {what}{of}, what is stored here and what the folder holds cannot both stand"


def _shown(values: Mapping[str, Any], json_columns: frozenset[str]) -> dict[str, object]:
    """The values, with JSON as JSON."""
    return {
        name: msgspec.Raw(value.encode()) if name in json_columns and value is not None else value
        for name, value in values.items()
    }


def _read(
    table: AuditTable, line: Line
) -> tuple[dict[str, Any], dict[PartTable, list[dict[str, Any]]]]:
    """The values of a line and of its parts.

    Raises:
        InputError: It is no record of the table.
    """
    parts: dict[PartTable, list[dict[str, Any]]] = {}
    extra = [_OWN] * table.may_be_foreign + [_SEAL] * table.is_sealed
    expected = (*table.columns, *extra)
    try:
        raw = _line_decoder.decode(line.text)
        for part in table.parts:
            rows = _parts_decoder.decode(raw.pop(part.name, msgspec.Raw(b"null")))
            parts[part] = [_values(row, part.columns, part.json_columns) for row in rows]
        return _values(raw, expected, table.json_columns), parts
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{line.place} is no record of {table.name}: {reason}") from error


def _values(raw: _Raw, columns: Sequence[str], json_columns: frozenset[str]) -> dict[str, Any]:
    if set(raw) != set(columns):
        differing = sorted(set(raw) ^ set(columns))
        raise ValueError(f"the members {', '.join(differing)[:100]} are too many or missing")
    return {name: _value(raw[name], is_json=name in json_columns) for name in columns}


def _value(raw: msgspec.Raw, *, is_json: bool) -> object:
    if not is_json:
        return _value_decoder.decode(raw)
    msgspec.json.decode(raw)
    return bytes(raw).decode()


def _subject(table: AuditTable, values: Mapping[str, Any]) -> tuple[object, ...]:
    """What a row speaks of, where of several the one saved last stands."""
    of = [values[name] for name in table.said_of]
    if table.said_in:
        body = msgspec.json.decode(values[table.said_in])
        of += [str(body.get(name, "")) for name in SUBJECTS] if isinstance(body, dict) else []
    return tuple(of)


def _require_later(table: AuditTable, values: Mapping[str, Any], known: _Known, place: str) -> None:
    """Refuse a row that would stand, being saved last here, over a later one."""
    if not table.said_at:
        return
    latest = known.latest.get(_subject(table, values))
    try:
        said = datetime.fromisoformat(values[table.said_at])
        is_older = latest is not None and said < latest
    except (TypeError, ValueError) as error:
        raise InputError(
            f"{place}: {table.said_at} {values[table.said_at]!r} is no time"
        ) from error
    if is_older:
        subject = ", ".join(str(values[name]) for name in table.said_of) or "the audit"
        raise ConflictError(
            f"{place}: the {table.name} here on {subject} went on without it: what is here is "
            "later, and both cannot stand"
        )
