"""One open workspace with every service a page or a command may ask."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

from audit_app.services.audits import AuditService
from audit_app.services.benchmarks import BenchmarkService
from audit_app.services.clock import Clock
from audit_app.services.reports import ReportService
from audit_app.services.review_files import ReviewFileService
from audit_app.services.reviewing import ReviewService
from audit_app.services.rubrics import RubricService
from audit_app.services.verification import Verification, verify
from audit_app.settings import Settings
from audit_app.storage.workspace import Workspace


@dataclass(frozen=True)
class Services:
    """The services of one open workspace, for one person.

    Attributes:
        workspace: The open file.
        clock: The time and fresh ids.
        person: Who is recorded with what is done.
    """

    workspace: Workspace
    clock: Clock
    person: str

    @cached_property
    def benchmarks(self) -> BenchmarkService:
        """Importing and listing benchmarks."""
        return BenchmarkService(self.workspace, self.clock, self.person)

    @cached_property
    def audits(self) -> AuditService:
        """Making, widening and reading audits."""
        return AuditService(self.workspace, self.clock, self.person)

    @cached_property
    def rubrics(self) -> RubricService:
        """Rubric answers and statements."""
        return RubricService(self.workspace, self.clock, self.person)

    @cached_property
    def review_files(self) -> ReviewFileService:
        """Reviews in and out as files."""
        return ReviewFileService(self.workspace, self.clock, self.person)

    @cached_property
    def reports(self) -> ReportService:
        """Building and writing reports."""
        return ReportService(self.workspace, self.clock, self.person)

    def reviewing(self, audit: str) -> ReviewService:
        """The review screen of one audit."""
        return ReviewService(self.workspace, self.clock, self.person, audit)

    def verify(self) -> Verification:
        """Proof that what is stored holds."""
        return verify(self.workspace, self.clock)


@contextmanager
def open_services(settings: Settings, *, clock: Clock | None = None) -> Iterator[Services]:
    """Open the workspace for one command or one run of a page."""
    the_clock = clock or Clock(settings.source_date_epoch)
    with Workspace(settings.db) as workspace:
        yield Services(workspace, the_clock, settings.reviewer)
