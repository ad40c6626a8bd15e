"""One open workspace with every service a page or a command may ask."""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypeVar

from audit_app.domain.conditions import Endpoint
from audit_app.errors import WorkspaceError
from audit_app.services.adjudication import AdjudicationService
from audit_app.services.audit_transfer import AuditTransferService
from audit_app.services.audits import AuditService
from audit_app.services.benchmarks import BenchmarkService
from audit_app.services.browsing import BrowsingService, browsed_benchmark
from audit_app.services.carrying import CarryingService
from audit_app.services.clock import Clock
from audit_app.services.comparison import ComparisonService
from audit_app.services.courses import CourseService
from audit_app.services.dossiers import DossierService
from audit_app.services.evidence import EvidenceService
from audit_app.services.impact import ImpactService
from audit_app.services.live_trials import LiveTrialService
from audit_app.services.outcomes import OutcomeService
from audit_app.services.patches import PatchService
from audit_app.services.planted import PlantedService
from audit_app.services.reports import ReportService
from audit_app.services.review_files import ReviewFileService
from audit_app.services.reviewing import ReviewService
from audit_app.services.rubrics import RubricService
from audit_app.services.scoring import ScoringService
from audit_app.services.team import TeamService
from audit_app.services.verification import Verification, verify
from audit_app.settings import Settings
from audit_app.storage.people import known_names
from audit_app.storage.workspace import Workspace

T = TypeVar("T")


@dataclass(frozen=True)
class Services:
    """The services of one open workspace, for one person.

    Attributes:
        workspace: The open file.
        clock: The time and fresh ids.
        person: Who is recorded with what is done.
        cache: Where fetched packages lie.
        endpoints: Where models may be called.
    """

    workspace: Workspace
    clock: Clock
    person: str
    cache: Path = Path()
    endpoints: tuple[Endpoint, ...] = ()

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
        return ReportService(self.workspace, self.clock, self.person, self.cache)

    @cached_property
    def scoring(self) -> ScoringService:
        """Grading outputs as the benchmark itself would."""
        return ScoringService(self.workspace, self.clock, self.person, self.cache)

    @cached_property
    def impacts(self) -> ImpactService:
        """What confirmed defects do to the leaderboard."""
        return ImpactService(self.workspace, self.clock, self.person, self.cache)

    @cached_property
    def patches(self) -> PatchService:
        """Confirmed findings as changes of the benchmark's key files."""
        return PatchService(self.workspace, self.clock, self.person, self.cache)

    @cached_property
    def live(self) -> LiveTrialService:
        """Live trials: planning, running and reading them."""
        return LiveTrialService(self.workspace, self.clock, self.person, self.cache, self.endpoints)

    @cached_property
    def evidence(self) -> EvidenceService:
        """Trials attached to findings."""
        return EvidenceService(self.workspace, self.clock, self.person, self.cache)

    @cached_property
    def transfers(self) -> AuditTransferService:
        """Whole audits out as folders, and in."""
        return AuditTransferService(self.workspace, self.clock, self.person, self.cache)

    @cached_property
    def dossiers(self) -> DossierService:
        """Recording what stands beside reviews and answers."""
        return DossierService(self.workspace, self.clock, self.person)

    @cached_property
    def courses(self) -> CourseService:
        """Stopping, targeted tasks, another rubric, the history of verdicts."""
        return CourseService(self.workspace, self.clock, self.person)

    @cached_property
    def carrying(self) -> CarryingService:
        """Continuing an audit on another version of its benchmark."""
        return CarryingService(self.workspace, self.clock, self.person)

    @cached_property
    def comparisons(self) -> ComparisonService:
        """Several audits side by side."""
        return ComparisonService(self.workspace, self.clock, self.person)

    def reviewing(self, audit: str) -> ReviewService:
        """The review screen of one audit."""
        return ReviewService(self.workspace, self.clock, self.person, audit, self.cache)

    def outcomes(self, audit: str) -> OutcomeService:
        """How models did on the tasks of one audit."""
        return OutcomeService(self.workspace, audit, self.cache)

    def team(self, audit: str) -> TeamService:
        """How one audit is shared."""
        return TeamService(self.workspace, self.clock, self.person, audit)

    def adjudicating(self, audit: str) -> AdjudicationService:
        """The adjudicator's page of one audit."""
        return AdjudicationService(self.workspace, self.clock, self.person, audit, self.cache)

    def planted(self, audit: str) -> PlantedService:
        """Planted checks of one audit."""
        return PlantedService(self.workspace, self.clock, self.person, audit, self.cache)

    def browsing(self, *, benchmark: str = "", audit: str = "") -> BrowsingService:
        """Every task of a benchmark, or of the version that an audit is pinned to."""
        stored = browsed_benchmark(self.workspace, benchmark=benchmark, audit=audit)
        return BrowsingService(self.workspace, stored, self._queued, self.cache)

    def _queued(self, audit: str) -> frozenset[str]:
        return frozenset(item.task_id for item in self.reviewing(audit).desk().queue)

    def people(self) -> list[str]:
        """Names that the workspace knows, of reviewers and adjudicators."""
        return known_names(self.workspace)

    def verify(self) -> Verification:
        """Proof that what is stored holds."""
        return verify(self.workspace, self.clock, self.cache)


