"""Sharing an audit: who takes part and how, who gets which task, and sending a review back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import ValidationError

from audit_app.domain.assigning import spread_evenly
from audit_app.domain.team import Assignment, Mode, SendBack, TeamSettings
from audit_app.errors import InputError
from audit_app.services.clock import Clock
from audit_app.services.judgement_rules import first_problem
from audit_app.services.queue_rows import QueueReader
from audit_app.services.team_changes import Consequences
from audit_app.services.team_standing import PersonStanding, people_standing
from audit_app.storage.audits import AuditRepository
from audit_app.storage.reviews import ReviewRepository
from audit_app.storage.standing import StandingRepository
from audit_app.storage.team import TeamRepository
from audit_app.storage.workspace import Workspace

_LONGEST_NAME = 200


@dataclass(frozen=True)
class TeamChange:
    """What is to change in the settings; None leaves it as it is."""

    mode: Mode | None = None
    reviews_per_task: int | None = None
    lease_minutes: int | None = None
    reviewers: tuple[str, ...] | None = None
    adjudicators: tuple[str, ...] | None = None
    planted_share: float | None = None


@dataclass(frozen=True)
class TeamChanged:
    """Settings that were saved.

    Attributes:
        settings: As they stand now.
        consequences: What follows for work done before, in sentences.
    """

    settings: TeamSettings
    consequences: tuple[str, ...]


class TeamService:
    """Sets up and reads the team of one audit.

    Args:
        workspace: The open workspace.
        clock: The time and fresh ids.
        person: Who sets it up.
        audit: Name of the audit.
    """

    def __init__(self, workspace: Workspace, clock: Clock, person: str, audit: str) -> None:
        self._workspace, self._clock, self._person = workspace, clock, person
        self._audit = AuditRepository(workspace).find(audit)
        self._team = TeamRepository(workspace, self._audit.id)
        self._reviews = ReviewRepository(workspace, self._audit.id)

    def settings(self) -> TeamSettings:
        """The settings as they stand."""
        return self._team.settings()

    def change(self, change: TeamChange) -> TeamChanged:
        """Save changed settings; work done before stays, and what follows for it is said.

        Raises:
            InputError: The settings do not hold together, or a name cannot be one.
        """
        before = self._team.settings()
        wanted = {name: value for name, value in vars(change).items() if value is not None}
        for names in (wanted.get("reviewers", ()), wanted.get("adjudicators", ())):
            _require_names(names)
        try:
            settings = TeamSettings.model_validate(
                before.model_dump()
                | {
                    n: tuple(dict.fromkeys(v)) if isinstance(v, tuple) else v
                    for n, v in wanted.items()
                }
            )
        except ValidationError as error:
            raise InputError(f"the team was not changed: {first_problem(error)}") from error
        if settings == before:
            return TeamChanged(before, ())
        self._team.set(
            settings, id_=self._clock.new_id(), set_at=self._clock.now(), set_by=self._person
        )
        done = Consequences.of(self._workspace, self._audit.id)
        return TeamChanged(settings, tuple(done.sentences(before, settings)))

    def standing(self) -> list[PersonStanding]:
        """How far everybody is who may review or has, by name."""
        return people_standing(self._workspace, self._audit.id, self._clock.now())

    def assign(
        self, task_ids: Sequence[str], reviewers: Sequence[str], *, take_back: bool = False
    ) -> int:
        """Give tasks to reviewers, or take them back; how many pairs changed.

        Raises:
            InputError: A task is not in the sample, or a person is not among the reviewers.
        """
        team, queue = self._team.settings(), self._queue()
        unknown = [task for task in task_ids if task not in queue]
        if unknown:
            raise InputError(f"nothing was assigned: {unknown[0]!r} is not in this sample")
        if not take_back:
            self._require_reviewers(team, reviewers)
        pairs = [
            (task, who) for task in dict.fromkeys(task_ids) for who in dict.fromkeys(reviewers)
        ]
        return self._store(pairs, is_assigned=not take_back)

    def assign_evenly(self, reviewers: Sequence[str] = (), *, seed: str) -> int:
        """Give each task to as many reviewers as have to judge it, all with as many tasks.

        A task keeps those it is assigned to already, and those who judged it.

        Args:
            reviewers: Among whom; by default the reviewers that are named.
            seed: Text; same seed, same assignments.

        Raises:
            InputError: There are fewer reviewers than reviews per task, or one is not named.
        """
        team = self._team.settings()
        names = list(dict.fromkeys(reviewers or team.reviewers))
        if len(names) < team.reviews_per_task:
            raise InputError(
                f"nothing was assigned: {team.reviews_per_task} reviews per task need as many "
                f"reviewers, and {len(names)} are named"
            )
        self._require_reviewers(team, names)
        kept = {task: set(people) for task, people in self._team.assigned().items()}
        for task, person in StandingRepository(self._workspace, self._audit.id).pairs():
            kept.setdefault(task, set()).add(person)
        pairs = spread_evenly(
            self._queue(), names, each=team.reviews_per_task, kept=kept, seed=seed
        )
        return self._store(pairs, is_assigned=True)

    def take_back_all(self) -> int:
        """Take every assignment back; how many there were."""
        pairs = [(t, who) for t, people in self._team.assigned().items() for who in sorted(people)]
        return self._store(pairs, is_assigned=False)

    def short_handed(self) -> int:
        """Tasks that are assigned to fewer people than have to judge them."""
        each = self._team.settings().reviews_per_task
        return sum(len(people) < each for people in self._team.assigned().values())

    def _queue(self) -> tuple[str, ...]:
        return QueueReader(self._workspace, self._audit.id, self._person).order().ids

    def _require_reviewers(self, team: TeamSettings, people: Iterable[str]) -> None:
        _require_names(people)
        for person in people:
            if not team.may_review(person):
                raise InputError(
                    f"nothing was assigned: {person} is not among the reviewers "
                    f"({', '.join(team.reviewers)})"
                )

    def _store(self, pairs: Iterable[tuple[str, str]], *, is_assigned: bool) -> int:
        standing = self._team.assigned()
        now = self._clock.now()
        changed = [
            Assignment(
                id=self._clock.new_id(),
                task_id=task,
                reviewer=person,
                is_assigned=is_assigned,
                assigned_at=now,
                assigned_by=self._person,
            )
            for task, person in pairs
            if (person in standing.get(task, ())) != is_assigned
        ]
        if changed:
            self._team.assign(changed)
        return len(changed)

    def send_back(self, task_id: str, reviewer: str, reason: str) -> SendBack:
        """Return a reviewer's standing review of a task, to be judged again.

        Raises:
            InputError: There is no reason, or no such review stands.
            ConflictError: It was sent back already and is not answered yet.
        """
        review = self._reviews.standing(reviewer, [task_id]).get(task_id)
        if review is None:
            raise InputError(f"not sent back: no review of {task_id!r} by {reviewer} stands")
        try:
            send_back = SendBack(
                id=self._clock.new_id(),
                task_id=task_id,
                reviewer=reviewer,
                review_id=review.id,
                reason=reason.strip(),
                sent_at=self._clock.now(),
                sent_by=self._person,
            )
        except ValidationError as error:
            raise InputError(f"not sent back: {first_problem(error)}") from error
        self._team.send_back(send_back)
        return send_back


def _require_names(names: Iterable[str]) -> None:
    for name in names:
        if not name or name != name.strip() or len(name) > _LONGEST_NAME or not name.isprintable():
            raise InputError(
                f"{name[:80]!r} cannot name a person: use 1 to {_LONGEST_NAME} printable "
                "characters without space around them"
            )
