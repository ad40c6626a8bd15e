"""What evidence is graded with: the tasks of an audit as people see them, and a grader."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path

from audit_app.domain.benchmark import Task
from audit_app.domain.evidence import Evidence, TrialGrades
from audit_app.domain.live_jobs import Job, StoredTrial
from audit_app.domain.planted import PlantedTask
from audit_app.errors import InputError
from audit_app.scoring.rules import RULE_SETS, V4
from audit_app.services.evidence_grades import differences, grade_trials, under_key
from audit_app.services.live_grading import TrialGrader
from audit_app.services.planted_views import task_as_planted
from audit_app.services.view_grading import kept_simulator
from audit_app.storage.audits import StoredAudit
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.planted import PlantedRepository
from audit_app.storage.workspace import Workspace


class EvidenceBench:
    """Tasks of one audit as people see them, and their grader.

    Args:
        workspace: The open workspace.
        audit: The audit.
        cache: Where the fetched package with the simulators may lie.
    """

    def __init__(self, workspace: Workspace, audit: StoredAudit, cache: Path) -> None:
        self._benchmarks, self._key = BenchmarkRepository(workspace), audit.benchmark
        self._planted_rows = PlantedRepository(workspace, audit.id)
        self._audit, self._cache = audit.name, cache

    def require_job(self, job: Job) -> None:
        """Refuse a job whose trials are of other tasks.

        Raises:
            InputError: It ran tasks of another benchmark version.
        """
        if job.benchmark != self._key:
            version = self._benchmarks.by_key(job.benchmark).version
            raise InputError(
                f"job {job.id} ran tasks of {version.name} {version.version}, and audit "
                f"{self._audit!r} is of another benchmark version"
            )

    def shown(self, task_id: str) -> Task:
        """The task with the key that reviewers see."""
        task = self._benchmarks.task(self._key, task_id)
        planted = self._planted.get(task_id)
        return task if planted is None else task_as_planted(task, planted)

    @cached_property
    def _planted(self) -> Mapping[str, PlantedTask]:
        return {check.task_id: check for check in self._planted_rows.all()}

    @cached_property
    def _rules(self) -> str:
        rules = self._benchmarks.by_key(self._key).version.rules
        return rules if rules in RULE_SETS else V4.version

    @cached_property
    def _grader(self) -> TrialGrader:
        return TrialGrader(self._rules, kept_simulator(self._cache))

    def grades(
        self, job: Job, trials: Sequence[StoredTrial], task: Task, corrected: Task | None
    ) -> TrialGrades:
        """What trials come to under both keys."""
        return grade_trials(self._grader, job, trials, task, corrected, rules=self._rules)

    def again(
        self, evidence: Evidence, job: Job, trials: Sequence[StoredTrial], task: Task
    ) -> tuple[Task | None, tuple[str, ...]]:
        """The task under the proposed key, and what grading again says otherwise."""
        missing = len(evidence.grades.runs) - len(trials)
        if missing:
            return None, (f"{missing} of its {len(evidence.grades.runs)} trials are not stored",)
        corrected = None
        if evidence.proposed_key is not None:
            try:
                corrected = under_key(task, evidence.proposed_key)
            except InputError as error:
                return None, (f"its proposed key is no key: {error}",)
        now = self.grades(job, trials, task, corrected)
        return corrected, differences(evidence.grades, now)
