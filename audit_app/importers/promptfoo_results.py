"""Results files of promptfoo: version 3, a list of results, and version 2, a table of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from audit_app.domain.benchmark import encode
from audit_app.domain.record import Json
from audit_app.errors import RowRejectedError
from audit_app.importers.content import ShapeError
from audit_app.importers.lines import json_fault, json_type, refuse_other_encodings
from audit_app.importers.report import RejectedRow
from audit_app.importers.source import open_regular, reading
from audit_app.importers.table_tasks import row_id

FILE_LIMIT = 500_000_000
"""Bytes of a results file, which has to be read whole."""
_VERSIONS = (2, 3)
_HALF_PAIR = "the result holds half of a surrogate pair (\\ud800–\\udfff)"
_Object = dict[str, Any]


@dataclass(frozen=True)
class Result:
    """One output of one provider for one test case in one prompt.

    Attributes:
        where: Its place in the file, for messages.
        test_id: Index of the test case, as text.
        prompt: What tells prompts apart, whoever was asked.
        provider: Name of the model.
        raw_prompt: The prompt as it was sent.
        vars: The test's variables.
        test_case: The test case with its assertions.
        output: The answer.
        success: The published grade.
        failure: 0 none, 1 an assertion, 2 an error; None where an older file does not say.
        error: The published error.
        grading: The published grading with its parts.
    """

    where: str
    test_id: str
    prompt: str
    provider: str
    raw_prompt: Json
    vars: Json
    test_case: _Object
    output: Json
    success: bool | None
    failure: int | None
    error: Json
    grading: _Object


def read_results(path: Path, rejected: list[RejectedRow]) -> list[Result]:
    """All results of a file; those that cannot be used are rejected.

    Raises:
        RowRejectedError: It is no results file of a version that is known.
    """
    document = _document(path)
    body = document.get("results", document)
    if isinstance(body, list):  # an export of the results alone
        body = {"version": 3, "results": body}
    if not isinstance(body, dict):
        raise RowRejectedError(path.name, 0, "holds no results of promptfoo")
    version = body.get("version", 3 if "results" in body else 2)
    if version not in _VERSIONS:
        known = " and ".join(map(str, _VERSIONS))
        reason = f"is a results file of version {str(version)[:20]}; known are {known}"
        raise RowRejectedError(path.name, 0, reason)
    results = []
    for where, item in _items(body, path.name):
        try:
            encode(item)
            results.append(_result(where, item))
        except UnicodeEncodeError:
            rejected.append(RejectedRow(path.name, 0, f"{where}: {_HALF_PAIR}"))
        except ShapeError as error:
            rejected.append(RejectedRow(path.name, 0, f"{where}: {error}"))
    return results


def _document(path: Path) -> _Object:
    name = path.name
    with open_regular(path, name) as stream, reading(name):
        data = stream.read(FILE_LIMIT + 1)
    if len(data) > FILE_LIMIT:
        raise RowRejectedError(name, 0, f"is larger than {FILE_LIMIT // 1_000_000} MB")
    refuse_other_encodings(data, name)
    document = _decoded(data.removeprefix(b"\xef\xbb\xbf"), name)
    if not isinstance(document, dict):
        raise RowRejectedError(name, 0, f"is {json_type(document)}, not an object")
    return document


def _decoded(data: bytes, name: str) -> Json:
    try:
        return msgspec.json.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        fault = json_fault(data, error)
        if "surrogate" in fault:  # of one result, as a rule: the others can be used
            with suppress(ValueError, RecursionError):
                return json.loads(data)
        raise RowRejectedError(name, 0, fault.replace("the record", "the file", 1)) from error


def _items(body: _Object, name: str) -> Iterator[tuple[str, Json]]:
    """(place, result) in the form of version 3."""
    results, table = body.get("results"), body.get("table")
    if isinstance(results, list) and not (body.get("version") == 2 and isinstance(table, dict)):
        for number, item in enumerate(results, start=1):
            yield f"result {number}", item
    elif isinstance(table, dict):
        yield from _rows(table)
    else:
        raise RowRejectedError(name, 0, "holds no results of promptfoo")


def _rows(table: _Object) -> Iterator[tuple[str, Json]]:
    """The cells of a version 2 table, each as a result."""
    head, body = _object(table.get("head")), table.get("body")
    columns, names = _list(head.get("prompts")), _list(head.get("vars"))
    for number, row in enumerate(_list(body), start=1):
        if not isinstance(row, dict):
            yield f"row {number}", row
            continue
        test = _object(row.get("test"))
        values = dict(zip(map(str, names), _list(row.get("vars")), strict=False))
        for column, cell in enumerate(_list(row.get("outputs"))):
            prompt = _object(columns[column]) if column < len(columns) else {}
            where = f"row {number}, output {column + 1}"
            yield where, _cell(cell, prompt, row.get("testIdx", number - 1), test, values)


def _cell(cell: Json, prompt: _Object, test_index: Json, test: _Object, values: _Object) -> Json:
    if not isinstance(cell, dict):
        return cell
    return {
        "testIdx": test_index,
        "promptIdx": 0,
        "promptId": prompt.get("id") or prompt.get("raw"),
        "provider": cell.get("provider") or prompt.get("provider"),
        "prompt": {"raw": cell.get("prompt") or prompt.get("raw")},
        "vars": test.get("vars") or values,
        "testCase": test,
        "response": {"output": cell.get("text")},
        "success": cell.get("pass"),
        "failureReason": cell.get("failureReason"),
        "error": cell.get("error"),
        "gradingResult": cell.get("gradingResult"),
    }


def _result(where: str, item: Json) -> Result:
    if not isinstance(item, dict):
        raise ShapeError(f"the result is {json_type(item)}, not an object")
    if item.get("testIdx") is None:
        raise ShapeError("the result has no testIdx, which names its test case")
    prompt, case = _object(item.get("prompt")), _object(item.get("testCase"))
    success = item.get("success")
    failure = item.get("failureReason")
    grading = _object(item.get("gradingResult"))
    return Result(
        where=where,
        test_id=row_id(item.get("testIdx")),
        prompt=_prompt_name(item, prompt),
        provider=_provider(item.get("provider")),
        raw_prompt=prompt.get("raw"),
        vars=item.get("vars") or case.get("vars") or {},
        test_case=case,
        output=_object(item.get("response")).get("output"),
        success=success if isinstance(success, bool) else None,
        failure=failure if type(failure) is int else None,
        error=item.get("error"),
        grading=grading,
    )


def _prompt_name(item: _Object, prompt: _Object) -> str:
    for value in (item.get("promptId"), prompt.get("label"), item.get("promptIdx")):
        if isinstance(value, str) and value:
            return value
        if type(value) is int:
            return str(value)
    return ""


def _provider(provider: Json) -> str:
    """The label that the person gave, else the id."""
    names = [provider]
    if isinstance(provider, dict):
        names = [provider.get("label"), provider.get("id")]
    for name in names:
        if isinstance(name, str) and name:
            return name
    raise ShapeError("the result names no provider")


def _object(value: Json) -> _Object:
    return value if isinstance(value, dict) else {}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
