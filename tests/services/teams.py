"""An audit that several people share, and what each does in a process of its own."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from multiprocessing.context import ForkServerContext
from pathlib import Path
from typing import Any
from uuid import uuid4

from audit_app.domain.team import TeamSettings
from audit_app.services.clock import Clock
from audit_app.services.context import Services, open_services
from audit_app.services.judging import QueueItem, TaskState
from audit_app.services.queue_rows import QueueReader, situation
from audit_app.services.team import TeamChange
from audit_app.settings import Settings
from tests.services.conftest import write_tasks

AUDIT = "shared"
FINDING = {"effects": ["FN"], "cause": "K1", "severity": 2, "note": "one unit is missing"}


@dataclass(frozen=True)
class MovableClock(Clock):
    """A clock that stands until it is moved."""

    times: list[datetime] = field(default_factory=lambda: [datetime(2026, 11, 29, 12, tzinfo=UTC)])

    def now(self) -> datetime:
        return self.times[-1]

    def move(self, **by: float) -> None:
        """Go on, or back."""
        self.times.append(self.times[-1] + timedelta(**by))


def processes() -> ForkServerContext:
    """Real processes that need not import everything anew."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.services.teams"])
    return context


def make_audit(folder: Path, *, tasks: int, clock: Clock | None = None) -> Settings:
    """A workspace with an audit whose sample is every task, in two strata."""
    settings = Settings(db=folder / "assay.db", reviewer="ada", cache=folder / "cache")
    with open_services(settings, clock=clock) as services:
        groups = {"ferry": tasks - tasks // 3, "kiln": tasks // 3}
        path = write_tasks(folder, groups)
        services.benchmarks.import_tasks("table", path, name="harbour")
        plan = services.audits.default_plan("harbour").model_copy(
            update={"size": tasks, "widen_to": tasks, "census_at_or_below": 0}
        )
        services.audits.create(AUDIT, "harbour", services.audits.preview("harbour", plan))
    return settings


def share(settings: Settings, **change: Any) -> TeamSettings:
    """Change the team of the audit."""
    with open_services(settings) as services:
        return services.team(AUDIT).change(TeamChange(**change)).settings


def as_person(services: Services, person: str) -> Services:
    """The same workspace for somebody else."""
    return replace(services, person=person)


def act(kind: str, task_id: str, **more: Any) -> dict[str, Any]:
    """An action as the browser sends it."""
    return {"id": str(uuid4()), "kind": kind, "task_id": task_id, **more}


def judge(services: Services, person: str, task_id: str, kind: str = "clean", **more: Any) -> str:
    """Judge a task anew, or again; the error, empty where it is stored."""
    reviewing = as_person(services, person).reviewing(AUDIT)
    before = reviewing.my_reviews([task_id]).get(task_id)
    findings = {"findings": [FINDING]} if kind == "defect" else {}
    action = act(kind, task_id, supersedes=before.id if before else None, **findings | more)
    (ack,) = reviewing.apply([action])
    return ack.error


def queue_of(services: Services, person: str) -> dict[str, QueueItem]:
    """Task id → the task as somebody sees it."""
    desk = as_person(services, person).reviewing(AUDIT).desk()
    return {item.task_id: item for item in desk.queue}


def states_of(services: Services, person: str) -> dict[str, TaskState]:
    """Task id → where it stands for somebody."""
    return {task: item.state for task, item in queue_of(services, person).items()}


def held_by(services: Services, person: str) -> list[str]:
    """Tasks on which somebody holds a live lease, in the order of the queue."""
    audit = services.audits.view(AUDIT).audit.id
    rows = QueueReader(services.workspace, audit, person).rows()
    held = situation(rows, person, services.clock.now()).held
    return sorted(held, key=rows.order.position.__getitem__)


def save_all(settings: Settings, person: str, tasks: Sequence[str], start: Any, told: Any) -> None:
    """Wait for the others, judge tasks one by one, and tell what became of each."""
    start.wait()
    errors = []
    for number, task in enumerate(tasks):
        with open_services(settings) as services:  # as each run of the page does
            kind = "defect" if number % 2 else "clean"
            errors.append(judge(services, person, task, kind))
    told.put((person, errors))


def take_in_turns(settings: Settings, person: str, rounds: int, turn: Any, told: Any) -> None:
    """Ask for the next task at the same moment as the others, judge it, and so on."""
    taken = []
    with open_services(replace(settings, reviewer=person)) as services:
        reviewing = services.reviewing(AUDIT)
        for _ in range(rounds):
            turn.wait()
            reviewing.hold("", ahead=0)
            turn.wait()  # everybody asked; only now is anything judged
            open_items = [i for i in reviewing.desk().queue if i.state is TaskState.OPEN]
            taken.append(next(item.task_id for item in open_items if item.is_held))
            (ack,) = reviewing.apply([act("clean", taken[-1])])
            assert ack.error == ""
    told.put((person, taken))


def save_then_go_on(settings: Settings, acked: str, after: Iterable[str], told: Any) -> None:
    """Judge a task, say so, and go on judging until somebody kills this process."""
    with open_services(settings) as services:
        assert judge(services, "ada", acked, "defect") == ""
        told.send(acked)
        for task in after:
            judge(services, "ada", task, "defect")
