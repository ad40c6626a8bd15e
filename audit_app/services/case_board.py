"""The cases of an audit: tasks that several people judged, and what may be done about each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from audit_app.domain.adjudication import Adjudication
from audit_app.domain.review import Review
from audit_app.domain.settling import (
    CaseState,
    FieldRow,
    Standing,
    case_state,
    compare_fields,
    gather,
)
from audit_app.domain.team import Mode, SendBack, TeamSettings
from audit_app.services.audits import AuditView
from audit_app.services.judging import judgement_words


@dataclass(frozen=True, slots=True)
class CaseItem:
    """One task that several people judged, in the list of cases.

    Attributes:
        task_id: Its id.
        stratum: The stratum it was drawn from.
        state: Where it stands.
        differing: Names of the fields in which the reviews differ.
        words: Who says what, by reviewer: ``ann: FN, K1``.
        may_settle: Empty where the person may settle it (or replace what settled it); else why
            not, in a few words.
        settled: The adjudication that counts; None where none does.
    """

    task_id: str
    stratum: str
    state: CaseState
    differing: tuple[str, ...]
    words: tuple[str, ...]
    may_settle: str
    settled: Adjudication | None


@dataclass(frozen=True)
class Case:
    """One task with its reviews side by side.

    Attributes:
        item: As in the list.
        reviews: The standing reviews, by reviewer.
        rows: Their fields, side by side in the order of ``reviews``.
        send_backs: Those not answered yet.
        adjudication: The last one that was not taken back; where ``item.settled`` is None it
            rests on other reviews than stand now. An action names it in ``supersedes``.
        basis: Ids of ``reviews``, sorted, for the action.
    """

    item: CaseItem
    reviews: tuple[Review, ...]
    rows: tuple[FieldRow, ...]
    send_backs: tuple[SendBack, ...]
    adjudication: Adjudication | None
    basis: tuple[str, ...]


class Docket(NamedTuple):
    """What stands for one task of the sample, with its stratum."""

    task_id: str
    stratum: str
    standing: Standing


def dockets(view: AuditView) -> dict[str, Docket]:
    """Task id → docket, for the sampled tasks with two reviews or an adjudication, in order."""
    standing = gather(view.reviews, view.adjudications, view.send_backs)
    return {
        task_id: Docket(task_id, draw.stratum, own)
        for draw in view.sample.draws
        for task_id in draw.task_ids
        if (own := standing.get(task_id)) is not None
        and (len(own.reviews) > 1 or own.adjudication is not None)
    }


def case_item(team: TeamSettings, docket: Docket, person: str) -> CaseItem:
    """The case as a line of the list."""
    standing, state = docket.standing, case_state(team, docket.standing)
    is_alike = state is CaseState.IDENTICAL
    rows = () if is_alike else compare_fields(standing.reviews)
    return CaseItem(
        task_id=docket.task_id,
        stratum=docket.stratum,
        state=state,
        differing=tuple(row.name for row in rows if row.decides and not row.is_same),
        words=tuple(f"{review.reviewer}: {judgement_words(review)}" for review in standing.reviews),
        may_settle=_why_not(team, standing, state, person),
        settled=standing.settlement if state is CaseState.SETTLED else None,
    )


def build_case(team: TeamSettings, docket: Docket, person: str) -> Case:
    """The case with its reviews side by side."""
    standing = docket.standing
    return Case(
        item=case_item(team, docket, person),
        reviews=standing.reviews,
        rows=compare_fields(standing.reviews),
        send_backs=standing.returned,
        adjudication=standing.adjudication,
        basis=standing.basis,
    )


class Awaited(NamedTuple):
    """What an audit waits for.

    Attributes:
        adjudication: Sampled tasks with all their reviews that no adjudication settles.
        reviews: Reviews of sampled tasks still to come, sent-back ones among them.
    """

    adjudication: int
    reviews: int


def awaited(view: AuditView) -> Awaited:
    """What an audit waits for, as far as the person who looks may know."""
    standing = gather(view.reviews, view.adjudications, view.send_backs)
    cases = [standing.get(task_id, Standing()) for task_id in view.sample.task_ids]
    states = [case_state(view.team, case) for case in cases]
    unsettled = states.count(CaseState.DIFFERS) + states.count(CaseState.IDENTICAL)
    missing = sum(max(0, view.team.reviews_per_task - len(case.reviews)) for case in cases)
    return Awaited(
        adjudication=unsettled if view.team.mode is Mode.ADJUDICATED else 0,
        reviews=missing - view.hidden + sum(len(case.returned) for case in cases),
    )


def _why_not(team: TeamSettings, standing: Standing, state: CaseState, person: str) -> str:
    """Why the person may not settle the task; empty where nothing stands against it."""
    match team.mode:
        case Mode.SINGLE:
            return "nothing is to be settled: in the mode single the latest review counts"
        case Mode.WORST:
            return "nothing is to be settled: in the mode worst_wins the worst review counts"
    refusal = why_no_say(team, standing.reviews, person)
    if refusal:
        return refusal
    if state is CaseState.RETURNED:
        names = ", ".join(send_back.reviewer for send_back in standing.returned)
        return f"it was sent back to {names} and is not answered yet"
    if state is CaseState.WAITING:
        return f"it has {len(standing.reviews)} of {team.reviews_per_task} reviews"
    return ""


def why_no_say(team: TeamSettings, reviews: Iterable[Review], person: str) -> str:
    """Why the person has no say in a task as an adjudicator; empty where he or she has."""
    reviewers = [review.reviewer for review in reviews]
    if team.may_adjudicate(person, reviewers):
        return ""
    if person in reviewers:
        return f"{person} judged it, and nobody settles a task of their own"
    return f"{person} is not among its adjudicators: {', '.join(team.adjudicators)}"
