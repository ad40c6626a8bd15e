"""Gathering what a report needs, and writing it."""

from __future__ import annotations

import platform
from collections.abc import Sequence
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from audit_app import __version__
from audit_app.domain.review import current_reviews
from audit_app.errors import InputError
from audit_app.reporting.markdown_impact import CHART as CHART
from audit_app.reporting.markdown_impact import CHART_LINE as CHART_LINE
from audit_app.reporting.model import AuditRecord
from audit_app.reporting.render import FORMATS, render
from audit_app.services.audits import AuditService
from audit_app.services.clock import Clock
from audit_app.services.files import write_whole
from audit_app.services.impact import ImpactService
from audit_app.services.rubrics import RubricService
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.outputs import OutputRepository
from audit_app.storage.workspace import Workspace

_FOLDER_BYTES = 100
_LIBRARIES = ("pydantic", "numpy", "scipy", "msgspec", "sqlite-utils")
"""Libraries whose version can show in a number of the report."""


class ReportService:
    """Builds and writes reports."""

    def __init__(self, workspace: Workspace, clock: Clock, person: str, cache: Path) -> None:
        self._workspace = workspace
        self._impacts = ImpactService(workspace, clock, person, cache)
        self._audits = AuditService(workspace, clock, person)
        self._rubrics = RubricService(workspace, clock, person)
        self._clock = clock

    def record(self, name: str) -> AuditRecord:
        """Everything a report of the audit is made from."""
        view = self._audits.view(name)
        outputs = OutputRepository(self._workspace, view.audit.benchmark).sources()
        tasks = BenchmarkRepository(self._workspace).tasks(
            view.audit.benchmark, view.sample.task_ids
        )
        return AuditRecord(
            audit_name=view.audit.name,
            audit_id=view.audit.id,
            created_at=view.audit.created_at,
            created_by=view.audit.created_by,
            benchmark=view.benchmark,
            plan=view.audit.plan,
            frame=view.frame,
            samples=view.samples,
            reviews=view.settled,
            standing_reviews=tuple(current_reviews(view.reviews)),
            tasks=tasks,
            status=view.status,
            rubric=view.audit.rubric,
            answers=view.current_answers,
            verdict=view.verdict,
            taxonomy=view.audit.taxonomy,
            statements=self._rubrics.statements(name),
            generated_on=self._clock.report_date(),
            versions=_versions(),
            simulated=any(source.simulated for source in outputs),
            impact=self._impacts.impact_if_any(view),
        )

    def files(self, name: str, formats: Sequence[str] = FORMATS) -> dict[str, bytes]:
        """File name → content, the report of each format first."""
        unknown = sorted(set(formats) - set(FORMATS))
        if unknown:
            raise InputError(f"there is no report format {unknown[0]!r}; {', '.join(FORMATS)}")
        if not formats:
            raise InputError(f"name a report format: {', '.join(FORMATS)}")
        return render(self.record(name), formats)

    def write(self, name: str, out: Path, formats: Sequence[str] = FORMATS) -> list[Path]:
        """Write the report into a folder of its own in ``out``; the files, absolute."""
        folder = out.resolve() / folder_name(name)
        files = {folder / file: content for file, content in self.files(name, formats).items()}
        write_whole(files)
        return list(files)


def folder_name(name: str) -> str:
    """The audit's name where it can be a folder's; else what can be of it, and a digest of it."""
    safe = "".join(c if c.isalnum() or c in "-_.+ " else "_" for c in name).strip(" .")
    short = safe.encode()[:_FOLDER_BYTES].decode(errors="ignore").strip(" .")
    if short == name:
        return name
    return f"{short or 'audit'}-{sha256(name.encode()).hexdigest()[:8]}"


def _versions() -> dict[str, str]:
    found = {"assay": __version__, "python": platform.python_version()}
    for library in _LIBRARIES:
        try:
            found[library] = version(library)
        except PackageNotFoundError:
            found[library] = "unknown"
    return found
