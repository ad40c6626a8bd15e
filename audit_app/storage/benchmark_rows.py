"""A benchmark version and its outputs as lines of JSON, and back, without keys of this file.

Outputs bear the grade that the last finished score run gave them: earlier runs and unfinished ones
say nothing that a number rests on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, Literal, TypeVar

import msgspec

from audit_app.domain.benchmark import Document, Entry, OutputStatus, Task, encode
from audit_app.errors import ConflictError, InputError
from audit_app.storage.audit_rows import Line
from audit_app.storage.workspace import Workspace

T = TypeVar("T")
_Count = Annotated[int, msgspec.Meta(ge=0, lt=2**62)]
_Flag = Literal[0, 1]


class _Row(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of a file; its members are written in the order of its fields."""


class EntryRow(_Row, frozen=True):
    """A scored entry."""

    id: str
    task: str
    weight: float | None


class DocumentRow(_Row, frozen=True):
    """A shared document."""

    id: str
    body: msgspec.Raw


class ModelRow(_Row, frozen=True):
    """A model."""

    name: str


class SourceRow(_Row, frozen=True):
    """One import of outputs."""

    format: str
    source: str
    imported_at: str
    imported_by: str
    simulated: _Flag
    outputs: _Count
    models: msgspec.Raw


class RunRow(_Row, frozen=True):
    """A finished score run."""

    rules: str
    readings: msgspec.Raw
    version: str
    started_at: str
    finished_at: str


class GradeRow(_Row, frozen=True):
    """The grade of an output in that run."""

    status: str
    passed: _Flag
    reason_code: str


class OutputRow(_Row, frozen=True):
    """One output; ``source`` is the line of its import in the file of sources, from 1."""

    source: _Count
    entry: str
    model: str
    trial: Annotated[int, msgspec.Meta(ge=-(2**62), lt=2**62)]
    status: OutputStatus
    body: msgspec.Raw
    passed: _Flag | None
    reason_code: str
    reason: str
    grade: GradeRow | None


TASKS, ENTRIES, DOCUMENTS = "tasks.jsonl", "entries.jsonl", "documents.jsonl"
MODELS, SOURCES, RUNS, OUTPUTS = (
    "models.jsonl",
    "output_sources.jsonl",
    "score_runs.jsonl",
    "outputs.jsonl",
)
CONTENT_FILES = (TASKS, ENTRIES, DOCUMENTS)
OUTPUT_FILES = (MODELS, SOURCES, RUNS, OUTPUTS)

_QUERIES: Mapping[str, tuple[type[_Row], str]] = {
    ENTRIES: (
        EntryRow,
        "select e.id, t.id, e.weight from entries e join tasks t on t.key = e.task "
        "where e.benchmark = ?1 order by e.key",
    ),
    DOCUMENTS: (DocumentRow, "select id, body from documents where benchmark = ?1 order by id"),
    MODELS: (ModelRow, "select name from models where benchmark = ?1 order by key"),
    SOURCES: (
        SourceRow,
        "select format, source, imported_at, imported_by, simulated, outputs, models "
        "from output_sources where benchmark = ?1 order by key",
    ),
    RUNS: (
        RunRow,
        "select rules, readings, version, started_at, finished_at from score_runs "
        "where benchmark = ?1 and finished_at is not null order by key desc limit 1",
    ),
}
_OUTPUTS = (
    "select (select count(*) from output_sources s where s.benchmark = ?1 and s.key <= o.source), "
    "e.id, m.name, o.trial, o.status, o.body, o.passed, o.reason_code, o.reason, "
    "g.status, g.passed, g.reason_code from entries e join outputs o on o.entry = e.key "
    "join models m on m.key = o.model left join grades g on g.output = o.key and g.run = "
    "(select max(key) from score_runs where benchmark = ?1 and finished_at is not null) "
    "where e.benchmark = ?1 order by o.key"
)


