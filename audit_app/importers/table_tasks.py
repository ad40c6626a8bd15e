"""Importer ``table`` for tasks: one row, one task."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from audit_app.domain.benchmark import Entry, KeyKind, Message, Task, encode
from audit_app.domain.record import Json
from audit_app.errors import RowRejectedError
from audit_app.importers.columns import TASK_FIELDS, require, resolve_columns
from audit_app.importers.content import (
    SCORERS,
    ShapeError,
    Turns,
    as_turn,
    as_turns,
    check_key,
    is_lossless,
)
from audit_app.importers.lines import json_type
from audit_app.importers.report import ParsedBenchmark, RejectedRow
from audit_app.importers.table_rows import Table, open_table

SHORT_TEXT = 200
"""Characters up to which a further column is something to stratify by, not something to read."""
_KEYLESS = (KeyKind.NO_CALL, KeyKind.SOME_CALL, KeyKind.MISSING)


def parse_table_tasks(path: Path, columns: Mapping[str, str] | None) -> ParsedBenchmark:
    """Tasks of a table, one a row, each with one entry of its own id and no weight.

    A row without a key is loaded with the key missing, and one without a prompt without turns:
    the evidence is missing, not the task. Columns that are no field are kept: short values among
    the task's fields, others in its context.

    Raises:
        InputError: The file is no table, has no column of ids, or the map does not fit it.
    """
    parsed = ParsedBenchmark()
    lines: dict[str, int] = {}
    with open_table(path, parsed.rejected) as table:
        reader = _TaskReader(table, columns)
        for line, row in table.rows:
            try:
                task = reader.task(row)
                if first := lines.get(task.id):
                    raise ShapeError(f"the id {task.id!r} is used already, in line {first}")
            except ShapeError as error:
                parsed.rejected.append(RejectedRow(table.name, line, str(error)))
                continue
            lines[task.id] = line
            parsed.tasks.append(task)
    if not parsed.tasks and not parsed.rejected:
        raise RowRejectedError(path.name, 0, "has a header and no rows")
    parsed.entries = [(task.id, Entry(task.id)) for task in parsed.tasks]
    return parsed


def row_id(value: Json) -> str:
    """An id as text, exactly as it is written.

    Raises:
        ShapeError: It is empty, or neither text nor a whole number.
    """
    if isinstance(value, str) and value:
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if value is None or value == "":
        raise ShapeError("the row has no id")
    raise ShapeError(f"the id {_shown(value)} is neither text nor a whole number")


def text_of(value: Json, field: str) -> str:
    """A text field, empty where there is no value.

    Raises:
        ShapeError: It is a list or an object.
    """
    if value is None:
        return ""
    if isinstance(value, (list, dict)):
        raise ShapeError(f"{field} is {json_type(value)}, not text")
    return value if isinstance(value, str) else encode(value).decode()


class _TaskReader:
    """Reads rows with the columns settled."""

    def __init__(self, table: Table, columns: Mapping[str, str] | None) -> None:
        found = resolve_columns(TASK_FIELDS, table.columns, columns, source=table.name)
        self._id = require(found, "id", table.columns, table.name)
        self._column = found.get
        self._placed = frozenset(found.values())
        self._table = table

    def task(self, row: dict[str, Any]) -> Task:
        """The task of a row.

        Raises:
            ShapeError: The row cannot be used.
        """
        fields, context = self._rest(row)
        prompt = self._table.structured(row, column := self._column("prompt"))
        turns, is_complete = _turns(prompt)
        if column is not None and not is_complete:
            context[column] = prompt
        choices = self._table.structured(row, self._column("choices"))
        if choices is not None:
            context["choices"] = choices
        kind, key = self._key(row)
        scorer = "exact" if choices is None else "multiple_choice"
        category = self._text(row, "category") or "all"
        return Task(
            id=row_id(row.get(self._id)),
            category=category,
            group=self._text(row, "group") or category,
            scorer=self._text(row, "scorer") or SCORERS.get(kind, scorer),
            turns=turns,
            tools=_tools(self._table.structured(row, self._column("tools"))),
            key_kind=kind,
            key=key,
            fields=fields,
            context=context,
        )

    def _text(self, row: dict[str, Any], field: str) -> str:
        return text_of(self._table.value(row, self._column(field)), field)

    def _key(self, row: dict[str, Any]) -> tuple[KeyKind, Json]:
        key = self._table.structured(row, self._column("key"))
        name = self._text(row, "key_kind")
        try:
            kind = KeyKind(name or KeyKind.VALUE)
        except ValueError as error:
            kinds = ", ".join(KeyKind)
            raise ShapeError(f"key_kind {name[:80]!r} is none of {kinds}") from error
        if kind in _KEYLESS:
            if key is not None:
                raise ShapeError(f"key_kind {kind} has no key, but the row gives one")
            return kind, None
        if key is None:
            return KeyKind.MISSING, None
        check_key(kind, key)
        return kind, key

    def _rest(self, row: dict[str, Any]) -> tuple[dict[str, str], dict[str, Json]]:
        fields: dict[str, str] = {}
        context: dict[str, Json] = {}
        for column, value in row.items():
            if column in self._placed:
                continue
            if value is None or isinstance(value, (list, dict)):
                context[column] = value
                continue
            text = value if isinstance(value, str) else encode(value).decode()
            if len(text) <= SHORT_TEXT and "\n" not in text:
                fields[column] = text
            else:
                context[column] = value
        return fields, context


def _turns(prompt: Json) -> tuple[Turns, bool]:
    """The turns, and whether they hold all that the prompt does."""
    if prompt is None or prompt == "":
        return (), True
    if isinstance(prompt, str):
        return ((Message("user", prompt),),), True
    if not isinstance(prompt, list):
        raise ShapeError(f"the prompt is {json_type(prompt)}, not text or a list")
    if all(isinstance(item, dict) for item in prompt):
        return (as_turn(prompt, "the prompt"),), is_lossless([prompt])
    return as_turns(prompt, "the prompt"), is_lossless(prompt)


def _tools(tools: Json) -> tuple[Json, ...]:
    if tools is None:
        return ()
    if not isinstance(tools, list):
        raise ShapeError(f"tools is {json_type(tools)}, not a list")
    return tuple(tools)


def _shown(value: Json) -> str:
    return encode(value).decode()[:80]
