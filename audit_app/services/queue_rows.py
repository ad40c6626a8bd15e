"""Reading where the tasks of a queue stand for one reviewer, at one moment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path

from audit_app.domain.handing_out import Lease
from audit_app.domain.review import Judgement
from audit_app.domain.team import TeamSettings
from audit_app.services.judging import TaskState
from audit_app.services.queue_order import QueueOrder, queue_order
from audit_app.storage.standing import StandingJudgement, StandingRepository
from audit_app.storage.team import TeamRepository
from audit_app.storage.workspace import Workspace


@dataclass(frozen=True)
class QueueRows:
    """What is stored about one reviewer's queue.

    Attributes:
        version: Mark of the workspace when it was read.
        team: How the audit is shared.
        order: The queue.
        mine: Task id → the reviewer's standing judgement, in the order of saving.
        others: Task id → how many standing reviews it has by others.
        leases: Every lease on a task that its holder has not judged.
        assigned: Task id → who has it assigned, where anybody has.
        returned: Id of a review of the reviewer → why it was sent back.
        skipped: Tasks that stand skipped, with the time.
        second_look: Tasks marked for a second look.
    """

    version: tuple[int, int]
    team: TeamSettings
    order: QueueOrder
    mine: Mapping[str, StandingJudgement]
    others: Mapping[str, int]
    leases: tuple[Lease, ...]
    assigned: Mapping[str, frozenset[str]]
    returned: Mapping[str, str]
    skipped: Mapping[str, datetime]
    second_look: frozenset[str]


_assigned: dict[tuple[Path, str], tuple[int, Mapping[str, frozenset[str]]]] = {}
"""Assignments of each audit as last read: there are as many as tasks, and they seldom change."""

_judgements: dict[tuple[Path, str, str], dict[str, StandingJudgement]] = {}
"""Audit and reviewer → judgements by id, as read before: a stored review never changes."""


class QueueReader:
    """Reads the queue of one reviewer; again only where the workspace changed since.

    Args:
        workspace: The open workspace.
        audit_id: UUID of the audit.
        reviewer: Whose queue.
    """

    def __init__(self, workspace: Workspace, audit_id: str, reviewer: str) -> None:
        self._workspace, self._audit, self._reviewer = workspace, audit_id, reviewer
        self._place = (workspace.path.absolute(), audit_id)
        self._team = TeamRepository(workspace, audit_id)
        self._standing = StandingRepository(workspace, audit_id)
        self._rows: QueueRows | None = None

    def rows(self) -> QueueRows:
        """What is stored now."""
        version = self._workspace.version()
        if self._rows is None or self._rows.version != version:
            self._rows = self._read(version)
        return self._rows

    def order(self) -> QueueOrder:
        """The queue without anybody's work."""
        team = self._team.settings()
        return queue_order(
            self._workspace, self._audit, self._reviewer, with_planted=team.planted_share > 0
        )

    def renew_leases(self) -> None:
        """Read the leases again, after this process changed nothing else."""
        if self._rows is not None:
            self._rows = replace(
                self._rows,
                version=self._workspace.version(),
                leases=tuple(self._team.leases()),
            )

    def _read(self, version: tuple[int, int]) -> QueueRows:
        skipped, second_look = self._standing.marks(self._reviewer)
        return QueueRows(
            version=version,
            team=self._team.settings(),
            order=self.order(),
            mine=self._mine(),
            others=self._standing.others(self._reviewer),
            leases=tuple(self._team.leases()),
            assigned=self._assignments(),
            returned=self._team.returned_to(self._reviewer),
            skipped=skipped,
            second_look=second_look,
        )

    def _mine(self) -> dict[str, StandingJudgement]:
        known = _judgements.setdefault((*self._place, self._reviewer), {})
        ids = self._standing.standing_ids(self._reviewer)
        missing = [id_ for id_ in ids if id_ not in known]
        if missing:
            known |= {row.review_id: row for row in self._standing.judgements(missing)}
        return {(row := known[id_]).task_id: row for id_ in ids}

    def _assignments(self) -> Mapping[str, frozenset[str]]:
        version = self._team.assignments_version()
        known = _assigned.get(self._place)
        if known is None or known[0] != version:
            known = _assigned[self._place] = version, self._team.assigned()
        return known[1]


@dataclass(frozen=True)
class Situation:
    """Where each task stands for one reviewer at one moment.

    Attributes:
        states: Of the tasks in queue order.
        held: Task id → live lease of the reviewer.
        others_at_work: Other people with a live lease.
        dead: Leases that hold no more.
    """

    states: tuple[TaskState, ...]
    held: Mapping[str, Lease]
    others_at_work: frozenset[str]
    dead: tuple[Lease, ...]


def situation(rows: QueueRows, reviewer: str, now: datetime) -> Situation:
    """Where each task stands for a reviewer."""
    length = timedelta(minutes=rows.team.lease_minutes)
    live = [lease for lease in rows.leases if lease.is_live(now, length)]
    held = {lease.task_id: lease for lease in live if lease.reviewer == reviewer}
    leased: dict[str, int] = {}
    for lease in live:
        if lease.reviewer != reviewer:
            leased[lease.task_id] = leased.get(lease.task_id, 0) + 1
    return Situation(
        states=_states(rows, reviewer, held, leased),
        held=held,
        others_at_work=frozenset(lease.reviewer for lease in live if lease.reviewer != reviewer),
        dead=tuple(set(rows.leases) - set(live)),
    )


def _states(
    rows: QueueRows, reviewer: str, held: Mapping[str, Lease], leased: Mapping[str, int]
) -> tuple[TaskState, ...]:
    limit, is_reviewer = rows.team.reviews_per_task, rows.team.may_review(reviewer)
    anyone = frozenset((reviewer,))

    def state(task: str) -> TaskState:
        mine = rows.mine.get(task)
        if mine is not None:
            if mine.review_id in rows.returned:
                return TaskState.RETURNED
            is_defect = mine.judgement is Judgement.DEFECT
            return TaskState.DEFECT if is_defect else TaskState.CLEAN
        done = rows.others.get(task, 0)
        if done >= limit:
            return TaskState.CLOSED
        if not is_reviewer or reviewer not in rows.assigned.get(task, anyone):
            return TaskState.TAKEN
        if task not in held and done + leased.get(task, 0) >= limit:
            return TaskState.TAKEN
        return TaskState.SKIPPED if task in rows.skipped else TaskState.OPEN

    return tuple(map(state, rows.order.ids))