def workspace_exists(settings: Settings) -> bool:
    """Whether the workspace file is there.

    Raises:
        WorkspaceError: What the path names can be no workspace file.
    """
    try:
        mode = settings.db.stat().st_mode
    except FileNotFoundError:
        return False
    except OSError as error:
        raise WorkspaceError(f"{settings.db} cannot be opened: {error.strerror}") from error
    if not stat.S_ISREG(mode):
        raise WorkspaceError(f"{settings.db} is no file, so it cannot be a workspace")
    return True


def make_workspace(
    settings: Settings, fill: Callable[[Services], T], *, clock: Clock | None = None
) -> T:
    """Make a workspace file that holds what ``fill`` puts there, or none.

    The file is made beside its place and moved there whole, so that what fails or is cut short
    leaves nothing behind that looks like a workspace.

    Raises:
        FileExistsError: Another process made it meanwhile.
        WorkspaceError: It cannot be made.
    """
    place = Path(os.path.realpath(settings.db))  # through a link to where nothing is yet
    try:
        with tempfile.TemporaryDirectory(dir=place.parent, prefix=".assay-") as folder:
            made = Path(folder) / place.name
            with open_services(settings, clock=clock, made_at=made) as services:
                filled = fill(services)
                services.workspace.fold_log()
            _move_new(made, place)
    except FileExistsError:
        raise
    except OSError as error:
        raise WorkspaceError(f"{settings.db} cannot be made: {error.strerror}") from error
    return filled


def _move_new(made: Path, place: Path) -> None:
    """Move a file to where none is."""
    try:
        os.link(made, place)  # unlike a rename, never replaces a file
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if place.exists():
            raise FileExistsError from None
        made.rename(place)


def in_workspace(settings: Settings, work: Callable[[Services], T]) -> T:
    """Do something in the workspace, making it if that succeeds."""
    if not workspace_exists(settings):
        try:
            return make_workspace(settings, work)
        except FileExistsError:
            pass  # another process was quicker: it is done again, there
    with open_services(settings) as services:
        return work(services)


@contextmanager
def open_services(
    settings: Settings, *, clock: Clock | None = None, made_at: Path | None = None
) -> Iterator[Services]:
    """Open the workspace for one command or one run of a page, or where it is being made."""
    the_clock = clock or Clock(settings.source_date_epoch)
    with Workspace(settings.db, made_at=made_at) as workspace:
        yield Services(workspace, the_clock, settings.reviewer, settings.cache, settings.endpoints)
