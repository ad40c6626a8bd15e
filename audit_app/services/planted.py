"""Planted checks of one audit: planting them, and what reviewers made of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path

from audit_app.controls.known_clean import KnownClean
from audit_app.domain.planted import PlantedTask
from audit_app.domain.review import Review, current_reviews
from audit_app.domain.settling import settle
from audit_app.errors import ConflictError, InputError
from audit_app.services.audits import AuditService, AuditView
from audit_app.services.clock import Clock
from audit_app.services.judging import Left
from audit_app.services.planted_results import (
    CheckFigures,
    PlantedResults,
    Scope,
    check_figures,
    corrected_by_checks,
)
from audit_app.services.planting import Planter, require_share
from audit_app.services.reviewing import ReviewService
from audit_app.stats.reviewer_checks import Judged
from audit_app.storage.audits import AuditRepository
from audit_app.storage.planted import PlantedRepository
from audit_app.storage.reviews import ReviewRepository
from audit_app.storage.workspace import Workspace


class PlantedService:
    """Plants checks in one audit, and shows the results to those who may see them.

    Args:
        workspace: The open workspace.
        clock: The time and fresh ids.
        person: Who asks.
        audit: Name of the audit.
        cache: Where fetched packages lie.
    """

    def __init__(
        self,
        workspace: Workspace,
        clock: Clock,
        person: str,
        audit: str,
        cache: Path = Path(),
    ) -> None:
        self._workspace, self._clock, self._person = workspace, clock, person
        self._name, self._cache = audit, cache
        self._audits = AuditService(workspace, clock, person)

    @cached_property
    def _view(self) -> AuditView:
        return self._audits.view(self._name)

    @cached_property
    def _checks(self) -> PlantedRepository:
        audit = AuditRepository(self._workspace).find(self._name)
        return PlantedRepository(self._workspace, audit.id)

    def plant(self, seed: str, listed: Sequence[KnownClean] = ()) -> list[PlantedTask]:
        """Plant the checks that the audit's settings ask for, once and for all.

        Args:
            seed: Text; same seed, same checks. Whoever knows it can tell them.
            listed: Tasks that are known to be clean; used before any others.

        Raises:
            ConflictError: Checks are planted already.
            InputError: The settings ask for none, or too few tasks can be planted.
        """
        share = require_share(self._view.team.planted_share)
        if self._checks.all():
            raise ConflictError(
                f"checks are planted in {self._name!r} already; they stay as they are"
            )
        planter = Planter(self._workspace, self._audits, self._view, self._cache)
        checks = planter.checks(seed, listed, share)
        planted = [planter.planted(check, self._clock, self._person) for check in checks]
        self._checks.add_all(planted)
        return planted

    def are_planted(self) -> bool:
        """Whether checks are mixed into the queues."""
        return bool(self._checks.all())

    def blind_note(self) -> str:
        """Why the person may not see which tasks are sampled; empty where nothing is hidden."""
        if not self._checks.all() or not self._view.team.may_review(self._person):
            return ""
        waiting = _waiting(self._left(self._person))
        if not waiting:
            return ""
        left = "1 task still waits" if waiting == 1 else f"{waiting} tasks still wait"
        return (
            "Checks are mixed into your queue, so what tells the sample from them is shown once "
            f"you are through: {left}."
        )

    def require_open(self, what: str) -> None:
        """Refuse what names the sampled tasks to someone who may not tell them yet.

        Raises:
            InputError: ``what`` is not done, with the reason.
        """
        if note := self.blind_note():
            raise InputError(f"{what}: {note}")

    def results(self) -> PlantedResults | None:
        """The results that the person may see; None where no check is planted."""
        planted = self._checks.all()
        if not planted:
            return None
        scope, hidden = self._scope()
        return PlantedResults(
            planted=len(planted),
            sampled=len(self._view.sample.task_ids),
            scope=scope,
            hidden=hidden,
            figures=None if scope is Scope.NONE else self._figures(planted, scope),
        )

    def _left(self, reviewer: str) -> Left:
        desk = ReviewService(self._workspace, self._clock, reviewer, self._name, self._cache)
        return desk.desk().left

    def _scope(self) -> tuple[Scope, str]:
        team = self._view.team
        if not team.may_review(self._person):
            return Scope.ALL, ""
        if note := self.blind_note():
            return Scope.NONE, note
        judging = {r.reviewer for r in self._standing} if not team.reviewers else team.reviewers
        others = sorted(set(judging) - {self._person})
        waiting = [name for name in others if _waiting(self._left(name))]
        if not waiting:
            return Scope.ALL, ""
        return Scope.OWN, (
            "These are your own judgements; those of others show once everybody is through. "
            f"Still judging: {', '.join(waiting)}."
        )

    @cached_property
    def _standing(self) -> list[Review]:
        return current_reviews(ReviewRepository(self._workspace, self._view.audit.id).all())

    def _figures(self, planted: Sequence[PlantedTask], scope: Scope) -> CheckFigures:
        corrected = None
        if scope is Scope.ALL:
            corrected = corrected_by_checks(self._view, planted, self.settled_checks())
        return check_figures(planted, self._judged(planted, scope), corrected)

    def _judged(self, planted: Iterable[PlantedTask], scope: Scope) -> list[Judged]:
        checks = {p.task_id: p for p in planted}
        return [
            self._reading(checks[review.task_id], review)
            for review in self._standing
            if review.task_id in checks and scope in (Scope.ALL, _own(review, self._person))
        ]

    def _reading(self, check: PlantedTask, review: Review) -> Judged:
        least = self._least
        family = check.cause[:1]
        named = [f.cause for f in review.findings if f.counts(min_severity=least) and f.cause]
        return Judged(
            task_id=check.task_id,
            kind=check.kind,
            reviewer=review.reviewer,
            is_defective=review.is_defective(min_severity=least),
            is_cause_right=bool(family) and any(c.startswith(family) for c in named),
        )

    @property
    def _least(self) -> int:
        return self._view.audit.rubric.counting.min_severity

    def settled_checks(self) -> dict[str, bool]:
        """Task id → whether its settled judgement finds a defect, for the settled checks."""
        ids = {check.task_id for check in self._checks.all()}
        of_checks = [review for review in self._standing if review.task_id in ids]
        view, least = self._view, self._least
        settled = settle(view.team, of_checks, (), view.send_backs, min_severity=least)
        return {t: review.is_defective(min_severity=least) for t, review in settled.items()}


def _own(review: Review, person: str) -> Scope | None:
    return Scope.OWN if review.reviewer == person else None


def _waiting(left: Left) -> int:
    """Tasks of a queue that its reviewer may still judge."""
    return left.open + left.returned + left.skipped + left.taken
