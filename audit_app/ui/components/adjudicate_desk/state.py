"""What the adjudicator's desk is told and what it answers, as plain values."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from audit_app.domain.adjudication import Adjudication
from audit_app.domain.review import Judgement, Review
from audit_app.domain.rubric import Taxonomy
from audit_app.domain.settling import CaseState
from audit_app.domain.team import Mode, TeamSettings
from audit_app.services.case_board import Case, CaseItem
from audit_app.services.judging import Ack, findings_words
from audit_app.services.key_trial import KeyRequest, KeyTrial, answer_data
from audit_app.ui.components.desk.taxonomy_data import taxonomy_data
from audit_app.ui.components.rail import RecentJudgement
from audit_app.ui.rendering.case import RenderedCase
from audit_app.ui.rendering.comparison import refusal
from audit_app.ui.rendering.text import plain

AHEAD = 4
"""Differing cases read ahead; deciding one takes longer than an answer."""


@dataclass(frozen=True)
class AdjudicateState:
    """Everything the adjudicator's screen shows in one run.

    Attributes:
        audit: The audit as the address bar names it (``?audit=``).
        store: Identity of workspace and audit; the browser keeps unsaved work under it.
        person: Who adjudicates.
        items: The cases in the order of the sample.
        at: Case to open on the first run, empty for the panel that says what is left. Later the
            browser decides, and tells in ``AdjudicateRequest.at``.
        views: Rendered cases: those of ``cases_ahead`` are enough.
        agreement: The agreement of the reviewers as HTML.
        planted: What they made of the planted checks, as HTML; needed where no case is on screen.
        taxonomy: Effects, causes, severities and states with their definitions.
        bindings: The key map as ``keys.as_data`` gives it.
        strata: Stratum id → label, where it differs from the id.
        is_off: Whether the mode leaves nothing to adjudicate.
        why: A sentence on why nothing is there to settle; empty where something is.
        trial: What the proposed key of ``AdjudicateRequest.trial`` would do.
    """

    audit: str
    store: str
    person: str
    items: Sequence[CaseItem]
    at: str
    views: Mapping[str, RenderedCase]
    agreement: str
    taxonomy: Taxonomy
    bindings: Sequence[Mapping[str, object]]
    strata: Mapping[str, str] = field(default_factory=dict)
    planted: str = ""
    is_off: bool = False
    why: str = ""
    trial: KeyTrial | None = None


@dataclass(frozen=True)
class AdjudicateRequest:
    """What the browser asks for.

    Attributes:
        at: The case on screen, empty for the panel at the end, None before the first answer.
        full: Cases whose very long texts are wanted whole.
        held: Cases whose views the browser holds already.
        trial: A proposed key that wants to be tried.
    """

    at: str | None = None
    full: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    trial: KeyRequest | None = None


def is_open(item: CaseItem) -> bool:
    """Whether the person can settle it now, and the screen advances to it."""
    return item.state is CaseState.DIFFERS and not item.may_settle


def first_differing(items: Iterable[CaseItem]) -> str:
    """The first case that differs and may be settled, empty where none does."""
    return next((item.task_id for item in items if is_open(item)), "")


def cases_ahead(
    items: Sequence[CaseItem], at: str, *, held: Collection[str] = (), ahead: int = AHEAD
) -> list[str]:
    """Cases to render when ``at`` is on screen, most urgent first.

    The one on screen is always among them, as a review may have come in since it was shown; then
    the next open ones in the order in which the screen advances, unless the browser holds them.

    Args:
        items: The cases in the order of the sample.
        at: The case on screen.
        held: Cases whose views the browser has.
        ahead: How many open ones it wants besides the one on screen.
    """
    ids = [item.task_id for item in items]
    here = ids.index(at) if at in ids else -1
    cycle = [*items[here + 1 :], *items[: max(here, 0)]]
    following = [item.task_id for item in cycle if is_open(item)][:ahead]
    return [*([at] if here >= 0 else []), *(task for task in following if task not in held)]


def settled_by(items: Iterable[CaseItem], person: str) -> list[RecentJudgement]:
    """What the person settled and still stands, the latest first."""
    mine = [item.settled for item in items if item.settled and item.settled.adjudicator == person]
    latest = sorted(mine, key=lambda row: (row.adjudicated_at, row.id), reverse=True)
    return [
        RecentJudgement(
            row.task_id,
            findings_words(row.judgement, row.findings),
            is_defect=row.judgement is Judgement.DEFECT,
        )
        for row in latest
    ]


def why_nothing(team: TeamSettings, items: Sequence[CaseItem], hidden: int) -> str:
    """Why there is nothing for this person to settle; empty where there is something.

    Args:
        team: How the audit is shared.
        items: The cases that the person sees.
        hidden: Standing reviews that the person may not see yet.
    """
    if team.mode is Mode.SINGLE:
        return (
            "The mode is “single”: the latest review of a task counts, and nobody settles it. "
            "The team settings on the page Sample change that."
        )
    if team.mode is Mode.WORST:
        return (
            "The mode is “worst wins”: of the reviews of a task the one that finds the worst "
            "defect counts, and nobody settles it. Differences show here all the same."
        )
    if first_differing(items):
        return ""
    parts = []
    waiting = sum(item.state is CaseState.WAITING for item in items)
    if waiting:
        tasks = "1 task waits" if waiting == 1 else f"{waiting} tasks wait"
        parts.append(f"{tasks} until {team.reviews_per_task} people have judged it.")
    if hidden:
        reviews = "1 review stays" if hidden == 1 else f"{hidden} reviews stay"
        parts.append(f"{reviews} hidden, as you have yet to judge the same task.")
    if not items and not hidden:
        parts.append(
            f"Nobody has judged a task yet; each task needs {team.reviews_per_task} reviews."
        )
    return " ".join(parts)


def payload(
    state: AdjudicateState, have: Mapping[str, str], acks: Iterable[Ack], *, count: int = 0
) -> dict[str, Any]:
    """What is sent to the browser in this run.

    Args:
        state: What is to be shown.
        have: Task id → digest of the views that the browser holds already; those are not repeated.
        acks: What became of the actions in the browser's log.
        count: Number of the browser's message that this answers.
    """
    return {
        "count": count,
        "audit": state.audit,
        "store": state.store,
        "reviewer": plain(state.person),
        "items": [_item_data(item) for item in state.items],
        "at": state.at,
        "views": [_view_data(view, have.get(task, "")) for task, view in state.views.items()],
        "agreement": state.agreement,
        "planted": state.planted,
        "acks": [{"id": ack.id, "error": ack.error} for ack in acks],
        "strata": dict(state.strata),
        "is_off": state.is_off,
        "why": state.why,
        "regrade": None if state.trial is None else answer_data(state.trial),
        "keys": list(state.bindings),
        "taxonomy": taxonomy_data(state.taxonomy),
    }


def _item_data(item: CaseItem) -> dict[str, Any]:
    settled = item.settled
    return {
        "id": item.task_id,
        "stratum": item.stratum,
        "state": item.state.value,
        "differing": list(item.differing),
        "refused": refusal(item.may_settle),
        "review": settled.id if settled else None,
        "at": settled.adjudicated_at.isoformat() if settled else "",
        "by": plain(settled.adjudicator) if settled else "",
        "how": settled.how.value if settled else "",
    }


def _view_data(view: RenderedCase, known: str) -> dict[str, Any]:
    data: dict[str, Any] = {"id": view.task.task_id, "digest": view.digest}
    if view.digest != known:
        last = view.case.adjudication
        data |= {
            "category": view.task.category,
            "left": view.left,
            "right": view.right,
            "key_text": view.task.key_text,
            "wide": view.task.wide,
            "reviews": [_review_data(review) for review in view.case.reviews],
            "supersedes": last.id if last else None,
            "settled": _settled_data(view.case),
        }
    return data


def _review_data(review: Review) -> dict[str, Any]:
    return {
        "id": review.id,
        "reviewer": plain(review.reviewer),
        "judgement": review.judgement.value,
        "findings": [finding.model_dump(mode="json") for finding in review.findings],
    }


def _settled_data(case: Case) -> dict[str, Any] | None:
    settled = case.item.settled
    if settled is None:
        return None
    return {
        "id": settled.id,
        "judgement": settled.judgement.value,
        "findings": [finding.model_dump(mode="json") for finding in settled.findings],
        "note": settled.note,
        "how": settled.how.value,
        "took": _taken(settled, case.reviews),
    }


def _taken(settled: Adjudication, reviews: Sequence[Review]) -> str:
    """Id of the review that a settled judgement repeats, empty where it repeats none."""
    said = (settled.judgement, settled.findings)
    return next((r.id for r in reviews if (r.judgement, r.findings) == said), "")
