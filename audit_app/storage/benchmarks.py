"""Benchmarks in the workspace: immutable versions with tasks, entries, documents and outputs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import msgspec

from audit_app.domain.benchmark import (
    BenchmarkVersion,
    Document,
    Entry,
    Task,
    benchmark_digest,
    content_digest,
    encode,
)
from audit_app.domain.record import Json
from audit_app.errors import NotFoundError
from audit_app.storage.workspace import Workspace

_COLUMNS = "name, content_hash, format, rules, source, imported_at, imported_by, tasks, entries"
_task_decoder = msgspec.json.Decoder(Task)


@dataclass(frozen=True)
class StoredBenchmark:
    """A benchmark version and its key in this workspace."""

    key: int
    version: BenchmarkVersion


@dataclass(frozen=True)
class EncodedBenchmark:
    """A benchmark ready to be written, with its content hash.

    Attributes:
        tasks: The tasks.
        bodies: Canonical JSON of each task, in the same order.
        digests: SHA-256 of each body.
        entries: (task id, entry).
        documents: Shared documents with canonical JSON and digest.
        content_hash: Over all of it.
    """

    tasks: Sequence[Task]
    bodies: Sequence[bytes]
    digests: Sequence[str]
    entries: Sequence[tuple[str, Entry]]
    documents: Sequence[tuple[str, bytes, str]]
    content_hash: str


def encode_benchmark(
    tasks: Sequence[Task],
    entries: Sequence[tuple[str, Entry]],
    documents: Iterable[Document],
) -> EncodedBenchmark:
    """Encode and hash a benchmark once, for comparing and for writing."""
    bodies = [encode(task) for task in tasks]
    digests = [content_digest(body) for body in bodies]
    encoded = [(document.id, encode(document.body)) for document in documents]
    with_digest = [(id_, body, content_digest(body)) for id_, body in encoded]
    return EncodedBenchmark(
        tasks=tasks,
        bodies=bodies,
        digests=digests,
        entries=entries,
        documents=with_digest,
        content_hash=benchmark_digest(
            zip((task.id for task in tasks), digests, strict=True),
            ((entry.id, task_id, entry.weight) for task_id, entry in entries),
            ((id_, digest) for id_, _, digest in with_digest),
        ),
    )


class BenchmarkRepository:
    """Reads and writes benchmarks."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace

    def add(self, version: BenchmarkVersion, encoded: EncodedBenchmark) -> StoredBenchmark:
        """Store a version whole, or nothing; the one of that name and content if it is there."""
        with self._workspace.write():
            return self.insert(version, encoded)

    def insert(self, version: BenchmarkVersion, encoded: EncodedBenchmark) -> StoredBenchmark:
        """The same, inside `Workspace.write`."""
        v, db = version, self._workspace
        if there := self.same_content(v.name, v.content_hash):
            return there
        key = db.run(
            f"insert into benchmarks ({_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                v.name,
                v.content_hash,
                v.format,
                v.rules,
                v.source,
                v.imported_at.isoformat(),
                v.imported_by,
                v.tasks,
                v.entries,
            ),
        )
        first = (db.row("select coalesce(max(key), 0) from tasks") or (0,))[0] + 1
        keys = {task.id: first + i for i, task in enumerate(encoded.tasks)}
        db.run_many(
            "insert into tasks (key, benchmark, id, category, grp, fields, digest, body) "
            "values (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                (keys[t.id], key, t.id, t.category, t.group, _text(t.fields), d, b.decode())
                for t, b, d in zip(encoded.tasks, encoded.bodies, encoded.digests, strict=True)
            ),
        )
        db.run_many(
            "insert into entries (benchmark, id, task, weight) values (?, ?, ?, ?)",
            ((key, entry.id, keys[task], entry.weight) for task, entry in encoded.entries),
        )
        db.run_many(
            "insert into documents (benchmark, id, digest, body) values (?, ?, ?, ?)",
            ((key, id_, digest, body.decode()) for id_, body, digest in encoded.documents),
        )
        return StoredBenchmark(key, version)

    def versions(self) -> list[StoredBenchmark]:
        """All versions, the latest import first."""
        rows = self._workspace.rows(f"select key, {_COLUMNS} from benchmarks order by key desc")
        return [self._stored(row) for row in rows]

    def find(self, name: str) -> StoredBenchmark:
        """The latest version of that name; ``name@hash`` asks for one version.

        Raises:
            NotFoundError: There is none; the message lists what there is.
        """
        stored = self.versions()
        for item in stored:
            if name in (item.version.name, f"{item.version.name}@{item.version.content_hash}"):
                return item
        base, _, prefix = name.rpartition("@")
        for item in stored:
            matches = item.version.name == base and item.version.content_hash.startswith(prefix)
            if matches and len(prefix) >= 6:
                return item
        names = sorted({item.version.name for item in stored})
        hint = f"there are: {', '.join(names)}" if names else "import one with assay import"
        raise NotFoundError("benchmark", name, hint)

    def by_key(self, key: int) -> StoredBenchmark:
        """The version of that key."""
        row = self._workspace.row(f"select key, {_COLUMNS} from benchmarks where key = ?", (key,))
        if row is None:
            raise NotFoundError("benchmark", str(key))
        return self._stored(row)

    def same_content(self, name: str, content_hash: str) -> StoredBenchmark | None:
        """The version of that name with that very content, or None."""
        row = self._workspace.row(
            f"select key, {_COLUMNS} from benchmarks where name = ? and content_hash = ?",
            (name, content_hash),
        )
        return None if row is None else self._stored(row)

    def _stored(self, row: Sequence[object]) -> StoredBenchmark:
        values = dict(zip(_COLUMNS.split(", "), row[1:], strict=True))
        with self._workspace.decoding():
            return StoredBenchmark(int(str(row[0])), BenchmarkVersion.model_validate(values))

    def counts(self, key: int, column: str) -> dict[str, int]:
        """Tasks by ``category`` or ``grp``, in the order of the import."""
        if column not in ("category", "grp"):
            raise ValueError(f"tasks are not counted by {column!r}")
        rows = self._workspace.rows(
            f"select {column}, count(*) from tasks where benchmark = ? "
            f"group by {column} order by min(key)",
            (key,),
        )
        return dict(rows)

    def weighted_entries(self, key: int) -> int:
        """Entries that count in the overall score: weight above 0, or none defined."""
        row = self._workspace.row(
            "select count(*) from entries where benchmark = ? and (weight is null or weight > 0)",
            (key,),
        )
        return int(row[0]) if row else 0

    def field_values(self, key: int) -> Iterator[tuple[str, Mapping[str, str]]]:
        """(task id, values that a plan may stratify by), in the order of the import."""
        rows = self._workspace.rows(
            "select id, category, grp, fields from tasks where benchmark = ? order by key", (key,)
        )
        with self._workspace.decoding():
            for id_, category, group, fields in rows:
                yield id_, {**msgspec.json.decode(fields), "category": category, "group": group}

    def task(self, key: int, task_id: str) -> Task:
        """One task.

        Raises:
            NotFoundError: The benchmark has no such task.
        """
        row = self._workspace.row(
            "select body from tasks where benchmark = ? and id = ?", (key, task_id)
        )
        if row is None:
            raise NotFoundError("task", task_id)
        with self._workspace.decoding():
            return _task_decoder.decode(row[0])

    def tasks(self, key: int, task_ids: Iterable[str]) -> dict[str, Task]:
        """Those of the tasks that the benchmark has, by id."""
        bodies = self._by_id("select id, body from tasks", key, task_ids)
        with self._workspace.decoding():
            return {id_: _task_decoder.decode(body) for id_, body in bodies}

    def all_tasks(self, key: int) -> Iterator[Task]:
        """Every task, one at a time, in the order of the import."""
        rows = self._workspace.each(
            "select body from tasks where benchmark = ? order by key", (key,)
        )
        with self._workspace.decoding():
            for (body,) in rows:
                yield _task_decoder.decode(body)

    def entries(self, key: int, task_id: str) -> tuple[Entry, ...]:
        """The scored entries that a task's key feeds."""
        rows = self._workspace.rows(
            "select e.id, e.weight from entries e join tasks t on t.key = e.task "
            "where t.benchmark = ? and t.id = ? order by e.key",
            (key, task_id),
        )
        return tuple(Entry(*row) for row in rows)

    def entry_ids(self, key: int) -> list[str]:
        """Ids of all scored entries, in the order of the import."""
        rows = self._workspace.rows(
            "select id from entries where benchmark = ? order by key", (key,)
        )
        return [row[0] for row in rows]

    def documents(self, key: int, document_ids: Iterable[str]) -> dict[str, Json]:
        """Those of the shared documents that the benchmark has, by id."""
        bodies = self._by_id("select id, body from documents", key, sorted(document_ids))
        with self._workspace.decoding():
            return {id_: msgspec.json.decode(body) for id_, body in bodies}

    def _by_id(self, select: str, key: int, ids: Iterable[str]) -> Iterator[tuple[str, str]]:
        # One look-up an id: json_each would cut an id at a NUL, and parameters are limited.
        for id_ in ids:
            yield from self._workspace.rows(f"{select} where benchmark = ? and id = ?", (key, id_))

    def content_problems(self, key: int) -> list[str]:
        """Records whose text no longer gives the digest stored with them."""
        version = self.by_key(key).version
        found, tasks, documents = [], [], []
        for id_, *columns, digest, body in self._workspace.each(
            "select id, category, grp, fields, digest, body from tasks where benchmark = ?", (key,)
        ):
            tasks.append((id_, digest))
            if content_digest(body.encode()) != digest or columns != _columns(id_, body):
                found.append(f"{version.name}: task {id_} is not what was imported")
        for id_, digest, body in self._workspace.each(
            "select id, digest, body from documents where benchmark = ?", (key,)
        ):
            documents.append((id_, digest))
            if content_digest(body.encode()) != digest:
                found.append(f"{version.name}: document {id_} is not what was imported")
        entries = self._workspace.rows(
            "select e.id, t.id, e.weight from entries e join tasks t on t.key = e.task "
            "where e.benchmark = ?",
            (key,),
        )
        if benchmark_digest(tasks, entries, documents) != version.content_hash:
            found.append(f"{version.name}: the content hash {version.version}… does not follow")
        if (len(tasks), len(entries)) != (version.tasks, version.entries):
            found.append(f"{version.name}: the numbers of tasks and entries do not follow")
        return found


def _columns(id_: str, body: str) -> list[str] | None:
    """What the columns beside a task's record must hold, None where it is another task's."""
    task = _task_decoder.decode(body)
    return [task.category, task.group, _text(task.fields)] if task.id == id_ else None


def _text(value: object) -> str:
    return encode(value).decode()
