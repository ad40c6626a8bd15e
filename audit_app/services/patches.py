"""The key patch of an audit: confirmed findings as changes of the benchmark's own key files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from audit_app.domain.benchmark import BenchmarkVersion, Task
from audit_app.errors import InputError
from audit_app.external.fetch import FILE_NAME
from audit_app.reporting.key_patch import KeyChange, KeyFile, KeyPatch, build_key_patch
from audit_app.reporting.key_patch_document import key_patch_files
from audit_app.scoring.key_shapes import ReadKey
from audit_app.scoring.rules import V4
from audit_app.services.audits import AuditService
from audit_app.services.clock import Clock
from audit_app.services.corrections import Correction, confirmed, corrections
from audit_app.services.files import write_whole
from audit_app.services.key_files import (
    find_key_files,
    rebuilt_key_files,
    require_published_keys,
)
from audit_app.services.planted import PlantedService
from audit_app.services.reports import folder_name
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.workspace import Workspace


@dataclass(frozen=True)
class WrittenPatch:
    """A key patch on disk.

    Attributes:
        patch: The patch.
        files: Its files, absolute: the JSON document, the diff, the changed key files.
        source: The key files it was made from, empty where they were written anew.
    """

    patch: KeyPatch
    files: tuple[Path, ...]
    source: str


class PatchService:
    """Builds and writes key patches."""

    def __init__(self, workspace: Workspace, clock: Clock, person: str, cache: Path) -> None:
        self._audits = AuditService(workspace, clock, person)
        self._benchmarks = BenchmarkRepository(workspace)
        self._workspace, self._clock, self._person, self._cache = workspace, clock, person, cache

    def write(
        self,
        audit: str,
        out: Path | None = None,
        *,
        source: Path | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> WrittenPatch:
        """Write the patch into ``out``, by default ``exports/<audit>/patch``.

        Args:
            audit: Name of the audit.
            out: The folder.
            source: What the benchmark was imported from. Without it the fetched package is taken
                where its keys are the imported ones, else the key files are written anew.
            columns: Field → column, for a table that was imported with such a map.

        Raises:
            InputError: The source is not what was imported, the files cannot be written, or they
                would tell planted checks from the sample to someone who still judges.
        """
        checks = PlantedService(self._workspace, self._clock, self._person, audit, self._cache)
        checks.require_open("no patch yet")
        view = self._audits.view(audit)
        tasks = self._tasks(view.audit.benchmark)
        files, used = self._key_files(view.benchmark, tasks, source, columns)
        found = corrections(view.settled, tasks, confirmed)
        patch = build_key_patch(files, map(_change, found.values()))
        folder = (out or Path("exports") / folder_name(audit) / "patch").resolve()
        written = key_patch_files(patch, view.benchmark)
        write_whole({folder / name: content for name, content in written.items()})
        return WrittenPatch(patch, tuple(folder / name for name in written), used)

    def _tasks(self, benchmark: int) -> dict[str, Task]:
        ids = [task_id for task_id, _ in self._benchmarks.field_values(benchmark)]
        return self._benchmarks.tasks(benchmark, ids)

    def _key_files(
        self,
        benchmark: BenchmarkVersion,
        tasks: Mapping[str, Task],
        source: Path | None,
        columns: Mapping[str, str] | None,
    ) -> tuple[list[KeyFile], str]:
        if source is not None:
            files = find_key_files(benchmark, source, columns)
            require_published_keys(files, tasks, source)
            return files, str(source)
        package = self._cache / FILE_NAME
        if (benchmark.format, benchmark.rules) == ("bfcl", V4.version) and package.is_file():
            try:
                files = find_key_files(benchmark, package)
                require_published_keys(files, tasks, package)
            except InputError:  # the benchmark came from elsewhere, with other keys
                return rebuilt_key_files(benchmark, tasks.values()), ""
            return files, str(package)
        return rebuilt_key_files(benchmark, tasks.values()), ""


def _change(correction: Correction) -> KeyChange:
    task, corrected = correction.task, correction.corrected
    return KeyChange(
        task_id=task.id,
        published=ReadKey(task.key_kind, task.key),
        proposed=None if corrected is None else ReadKey(corrected.key_kind, corrected.key),
        findings=correction.findings,
        reason=correction.reason,
    )
