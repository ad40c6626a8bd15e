"""The ways in: known formats, and the law that bad bytes never raise anything but AuditError."""

from __future__ import annotations

import gc
import io
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit_app.errors import AuditError, InputError
from audit_app.importers.registry import FORMATS, parse_benchmark, parse_outputs
from tests.importers.bfcl_folder import files, write_zip

QUICK = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
BYTES = st.binary(max_size=200)


def test_an_unknown_format_lists_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'xml' is not a format for tasks; known are bfcl, table"):
        parse_benchmark("xml", tmp_path)


def test_every_format_says_what_it_reads() -> None:
    assert {f.id: f.reads for f in FORMATS} == {
        name: ("tasks", "outputs") for name in ("bfcl", "table", "lm-eval", "inspect", "promptfoo")
    }


def test_bfcl_takes_no_column_map(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="takes no column map"):
        parse_benchmark("bfcl", tmp_path, columns={"id": "nr"})


def test_the_collector_is_on_again_after_a_failure(tmp_path: Path) -> None:
    assert gc.isenabled()
    with pytest.raises(InputError):
        parse_benchmark("bfcl", tmp_path)
    assert gc.isenabled()


def _attempt(read: Callable[[], object]) -> None:
    with suppress(AuditError):
        read()


@QUICK
@given(
    content=BYTES
    | st.builds(
        lambda head, tail: head + tail,
        st.sampled_from(
            [
                b"PAR1",
                b"[",
                b'{"id": 1}\n{"id": ',
                b"id,model\n",
                b'id,key\n"',
                b"\xff\xfe",
                b"\xef\xbb\xbf{",
            ]
        ),
        BYTES,
    ),
    ending=st.sampled_from([".csv", ".tsv", ".json", ".jsonl", ".parquet", ".txt", ""]),
)
def test_random_tables_raise_nothing_else(tmp_path: Path, content: bytes, ending: str) -> None:
    path = tmp_path / f"t{ending}"
    path.write_bytes(content)
    _attempt(lambda: parse_benchmark("table", path))
    _attempt(lambda: list(parse_outputs("table", path).outputs))


@QUICK
@given(name=st.sampled_from(sorted(files())), content=BYTES, at=st.integers(0, 400))
def test_random_bfcl_files_raise_nothing_else(
    tmp_path: Path, name: str, content: bytes, at: int
) -> None:
    sound = files()
    changed = sound[name][:at] + content + sound[name][at + len(content) :]
    path = write_zip(tmp_path / "p.zip", {**sound, name: changed})
    _attempt(lambda: parse_benchmark("bfcl", path))


@QUICK
@given(at=st.floats(0, 1), content=st.binary(min_size=1, max_size=8), cut=st.booleans())
def test_damaged_zips_raise_nothing_else(
    tmp_path: Path, at: float, content: bytes, cut: bool
) -> None:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files().items():
            archive.writestr(name, body)
    data = memory.getvalue()
    position = int(at * len(data))
    rest = b"" if cut else data[position + len(content) :]
    path = tmp_path / "p.zip"
    path.write_bytes(data[:position] + content + rest)
    _attempt(lambda: parse_benchmark("bfcl", path))
