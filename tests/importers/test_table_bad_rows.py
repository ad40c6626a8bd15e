"""Bad rows and files for the table importer: each is named with its line, the others load."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from audit_app.errors import InputError
from audit_app.importers import table_rows
from audit_app.importers.registry import parse_benchmark
from audit_app.importers.report import RejectedRow


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        pytest.param(b'{"key": 1}', "the row has no id", id="no id"),
        pytest.param(b'{"id": ""}', "the row has no id", id="empty id"),
        pytest.param(
            b'{"id": 1.0}', "the id 1.0 is neither text nor a whole number", id="float id"
        ),
        pytest.param(
            b'{"id": true}', "the id true is neither text nor a whole number", id="boolean id"
        ),
        pytest.param(b'{"id": 7}', "the id '7' is used already, in line 1", id="int meets text"),
        pytest.param(
            b'{"id": "x", "prompt": 5}', "the prompt is a number, not text or", id="prompt"
        ),
        pytest.param(
            b'{"id": "x", "prompt": ["a"]}',
            "a turn of the prompt is text, not a list of messages",
            id="list of texts",
        ),
        pytest.param(b'{"id": "x", "tools": {}}', "tools is an object, not a list", id="tools"),
        pytest.param(
            b'{"id": "x", "key_kind": "gold"}', "key_kind 'gold' is none of calls,", id="kind"
        ),
        pytest.param(
            b'{"id": "x", "key_kind": "calls", "key": "f()"}',
            "the key is text, not a list",
            id="calls as text",
        ),
        pytest.param(
            b'{"id": "x", "key_kind": "no_call", "key": 1}',
            "key_kind no_call has no key, but the row gives one",
            id="key where none belongs",
        ),
        pytest.param(b'{"id": "x", "category": []}', "category is a list, not text", id="category"),
    ],
)
@pytest.mark.parametrize("layout", ["lines", "list"])
def test_a_bad_json_row_costs_that_row(
    tmp_path: Path, row: bytes, reason: str, layout: str
) -> None:
    rows = [b'{"id": "7", "key": 1}', row, b'{"id": "8", "key": 1}']
    joint, ends = (b"\n", (b"", b"")) if layout == "lines" else (b",\n", (b"[", b"]\n"))
    path = tmp_path / "t.json"
    path.write_bytes(ends[0] + joint.join(rows) + ends[1])
    parsed = parse_benchmark("table", path)
    assert [task.id for task in parsed.tasks] == ["7", "8"]
    (rejected,) = parsed.rejected
    assert (rejected.source, rejected.line) == ("t.json", 2)
    assert rejected.reason.startswith(reason)


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        pytest.param(b'{"id": "x", "key": NaN}', "NaN is not a JSON value", id="NaN"),
        pytest.param(b'{"id": "x', "the record breaks off before its end", id="truncated"),
    ],
)
def test_a_json_line_that_cannot_be_read_costs_that_line(
    tmp_path: Path, row: bytes, reason: str
) -> None:
    path = tmp_path / "t.json"
    path.write_bytes(b"\n".join([b'{"id": "a"}', row, b'{"id": "b"}']))
    parsed = parse_benchmark("table", path)
    assert [task.id for task in parsed.tasks] == ["a", "b"]
    assert [(r.line, r.reason.split(";")[0]) for r in parsed.rejected] == [(2, reason)]


@pytest.mark.parametrize(
    ("rows", "line", "reason"),
    [
        pytest.param(b"a,1,2", 3, "the row has 3 cells where the header has 2", id="too many"),
        pytest.param(b"a", 3, "the row has 1 cells where the header has 2", id="too few"),
        pytest.param(b"a,\xff", 3, "the row is not valid UTF-8", id="invalid UTF-8"),
        pytest.param(b'a,"x"y', 3, "the row is not CSV: ',' expected after '\"'", id="quotes"),
        pytest.param(b"\na,b,c", 4, "the row has 3 cells where the header has 2", id="blank line"),
        pytest.param(
            b'k,"1\n2\n3"\na,b,c',
            6,
            "the row has 3 cells where the header has 2",
            id="physical lines are counted",
        ),
    ],
)
def test_a_bad_csv_row_costs_that_row(tmp_path: Path, rows: bytes, line: int, reason: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"id,key\nfirst,1\n" + rows + b"\nlast,2\n")
    parsed = parse_benchmark("table", path)
    assert parsed.rejected == [RejectedRow("t.csv", line, reason)]
    assert {"first", "last"} <= {task.id for task in parsed.tasks}


def test_an_open_quote_is_named_where_it_opens(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b'id,key\na,1\nb,"2\nc,3\n')
    parsed = parse_benchmark("table", path)
    assert [task.id for task in parsed.tasks] == ["a"]
    assert parsed.rejected == [
        RejectedRow("t.csv", 3, "a quoted cell is not closed before the end of the file")
    ]


@pytest.mark.parametrize("name", ["t.csv", "t.jsonl"])
def test_a_record_of_50_mb_is_rejected_by_its_line(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    first, rest = ("id,key\na,1\n", "b,2\n") if name == "t.csv" else ('{"id":"a"}\n', '{"id":"b"}')
    with path.open("wb") as stream:
        stream.write(first.encode())
        for _ in range(50):
            stream.write(b"x" * 1_000_000)
        stream.write(b"\n" + rest.encode())
    parsed = parse_benchmark("table", path)
    assert [task.id for task in parsed.tasks] == ["a", "b"]
    line = first.count("\n") + 1
    assert parsed.rejected == [
        RejectedRow(name, line, "the record is longer than 20 MB; shorten or split it")
    ]


def test_parquet_rows_with_values_that_are_not_json(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    columns = {"id": ["a", "b", "c"], "key": [1.0, float("nan"), None]}
    pq.write_table(pa.table(columns), path)
    parsed = parse_benchmark("table", path)
    assert [(task.id, task.key) for task in parsed.tasks] == [("a", 1.0), ("c", None)]
    assert parsed.rejected == [
        RejectedRow("t.parquet", 2, "nan is not a JSON value; write null or a text instead")
    ]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        pytest.param("t.csv", "id,key\n".encode("utf-16"), "is UTF-16 or UTF-32", id="UTF-16 CSV"),
        pytest.param("t.csv", "id,key\n".encode("utf-16-be"), "is UTF-16", id="without a mark"),
        pytest.param("t.json", '{"id": 1}'.encode("utf-16"), "is UTF-16 or", id="UTF-16 JSON"),
        pytest.param("t.json", '[{"id": 1}]'.encode("utf-32"), "is UTF-16 or", id="UTF-32 list"),
        pytest.param("t.json", b'[{"id": 1},', "the list breaks off", id="half a list"),
        pytest.param("t.json", b'[{"id": NaN}]', "NaN is not a JSON value", id="NaN in a list"),
        pytest.param("t.json", b"[]", "holds no rows", id="empty list"),
        pytest.param("t.json", b"", "is empty", id="empty JSON"),
        pytest.param("t.json", b"{\n1", "t.json:1: the record breaks off", id="no good line"),
        pytest.param("t.parquet", b"", "not a complete Parquet file", id="empty Parquet"),
        pytest.param(
            "t.parquet", b"PAR1xxPAR1", "not a complete Parquet file", id="broken Parquet"
        ),
        pytest.param("t.csv", b"\xff\n", "t.csv:1: the row is not valid UTF-8", id="bad header"),
    ],
)
def test_a_file_that_is_no_table_is_refused(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as refusal:
        parse_benchmark("table", path)
    assert "\n" not in str(refusal.value)


def test_a_list_too_large_to_read_whole_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_rows, "LIST_LIMIT", 1_000_000)
    path = tmp_path / "t.json"
    path.write_bytes(b"[" + b" " * 1_000_001)
    with pytest.raises(InputError, match="is a JSON list larger than 1 MB; write JSON lines"):
        parse_benchmark("table", path)


def test_paths_that_are_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"t\.csv: cannot be opened \(No such file"):
        parse_benchmark("table", tmp_path / "t.csv")
    with pytest.raises(InputError, match="is a folder, not a file"):
        parse_benchmark("table", tmp_path)
