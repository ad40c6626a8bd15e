"""Where the records of a key file stand: JSON lines, a JSON list, or CSV."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import msgspec

from audit_app.domain.record import Json
from audit_app.reporting.key_patch_json import (
    Node,
    edited,
    is_same,
    member,
    parse_nodes,
    style_of,
    writes_ascii,
)
from audit_app.reporting.key_patch_layout import KeyLayout

MARK = "\ufeff"
"""Byte order mark."""

_QUOTED = re.compile(r'"(?:[^"]|"")*"')


class PatchError(ValueError):
    """A key cannot be written into its file; the message says why."""


@dataclass(frozen=True)
class Located:
    """The key of one task in a file.

    Attributes:
        start: Position in the text where its replacement begins.
        end: Position after what is replaced.
        stored: The key as the file holds it; None where it holds none.
        render: The text that stands for another key.
    """

    start: int
    end: int
    stored: Json
    render: Callable[[Json], str]


def locate_keys(name: str, text: str, layout: KeyLayout) -> Iterator[tuple[str, Located]]:
    """Task id and key of every record, in the order of the file.

    Raises:
        PatchError: The file is none of the kinds that can be patched.
    """
    body = text.removeprefix(MARK).lstrip()
    ending = name.lower().rpartition(".")[2]
    if ending == "parquet" or body.startswith("PAR1"):
        raise PatchError("a Parquet file cannot be patched in place")
    if ending in ("csv", "tsv") or not body.startswith(("{", "[")):
        yield from _csv_keys(name, text, layout)
    else:
        spans = _list_spans(text) if body.startswith("[") else _line_spans(text)
        ascii_only = writes_ascii(text)
        for start, end in spans:
            yield from _json_key(text, start, end, layout, ascii_only=ascii_only)


def _line_spans(text: str) -> Iterator[tuple[int, int]]:
    start = len(MARK) if text.startswith(MARK) else 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


def _list_spans(text: str) -> Iterator[tuple[int, int]]:
    body = text.removeprefix(MARK)
    try:
        items = msgspec.json.decode(_bytes(body), type=list[msgspec.Raw])
    except (msgspec.DecodeError, RecursionError) as error:
        raise PatchError(f"the file is not a JSON list: {error}") from error
    position = 0
    for item in items:
        record = bytes(item).decode("utf-8", "surrogateescape")
        # Only white space and commas stand between items, so the first match is the item.
        start = text.index(record, position)
        position = start + len(record)
        yield start, position


def _json_key(
    text: str, start: int, end: int, layout: KeyLayout, *, ascii_only: bool
) -> Iterator[tuple[str, Located]]:
    line = text[start:end]
    try:
        record = msgspec.json.decode(_bytes(line))
    except (msgspec.DecodeError, RecursionError):
        return  # The importer rejects it, so no task of the benchmark rests on it.
    task_id = _id(record.get(layout.id_field)) if isinstance(record, dict) else ""
    if not task_id:
        return
    stored = record.get(layout.key_field)

    def render(key: Json) -> str:
        node = _nodes(line)
        style = style_of(line, node, ascii_only=ascii_only)
        if (place := member(node, layout.key_field)) is None:
            new = edited(line, node, {**record, layout.key_field: key}, style)
            return line[: node.start] + new + line[node.end :]
        return line[: place.start] + edited(line, place, key, style) + line[place.end :]

    def checked(key: Json) -> str:
        new = render(key)
        if not is_same(msgspec.json.decode(_bytes(new)), {**record, layout.key_field: key}):
            raise PatchError("the changed record would not read back as the proposed key")
        return new

    yield task_id, Located(start, end, stored, checked)


def _nodes(text: str) -> Node:
    try:
        return parse_nodes(text)
    except RecursionError as error:
        raise PatchError("the record is nested too deeply to be changed in place") from error


def _id(value: Json) -> str:
    """A task's id, as the importer reads it; empty where there is none."""
    if isinstance(value, bool):
        return ""
    return str(value) if isinstance(value, int) else value if isinstance(value, str) else ""


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _csv_keys(name: str, text: str, layout: KeyLayout) -> Iterator[tuple[str, Located]]:
    records = _csv_records(name, text)
    header = [_cell(text, *span) or f"column {i}" for i, span in enumerate(next(records, []), 1)]
    for wanted in (layout.id_field, layout.key_field):
        if wanted not in header:
            raise PatchError(f"the file has no column {wanted!r}")
    id_column, key_column = header.index(layout.id_field), header.index(layout.key_field)
    delimiter = _delimiter(name, text)
    for cells in records:
        if len(cells) == len(header) and (task_id := _cell(text, *cells[id_column])):
            yield task_id, _csv_key(text, *cells[key_column], delimiter)


def _csv_key(text: str, start: int, end: int, delimiter: str) -> Located:
    cell = _cell(text, start, end)
    stored = _read_cell(cell)

    def render(key: Json) -> str:
        new = _new_cell(cell, stored, key)
        read = _read_cell(new)
        is_plain = isinstance(key, int | float) and read == new
        if not (is_plain or is_same(read, key)):
            raise PatchError("a cell of a CSV file cannot hold the proposed key")
        quoted = text[start : start + 1] == '"' or any(c in new for c in f'{delimiter}"\r\n')
        return '"' + new.replace('"', '""') + '"' if quoted else new

    return Located(start, end, stored, render)


def _new_cell(cell: str, stored: Json, key: Json) -> str:
    if key is None:
        return ""
    if isinstance(key, str):
        return key
    node = _nodes(cell if isinstance(stored, list | dict) else "null")
    return edited(cell, node, key, style_of(cell, node, ascii_only=cell.isascii()))


def _read_cell(cell: str) -> Json:
    """The key in a cell, as the importer reads it."""
    if cell.lstrip()[:1] in ("[", "{"):
        try:
            return msgspec.json.decode(cell)
        except (msgspec.DecodeError, RecursionError, UnicodeError):
            return cell
    return cell or None


def _csv_records(name: str, text: str) -> Iterator[list[tuple[int, int]]]:
    """Spans of the cells of every record that is not blank."""
    delimiter = _delimiter(name, text)
    plain = re.compile(rf"[^{re.escape(delimiter)}\r\n]*")
    position = len(MARK) if text.startswith(MARK) else 0
    cells: list[tuple[int, int]] = []
    while position < len(text) or cells:
        quoted = text[position : position + 1] == '"'
        match = (_QUOTED if quoted else plain).match(text, position)
        end = match.end() if match else position
        follows = text[end : end + 1]
        if match is None or (follows and follows not in f"{delimiter}\r\n"):
            line = text.count("\n", 0, position) + 1
            raise PatchError(f"line {line} is not CSV: a quoted cell does not end where it should")
        cells.append((position, end))
        position = end + 1
        if follows == delimiter:
            continue
        if text[end : end + 2] == "\r\n":
            position = end + 2
        if cells != [(end, end)]:
            yield cells
        cells = []


def _cell(text: str, start: int, end: int) -> str:
    cell = text[start:end]
    return cell[1:-1].replace('""', '"') if cell.startswith('"') else cell


def _delimiter(name: str, text: str) -> str:
    """Tabs in a .tsv file, semicolons where the header holds those and no comma, else commas."""
    if name.lower().endswith(".tsv"):
        return "\t"
    header = text.split("\n", 1)[0]
    return ";" if ";" in header and "," not in header else ","
