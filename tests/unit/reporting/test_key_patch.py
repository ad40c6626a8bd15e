from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.domain.benchmark import KeyKind
from audit_app.domain.record import Json
from audit_app.domain.review import Effect, Finding
from audit_app.reporting.key_patch import (
    ChangedPart,
    KeyChange,
    KeyFile,
    KeyPatch,
    PatchStatus,
    build_key_patch,
)
from audit_app.reporting.key_patch_layout import BFCL_V1, BFCL_V4, KeyLayout
from audit_app.scoring.key_shapes import ReadKey
from tests.unit.reporting.patches import apply_diff, apply_operations

TABLE = KeyLayout()


def _change(task_id: str, published: Json, proposed: Json, kind: KeyKind) -> KeyChange:
    finding = Finding(effects=(Effect.FN,), cause="K1", note="The unit may be left out.")
    return KeyChange(
        task_id=task_id,
        published=ReadKey(kind, published),
        proposed=ReadKey(kind, proposed),
        findings=(finding,),
    )


def _patched(
    name: str, content: str, layout: KeyLayout, published: Json, proposed: Json, kind: KeyKind
) -> tuple[str, KeyPatch]:
    """The file after a change of task ``b``, and the patch."""
    change = _change("b", published, proposed, kind)
    patch = build_key_patch([KeyFile(name, content.encode(), layout)], [change])
    (task,) = patch.tasks
    assert task.reason == ""
    (file,) = patch.files
    assert apply_diff(content.encode(), file.diff) == file.content
    assert apply_operations(task.before, task.parts) == task.after
    return file.content.decode(), patch


CALLS = [{"f": {"x": [1.0], "u": ["m"]}}]
WIDER = [{"f": {"x": [1.0], "u": ["m", ""]}}]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            '{"id": "b", "ground_truth": [{"f": {"x": [1.0], "u": ["m"]}}]}',
            '{"id": "b", "ground_truth": [{"f": {"x": [1.0], "u": ["m", ""]}}]}',
            id="as json.dumps writes it",
        ),
        pytest.param(
            '{"ground_truth":[{"f":{"x":[1.0],"u":["m"]}}],"id":"b"}',
            '{"ground_truth":[{"f":{"x":[1.0],"u":["m",""]}}],"id":"b"}',
            id="compact",
        ),
        pytest.param(
            '  {"id" : "b",\t"ground_truth": [ {"f":{"u": [ "m" ], "x": [1.00]} } ]}  ',
            '  {"id" : "b",\t"ground_truth": [ {"f":{"u": [ "m", "" ], "x": [1.00]} } ]}  ',
            id="mixed style, other order, other spelling of a number",
        ),
        pytest.param(
            '{"id": "b", "ground_truth": 0, "ground_truth": [{"f": {"x": [1e0], "u": ["m"]}}]}',
            '{"id": "b", "ground_truth": 0, "ground_truth": [{"f": {"x": [1e0], "u": ["m", ""]}}]}',
            id="a name that stands twice",
        ),
    ],
)
@pytest.mark.parametrize("end", ["\n", "\r\n", ""])
def test_only_what_differs_is_written_anew(before: str, after: str, end: str) -> None:
    head = '{"id": "a", "ground_truth": [{"f":{"x": [2] }}]}\n\n'
    content, patch = _patched("k.json", head + before + end, BFCL_V4, CALLS, WIDER, KeyKind.CALLS)
    assert content == head + after + end
    assert patch.tasks[0].parts == (ChangedPart("replace", "/0/f/u", ["m"], ["m", ""]),)
    assert patch.tasks[0].differences == ("call 1 (f), argument u may now be left out",)


@pytest.mark.parametrize(
    ("line", "proposed", "after"),
    [
        pytest.param('["a","b", "d"]', ["a", "c", "d"], '["a","c", "d"]', id="one replaced"),
        pytest.param('["a","b", "d"]', ["a", "d"], '["a","d"]', id="one taken out"),
        pytest.param('["a","b", "d"]', ["a", "b", "c", "d"], '["a","b","c","d"]', id="one put in"),
        pytest.param("[]", ["a", "b"], '["a", "b"]', id="from nothing"),
        pytest.param('["a"]', [], "[]", id="to nothing"),
        pytest.param('["caf\\u00e9"]', ["café", "thé"], '["caf\\u00e9", "th\\u00e9"]', id="ascii"),
        pytest.param('["café"]', ["café", "thé"], '["café", "thé"]', id="letters as they are"),
        pytest.param('["\\/"]', ["/", "x"], '["\\/", "x"]', id="odd escape kept"),
    ],
)
def test_lists_keep_their_style(line: str, proposed: Json, after: str) -> None:
    record = f'{{"id": "b", "ground_truth": {line}}}'
    published = json.loads(line)
    content, _ = _patched("k.json", record, BFCL_V4, published, proposed, KeyKind.TEXTS)
    assert content == record.replace(line, after)


