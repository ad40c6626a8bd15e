"""The adjudicator's service: what differs, side by side, and filing what settles it.

As on the review screen an action carries an id of its own and what was on screen: the task, the
reviews it rests on and the adjudication it replaces. A repeated send changes nothing; an action
that rests on reviews which do not stand any more is refused inside the transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError

from audit_app.domain.adjudication import Adjudication, How
from audit_app.domain.benchmark import BenchmarkVersion, Task
from audit_app.domain.record import Record
from audit_app.domain.review import Finding, Judgement, Review
from audit_app.domain.settling import CaseState
from audit_app.domain.team import SendBack, TeamSettings
from audit_app.errors import AuditError, ConflictError, InputError, NotFoundError
from audit_app.services.agreement import audit_agreement
from audit_app.services.audits import AuditService, AuditView
from audit_app.services.case_board import (
    Case,
    CaseItem,
    Docket,
    build_case,
    case_item,
    dockets,
    why_no_say,
)
from audit_app.services.clock import Clock
from audit_app.services.judgement_rules import (
    first_problem,
    require_evidence,
    require_known_causes,
)
from audit_app.services.judging import Ack
from audit_app.services.reviewing import ReviewService
from audit_app.services.task_views import TaskView
from audit_app.stats.agreement_model import AgreementTable
from audit_app.storage.adjudications import AdjudicationRepository
from audit_app.storage.audits import StoredAudit
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.team import TeamRepository
from audit_app.storage.workspace import Workspace

_MAX_ID = 200
_PLANTED = "Planted checks are no cases, and are in no figure here."


@dataclass(frozen=True)
class Board:
    """Everything the adjudicator's page shows besides one case.

    Attributes:
        audit: The audit.
        benchmark: The version it is pinned to.
        team: How the audit is shared.
        items: Sampled tasks that two people judged, as far as the person may see their reviews.
        agreement: Of the reviewers whose reviews the person may see, adjudications left out.
        planted_note: What to say of planted checks; empty where there are none.
        hidden: Standing reviews left out, as the person has yet to judge their tasks.
    """

    audit: StoredAudit
    benchmark: BenchmarkVersion
    team: TeamSettings
    items: tuple[CaseItem, ...]
    agreement: AgreementTable
    planted_note: str = ""
    hidden: int = 0


class Decision(StrEnum):
    """What an adjudicator can do to a case."""

    TAKE = "take"
    """One of the reviews is right as it is."""
    OWN = "own"
    """A judgement of the adjudicator's own."""
    SEND_BACK = "send_back"
    """One review goes back to its reviewer with a reason (``note``)."""
    UNDO = "undo"
    """Takes back the adjudication that the screen showed."""


class AdjudicationAction(Record):
    """One thing an adjudicator did, as the browser sends it.

    Attributes:
        id: UUID made by the browser; becomes the id of the adjudication or send-back.
        kind: What was done.
        task_id: The task that was on screen.
        basis: Ids of the reviews that were on screen.
        review_id: The review taken or sent back.
        judgement: For ``OWN``: clean or defect.
        findings: For ``OWN``.
        note: The reason; needed for ``SEND_BACK``.
        supersedes: Id of the adjudication that was on screen, None where there was none.
    """

    id: str = Field(pattern=r"^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$")
    kind: Decision
    task_id: str
    basis: tuple[str, ...] = ()
    review_id: str | None = None
    judgement: Judgement | None = None
    findings: tuple[Finding, ...] = ()
    note: str = ""
    supersedes: str | None = None


