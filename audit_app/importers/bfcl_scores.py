"""Score files of BFCL: a summary, then failures only.

What a score file does not list has passed, but only where the file can be trusted to be whole:
when it lists as many failures as its summary counts, and when the results it stands beside are
not more than it graded. Otherwise no pass is inferred, and the reason is named.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import msgspec

from audit_app.domain.benchmark import encode
from audit_app.domain.record import Json
from audit_app.errors import RowRejectedError
from audit_app.importers.bfcl_tree import TreeFile
from audit_app.importers.content import ShapeError
from audit_app.importers.lines import (
    decode_object,
    json_type,
    read_lines,
    too_long,
    without_not_a_number,
)
from audit_app.importers.report import RejectedRow
from audit_app.importers.source import Source

REASON_LIMIT = 2_000
"""Characters of a published reason that are kept."""


class _Line(msgspec.Struct):
    """The fields of a score line that are used; logs and documents beside them are skipped."""

    id: Any = None
    valid: Any = None
    error: Any = None
    error_type: Any = None
    prompt: msgspec.Raw = msgspec.Raw(b"null")
    model_result: msgspec.Raw = msgspec.Raw(b"null")
    correct_count: Any = None
    total_count: Any = None


class _Prompt(msgspec.Struct):
    id: Any = None


_decode_line = msgspec.json.Decoder(_Line).decode
_decode_prompt = msgspec.json.Decoder(_Prompt).decode
_decode = msgspec.json.Decoder().decode


@dataclass(frozen=True)
class Failure:
    """One listed failure.

    Attributes:
        line: Where it is listed.
        code: The published error type.
        reason: The published error in words.
        digest: Digest of the graded output, where the line is known by its position alone.
    """

    line: int
    code: str
    reason: str
    digest: bytes = b""


@dataclass
class Scores:
    """One score file.

    Attributes:
        file: The file.
        failures: By entry id; by 1-based position in the result file where v1 gives no id.
        graded: How many outputs were graded, None where no summary says so.
        is_whole: Whether it lists as many failures as its summary counts.
    """

    file: TreeFile
    failures: dict[str | int, Failure] = field(default_factory=dict)
    graded: int | None = None
    is_whole: bool = False


def read_scores(source: Source, file: TreeFile, rejected: list[RejectedRow]) -> Scores:
    """All failures of a score file, without the logs that its lines carry.

    Raises:
        RowRejectedError: The file cannot be read to its end; line 0.
    """
    scores = Scores(file)
    wrong: int | None = None
    broken = 0
    for number, line in _lines(source, file.name, rejected):
        if line is None:
            broken += 1
        elif number == 1 and line.id is None:
            scores.graded, wrong = _summary(line)
        else:
            try:
                _add(scores, number, line)
            except ShapeError as error:
                rejected.append(RejectedRow(file.name, number, str(error)))
    listed = len(scores.failures)
    scores.is_whole = wrong == listed and not broken
    if wrong is None:
        _distrust(file, rejected, "has no summary line")
    elif not scores.is_whole:
        _distrust(file, rejected, f"lists {listed} failures where its summary counts {wrong}")
    return scores


def digest_of(result: Json) -> bytes:
    """A digest of an output, equal for equal JSON."""
    return blake2b(encode(result), digest_size=16).digest()


def infers_passes(
    scores: Scores, results: Collection[str | None], rejected: list[RejectedRow]
) -> bool:
    """Whether what the scores do not list has passed; says why not, and names what is missing.

    Args:
        scores: The failures.
        results: Entry ids of the result file in its order, None for a line that has none.
        rejected: Where reasons go.
    """
    ids = {id_ for id_ in results if id_ is not None}
    for key, failure in scores.failures.items():
        if key not in ids and not (isinstance(key, int) and 1 <= key <= len(results)):
            reason = f"the failure of {key!r} has no output in the results"
            rejected.append(RejectedRow(scores.file.name, failure.line, reason))
    if not scores.is_whole or scores.graded is None:
        return False
    if len(ids) > scores.graded:
        reason = f"counts {scores.graded} graded outputs, but there are {len(ids)} results"
        _distrust(scores.file, rejected, reason)
        return False
    if len(ids) < scores.graded:
        reason = f"counts {scores.graded} graded outputs, but only {len(ids)} of them are here"
        rejected.append(RejectedRow(scores.file.name, 1, reason))
    return True


def _distrust(file: TreeFile, rejected: list[RejectedRow], reason: str) -> None:
    more = "; outputs that it does not list keep no published grade"
    rejected.append(RejectedRow(file.name, 1, reason + more))


def _lines(
    source: Source, name: str, rejected: list[RejectedRow]
) -> Iterator[tuple[int, _Line | None]]:
    """(number, line), None for one that cannot be read; blank lines are left out."""
    with source.open(name) as stream:
        for number, data in read_lines(stream, name):
            if data is None:
                rejected.append(RejectedRow(name, number, too_long()))
                yield number, None
            elif not data.isspace():
                try:
                    yield number, _line(data, name, number)
                except RowRejectedError as error:
                    rejected.append(RejectedRow.of(error))
                    yield number, None


def _line(data: bytes, name: str, number: int) -> _Line:
    try:
        try:
            return _decode_line(data)
        except msgspec.DecodeError:
            # An output with NaN in its arguments, decoded, stands in the line of its failure.
            return _decode_line(without_not_a_number(data))
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        decode_object(data, name, number)
        raise RowRejectedError(name, number, f"the record cannot be read ({error})") from error


def _summary(line: _Line) -> tuple[int | None, int | None]:
    """(graded, failed), None where the line does not say it."""
    total, right = line.total_count, line.correct_count
    if type(total) is int and type(right) is int and 0 <= right <= total:
        return total, total - right
    return None, None


def _add(scores: Scores, number: int, line: _Line) -> None:
    key = _key(line)
    if first := scores.failures.get(key):
        raise ShapeError(f"a second failure of {key!r}; the first is in line {first.line}")
    code = line.error_type
    if code is None and isinstance(line.error, dict):
        code = line.error.get("error_type")
    digest = b""
    if isinstance(key, int):
        digest = digest_of(_decode(line.model_result))
    scores.failures[key] = Failure(
        number, code if isinstance(code, str) else "", _reason(line.error), digest
    )


def _key(line: _Line) -> str | int:
    if isinstance(line.id, str) and line.id:
        return line.id
    if type(line.id) is not int:
        raise ShapeError(f"the id is {json_type(line.id)}, neither text nor a whole number")
    try:
        task_id = _decode_prompt(line.prompt).id
    except msgspec.DecodeError:
        task_id = None
    return task_id if isinstance(task_id, str) and task_id else line.id


def _reason(error: Json) -> str:
    """The published error as one text."""
    return " ".join(_texts(error))[:REASON_LIMIT]


def _texts(error: Json) -> Iterator[str]:
    if isinstance(error, str):
        yield error
    elif isinstance(error, list):
        for item in error:
            yield from _texts(item)
    elif isinstance(error, dict):
        if "error_message" in error:
            yield from _texts(error["error_message"])
        else:  # per call of a parallel task: {where: {sub_error, sub_error_type, …}}
            for where, detail in error.items():
                if isinstance(detail, dict) and "sub_error" in detail:
                    yield f"{where}:"
                    yield from _texts(detail["sub_error"])
