"""Whole audits out of a workspace as a folder, and into another one, or into one that has a part.

Everything that was ever saved goes along: replaced and withdrawn reviews, marks, the team,
adjudications, planted checks, trials. Every appended row has a UUID, so what two workspaces hold of
one audit is joined as a union, unless the two contradict each other; then nothing is imported.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import msgspec

from audit_app.domain.benchmark import BenchmarkVersion, encode
from audit_app.domain.review import current_reviews
from audit_app.domain.visibility import hidden_tasks
from audit_app.errors import ConflictError, InputError, WorkspaceError
from audit_app.services.audit_folder import (
    VERSION_FILE,
    AuditFolder,
    NamedAudit,
    NamedBenchmark,
    write_folder,
)
from audit_app.services.audits import AuditService
from audit_app.services.clock import Clock
from audit_app.services.planted import PlantedService
from audit_app.services.verification import problems_of_audit
from audit_app.storage.audit_rows import AuditRows, Line
from audit_app.storage.audit_tables import AUDIT_TABLES
from audit_app.storage.benchmark_rows import (
    CONTENT_FILES,
    OUTPUT_FILES,
    BenchmarkRows,
    read_content,
)
from audit_app.storage.benchmarks import (
    BenchmarkRepository,
    EncodedBenchmark,
    StoredBenchmark,
    encode_benchmark,
)
from audit_app.storage.reviews import ReviewRepository
from audit_app.storage.workspace import Workspace


@dataclass(frozen=True)
class AuditImported:
    """What an import came to.

    Attributes:
        audit: Name of the audit.
        is_new: Whether the workspace did not have it.
        added: Table → records added, without tables where none was.
        is_new_benchmark: Whether the benchmark version was added too.
        outputs: Model outputs added.
    """

    audit: str
    is_new: bool
    added: dict[str, int]
    is_new_benchmark: bool
    outputs: int

    @property
    def sentence(self) -> str:
        """The same in words."""
        extra = f"; {self.outputs} outputs added to its benchmark" if self.outputs else ""
        if self.is_new:
            version = " with its benchmark" if self.is_new_benchmark else ""
            return f"audit {self.audit} imported{version}{extra}"
        if not self.added:
            return f"audit {self.audit} is there already, with all that the folder holds{extra}"
        parts = ", ".join(
            f"{count} {table.replace('_', ' ')}" for table, count in self.added.items()
        )
        return f"audit {self.audit} was there; added: {parts}{extra}"


class AuditTransferService:
    """Exports and imports audits.

    Args:
        workspace: The open workspace.
        clock: The time and fresh ids.
        person: Who asks.
        cache: Where fetched packages lie.
    """

    def __init__(self, workspace: Workspace, clock: Clock, person: str, cache: Path) -> None:
        self._workspace, self._clock = workspace, clock
        self._person, self._cache = person, cache
        self._audits = AuditService(workspace, clock, person)
        self._benchmarks = BenchmarkRepository(workspace)

    def export(self, name: str, out: Path, *, with_outputs: bool = True) -> list[Path]:
        """Write an audit into a folder; the files, absolute, the manifest first.

        Raises:
            InputError: The person has yet to judge tasks that others judged, or that checks are
                mixed into; or the folder cannot be written.
        """
        view = self._audits.view(name)
        reviews = ReviewRepository(self._workspace, view.audit.id).all()
        hidden = hidden_tasks(reviews, view.team, self._person)  # also of tasks outside the sample
        if hidden:
            count = sum(review.task_id in hidden for review in current_reviews(reviews))
            raise InputError(
                f"no export of the whole audit yet: it would show you {count} reviews of tasks "
                "that you have yet to judge; judge them first, or leave it to somebody who does "
                "not review"
            )
        PlantedService(self._workspace, self._clock, self._person, name, self._cache).require_open(
            "no export of the whole audit yet"
        )
        benchmark = self._benchmarks.by_key(view.audit.benchmark)
        content = BenchmarkRows(self._workspace, benchmark.key)
        rows = AuditRows(self._workspace, view.audit.id, benchmark.key)
        names = (*CONTENT_FILES, *(OUTPUT_FILES if with_outputs else ()))
        files: dict[str, Callable[[], Iterable[bytes]]] = {
            VERSION_FILE: lambda: [encode(benchmark.version.model_dump(mode="json"))],
            **{file: partial(content.lines, file) for file in names},
            **{table.file: partial(rows.lines, table) for table in AUDIT_TABLES},
        }
        return write_folder(
            out.resolve(),
            NamedAudit(id=view.audit.id, name=name, frame_hash=view.audit.frame_hash),
            NamedBenchmark(
                name=benchmark.version.name, content_hash=benchmark.version.content_hash
            ),
            files,
        )

    def import_folder(
        self, path: Path, *, with_outputs: bool = True, as_version: bool = False
    ) -> AuditImported:
        """Bring in an audit with its benchmark, or what this workspace lacks of it; or nothing.

        Args:
            path: The folder.
            with_outputs: Whether model outputs come too.
            as_version: Whether the benchmark may become a further version of one that is here.

        Raises:
            ConflictError: What is here contradicts the folder.
            InputError: The folder is no export, is damaged, or was changed.
        """
        folder = AuditFolder(path)
        named = folder.manifest.audit
        folder.require_whole()
        version, encoded = _content(folder)  # before others have to wait for the lock
        with self._workspace.write():
            is_new = self._require_same_audit(named)
            is_new_version = self._is_new(version, as_version=as_version)
            benchmark = self._benchmarks.insert(version, encoded)
            outputs = self._outputs(folder, benchmark) if with_outputs else 0
            rows = AuditRows(self._workspace, named.id, benchmark.key)
            added = {}
            for table in AUDIT_TABLES:
                if count := rows.add(table, folder.lines(table.file)).added:
                    added[table.name] = count
            self._require_sound(named)
        return AuditImported(named.name, is_new, added, is_new_version, outputs)

    def _require_same_audit(self, named: NamedAudit) -> bool:
        """Whether the audit is not here yet."""
        for id_, name in self._workspace.rows(
            "select id, name from audits where id = ? or name = ?", (named.id, named.name)
        ):
            if (id_, name) != (named.id, named.name):
                raise ConflictError(
                    f"there is another audit {name!r} here, made apart from {named.name!r} of the "
                    "folder; import it into a workspace of its own"
                )
            return False
        return True

    def _is_new(self, version: BenchmarkVersion, *, as_version: bool) -> bool:
        """Whether the benchmark version is not here yet."""
        if self._benchmarks.same_content(version.name, version.content_hash) is not None:
            return False
        others = [s for s in self._benchmarks.versions() if s.version.name == version.name]
        if others and not as_version:
            raise ConflictError(
                f"the benchmark {version.name!r} here has other content "
                f"({others[0].version.version}, in the folder {version.version}); to keep both as "
                "versions of it, import with --as-version"
            )
        return True

    def _outputs(self, folder: AuditFolder, benchmark: StoredBenchmark) -> int:
        """Outputs added: all of the folder where none are here, else none."""
        files = [file for file in OUTPUT_FILES if folder.has(file)]
        content = BenchmarkRows(self._workspace, benchmark.key)
        if not content.has_outputs():
            return content.add_outputs({file: folder.lines(file) for file in files})
        for file in files:
            if not _are_same(folder.lines(file), content.lines(file)):
                raise ConflictError(
                    f"{file}: the outputs of {benchmark.version.name!r} here are not those of the "
                    "folder; to keep those that are here, import with --no-outputs"
                )
        return 0

    def _require_sound(self, named: NamedAudit) -> None:
        """Refuse rows that are whole one by one, but not together."""
        if not self._workspace.row(
            "select 1 from audits where id = ? and name = ? and frame_hash = ?",
            (named.id, named.name, named.frame_hash),
        ):
            raise InputError(f"audits.jsonl does not hold the audit {named.name!r} of the manifest")
        try:
            problems = problems_of_audit(self._workspace, self._audits, named.name)
        except (WorkspaceError, ValueError) as error:  # a value that is no value of its kind
            raise InputError(f"the folder holds a record that cannot be read: {error}") from error
        if problems:
            raise InputError(f"the folder does not hold together: {problems[0]}")


def _content(folder: AuditFolder) -> tuple[BenchmarkVersion, EncodedBenchmark]:
    """The benchmark version of a folder, if its content is what the manifest says.

    Raises:
        InputError: It is not, or a line is no task, entry or document.
    """
    named, version = folder.manifest.benchmark, _version(folder)
    if (version.name, version.content_hash) != (named.name, named.content_hash):
        raise InputError(f"{VERSION_FILE} is of another benchmark than the manifest names")
    encoded = encode_benchmark(*read_content({file: folder.lines(file) for file in CONTENT_FILES}))
    if encoded.content_hash != named.content_hash:
        raise InputError(
            f"the content of the benchmark {named.name!r} in the folder does not have the hash "
            "that it was exported with"
        )
    if (version.tasks, version.entries) != (len(encoded.tasks), len(encoded.entries)):
        raise InputError(f"{VERSION_FILE} states other numbers than there are tasks or entries")
    return version, encoded


def _version(folder: AuditFolder) -> BenchmarkVersion:
    lines = list(folder.lines(VERSION_FILE))
    try:
        (line,) = lines
        return BenchmarkVersion.model_validate(msgspec.json.decode(line.text))
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{VERSION_FILE} holds no benchmark version: {reason}") from error


def _are_same(lines: Iterator[Line], there: Iterator[bytes]) -> bool:
    """Whether two files are the same; the folder's is read to its end, to be proved."""
    given, mine = [line.text for line in lines], list(there)
    return given == mine
