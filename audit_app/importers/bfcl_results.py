"""Importer ``bfcl`` for outputs: result trees of v4 and v1, with score trees beside them.

Only the ``result`` of a line is kept: logs, token counts and latencies are skipped while the line
is read, one line at a time. Outputs and grades are joined by id. Where v1 gives a failure no id
but its position, the output that the score file quotes must be the one at that position.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, nullcontext
from pathlib import Path
from typing import Any

import msgspec

from audit_app.domain.benchmark import Output
from audit_app.domain.record import Json
from audit_app.errors import InputError, RowRejectedError
from audit_app.importers.bfcl_scores import (
    Failure,
    Scores,
    digest_of,
    infers_passes,
    read_scores,
)
from audit_app.importers.bfcl_tree import TreeFile, read_tree
from audit_app.importers.bodies import checked_body, failed_request
from audit_app.importers.content import ShapeError
from audit_app.importers.lines import decode_object, json_type, read_lines, too_long
from audit_app.importers.report import ParsedOutputs, RejectedRow
from audit_app.importers.source import Source, open_source

_ERROR_TEXTS = (
    "Error during inference:",
    "Internal error occurred.",
    'Parsing error: {"candidates"',
)
"""How the harness stored a failed request: of v4 the first, of v1 the answers of one vendor."""


class _Line(msgspec.Struct):
    id: Any = None
    result: Any = msgspec.UNSET
    traceback: Any = None


class _Id(msgspec.Struct):
    id: Any = None


_decode_line = msgspec.json.Decoder(_Line).decode
_decode_id = msgspec.json.Decoder(_Id).decode
_Grades = Mapping[tuple[str, str], TreeFile]


def parse_bfcl_outputs(
    path: Path, scores: Path | None, entries: Collection[str] | None
) -> ParsedOutputs:
    """Outputs of a result tree, read while they are asked for.

    Args:
        path: A folder or zip that holds result files at any depth.
        scores: The score tree; without it no output has a grade.
        entries: Ids of the benchmark's entries, so that outputs for none of them are not taken
            for outputs that came after grading.

    Raises:
        InputError: There is no result file, no score file, or nothing that can be opened.
    """
    # Opened here only for its names, so that a stream nobody reads leaves no file open.
    with open_source(path) as source:
        tree = read_tree(source, path, "result")
    if not tree.files:
        raise InputError(
            f"{path} holds no BFCL result file; expected are names such as "
            "MODEL/non_live/BFCL_v4_simple_python_result.json"
        )
    parsed = ParsedOutputs(iter(()), tree.rejected, tree.ignored)
    graded = {} if scores is None else _score_files(scores, tree.files, parsed)
    parsed.outputs = _outputs(path, scores, tree.files, graded, entries, parsed.rejected)
    return parsed


def _score_files(scores: Path, results: list[TreeFile], parsed: ParsedOutputs) -> _Grades:
    with open_source(scores) as source:
        tree = read_tree(source, scores, "score")
    if not tree.files:
        raise InputError(f"{scores} holds no BFCL score file")
    parsed.ignored += tree.ignored
    parsed.rejected += tree.rejected
    there = {(file.model, file.category) for file in results}
    models = {file.model for file in results}
    files: dict[tuple[str, str], TreeFile] = {}
    for file in tree.files:
        pair = (file.model, file.category)
        if pair in files:
            reason = f"a second score file of {file.model} for {file.category}; {files[pair].name}"
            parsed.rejected.append(RejectedRow(file.name, 0, f"{reason} is used"))
        elif pair in there:
            files[pair] = file
        elif file.model in models:
            reason = f"there are no results of {file.model} for {file.category}"
            parsed.rejected.append(RejectedRow(file.name, 0, reason))
        else:
            parsed.ignored.append(file.name)
    return files


def _outputs(
    path: Path,
    scores: Path | None,
    files: list[TreeFile],
    graded: _Grades,
    entries: Collection[str] | None,
    rejected: list[RejectedRow],
) -> Iterator[Output]:
    with ExitStack() as stack:
        results = stack.enter_context(open_source(path))
        beside = stack.enter_context(nullcontext() if scores is None else open_source(scores))
        for file in files:
            score_file = graded.get((file.model, file.category))
            try:
                reader = _ResultFile(results, file, rejected)
                if beside is not None and score_file is not None:
                    reader.grade(beside, score_file, entries)
                yield from reader.outputs()
            except RowRejectedError as error:
                rejected.append(RejectedRow.of(error))


class _ResultFile:
    """Reads one result file, and the score file that belongs to it."""

    def __init__(self, source: Source, file: TreeFile, rejected: list[RejectedRow]) -> None:
        self._source, self._file, self._rejected = source, file, rejected
        self._scores: Scores | None = None
        self._infers = False

    def grade(self, source: Source, file: TreeFile, entries: Collection[str] | None) -> None:
        """Take the grades of a score file; a file that cannot be used grades nothing."""
        try:
            self._scores = read_scores(source, file, self._rejected)
        except RowRejectedError as error:
            self._rejected.append(RejectedRow.of(error))
            return
        ids = [id_ if self._is_own(id_, entries) else None for id_ in self._ids()]
        self._infers = infers_passes(self._scores, ids, self._rejected)

    def outputs(self) -> Iterator[Output]:
        """The outputs; lines that cannot be used are rejected.

        Raises:
            RowRejectedError: The file cannot be read to its end; line 0.
        """
        seen: dict[str, int] = {}
        name = self._file.name
        for position, (number, data) in enumerate(self._lines(), start=1):
            try:
                if data is None:
                    raise ShapeError(too_long())
                line = _read(data, name, number)
                entry_id = self._entry_id(line.id)
                if first := seen.get(entry_id):
                    raise ShapeError(f"a second output for {entry_id!r}; the first is in {first}")
                seen[entry_id] = number
                yield self._output(entry_id, line, position)
            except RowRejectedError as error:
                self._rejected.append(RejectedRow.of(error))
            except ShapeError as error:
                self._rejected.append(RejectedRow(name, number, str(error)))

    def _lines(self) -> Iterator[tuple[int, bytes | None]]:
        """Lines that are not blank, each with its number."""
        name, found = self._file.name, False
        with self._source.open(name) as stream:
            for number, data in read_lines(stream, name):
                if data is None or not data.isspace():
                    found = True
                    yield number, data
        if not found:
            raise RowRejectedError(name, 0, "is empty")

    def _ids(self) -> Iterator[str | None]:
        for _, data in self._lines():
            try:
                id_ = None if data is None else _decode_id(data).id
            except (msgspec.DecodeError, RecursionError, UnicodeError):
                id_ = None
            yield id_ if isinstance(id_, str) else None

    def _is_own(self, id_: str | None, entries: Collection[str] | None) -> bool:
        known = entries is None or id_ in entries
        return id_ is not None and known and _category_of(id_) == self._file.category

    def _entry_id(self, value: Json) -> str:
        if not isinstance(value, str):
            raise ShapeError(f"the id is {json_type(value)}, not text")
        if _category_of(value) != self._file.category:
            raise ShapeError(f"the id {value[:200]!r} is not one of {self._file.category}")
        return value

    def _output(self, entry_id: str, line: _Line, position: int) -> Output:
        body, model = checked_body(line.result), self._file.model
        passed, failure = self._grade(entry_id, body, position)
        code, reason = (failure.code, failure.reason) if failure else ("", "")
        if line.traceback is not None or (isinstance(body, str) and body.startswith(_ERROR_TEXTS)):
            return failed_request(entry_id, model, body, passed=passed, code=code, reason=reason)
        return Output(
            entry_id=entry_id,
            model=model,
            body=body,
            passed=passed,
            reason_code=code,
            reason=reason,
        )

    def _grade(
        self, entry_id: str, body: Json, position: int
    ) -> tuple[bool | None, Failure | None]:
        """The published grade, with the failure if it is one."""
        if self._scores is None:
            return None, None
        failures = self._scores.failures
        if failure := failures.get(entry_id):
            return False, failure
        failure = failures.get(position)
        if failure is None:
            return True if self._infers else None, None
        if failure.digest == digest_of(body):
            return False, failure
        reason = f"lists output {position} as a failure but quotes another than {entry_id!r}'s"
        self._rejected.append(RejectedRow(self._scores.file.name, failure.line, reason))
        return None, None


def _read(data: bytes, name: str, number: int) -> _Line:
    try:
        line = _decode_line(data)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        decode_object(data, name, number)
        raise RowRejectedError(name, number, f"the record cannot be read ({error})") from error
    if line.result is msgspec.UNSET:
        raise RowRejectedError(name, number, "the record has no result")
    return line


def _category_of(id_: str) -> str:
    """The category that an id names: what precedes its last underscore."""
    return id_.partition(":")[0].rpartition("_")[0]
