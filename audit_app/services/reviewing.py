"""The review screen's service: the queue, one task, and filing what the reviewer did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from audit_app.domain.benchmark import BenchmarkVersion, Output, Task
from audit_app.domain.planted import PlantedTask
from audit_app.domain.record import Json
from audit_app.domain.review import Review
from audit_app.domain.team import TeamSettings
from audit_app.errors import NotFoundError
from audit_app.services.clock import Clock
from audit_app.services.filing import Filing
from audit_app.services.handing_out import HandOut
from audit_app.services.judging import Ack, Left, QueueItem, Recent, what_is_left
from audit_app.services.key_trial import KeyRequest, KeyTrial, try_key
from audit_app.services.planted_views import outputs_as_planted, task_as_planted
from audit_app.services.queue_items import queue_items, recent_judgements
from audit_app.services.queue_rows import QueueReader, situation
from audit_app.services.regrade import RegradeService
from audit_app.services.task_grading import TaskGrader
from audit_app.services.task_views import TaskView, group_outputs
from audit_app.services.view_grading import screen_grader
from audit_app.storage.audits import AuditRepository, StoredAudit
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.outputs import OutputRepository
from audit_app.storage.planted import PlantedRepository
from audit_app.storage.reviews import ReviewRepository
from audit_app.storage.workspace import Workspace


@dataclass(frozen=True)
class Desk:
    """Everything a reviewer's screen shows besides the task itself.

    Attributes:
        audit: The audit.
        benchmark: The version it is pinned to.
        team: How the audit is shared.
        queue: The sample in the order of the work: stage by stage, stratum by stratum.
        drafts: Task id → unfinished form.
        recent: The reviewer's last standing judgements, the one saved last first.
        left: How many tasks of the queue stand where.
        locked: Why this person cannot judge here at all; empty where they can.
    """

    audit: StoredAudit
    benchmark: BenchmarkVersion
    team: TeamSettings
    queue: tuple[QueueItem, ...]
    drafts: Mapping[str, Json]
    recent: tuple[Recent, ...]
    left: Left
    locked: str = ""


class ReviewService:
    """Shows tasks to one reviewer and files the judgements.

    Args:
        workspace: The open workspace.
        clock: The time and fresh ids.
        reviewer: Who judges.
        audit: Name of the audit.
        cache: Where fetched packages lie, for grading multi-turn tasks.
    """

    def __init__(
        self,
        workspace: Workspace,
        clock: Clock,
        reviewer: str,
        audit: str,
        cache: Path = Path(),
    ) -> None:
        self._workspace, self._cache = workspace, cache
        self._clock, self._reviewer = clock, reviewer
        self._audit = AuditRepository(workspace).find(audit)
        self._reviews = ReviewRepository(workspace, self._audit.id)
        self._benchmarks = BenchmarkRepository(workspace)
        self._outputs = OutputRepository(workspace, self._audit.benchmark)
        self._reader = QueueReader(workspace, self._audit.id, reviewer)

    def hold(self, at: str, *, ahead: int, coming: Sequence[str] = ()) -> None:
        """Take or renew the reviewer's leases on the task on screen and on the open ones after it.

        Args:
            at: The task on screen, empty for none.
            ahead: How many open tasks besides it; fewer where others are at work.
            coming: Those to which the screen advances, where a filter decides it.
        """
        hand_out = HandOut(
            self._workspace, self._clock, self._reviewer, self._audit.id, reader=self._reader
        )
        hand_out.hold(at, ahead=ahead, coming=coming)

    def desk(self) -> Desk:
        """The queue with its states, drafts and recent judgements."""
        rows = self._reader.rows()
        queue = queue_items(rows, situation(rows, self._reviewer, self._clock.now()))
        is_named = rows.team.may_review(self._reviewer)
        return Desk(
            audit=self._audit,
            benchmark=self._benchmarks.by_key(self._audit.benchmark).version,
            team=rows.team,
            queue=queue,
            drafts=self._reviews.drafts(self._reviewer),
            recent=recent_judgements(rows),
            left=what_is_left(queue),
            locked="" if is_named else f"{self._reviewer} is not among the reviewers of this audit",
        )

    def my_reviews(self, task_ids: Iterable[str]) -> dict[str, Review]:
        """Task id → the reviewer's standing judgement, whole."""
        return self._reviews.standing(self._reviewer, task_ids)

    def task_view(self, task_id: str) -> TaskView:
        """One task with its key, documents and outputs; a planted check as it is shown to people.

        Raises:
            NotFoundError: The benchmark has no such task.
        """
        key = self._audit.benchmark
        stored = self._benchmarks.task(key, task_id)
        task, outputs = self._as_shown(stored, self._outputs.of_task(task_id))
        return TaskView(
            task=task,
            entries=self._benchmarks.entries(key, task_id),
            documents=self._benchmarks.documents(key, task.documents),
            groups=group_outputs(task, outputs, self._grader),
            stratum=self._stratum(task_id),
            simulated=self._simulated,
        )

    def _as_shown(self, task: Task, outputs: list[Output]) -> tuple[Task, list[Output]]:
        planted = self._planted.get(task.id)
        if planted is None:
            return task, outputs
        return task_as_planted(task, planted), outputs_as_planted(
            task, planted, outputs, self._grader
        )

    def _stratum(self, task_id: str) -> str:
        order = self._reader.order()
        position = order.position.get(task_id)
        return "" if position is None else order.places[position].stratum

    @cached_property
    def _planted(self) -> Mapping[str, PlantedTask]:
        """Task id → the planted check on it, for the checks in this queue."""
        position = self._reader.order().position
        planted = PlantedRepository(self._workspace, self._audit.id).all()
        return {check.task_id: check for check in planted if check.task_id in position}

    @cached_property
    def _simulated(self) -> bool:
        return any(source.simulated for source in self._outputs.sources())

    @cached_property
    def _grader(self) -> TaskGrader:
        benchmark = self._benchmarks.by_key(self._audit.benchmark)
        return screen_grader(self._workspace, benchmark, self._cache)

    def try_key(self, request: KeyRequest) -> KeyTrial:
        """What a proposed key would do to the outputs of a task; nothing is stored."""
        regrade = RegradeService(self._workspace, self._audit.name, grader=self._grader)
        try:
            task = self._benchmarks.task(self._audit.benchmark, request.task_id)
        except NotFoundError as error:
            return KeyTrial(request, request.text, error=str(error))
        planted = self._planted.get(task.id)
        if planted is None:
            return try_key(task, request, regrade.flips)
        shown, outputs = self._as_shown(task, self._outputs.of_task(task.id))
        return try_key(shown, request, lambda _, text: regrade.flips_as_shown(shown, outputs, text))

    def apply(self, actions: Iterable[Mapping[str, Any]]) -> list[Ack]:
        """File what the browser sent, in order; each action is answered for itself.

        An action that was filed before changes nothing and is acknowledged again.
        """
        filing = Filing(
            self._workspace, self._clock, self._reviewer, self._audit, reader=self._reader
        )
        return filing.apply(actions)
