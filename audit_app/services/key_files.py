"""A benchmark's own key files: found in what it was imported from, or made from stored keys."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from audit_app.domain.benchmark import BenchmarkVersion, KeyKind, Task
from audit_app.domain.record import Json
from audit_app.errors import InputError
from audit_app.importers import bfcl_v1
from audit_app.importers.bfcl_generations import V4, Layout
from audit_app.importers.bfcl_layout import KEY_FOLDER, UNUSED_FOLDER
from audit_app.importers.bfcl_v1 import V1
from audit_app.importers.columns import TASK_FIELDS, require, resolve_columns
from audit_app.importers.source import Source, open_source
from audit_app.importers.table_rows import open_table
from audit_app.reporting.key_patch import KeyFile
from audit_app.reporting.key_patch_json import is_same
from audit_app.reporting.key_patch_layout import KeyLayout, layout_of, task_form
from audit_app.reporting.key_patch_records import PatchError, locate_keys
from audit_app.services.files import read_bytes

REBUILT_NAME = "keys.jsonl"
_KEYLESS = (KeyKind.NO_CALL, KeyKind.SOME_CALL, KeyKind.MISSING)


def find_key_files(
    benchmark: BenchmarkVersion, path: Path, columns: Mapping[str, str] | None = None
) -> list[KeyFile]:
    """The key files in what the benchmark was imported from.

    Args:
        benchmark: The version.
        path: The folder, package or file that it was imported from.
        columns: Field → column, for a table that was imported with such a map.

    Raises:
        InputError: There are none, or they cannot be read.
    """
    match benchmark.format:
        case "bfcl":
            return _bfcl_files(_generation(benchmark), path)
        case "table":
            return [_table_file(benchmark, path, columns)]
    raise InputError(
        f"the keys of {benchmark.name} came from {benchmark.format} logs, which are no key files; "
        "leave --source out to get the changes against the keys as they are stored"
    )


def _generation(benchmark: BenchmarkVersion) -> Layout:
    return V1 if benchmark.rules == V1.rules else V4


def _bfcl_files(generation: Layout, path: Path) -> list[KeyFile]:
    with open_source(path) as source:
        names = sorted(_nearest(source, generation))
        if not names:
            raise InputError(f"{path} holds no key file of BFCL {generation.name}: {KEY_FOLDER}/…")
        files = []
        for name in names:
            with source.open(name) as stream:
                layout = _bfcl_layout(generation, PurePosixPath(name).name)
                files.append(KeyFile(name, stream.read(), layout))
    return files


def _bfcl_layout(generation: Layout, file_name: str) -> KeyLayout:
    """The layout of a key file; names lose their numbers on import in parallel categories only."""
    is_parallel = any(
        c.file_name == file_name and c.name.startswith("parallel")
        for c in generation.categories.values()
    )
    return replace(layout_of("bfcl", generation.rules), reads_numbers=is_parallel)


def _nearest(source: Source, generation: Layout) -> Iterable[str]:
    """Names of the key files, of the uppermost folder that holds any, as on import."""
    known = {c.file_name for c in generation.categories.values() if c.has_key_file}
    found = [
        path
        for path in map(PurePosixPath, source.names())
        if path.name in known and path.parent.name == KEY_FOLDER and UNUSED_FOLDER not in path.parts
    ]
    depth = min((len(path.parts) for path in found), default=0)
    return [str(path) for path in found if len(path.parts) == depth]


def _table_file(
    benchmark: BenchmarkVersion, path: Path, columns: Mapping[str, str] | None
) -> KeyFile:
    with open_table(path, []) as table:
        found = resolve_columns(TASK_FIELDS, table.columns, columns, source=table.name)
        fields = {f: require(found, f, table.columns, table.name) for f in ("id", "key")}
    layout = layout_of("table", benchmark.rules, id_field=fields["id"], key_field=fields["key"])
    return KeyFile(path.name, read_bytes(path), layout)


def require_published_keys(files: Sequence[KeyFile], tasks: Mapping[str, Task], path: Path) -> None:
    """Refuse files that hold other keys than the imported ones: the patch would not fit them.

    Raises:
        InputError: A key differs or is missing; the first one is named.
    """
    missing = {t.id for t in tasks.values() if t.key_kind not in _KEYLESS}
    met: set[str] = set()
    for file in files:
        for task_id, stored in _keys(file):
            task = tasks.get(task_id)
            if task is None or task_id in met:
                continue
            met.add(task_id)
            missing.discard(task_id)
            if not is_same(task_form(file.layout, stored, task.key), task.key):
                raise InputError(
                    f"{file.name}: the key of {task_id!r} is not the one that was imported; "
                    "name the files that the benchmark was imported from"
                )
    if missing:
        raise InputError(f"{path} holds no key of {min(missing)!r}, which was imported")


def _keys(file: KeyFile) -> Iterator[tuple[str, Json]]:
    text = file.content.decode("utf-8", "surrogateescape")
    try:
        for task_id, place in locate_keys(file.name, text, file.layout):
            yield task_id, place.stored
    except PatchError as error:
        raise InputError(f"{file.name}: {error}") from error


def rebuilt_key_files(benchmark: BenchmarkVersion, tasks: Iterable[Task]) -> list[KeyFile]:
    """Key files in the benchmark's own layout with the keys as they are stored, as JSON lines."""
    layout = layout_of(benchmark.format, benchmark.rules)
    files: dict[str, list[str]] = {}
    for task in tasks:
        if task.key_kind in (KeyKind.NO_CALL, KeyKind.SOME_CALL):
            continue
        name, key = REBUILT_NAME, task.key
        if benchmark.format == "bfcl":
            generation = _generation(benchmark)
            name = f"{KEY_FOLDER}/{generation.categories[task.category].file_name}"
            key = _written(task) if generation is V1 else task.key
        files.setdefault(name, []).append(_line(layout, task.id, key))
    return [
        KeyFile(name, "".join(lines).encode(), _layout_of_file(benchmark, name))
        for name, lines in files.items()
    ]


def _layout_of_file(benchmark: BenchmarkVersion, name: str) -> KeyLayout:
    if benchmark.format == "bfcl":
        return _bfcl_layout(_generation(benchmark), PurePosixPath(name).name)
    return layout_of(benchmark.format, benchmark.rules)


def _written(task: Task) -> Json:
    return bfcl_v1.written_key(task, task.key)


def _line(layout: KeyLayout, task_id: str, key: Json) -> str:
    return json.dumps({layout.id_field: task_id, layout.key_field: key}) + "\n"