class AdjudicationService:
    """Shows one adjudicator what differs and files what settles it.

    Args:
        workspace: The open workspace.
        clock: The time and fresh ids.
        person: Who adjudicates.
        audit: Name of the audit.
        cache: Where fetched packages lie, for grading multi-turn tasks.
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
        self._audit, self._cache = audit, cache
        self._audits = AuditService(workspace, clock, person)

    @cached_property
    def _view(self) -> AuditView:
        return self._audits.view(self._audit)

    @cached_property
    def _dockets(self) -> dict[str, Docket]:
        return dockets(self._view)

    def _items(self) -> Iterator[CaseItem]:
        for docket in self._dockets.values():
            yield case_item(self._view.team, docket, self._person)

    def _forget(self) -> None:
        """Read anew from here on: something was stored."""
        for name in ("_view", "_dockets"):
            self.__dict__.pop(name, None)

    def board(self) -> Board:
        """Every case the person may see, and the agreement of the reviewers."""
        view = self._view
        return Board(
            audit=view.audit,
            benchmark=view.benchmark,
            team=view.team,
            items=tuple(self._items()),
            agreement=audit_agreement(view),
            planted_note=_PLANTED if view.team.planted_share else "",
            hidden=view.hidden,
        )

    def case(self, task_id: str) -> Case:
        """One case.

        Raises:
            NotFoundError: The task is no case that the person may see.
        """
        docket = self._dockets.get(task_id)
        if docket is None:
            raise NotFoundError("case", task_id, "two people must have judged the task")
        return build_case(self._view.team, docket, self._person)

    def task_view(self, task_id: str) -> TaskView:
        """The task of a case with its key, documents and outputs.

        Raises:
            NotFoundError: The task is no case that the person may see.
        """
        self.case(task_id)
        reviewing = ReviewService(
            self._workspace, self._clock, self._person, self._audit, self._cache
        )
        return reviewing.task_view(task_id)

    def _task(self, task_id: str) -> Task:
        return BenchmarkRepository(self._workspace).task(self._view.audit.benchmark, task_id)

    def apply(self, actions: Iterable[Mapping[str, Any]]) -> list[Ack]:
        """File what the browser sent, in order; each action is answered for itself."""
        return [self._apply(action) for action in actions]

    def _apply(self, raw: Mapping[str, Any]) -> Ack:
        id_ = str(raw.get("id", ""))[:_MAX_ID]
        try:
            self._file(AdjudicationAction.model_validate(raw))
        except ValidationError as error:
            return Ack(id_, f"not saved: {first_problem(error)}")
        except AuditError as error:
            return Ack(id_, str(error))
        return Ack(id_)

    def _file(self, action: AdjudicationAction) -> None:
        self._forget()
        filed = [(a.id, a.task_id) for a in self._view.adjudications]
        filed += [(s.id, s.task_id) for s in self._view.send_backs]
        if (action.id, action.task_id) in filed:
            return  # a repeated send
        case = self.case(action.task_id)
        match action.kind:
            case Decision.TAKE:
                review = _shown(case, action)
                self._settle(case, action, review.judgement, review.findings, How.TOOK)
            case Decision.OWN:
                self._own(case, action)
            case Decision.SEND_BACK:
                self._send_back(case, action)
            case Decision.UNDO:
                self._undo(case, action)
        self._forget()

    def _own(self, case: Case, action: AdjudicationAction) -> None:
        if action.judgement is Judgement.CLEAN:
            require_evidence(self._task(action.task_id))
        elif action.judgement is not Judgement.DEFECT:
            raise InputError("not saved: a judgement is clean or defect")
        require_known_causes(action.findings, self._view.audit.taxonomy)
        self._settle(case, action, action.judgement, action.findings, How.OWN)

    def _settle(
        self,
        case: Case,
        action: AdjudicationAction,
        judgement: Judgement,
        findings: tuple[Finding, ...],
        how: How,
    ) -> None:
        if case.item.may_settle:
            raise InputError(f"not saved: {action.task_id}: {case.item.may_settle}")
        self._store(
            Adjudication(
                id=action.id,
                task_id=action.task_id,
                adjudicator=self._person,
                adjudicated_at=self._clock.now(),
                judgement=judgement,
                findings=findings,
                note=action.note,
                basis=tuple(sorted(action.basis)),
                how=how,
                supersedes=action.supersedes,
            )
        )

    def _store(self, *adjudications: Adjudication) -> None:
        AdjudicationRepository(self._workspace, self._view.audit.id).add_all(adjudications)

    def _undo(self, case: Case, action: AdjudicationAction) -> None:
        standing = case.adjudication
        if standing is None:
            return  # taken back before
        self._require_say(case)
        self._store(
            Adjudication(
                id=action.id,
                task_id=action.task_id,
                adjudicator=self._person,
                adjudicated_at=self._clock.now(),
                judgement=Judgement.WITHDRAWN,
                note=action.note,
                how=standing.how,
                supersedes=action.supersedes,
            )
        )

    def _send_back(self, case: Case, action: AdjudicationAction) -> None:
        review = _shown(case, action)
        self._require_say(case)
        if not action.note.strip():
            raise InputError("not saved: say why the review is sent back")
        TeamRepository(self._workspace, self._view.audit.id).send_back(
            SendBack(
                id=action.id,
                task_id=action.task_id,
                reviewer=review.reviewer,
                review_id=review.id,
                reason=action.note.strip(),
                sent_at=self._clock.now(),
                sent_by=self._person,
            )
        )

    def _require_say(self, case: Case) -> None:
        refusal = why_no_say(self._view.team, case.reviews, self._person)
        if refusal:
            raise InputError(f"not saved: {case.item.task_id}: {refusal}")

    def accept_identical(self) -> int:
        """Settle every case whose reviews say the same, all or none; how many.

        Raises:
            ConflictError: One of them moved on meanwhile.
        """
        self._forget()
        cases = [
            self.case(item.task_id)
            for item in self._items()
            if item.state is CaseState.IDENTICAL and not item.may_settle
        ]
        self._store(*map(self._acceptance, cases))
        self._forget()
        return len(cases)

    def _acceptance(self, case: Case) -> Adjudication:
        first = min(case.reviews, key=lambda review: (review.reviewed_at, review.id))
        return Adjudication(
            id=self._clock.new_id(),
            task_id=case.item.task_id,
            adjudicator=self._person,
            adjudicated_at=self._clock.now(),
            judgement=first.judgement,
            findings=first.findings,
            note=first.note,
            basis=case.basis,
            how=How.IDENTICAL,
            supersedes=case.adjudication.id if case.adjudication else None,
        )


def _shown(case: Case, action: AdjudicationAction) -> Review:
    """The review that an action is about, if it stands as it did on screen."""
    for review in case.reviews:
        if review.id == action.review_id and set(action.basis) == set(case.basis):
            return review
    raise ConflictError(
        f"not saved: the reviews of {action.task_id} changed since they were shown here; "
        "look at them as they stand now"
    )
