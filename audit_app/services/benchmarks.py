"""Bringing benchmarks and outputs in, and listing what is there."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from audit_app.domain.benchmark import BenchmarkVersion, Output, OutputSource
from audit_app.errors import InputError
from audit_app.importers.registry import (
    FORMATS,
    Format,
    parse_benchmark,
    parse_outputs,
    paused_collection,
)
from audit_app.importers.report import RejectedRow
from audit_app.services.clock import Clock
from audit_app.storage.benchmarks import (
    BenchmarkRepository,
    StoredBenchmark,
    encode_benchmark,
)
from audit_app.storage.outputs import Added, OutputRepository
from audit_app.storage.workspace import Workspace

_TOLD_EVERY = 1_000
"""Outputs between two words on how far an import is."""


@dataclass(frozen=True)
class BenchmarkSummary:
    """A benchmark version with its counts.

    Attributes:
        key: Its key in this workspace.
        version: What it is.
        weighted_entries: Entries that count in the overall score.
        by_category: Tasks by category.
        by_group: Tasks by group.
        sources: Imports of outputs.
        rejected: Rows of this import that could not be used.
        is_new: Whether this import stored it; False where the same content was there.
    """

    key: int
    version: BenchmarkVersion
    weighted_entries: int
    by_category: Mapping[str, int]
    by_group: Mapping[str, int]
    sources: tuple[OutputSource, ...]
    rejected: tuple[RejectedRow, ...] = ()
    is_new: bool = False


@dataclass(frozen=True)
class OutputsSummary:
    """What an import of outputs came to.

    Attributes:
        models: Names of the models.
        outputs: Outputs stored.
        rejected: Rows that could not be used.
        ignored: Files left alone on purpose, each with the reason.
    """

    models: tuple[str, ...]
    outputs: int
    rejected: tuple[RejectedRow, ...]
    ignored: tuple[str, ...] = ()


class BenchmarkService:
    """Imports and lists benchmarks."""

    def __init__(self, workspace: Workspace, clock: Clock, person: str) -> None:
        self._workspace = workspace
        self._repository = BenchmarkRepository(workspace)
        self._clock, self._person = clock, person

    def import_tasks(
        self,
        format_id: str,
        path: Path,
        *,
        name: str,
        columns: Mapping[str, str] | None = None,
    ) -> BenchmarkSummary:
        """Read tasks and keys and store them as a version of ``name``.

        The same content again is recognised and not stored twice; changed content makes a new
        version beside the old one.

        Raises:
            InputError: The name cannot be used, nothing could be read, or no row was good.
        """
        name = _checked_name(name)
        with paused_collection():  # a hundred thousand small objects, none of them a cycle
            return self._import_tasks(format_id, path, name, columns)

    def _import_tasks(
        self, format_id: str, path: Path, name: str, columns: Mapping[str, str] | None
    ) -> BenchmarkSummary:
        parsed = parse_benchmark(format_id, path, columns=columns)
        if not parsed.tasks:
            first = f"; first: {_where(parsed.rejected[0])}" if parsed.rejected else ""
            raise InputError(f"{path} holds no task that can be used{first}")
        encoded = encode_benchmark(parsed.tasks, parsed.entries, parsed.documents)
        stored = self._repository.same_content(name, encoded.content_hash)
        is_new = False
        if stored is None:
            version = BenchmarkVersion(
                name=name,
                content_hash=encoded.content_hash,
                format=format_id,
                rules=parsed.rules,
                source=path.name or str(path),
                imported_at=self._clock.now(),
                imported_by=self._person,
                tasks=len(parsed.tasks),
                entries=len(parsed.entries),
            )
            stored = self._repository.add(version, encoded)
            is_new = stored.version is version  # not where another process stored it meanwhile
        rejected = tuple(sorted(parsed.rejected, key=lambda row: (row.source, row.line)))
        return self._summary(stored, rejected=rejected, is_new=is_new)

    def import_outputs(
        self,
        format_id: str,
        path: Path,
        *,
        benchmark: str,
        columns: Mapping[str, str] | None = None,
        scores: Path | None = None,
        simulated: bool = False,
        progress: Callable[[int], None] | None = None,
    ) -> OutputsSummary:
        """Read model outputs, with published grades where there are any, for a benchmark.

        ``progress`` is told now and then how many outputs were read.

        Raises:
            InputError: The file cannot be read, or no row was good.
        """
        stored = self._repository.find(benchmark)
        entries = self._repository.entry_ids(stored.key)
        parsed = parse_outputs(format_id, path, columns=columns, scores=scores, entries=entries)

        def describe(added: Added) -> OutputSource:
            if not added.outputs:
                reasons = [reason for _, reason in added.refused[:1]]
                reasons += [_where(row) for row in parsed.rejected[:1]]
                first = f"; first: {reasons[0]}" if reasons else ""
                raise InputError(f"{path} holds no output that can be used{first}")
            return OutputSource(
                format=format_id,
                source=path.name,
                imported_at=self._clock.now(),
                imported_by=self._person,
                models=tuple(sorted(added.models)),
                outputs=added.outputs,
                simulated=simulated,
            )

        outputs = parsed.outputs if progress is None else _told(parsed.outputs, progress)
        added = OutputRepository(self._workspace, stored.key).add(outputs, source=describe)
        refused = [_refused(path.name, output, reason) for output, reason in added.refused]
        return OutputsSummary(
            models=tuple(sorted(added.models)),
            outputs=added.outputs,
            rejected=(*parsed.rejected, *refused),
            ignored=tuple(parsed.ignored),
        )

    def names(self) -> list[str]:
        """Names of the benchmarks, the latest import first."""
        return list(dict.fromkeys(s.version.name for s in self._repository.versions()))

    def summaries(self) -> list[BenchmarkSummary]:
        """All versions with their counts, the latest import first."""
        return [self._summary(stored) for stored in self._repository.versions()]

    def summary(self, name: str) -> BenchmarkSummary:
        """One version with its counts."""
        return self._summary(self._repository.find(name))

    def _summary(
        self,
        stored: StoredBenchmark,
        *,
        rejected: tuple[RejectedRow, ...] = (),
        is_new: bool = False,
    ) -> BenchmarkSummary:
        return BenchmarkSummary(
            key=stored.key,
            version=stored.version,
            weighted_entries=self._repository.weighted_entries(stored.key),
            by_category=self._repository.counts(stored.key, "category"),
            by_group=self._repository.counts(stored.key, "grp"),
            sources=tuple(OutputRepository(self._workspace, stored.key).sources()),
            rejected=rejected,
            is_new=is_new,
        )


def format_list() -> tuple[Format, ...]:
    """The formats that can be imported."""
    return tuple(FORMATS)


def _checked_name(name: str) -> str:
    cleaned = name.strip()
    if not cleaned or len(cleaned) > 200 or "@" in cleaned or not cleaned.isprintable():
        raise InputError(
            f"{name[:80]!r} cannot name a benchmark: use 1 to 200 printable characters without @"
        )
    return cleaned


def _told(outputs: Iterable[Output], progress: Callable[[int], None]) -> Iterator[Output]:
    for number, output in enumerate(outputs, start=1):
        yield output
        if number % _TOLD_EVERY == 0:
            progress(number)


def _where(row: RejectedRow) -> str:
    return f"{row.source}:{row.line}: {row.reason}" if row.line else f"{row.source}: {row.reason}"


def _refused(source: str, output: Output, reason: str) -> RejectedRow:
    return RejectedRow(source, 0, f"output of {output.model} for {output.entry_id}: {reason}")
