"""Gathering what a report needs, and writing it."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from dataclasses import replace
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from audit_app import __version__
from audit_app.domain.file_names import file_name
from audit_app.errors import InputError
from audit_app.reporting.model import AuditRecord
from audit_app.reporting.render import FORMATS, render
from audit_app.services.audits import AuditService
from audit_app.services.clock import Clock
from audit_app.services.evidence import EvidenceService
from audit_app.services.evidence_files import trial_files
from audit_app.services.files import write_whole
from audit_app.services.finding_cases import ready_cases
from audit_app.services.finding_files import drop_outdated
from audit_app.services.impact import ImpactService
from audit_app.services.impact_part import found_corrections
from audit_app.services.planted import PlantedService
from audit_app.services.planted_results import Scope
from audit_app.services.report_files import input_files
from audit_app.services.report_inputs import PlantedInputs, ReportInputs, record_of
from audit_app.services.rubrics import RubricService
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.outputs import OutputRepository
from audit_app.storage.workspace import Workspace

_LIBRARIES = ("pydantic", "numpy", "scipy", "krippendorff", "msgspec", "sqlite-utils")
"""Libraries whose version can show in a number of the report."""


class ReportService:
    """Builds and writes reports."""

    def __init__(self, workspace: Workspace, clock: Clock, person: str, cache: Path) -> None:
        self._workspace = workspace
        self._impacts = ImpactService(workspace, clock, person, cache)
        self._audits = AuditService(workspace, clock, person)
        self._rubrics = RubricService(workspace, clock, person)
        self._evidence = EvidenceService(workspace, clock, person, cache)
        self._clock, self._person, self._cache = clock, person, cache

    def record(self, name: str) -> AuditRecord:
        """Everything a report of the audit is made from.

        Raises:
            InputError: It would tell planted checks from the sample to someone who still judges.
        """
        inputs = self.inputs(name)
        shown = inputs.settled_evidence.rows
        return replace(
            record_of(inputs),
            trial_files=trial_files(shown) if shown else {},
            input_files=input_files(inputs),
        )

    def inputs(self, name: str) -> ReportInputs:
        """The same, before anything is worked out of it."""
        view = self._audits.view(name)
        checks = PlantedService(self._workspace, self._clock, self._person, name, self._cache)
        checks.require_open("no report yet")
        benchmarks, key = BenchmarkRepository(self._workspace), view.audit.benchmark
        tasks = benchmarks.tasks(key, view.sample.task_ids)
        found = found_corrections(view, tasks)
        sampled = set(view.sample.task_ids)
        return ReportInputs(
            view=view,
            viewer=self._person,
            field_values=list(benchmarks.field_values(key)),
            tasks=tasks,
            statements=self._rubrics.statements(name),
            generated_on=self._clock.report_date(),
            versions=_versions(),
            simulated=any(s.simulated for s in OutputRepository(self._workspace, key).sources()),
            impact=self._impacts.inputs(view, found),
            planted=_planted(checks),
            evidence=[
                row for row in self._evidence.evidence_of(name) if row.evidence.task_id in sampled
            ],
            cases=ready_cases(self._workspace, view, found),
        )

    def files(self, name: str, formats: Sequence[str] = FORMATS) -> dict[str, bytes]:
        """File name → content, the report of each format first.

        Raises:
            InputError: No format is named, or one that there is not; or as for ``record``.
        """
        _require_formats(formats)
        return render(self.record(name), formats)

    def write(self, name: str, out: Path, formats: Sequence[str] = FORMATS) -> list[Path]:
        """Write the report into a folder of its own in ``out``; the files, absolute.

        Texts of findings that an earlier report wrote there, and that no longer count, go.
        """
        _require_formats(formats)
        record, folder = self.record(name), out.resolve() / folder_name(name)
        files = {folder / file: content for file, content in render(record, formats).items()}
        write_whole(files)
        if "md" in formats:
            drop_outdated(folder, files, record.audit_id)
        return list(files)


def _require_formats(formats: Sequence[str]) -> None:
    unknown = sorted(set(formats) - set(FORMATS))
    if unknown:
        raise InputError(f"there is no report format {unknown[0]!r}; {', '.join(FORMATS)}")
    if not formats:
        raise InputError(f"name a report format: {', '.join(FORMATS)}")


def _planted(checks: PlantedService) -> PlantedInputs | None:
    results = checks.results()
    if results is None:
        return None
    rows = () if results.figures is None else results.figures.rows
    return PlantedInputs(
        planted=results.planted,
        scope=results.scope,
        hidden=results.hidden,
        checks=tuple(row.planted for row in rows),
        judged=tuple(judged for row in rows for judged in row.judged),
        settled=checks.settled_checks() if results.scope is Scope.ALL else {},
    )


def folder_name(name: str) -> str:
    """The audit's name where it can be a folder's; else what can be of it, and a digest of it."""
    return file_name(name, otherwise="audit")


def _versions() -> dict[str, str]:
    found = {"assay": __version__, "python": platform.python_version()}
    for library in _LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = "unknown"
    return found