class BenchmarkRows:
    """Reads and writes the lines of one benchmark version.

    Args:
        workspace: The open workspace.
        benchmark: Key of the version.
    """

    def __init__(self, workspace: Workspace, benchmark: int) -> None:
        self._workspace, self._benchmark = workspace, benchmark

    def lines(self, file: str) -> Iterator[bytes]:
        """Every line of a file, in the order of the import."""
        db = self._workspace
        if file == TASKS:
            for (body,) in db.each(
                "select body from tasks where benchmark = ? order by key", (self._benchmark,)
            ):
                yield body.encode()
        elif file == OUTPUTS:
            for row in db.each(_OUTPUTS, (self._benchmark,)):
                yield encode(_output(row))
        else:
            kind, query = _QUERIES[file]
            for row in db.each(query, (self._benchmark,)):
                yield encode(kind(*(_raw(kind, i, value) for i, value in enumerate(row))))

    def has_outputs(self) -> bool:
        """Whether anything was imported from models."""
        return (
            self._workspace.row(
                "select 1 from models where benchmark = ?1 "
                "union select 1 from output_sources where benchmark = ?1",
                (self._benchmark,),
            )
            is not None
        )

    def add_outputs(self, lines: Mapping[str, Iterable[Line]]) -> int:
        """Store models, imports, score run and outputs inside `Workspace.write`; how many outputs.

        Raises:
            ConflictError: Two outputs are of one entry, model and trial.
            InputError: A line is no such row, or names what is not there.
        """
        models = {row.name: self._model(row) for _, row in _rows(lines, MODELS, ModelRow)}
        sources = [self._source(row) for _, row in _rows(lines, SOURCES, SourceRow)]
        runs = [self._run(row) for _, row in _rows(lines, RUNS, RunRow)]
        entries = dict(
            self._workspace.rows(
                "select id, key from entries where benchmark = ?", (self._benchmark,)
            )
        )
        count = 0
        for place, row in _rows(lines, OUTPUTS, OutputRow):
            entry, model = entries.get(row.entry), models.get(row.model)
            if entry is None or model is None or not 1 <= row.source <= len(sources):
                raise InputError(f"{place} names an entry, model or import that is not there")
            key = self._output(row, sources[row.source - 1], entry, model, place)
            if row.grade is not None:
                self._grade(row.grade, runs, key, place)
            count += 1
        return count

    def _model(self, row: ModelRow) -> int:
        return self._workspace.run(
            "insert into models (benchmark, name) values (?, ?)", (self._benchmark, row.name)
        )

    def _source(self, row: SourceRow) -> int:
        return self._workspace.run(
            "insert into output_sources (benchmark, format, source, imported_at, imported_by, "
            "simulated, outputs, models) values (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                self._benchmark,
                row.format,
                row.source,
                row.imported_at,
                row.imported_by,
                row.simulated,
                row.outputs,
                bytes(row.models).decode(),
            ),
        )

    def _run(self, row: RunRow) -> int:
        return self._workspace.run(
            "insert into score_runs (benchmark, rules, readings, version, started_at, finished_at) "
            "values (?, ?, ?, ?, ?, ?)",
            (
                self._benchmark,
                row.rules,
                bytes(row.readings).decode(),
                row.version,
                row.started_at,
                row.finished_at,
            ),
        )

    def _output(self, row: OutputRow, source: int, entry: int, model: int, place: str) -> int:
        values = (
            source,
            entry,
            model,
            row.trial,
            row.status.value,
            bytes(row.body).decode(),
            row.passed,
            row.reason_code,
            row.reason,
        )
        if not self._workspace.added(
            "insert into outputs (source, entry, model, trial, status, body, passed, reason_code, "
            "reason) values (?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing",
            values,
        ):
            raise ConflictError(f"{place}: this entry, model and trial stand on an earlier line")
        found = self._workspace.row("select last_insert_rowid()")
        return int(found[0]) if found else 0

    def _grade(self, row: GradeRow, runs: list[int], output: int, place: str) -> None:
        if not runs:
            raise InputError(f"{place} has a grade, but there is no score run")
        self._workspace.run(
            "insert into grades (run, output, status, passed, reason_code) values (?, ?, ?, ?, ?)",
            (runs[0], output, row.status, row.passed, row.reason_code),
        )


def read_content(
    lines: Mapping[str, Iterable[Line]],
) -> tuple[list[Task], list[tuple[str, Entry]], list[Document]]:
    """Tasks, (task id, entry) and documents of a version.

    Raises:
        InputError: A line is no such row.
    """
    tasks = [task for _, task in _rows(lines, TASKS, Task)]
    entries = [(row.task, Entry(row.id, row.weight)) for _, row in _rows(lines, ENTRIES, EntryRow)]
    documents = [
        Document(row.id, msgspec.json.decode(row.body))
        for _, row in _rows(lines, DOCUMENTS, DocumentRow)
    ]
    known = {task.id for task in tasks}
    lost = next((task for task, _ in entries if task not in known), None)
    if lost is not None:
        raise InputError(f"{ENTRIES}: an entry is of task {lost!r}, which is not there")
    return tasks, entries, documents


def _rows(lines: Mapping[str, Iterable[Line]], file: str, kind: type[T]) -> Iterator[tuple[str, T]]:
    decoder = msgspec.json.Decoder(kind)
    for line in lines.get(file, ()):
        try:
            yield line.place, decoder.decode(line.text)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            reason = " ".join(str(error).split())[:200]
            raise InputError(f"{line.place} cannot be read: {reason}") from error


def _output(row: tuple[object, ...]) -> OutputRow:
    source, entry, model, trial, status, body, passed, code, reason, *grade = row
    return msgspec.convert(
        {
            "source": source,
            "entry": entry,
            "model": model,
            "trial": trial,
            "status": status,
            "body": msgspec.Raw(str(body).encode()),
            "passed": passed,
            "reason_code": code,
            "reason": reason,
            "grade": None
            if grade[0] is None
            else dict(zip(("status", "passed", "reason_code"), grade, strict=True)),
        },
        OutputRow,
    )


def _raw(kind: type[_Row], index: int, value: object) -> object:
    """The value of a field, where the field takes JSON as it stands."""
    is_raw = msgspec.structs.fields(kind)[index].type is msgspec.Raw
    return msgspec.Raw(str(value).encode()) if is_raw else value
