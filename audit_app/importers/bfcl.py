"""Importer ``bfcl``: the Berkeley Function Calling Leaderboard from folder or zip.

The layout, v4 or that of 2024, is told by the names of the files.

A task is a distinct key. Questions and keys are joined by id, not by position. A fault of one
row costs that row; a fault of a whole file costs its category. Weights follow from the number of
tasks that were read: as in the benchmark itself a category that is absent earns nothing and the
weights of the others stay as they are, so that the weights of a partial set sum to less than 100
(only within the pool of the live categories do those present share all the points).
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path, PurePosixPath
from typing import Any

from audit_app.domain.benchmark import Entry, Task
from audit_app.errors import InputError, RowRejectedError
from audit_app.importers.bfcl_documents import Documents
from audit_app.importers.bfcl_generations import V4, Layout
from audit_app.importers.bfcl_layout import (
    KEY_FOLDER,
    PREFIX,
    SUFFIX,
    UNUSED_FOLDER,
    Category,
    entry_ids,
)
from audit_app.importers.bfcl_task import as_task, record_id
from audit_app.importers.bfcl_v1 import V1
from audit_app.importers.content import ShapeError
from audit_app.importers.lines import read_objects
from audit_app.importers.report import ParsedBenchmark, RejectedRow
from audit_app.importers.source import Source, open_source

_NO_KEY: dict[str, Any] = {}


def parse_bfcl(path: Path) -> ParsedBenchmark:
    """Tasks, entries and shared documents of BFCL, of its v4 or its v1 layout.

    Args:
        path: The data folder, a folder that holds it, or the public package (a zip).

    Raises:
        InputError: There is no BFCL data, data of more than one place or layout, or a zip that
            must not be trusted.
    """
    with open_source(path) as source:
        layout, root = _find_data(source, path)
        return _BfclReader(source, root, layout).read()


def _find_data(source: Source, path: Path) -> tuple[Layout, str]:
    """The layout and the path of its data inside the source, empty or with a slash at its end."""
    roots = {layout.name: _nearest_roots(source, layout) for layout in (V4, V1)}
    found = [(layout, root) for layout in (V4, V1) for root in roots[layout.name]]
    if not found:
        raise InputError(
            f"{path} holds no BFCL v4 question file; expected are names such as "
            f"{PREFIX}simple_python{SUFFIX} (or {V1.prefix}simple{SUFFIX} of 2024), "
            f"with the keys in {KEY_FOLDER}/"
        )
    if len(found) > 1:
        (first, one), (second, other) = found[:2]
        names = first.name if first is second else f"{first.name} and {second.name}"
        raise InputError(
            f"{path} holds BFCL {names} data in {one or 'itself'} and in {other or 'itself'}; "
            "name one of them"
        )
    return found[0]


def _nearest_roots(source: Source, layout: Layout) -> list[str]:
    files = {category.file_name for category in layout.categories.values()}
    roots = set()
    for name in source.names():
        parts = PurePosixPath(name).parts
        if parts[-1] in files and KEY_FOLDER not in parts and UNUSED_FOLDER not in parts:
            roots.add(name.removesuffix(parts[-1]))
    depth = min((root.count("/") for root in roots), default=0)
    return sorted(root for root in roots if root.count("/") == depth)


class _BfclReader:
    """Reads one data folder, category by category."""

    def __init__(self, source: Source, root: str, layout: Layout) -> None:
        self._source, self._root, self._layout = source, root, layout
        self._parsed = ParsedBenchmark(rules=layout.rules)
        self._rejected = self._parsed.rejected
        self._documents = Documents(source, root, self._rejected)
        self._used: dict[str, str] = {}

    def read(self) -> ParsedBenchmark:
        for category in self._layout.categories.values():
            try:
                self._parsed.tasks += self._read_category(category)
            except RowRejectedError as error:
                self._reject(error)
        self._report_other_files()
        self._parsed.documents = self._documents.read
        self._parsed.entries = _entries(self._parsed.tasks, self._layout)
        return self._parsed

    def _reject(self, error: RowRejectedError) -> None:
        self._rejected.append(RejectedRow.of(error))

    def _read_category(self, category: Category) -> list[Task]:
        questions = f"{self._root}{category.file_name}"
        if not category.has_key_file:
            return self._join(category, questions, None) if self._has(questions) else []
        keys = f"{self._root}{KEY_FOLDER}/{category.file_name}"
        if not self._has(questions):
            if self._has(keys):
                raise RowRejectedError(keys, 0, f"has keys, but there is no {questions}")
            return []
        if not self._has(keys):
            raise RowRejectedError(
                keys, 0, f"is absent, so no task of {category.file_name} was imported"
            )
        return self._join(category, questions, self._read_keys(category, keys))

    def _has(self, name: str) -> bool:
        return name in self._source.names()

    def _read_keys(
        self, category: Category, name: str
    ) -> dict[str, tuple[int, dict[str, Any] | None]]:
        """Id → (line, record); None for a record whose fault is reported already."""
        keys: dict[str, tuple[int, dict[str, Any] | None]] = {}
        with self._source.open(name) as stream:
            for line, record in read_objects(stream, name, self._rejected):
                try:
                    task_id = record_id(record, "key")
                    if task_id in keys:
                        raise ShapeError(
                            f"a second key of {task_id!r}; the first is in line {keys[task_id][0]}"
                        )
                    keys[task_id] = line, None
                    self._layout.check_key(category, record)
                    keys[task_id] = line, record
                except ShapeError as error:
                    self._reject(RowRejectedError(name, line, str(error)))
        return keys

    def _join(
        self,
        category: Category,
        name: str,
        keys: dict[str, tuple[int, dict[str, Any] | None]] | None,
    ) -> list[Task]:
        tasks, met = [], set()
        with self._source.open(name) as stream:
            for line, record in read_objects(stream, name, self._rejected):
                try:
                    task_id = record_id(record, "question")
                    met.add(task_id)
                    self._claim(category, task_id, f"{name}:{line}")
                    key = _NO_KEY if keys is None else _key_of(task_id, keys)
                    if key is not None:
                        question, key = self._layout.shaped(category, record, key)
                        documents = self._documents.of(category, question)
                        tasks.append(as_task(category, question, key, documents))
                except ShapeError as error:
                    self._reject(RowRejectedError(name, line, str(error)))
        for task_id, (line, key) in (keys or {}).items():
            if task_id not in met and key is not None:
                where = f"{self._root}{KEY_FOLDER}/{category.file_name}"
                reason = f"the key of {task_id!r} has no question in {category.file_name}"
                self._reject(RowRejectedError(where, line, reason))
        return tasks

    def _claim(self, category: Category, task_id: str, where: str) -> None:
        """Take the ids of a question and its entries, which no other may have."""
        if category.columns and not task_id.startswith(f"{category.name}_"):
            raise ShapeError(f"the id {task_id!r} does not begin with {category.name}_")
        for id_ in {task_id, *entry_ids(category, task_id)}:
            if first := self._used.get(id_):
                raise ShapeError(f"the id {id_!r} is used already, in {first}")
            self._used[id_] = where

    def _report_other_files(self) -> None:
        layout = self._layout
        for name in sorted(self._source.names()):
            file = name.removeprefix(self._root)
            category = file.removeprefix(layout.prefix).removesuffix(SUFFIX)
            if file != f"{layout.prefix}{category}{SUFFIX}" or not name.startswith(self._root):
                continue
            if layout.is_ignored(category):
                self._parsed.ignored.append(name)
            elif category not in layout.categories:
                reason = f"{category!r} is not a category of BFCL {layout.name}"
                self._reject(RowRejectedError(name, 0, reason))


def _key_of(
    task_id: str, keys: dict[str, tuple[int, dict[str, Any] | None]]
) -> dict[str, Any] | None:
    if task_id not in keys:
        raise ShapeError(f"the question {task_id!r} has no key")
    return keys[task_id][1]


def _entries(tasks: list[Task], layout: Layout) -> list[tuple[str, Entry]]:
    categories = layout.categories
    sizes = Counter(categories[task.category].pool for task in tasks)
    weights = {
        c.name: None if c.points is None else c.points / max(sizes[c.pool], 1)
        for c in categories.values()
    }
    return [
        (task.id, Entry(id_, weights[task.category]))
        for task in tasks
        for id_ in entry_ids(categories[task.category], task.id)
    ]