@pytest.mark.parametrize(
    ("stored", "proposed", "after"),
    [
        pytest.param(
            '{"f_1": {"x": [1]}, "f_2": {"x": [2]}}',
            [{"f": {"x": [1]}}, {"f": {"x": [2, 3]}}],
            '{"f_1": {"x": [1]}, "f_2": {"x": [2, 3]}}',
            id="numbers of the names stay",
        ),
        pytest.param(
            '{"f 1": {"x": [1]}, "f 2": {"x": [2]}}',
            [{"f": {"x": [1]}}, {"f": {"x": [3]}}],
            '{"f 1": {"x": [1]}, "f 2": {"x": [3]}}',
            id="numbers after a space",
        ),
        pytest.param(
            '{"f_1": {"x": [1]}, "f": {"x": [2]}}',
            [{"f": {"x": [1]}}, {"f": {"x": [5]}}, {"g": {}}],
            '{"f_1": {"x": [1]}, "f": {"x": [5]}, "g": {}}',
            id="a call is added",
        ),
        pytest.param(
            '{"f": {"x": [1]}}',
            [{"f": {"x": [1]}}, {"f": {"x": [2]}}],
            '{"f": {"x": [1]}, "f_1": {"x": [2]}}',
            id="a second call of a function gets a number",
        ),
        pytest.param(
            '{"f_1": {"x": [1]}, "f_2": {"x": [2]}}',
            [{"f": {"x": [1]}}],
            '{"f_1": {"x": [1]}}',
            id="a call is removed",
        ),
    ],
)
def test_the_layout_of_2024(stored: str, proposed: Json, after: str) -> None:
    record = f'{{"id": "b", "ground_truth": {stored}}}\n'
    published = [{name[0]: args} for name, args in json.loads(stored).items()]
    content, _ = _patched("k.json", record, BFCL_V1, published, proposed, KeyKind.CALLS)
    assert content == record.replace(stored, after)


@pytest.mark.parametrize(
    ("name", "content", "published", "proposed", "after"),
    [
        pytest.param(
            "t.csv",
            'id,key,q\r\na,1,"x\r\ny"\r\nb,"[""m""]",z\r\n',
            ["m"],
            ["m", "n"],
            'id,key,q\r\na,1,"x\r\ny"\r\nb,"[""m"", ""n""]",z\r\n',
            id="list in a cell",
        ),
        pytest.param("t.csv", "id;key\nb;x", "x", "y;z", 'id;key\nb;"y;z"', id="semicolons"),
        pytest.param("t.tsv", "id\tkey\nb\tx\n", "x", "y,z", "id\tkey\nb\ty,z\n", id="tabs"),
        pytest.param("t.csv", "id,key\nb,5\n", "5", 6, "id,key\nb,6\n", id="number as text"),
        pytest.param(
            "t.json",
            '[\n {"id": "a"},\n {"id": "b", "key": 1}\n]\n',
            1,
            2,
            '[\n {"id": "a"},\n {"id": "b", "key": 2}\n]\n',
            id="a JSON list",
        ),
    ],
)
def test_tables(name: str, content: str, published: Json, proposed: Json, after: str) -> None:
    new, _ = _patched(name, content, TABLE, published, proposed, KeyKind.VALUE)
    assert new == after


def test_a_missing_key_is_added_and_a_numeric_id_is_found() -> None:
    change = KeyChange(
        task_id="7",
        published=ReadKey(KeyKind.MISSING, None),
        proposed=ReadKey(KeyKind.VALUE, "x"),
    )
    file = KeyFile("t.jsonl", b'\xef\xbb\xbf{"id": 7}\r\n', TABLE)
    (patched,) = build_key_patch([file], [change]).files
    assert patched.content == b'\xef\xbb\xbf{"id": 7, "key": "x"}\r\n'


def test_the_diff_of_a_record_over_several_lines_holds_the_changed_line_only() -> None:
    records = [{"id": "a", "key": 1}, {"id": "b", "prompt": "p", "key": 2, "level": 3}]
    content = json.dumps(records, indent=2)
    _, patch = _patched("t.json", content, TABLE, 2, 5, KeyKind.VALUE)
    changed = [line for line in patch.diff.decode().splitlines()[2:] if line[0] in "-+"]
    assert changed == ['-    "key": 2,', '+    "key": 5,']


