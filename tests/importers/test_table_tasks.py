"""The table importer for tasks: columns, keys that are never coerced, prompts, leftovers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from audit_app.domain.benchmark import Entry, KeyKind, Message, Task
from audit_app.errors import InputError
from audit_app.importers.registry import parse_benchmark
from audit_app.importers.report import ParsedBenchmark


def _read(path: Path, content: str | bytes, **columns: str) -> ParsedBenchmark:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return parse_benchmark("table", path, columns=columns)


def _one(path: Path, record: dict[str, Any], **columns: str) -> Task:
    parsed = _read(path, json.dumps(record), **columns)
    assert parsed.rejected == []
    return parsed.tasks[0]


@pytest.fixture
def jsonl(tmp_path: Path) -> Path:
    return tmp_path / "tasks.jsonl"


@pytest.fixture
def csv(tmp_path: Path) -> Path:
    return tmp_path / "tasks.csv"


def test_a_full_row_becomes_a_task(jsonl: Path) -> None:
    record = {
        "id": "a/1 é",
        "category": "mixed",
        "group": "calls",
        "prompt": [{"role": "system", "content": "Short."}, {"role": "user", "content": "Go."}],
        "tools": [{"name": "f"}],
        "key": [{"f": {"n": [1, 1.0]}}],
        "key_kind": "calls",
        "scorer": "bfcl-ast",
        "as_of": "2026-01-02",
        "level": 3,
        "notes": {"by": "us"},
        "story": "x" * 201,
        "nothing": None,
    }
    assert _one(jsonl, record) == Task(
        id="a/1 é",
        category="mixed",
        group="calls",
        scorer="bfcl-ast",
        turns=((Message("system", "Short."), Message("user", "Go.")),),
        tools=({"name": "f"},),
        key_kind=KeyKind.CALLS,
        key=[{"f": {"n": [1, 1.0]}}],
        fields={"as_of": "2026-01-02", "level": "3"},
        context={"notes": {"by": "us"}, "story": "x" * 201, "nothing": None},
    )


def test_defaults_of_a_bare_row(jsonl: Path) -> None:
    task = _one(jsonl, {"id": 7, "question": "1+1?", "answer": "2"})
    assert (task.id, task.category, task.group, task.scorer) == ("7", "all", "all", "exact")
    assert (task.key_kind, task.key) == (KeyKind.VALUE, "2")
    assert task.turns == ((Message("user", "1+1?"),),)


def test_every_task_has_one_entry_without_weight(csv: Path) -> None:
    parsed = _read(csv, "id,key\na,1\nb,2\n")
    assert parsed.entries == [("a", Entry("a", None)), ("b", Entry("b", None))]


@pytest.mark.parametrize(
    ("cell", "key"),
    [
        pytest.param("NA", "NA", id="NA"),
        pytest.param("None", "None", id="None"),
        pytest.param("null", "null", id="null"),
        pytest.param("1e5", "1e5", id="1e5"),
        pytest.param("007", "007", id="leading zeros"),
        pytest.param(" 5 ", " 5 ", id="white space"),
        pytest.param("true", "true", id="true"),
        pytest.param('"[1, 2.0, ""x""]"', [1, 2.0, "x"], id="JSON list"),
        pytest.param('"{""a"": null}"', {"a": None}, id="JSON object"),
        pytest.param("[see note]", "[see note]", id="brackets that are no JSON"),
        pytest.param('"two\r\nlines"', "two\r\nlines", id="line end inside"),
    ],
)
def test_csv_keys_are_never_coerced(csv: Path, cell: str, key: object) -> None:
    (task,) = _read(csv, f"id,key\r\n001,{cell}\r\n").tasks
    assert (task.id, task.key, task.key_kind) == ("001", key, KeyKind.VALUE)
    assert type(task.key) is type(key)


@pytest.mark.parametrize("key", [0, 1.0, False, "", "None", [], {"a": 2**70}, "1e5"])
def test_json_keys_keep_their_types(jsonl: Path, key: object) -> None:
    task = _one(jsonl, {"id": "a", "key": key})
    assert (task.key, type(task.key), task.key_kind) == (key, type(key), KeyKind.VALUE)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("t.jsonl", '{"id": "a", "key": null}', id="null"),
        pytest.param("t.jsonl", '{"id": "a"}\n{"id": "b", "key": 1}', id="absent"),
        pytest.param("t.csv", "id,key\na,\n", id="empty cell"),
        pytest.param("t.csv", "id,prompt\na,b\n", id="no such column"),
        pytest.param("t.csv", "id,key,key_kind\na,,calls\n", id="kind without key"),
    ],
)
def test_a_row_without_key_is_loaded_as_missing(tmp_path: Path, name: str, content: str) -> None:
    parsed = _read(tmp_path / name, content)
    assert (parsed.tasks[0].key_kind, parsed.tasks[0].key) == (KeyKind.MISSING, None)
    assert parsed.rejected == []


def test_a_row_without_prompt_is_loaded_without_turns(csv: Path) -> None:
    assert _read(csv, "id,prompt,key\na,,1\n").tasks[0].turns == ()


@pytest.mark.parametrize("kind", [KeyKind.NO_CALL, KeyKind.SOME_CALL])
def test_kinds_that_need_no_key(csv: Path, kind: KeyKind) -> None:
    (task,) = _read(csv, f"id,key,key_kind\na,,{kind}\n").tasks
    assert (task.key_kind, task.key) == (kind, None)


@pytest.mark.parametrize(
    ("prompt", "turns"),
    [
        pytest.param("Go.", ((Message("user", "Go."),),), id="text"),
        pytest.param('[not "JSON', ((Message("user", '[not "JSON'),),), id="text in brackets"),
        pytest.param(
            [{"role": "user", "content": "Go."}], ((Message("user", "Go."),),), id="messages"
        ),
        pytest.param(
            [[{"role": "user", "content": "Go."}], []],
            ((Message("user", "Go."),), ()),
            id="turns, one empty",
        ),
    ],
)
def test_prompts_in_every_shape(
    tmp_path: Path, prompt: Any, turns: tuple[tuple[Message, ...], ...]
) -> None:
    assert _one(tmp_path / "t.jsonl", {"id": "a", "prompt": prompt}).turns == turns
    cell = prompt if isinstance(prompt, str) else json.dumps(prompt)
    quoted = cell.replace('"', '""')
    assert _read(tmp_path / "t.csv", f'id,prompt\na,"{quoted}"\n').tasks[0].turns == turns


def test_what_messages_hold_beyond_their_text_is_kept(jsonl: Path) -> None:
    prompt = [{"role": "assistant", "content": None, "tool_calls": [1]}]
    assert _one(jsonl, {"id": "a", "prompt": prompt}).context == {"prompt": prompt}


def test_choices_make_it_multiple_choice(jsonl: Path) -> None:
    task = _one(jsonl, {"id": "a", "options": ["x", "y"], "key": 0}, choices="options")
    assert (task.scorer, task.context["choices"], task.key) == ("multiple_choice", ["x", "y"], 0)
    assert task.fields == {}


def test_the_column_map_wins_and_aliases_become_plain_columns(csv: Path) -> None:
    parsed = _read(csv, "nr,gold,target,text\n1,a,b,c\n", id="nr", key="target", prompt="text")
    (task,) = parsed.tasks
    assert (task.id, task.key, task.fields) == ("1", "b", {"gold": "a"})


def _csv_bytes(rows: list[dict[str, str]]) -> bytes:
    return "".join(
        f"{','.join(r)}\n" for r in [list(rows[0]), *(r.values() for r in rows)]
    ).encode()


def _parquet_bytes(rows: list[dict[str, str]]) -> bytes:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.Table.from_pylist(rows), sink)
    return bytes(sink.getvalue().to_pybytes())


@pytest.mark.parametrize("with_ending", [True, False], ids=["by ending", "by content"])
@pytest.mark.parametrize(
    ("ending", "write"),
    [
        pytest.param(".csv", _csv_bytes, id="csv"),
        pytest.param(
            ".jsonl", lambda rows: "\n".join(map(json.dumps, rows)).encode(), id="JSON lines"
        ),
        pytest.param(".json", lambda rows: json.dumps(rows, indent=2).encode(), id="JSON list"),
        pytest.param(".parquet", _parquet_bytes, id="parquet"),
    ],
)
def test_every_kind_of_file_gives_the_same_tasks(
    tmp_path: Path, ending: str, write: Callable[[Any], bytes], with_ending: bool
) -> None:
    rows = [{"id": f"0{i}", "prompt": f"é {i}", "key": "NA"} for i in range(3)]
    path = tmp_path / ("tasks" + (ending if with_ending else ".txt"))
    parsed = _read(path, write(rows))
    assert [(t.id, t.turns[0][0].content, t.key) for t in parsed.tasks] == [
        (row["id"], row["prompt"], row["key"]) for row in rows
    ]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        pytest.param("t.csv", b"\xef\xbb\xbfid,key\r\na,\xc3\xa9\r\n", id="CSV, BOM and CRLF"),
        pytest.param("t.csv", "id;key\na;é\n".encode(), id="semicolons"),
        pytest.param("t.tsv", "id\tkey\na\té\n".encode(), id="tabs"),
        pytest.param("t.json", b'\xef\xbb\xbf[{"id": "a", "key": "\xc3\xa9"}]', id="list with BOM"),
        pytest.param("t.json", b'{"id": "a", "key": "\xc3\xa9"}\r\n', id="lines in a .json"),
    ],
)
def test_the_dress_of_a_file_does_not_matter(tmp_path: Path, name: str, content: bytes) -> None:
    (task,) = _read(tmp_path / name, content).tasks
    assert (task.id, task.key) == ("a", "é")


def test_parquet_values_keep_their_types(tmp_path: Path) -> None:
    path = tmp_path / "t.parquet"
    rows = [{"id": 2**60 + 1, "key": [1.5, 2.0], "tools": [{"name": "f"}], "level": 3}]
    pq.write_table(pa.Table.from_pylist(rows), path)
    (task,) = parse_benchmark("table", path).tasks
    assert (task.id, task.key, task.tools) == (str(2**60 + 1), [1.5, 2.0], ({"name": "f"},))
    assert task.fields == {"level": "3"}


@pytest.mark.parametrize(
    ("content", "columns", "message"),
    [
        pytest.param("key\n1\n", {}, "no column for 'id'; name it with --map id=COLUMN", id="id"),
        pytest.param("id\n1\n", {"key": "x"}, "no column 'x' for 'key'", id="unknown column"),
        pytest.param("id\n1\n", {"colour": "id"}, "no field 'colour'; fields are", id="field"),
        pytest.param("id,gold,answer\n", {}, "key may be 'gold' or 'answer'", id="ambiguous"),
        pytest.param("id,id\n", {}, "the column 'id' stands twice", id="double column"),
        pytest.param("id,key\n", {}, "has a header and no rows", id="no rows"),
        pytest.param("", {}, "is empty", id="empty"),
    ],
)
def test_a_table_that_cannot_be_understood_is_refused(
    csv: Path, content: str, columns: dict[str, str], message: str
) -> None:
    with pytest.raises(InputError, match=message):
        _read(csv, content, **columns)
