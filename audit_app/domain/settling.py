"""Settling: how the reviews of one task become the judgement that counts, and where that waits."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit_app.domain.adjudication import Adjudication
from audit_app.domain.review import COUNTED_EFFECTS, Finding, Judgement, Review, current_reviews
from audit_app.domain.team import Mode, SendBack, TeamSettings

_SEVERITY_NOT_STATED = 2
"""How severe a finding without severity is taken to be where the worst one is looked for."""


class CaseState(StrEnum):
    """Where the settling of one task stands."""

    WAITING = "waiting"
    """It has fewer reviews than asked for."""
    RETURNED = "returned"
    """A review was sent back and has not been replaced yet."""
    DIFFERS = "differs"
    """Its reviews differ."""
    IDENTICAL = "identical"
    """Its reviews say the same."""
    SETTLED = "settled"
    """An adjudication of just these reviews stands."""


@dataclass(frozen=True, slots=True)
class Standing:
    """What stands for one task.

    Attributes:
        reviews: The standing reviews, by reviewer.
        adjudication: The standing adjudication, whatever it rests on.
        returned: Send-backs not answered yet.
    """

    reviews: tuple[Review, ...] = ()
    adjudication: Adjudication | None = None
    returned: tuple[SendBack, ...] = ()

    @property
    def basis(self) -> tuple[str, ...]:
        """Ids of the standing reviews, sorted: what an adjudication made now would rest on."""
        return tuple(sorted(review.id for review in self.reviews))

    @property
    def settlement(self) -> Adjudication | None:
        """The adjudication that counts: no review came, went or was sent back since."""
        adjudication = self.adjudication
        rests = adjudication is not None and adjudication.basis == self.basis
        return adjudication if rests and not self.returned else None


@dataclass(frozen=True, slots=True)
class FieldRow:
    """One field of a judgement, side by side.

    Attributes:
        name: What it is; of several findings with its number, as in ``finding 2: cause``.
        values: Its text in each review, in their order; empty where a review has none.
        is_same: Whether the reviews agree on it.
        decides: Whether a difference makes the reviews differ; that of a note or link does not.
    """

    name: str
    values: tuple[str, ...]
    is_same: bool
    decides: bool = True


def gather(
    reviews: Iterable[Review],
    adjudications: Iterable[Adjudication] = (),
    send_backs: Iterable[SendBack] = (),
) -> dict[str, Standing]:
    """Task id → what stands for it, for every task with a standing review or adjudication."""
    standing: dict[str, list[Review]] = {}
    for review in current_reviews(reviews):
        standing.setdefault(review.task_id, []).append(review)
    settled = standing_adjudications(adjudications)
    ids = {review.id for rows in standing.values() for review in rows}
    returned: dict[str, list[SendBack]] = {}
    for send_back in send_backs:
        if send_back.review_id in ids:
            returned.setdefault(send_back.task_id, []).append(send_back)
    return {
        task_id: Standing(
            tuple(standing.get(task_id, ())),
            settled.get(task_id),
            tuple(returned.get(task_id, ())),
        )
        for task_id in (*standing, *(settled.keys() - standing.keys()))
    }


def standing_adjudications(adjudications: Iterable[Adjudication]) -> dict[str, Adjudication]:
    """Task id → the adjudication that no other replaces, withdrawn ones left out."""
    rows = list(adjudications)
    superseded = {row.supersedes for row in rows}
    return {
        row.task_id: row
        for row in rows
        if row.id not in superseded and row.judgement is not Judgement.WITHDRAWN
    }


def settle(
    team: TeamSettings,
    reviews: Iterable[Review],
    adjudications: Iterable[Adjudication] = (),
    send_backs: Iterable[SendBack] = (),
    *,
    min_severity: int = 1,
) -> dict[str, Review]:
    """Task id → the judgement that counts, for the tasks that are settled.

    Args:
        team: Its mode decides: the latest review, the adjudication that rests on just the reviews
            that stand, or the worst of at least ``reviews_per_task`` reviews.
        reviews: All reviews, or those that stand.
        adjudications: All of them, or those that stand.
        send_backs: All of them. One without an answer keeps its task open, unless the mode is
            single.
        min_severity: Least severity that makes a task defective, to find the worst review.
    """
    settled: dict[str, Review] = {}
    for task_id, standing in gather(reviews, adjudications, send_backs).items():
        review = _settled(team, standing, min_severity)
        if review is not None:
            settled[task_id] = review
    return settled


def _settled(team: TeamSettings, standing: Standing, min_severity: int) -> Review | None:
    in_time = sorted(standing.reviews, key=lambda r: (r.reviewed_at, r.id))
    match team.mode:
        case Mode.SINGLE:
            return in_time[-1] if in_time else None
        case Mode.ADJUDICATED:
            adjudication = standing.settlement
            return None if adjudication is None else adjudication.as_review()
        case Mode.WORST:
            if standing.returned or len(in_time) < team.reviews_per_task:
                return None
            return max(in_time, key=lambda review: _badness(review, min_severity))


def _badness(review: Review, min_severity: int) -> tuple[int, int, int]:
    """Rank of a review, the worst highest; of equal ones `max` takes the earlier."""
    grounds: tuple[tuple[int, Callable[[Finding], bool]], ...] = (
        (3, lambda finding: finding.counts(min_severity=min_severity)),
        (2, lambda finding: finding.may_count(min_severity=min_severity)),
        (1, lambda finding: True),
    )
    for rank, holds in grounds:
        findings = [finding for finding in review.findings if holds(finding)]
        if findings:
            effects = COUNTED_EFFECTS.intersection(e for f in findings for e in f.effects)
            return rank, len(effects), max(map(_severity, findings))
    return 0, 0, 0


def _severity(finding: Finding) -> int:
    return _SEVERITY_NOT_STATED if finding.severity is None else finding.severity


def case_state(team: TeamSettings, standing: Standing) -> CaseState:
    """Where the settling of one task stands; ``SETTLED`` only where adjudicators settle."""
    if standing.returned:
        return CaseState.RETURNED
    if team.mode is Mode.ADJUDICATED and standing.settlement is not None:
        return CaseState.SETTLED
    if len(standing.reviews) < max(2, team.reviews_per_task):
        return CaseState.WAITING
    return CaseState.IDENTICAL if are_identical(standing.reviews) else CaseState.DIFFERS


def are_identical(reviews: Iterable[Review]) -> bool:
    """Whether the reviews say the same: judgement, and of every finding all but note and links.

    The order of findings and of secondary causes is no difference, nor is the layout of a
    proposed key.
    """
    return len({_statement(review) for review in reviews}) <= 1


_Statement = tuple[str, ...]


def _statement(review: Review) -> tuple[str, tuple[_Statement, ...]]:
    return review.judgement.value, tuple(map(_deciding, _ordered(review)))


def _ordered(review: Review) -> list[Finding]:
    return sorted(review.findings, key=lambda finding: (_deciding(finding), finding.note))


def _deciding(finding: Finding) -> _Statement:
    return tuple(text(finding) for text in _DECIDING.values())


def _canonical_key(finding: Finding) -> str:
    if finding.proposed_key is None:
        return ""
    return json.dumps(json.loads(finding.proposed_key), sort_keys=True, ensure_ascii=False)


_DECIDING: Mapping[str, Callable[[Finding], str]] = {
    "effects": lambda finding: ", ".join(finding.effects),
    "cause": lambda finding: finding.cause or "",
    "further causes": lambda finding: ", ".join(sorted(set(finding.causes))),
    "severity": lambda finding: "" if finding.severity is None else str(finding.severity),
    "state": lambda finding: finding.state.value,
    "proposed key": _canonical_key,
}
_SHOWN_ONLY: Mapping[str, Callable[[Finding], str]] = {
    "note": lambda finding: finding.note,
    "links": lambda finding: "\n".join(finding.evidence),
}


def compare_fields(reviews: Sequence[Review]) -> tuple[FieldRow, ...]:
    """The reviews side by side, field by field; those all leave empty are left out."""
    rows = [_row("judgement", [review.judgement.value for review in reviews])]
    findings = [_ordered(review) for review in reviews]
    most = max((len(own) for own in findings), default=0)
    for position in range(most):
        prefix = f"finding {position + 1}: " if most > 1 else ""
        column = [own[position] if position < len(own) else None for own in findings]
        for fields, decides in ((_DECIDING, True), (_SHOWN_ONLY, False)):
            for name, text in fields.items():
                values = ["" if finding is None else text(finding) for finding in column]
                rows.append(_row(prefix + name, values, decides=decides))
    rows.append(_row("remark", [review.note for review in reviews], decides=False))
    return tuple(row for row in rows if any(row.values))


def _row(name: str, values: Sequence[str], *, decides: bool = True) -> FieldRow:
    return FieldRow(name, tuple(values), len(set(values)) <= 1, decides)
