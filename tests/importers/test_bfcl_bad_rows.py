"""Bad rows for the bfcl importer: one sentence with file and line, and the good rows load."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from audit_app.importers.bfcl import parse_bfcl
from audit_app.importers.report import RejectedRow
from tests.importers.bfcl_folder import (
    call,
    call_key,
    files,
    lines,
    memory,
    turns,
    write_folder,
)

QUESTIONS = "BFCL_v4_simple_python.json"
KEYS = f"possible_answer/{QUESTIONS}"
TOOLS = "multi_turn_func_doc/ticket_api.json"
GOOD = lines(call("simple_python_0"))


def _with(question: Any) -> bytes:
    return GOOD + b"\n" + (question if isinstance(question, bytes) else lines(question))


@pytest.mark.parametrize(
    ("changes", "line", "source", "reason"),
    [
        pytest.param(
            {QUESTIONS: GOOD},
            2,
            KEYS,
            "the key of 'simple_python_1' has no question in BFCL_v4_simple_python.json",
            id="key without question",
        ),
        pytest.param(
            {KEYS: lines(call_key("simple_python_0"))},
            2,
            QUESTIONS,
            "the question 'simple_python_1' has no key",
            id="question without key",
        ),
        pytest.param(
            {QUESTIONS: lines(*(call(f"simple_python_{i}") for i in (0, 1, 0)))},
            3,
            QUESTIONS,
            "the id 'simple_python_0' is used already, in BFCL_v4_simple_python.json:1",
            id="duplicate question",
        ),
        pytest.param(
            {KEYS: lines(*(call_key(f"simple_python_{i}") for i in (0, 1, 0)))},
            3,
            KEYS,
            "a second key of 'simple_python_0'; the first is in line 1",
            id="duplicate key",
        ),
        pytest.param(
            {KEYS: lines(call_key("simple_python_0"), {"id": "simple_python_1"})},
            2,
            KEYS,
            "the key has no ground_truth",
            id="key without ground truth costs its question silently",
        ),
        pytest.param(
            {
                KEYS: lines(
                    call_key("simple_python_0"),
                    {"id": "simple_python_1", "ground_truth": "open_vent(3)"},
                )
            },
            2,
            KEYS,
            "the key is text, not a list",
            id="ground truth not a list",
        ),
        pytest.param(
            {QUESTIONS: _with({**call("simple_python_1"), "question": "Open."})},
            2,
            QUESTIONS,
            "question is text, not a list of turns",
            id="question not a list",
        ),
        pytest.param(
            {QUESTIONS: _with({**call("simple_python_1"), "question": [{"role": "user"}]})},
            2,
            QUESTIONS,
            "a turn of question is an object, not a list of messages",
            id="turn not a list",
        ),
        pytest.param(
            {QUESTIONS: _with({**call("simple_python_1"), "question": [[{"content": "x"}]]})},
            2,
            QUESTIONS,
            "the role of a message of question is null, not text",
            id="message without role",
        ),
        pytest.param(
            {QUESTIONS: _with({**call("simple_python_1"), "function": {}})},
            2,
            QUESTIONS,
            "function is an object, not a list",
            id="function not a list",
        ),
        pytest.param(
            {
                "BFCL_v4_multi_turn_miss_func.json": lines(
                    turns("multi_turn_miss_func_0", involved_classes=["Nope"])
                )
            },
            1,
            "BFCL_v4_multi_turn_miss_func.json",
            "'Nope' is not a tool class of BFCL v4",
            id="unknown class",
        ),
        pytest.param(
            {"BFCL_v4_memory.json": lines(memory("memory_0-customer-0", scenario=7))},
            1,
            "BFCL_v4_memory.json",
            "the scenario is a number, not text",
            id="scenario not text",
        ),
        pytest.param(
            {"BFCL_v4_memory.json": lines(memory("m_0"))},
            1,
            "BFCL_v4_memory.json",
            "the id 'm_0' does not begin with memory_",
            id="memory id without its word",
        ),
        pytest.param(
            {"BFCL_v4_irrelevance.json": lines({**call("x"), "id": 7}, call("irrelevance_0"))},
            1,
            "BFCL_v4_irrelevance.json",
            "the id of the question is a number, not text",
            id="id not text",
        ),
        pytest.param(
            {KEYS: b""},
            0,
            KEYS,
            "is empty",
            id="empty key file",
        ),
        pytest.param(
            {TOOLS: b""},
            0,
            TOOLS,
            "is empty",
            id="empty tool file",
        ),
        pytest.param(
            {QUESTIONS: GOOD.decode().encode("utf-16")},
            0,
            QUESTIONS,
            "is UTF-16 or UTF-32 text; save it as UTF-8",
            id="UTF-16 with its mark",
        ),
        pytest.param(
            {QUESTIONS: GOOD.decode().encode("utf-16-le")},
            0,
            QUESTIONS,
            "is UTF-16 or UTF-32 text; save it as UTF-8",
            id="UTF-16 without a mark",
        ),
        pytest.param(
            {"BFCL_v4_simple_cobol.json": b"{}"},
            0,
            "BFCL_v4_simple_cobol.json",
            "'simple_cobol' is not a category of BFCL v4",
            id="unknown category",
        ),
    ],
)
def test_a_fault_is_named_once_with_its_line(
    tmp_path: Path, changes: dict[str, bytes], line: int, source: str, reason: str
) -> None:
    parsed = parse_bfcl(write_folder(tmp_path, {**files(), **changes}))
    assert RejectedRow(source, line, reason) in parsed.rejected
    orphans = [row for row in parsed.rejected if "has no question" in row.reason]
    assert len(parsed.rejected) - len(orphans) <= 1
    assert "web_search_9" in {task.id for task in parsed.tasks}


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        pytest.param(
            b'{"id": "irrelevance_1", "question": [[{"ro', "breaks off before", id="truncated"
        ),
        pytest.param(b'{"id": NaN}', "NaN is not a JSON value", id="NaN"),
        pytest.param(b'{"id": [1, -Infinity]}', "-Infinity is not a JSON value", id="Infinity"),
        pytest.param(b'{"id": 1e999}', "not JSON: Number out of range", id="number out of range"),
        pytest.param(b'{"id": "\xff"}', r"not valid UTF-8 \(byte 9 of it\)", id="invalid UTF-8"),
        pytest.param(rb'{"id": "\ud800"}', "half of a surrogate pair", id="lone surrogate"),
        pytest.param(b'{"id": ' + b"[" * 100_000, "nested too deeply", id="deep nesting"),
        pytest.param(b"[1]", "is a list, not an object", id="not an object"),
        pytest.param(b"{'id': 1}", "not JSON", id="Python, not JSON"),
    ],
)
def test_a_bad_line_costs_that_line(tmp_path: Path, record: bytes, reason: str) -> None:
    content = b"\n".join([lines(call("irrelevance_0")), b"", record, lines(call("irrelevance_2"))])
    parsed = parse_bfcl(write_folder(tmp_path, {"BFCL_v4_irrelevance.json": content}))
    assert [task.id for task in parsed.tasks] == ["irrelevance_0", "irrelevance_2"]
    (row,) = parsed.rejected
    assert (row.source, row.line) == ("BFCL_v4_irrelevance.json", 3)
    assert re.search(reason, row.reason)


def test_a_bad_row_does_not_change_what_the_others_weigh_in_sum(tmp_path: Path) -> None:
    content = _with({**call("irrelevance_1"), "function": None})
    parsed = parse_bfcl(write_folder(tmp_path, {"BFCL_v4_irrelevance.json": content}))
    assert sum(entry.weight or 0 for _, entry in parsed.entries) == pytest.approx(5)


@pytest.mark.parametrize("ending", [b"\n", b"\r\n"])
def test_byte_order_mark_and_line_ends_just_load(tmp_path: Path, ending: bytes) -> None:
    plain = parse_bfcl(write_folder(tmp_path / "a", files()))
    dressed = {
        name: b"\xef\xbb\xbf" + content.replace(b"\n", ending) + ending
        for name, content in files().items()
    }
    parsed = parse_bfcl(write_folder(tmp_path / "b", dressed))
    assert (parsed.tasks, parsed.rejected) == (plain.tasks, [])


def test_a_record_of_50_mb_is_rejected_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "BFCL_v4_irrelevance.json"
    with path.open("wb") as stream:
        stream.write(lines(call("irrelevance_0")) + b'\n{"id": "')
        for _ in range(50):
            stream.write(b"x" * 1_000_000)
        stream.write(b'"}\n' + lines(call("irrelevance_2")))
    parsed = parse_bfcl(tmp_path)
    assert [task.id for task in parsed.tasks] == ["irrelevance_0", "irrelevance_2"]
    assert parsed.rejected == [
        RejectedRow(path.name, 2, "the record is longer than 20 MB; shorten or split it")
    ]


def test_reasons_are_one_line(tmp_path: Path) -> None:
    contents = {**files(), KEYS: json.dumps({"a": 1}, indent=1).encode()}
    for row in parse_bfcl(write_folder(tmp_path, contents)).rejected:
        assert "\n" not in row.reason