def test_what_cannot_be_patched_is_listed_with_its_reason() -> None:
    no_call = ReadKey(KeyKind.NO_CALL, None)
    calls = ReadKey(KeyKind.CALLS, CALLS)
    changes = [
        KeyChange(task_id="label", published=no_call, proposed=calls),
        KeyChange(task_id="open", published=calls, proposed=None),
        _change("same", CALLS, CALLS, KeyKind.CALLS),
        _change("moved", CALLS, WIDER, KeyKind.CALLS),
        _change("gone", CALLS, WIDER, KeyKind.CALLS),
    ]
    content = b'{"id": "moved", "ground_truth": []}\n{"id": "open", "ground_truth": []}'
    files = [KeyFile("k.json", content, BFCL_V4), KeyFile("k.parquet", b"PAR1", BFCL_V4)]
    patch = build_key_patch(files, changes)
    assert patch.files == ()
    assert {t.change.task_id: (t.status, t.reason) for t in patch.tasks} == {
        "label": (
            PatchStatus.LABEL_CHANGE,
            "the label of the task changes, which no key file holds",
        ),
        "open": (PatchStatus.NO_PROPOSAL, "no finding proposes a key"),
        "same": (PatchStatus.NOT_PATCHED, "the proposed key equals the published one"),
        "moved": (
            PatchStatus.NOT_PATCHED,
            "the file holds another key than the one imported",
        ),
        "gone": (
            PatchStatus.NOT_PATCHED,
            "no key file holds this task; k.parquet was not searched: a Parquet file cannot be "
            "patched in place",
        ),
    }


@pytest.mark.parametrize("proposed", [pytest.param("[x", id="kept"), pytest.param("[1]", id="no")])
def test_a_cell_that_would_read_back_differently_is_refused(proposed: str) -> None:
    change = _change("b", "x", proposed, KeyKind.VALUE)
    patch = build_key_patch([KeyFile("t.csv", b"id,key\nb,x\n", TABLE)], [change])
    assert bool(patch.files) is (proposed == "[x")


leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text('aé"\\/')
values = st.recursive(
    leaves.filter(lambda v: v not in (float("inf"), float("-inf"))),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abé", max_size=2), inner),
    max_leaves=8,
)
styles = st.tuples(st.booleans(), st.sampled_from([(", ", ": "), (",", ":"), (" , ", ":  ")]))


@given(st.lists(st.tuples(values, styles), min_size=1, max_size=6), st.data())
def test_exactly_the_named_records_change(
    rows: list[tuple[Json, tuple[bool, tuple[str, str]]]], data: st.DataObject
) -> None:
    lines = [
        json.dumps({"id": str(i), "key": key, "more": [i]}, ensure_ascii=a, separators=s).encode()
        for i, (key, (a, s)) in enumerate(rows)
    ]
    new = data.draw(st.dictionaries(st.integers(0, len(rows) - 1), values))
    changes = [_change(str(i), rows[i][0], key, KeyKind.VALUE) for i, key in new.items()]
    content = b"\n".join(lines)
    patch = build_key_patch([KeyFile("k.jsonl", content, TABLE)], changes)
    changed = {int(t.change.task_id): t for t in patch.of(PatchStatus.PATCHED)}
    after = patch.files[0].content if patch.files else content
    assert apply_diff(content, patch.diff) == after
    for i, (old_line, new_line) in enumerate(zip(lines, after.split(b"\n"), strict=True)):
        if i in changed:
            expected = json.loads(old_line) | {"key": new[i]}
            one, two = (json.dumps(r, sort_keys=True) for r in (json.loads(new_line), expected))
            assert one == two
            assert apply_operations(rows[i][0], changed[i].parts) == new[i]
        else:
            assert old_line == new_line
    assert len(changed) + len(patch.of(PatchStatus.NOT_PATCHED)) == len(new)


def test_key_files_of_bfcl_change_in_one_line_only(bfcl_v4: Path) -> None:
    for path in sorted((bfcl_v4 / "possible_answer").glob("*.json")):
        content = path.read_bytes()
        lines = content.split(b"\n")
        record = json.loads(lines[-2])
        key = record["ground_truth"]
        kind = KeyKind.CALLS if isinstance(key[0], dict) else KeyKind.VALUE
        change = _change(record["id"], key, [*key, key[0]], kind)
        (file,) = build_key_patch([KeyFile(path.name, content, BFCL_V4)], [change]).files
        new = file.content.split(b"\n")
        assert [i for i, line in enumerate(lines) if line != new[i]] == [len(lines) - 2]
        assert json.loads(new[-2]) == record | {"ground_truth": [*key, key[0]]}
        assert new[-2].startswith(lines[-2].rpartition(b"]")[0][:40])
        assert apply_diff(content, file.diff) == file.content
