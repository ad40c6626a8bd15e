"""The agreement of an audit's reviewers, from their standing reviews of sampled tasks.

Planted checks are outside the sample and adjudications are no reviews: neither is in any figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import combinations

from audit_app.domain.review import Effect, Finding, Review, current_reviews
from audit_app.domain.rubric import Counting, Taxonomy
from audit_app.sampling.standing import STALE_CAUSE
from audit_app.services.audits import AuditView
from audit_app.stats.agreement import agreement
from audit_app.stats.agreement_model import (
    NO_OVERLAP,
    Agreement,
    AgreementPair,
    AgreementRow,
    AgreementTable,
    Topic,
)

_YES, _NO = "yes", "no"
_SEVERITIES = ("0", "1", "2", "3")
_NO_SEVERITIES = "no task was found defective by two people who both stated a severity"


@dataclass(frozen=True)
class _Question:
    """One row of the table: what is asked of the findings that count; None is no answer."""

    id: str
    label: str
    topic: Topic
    answer: Callable[[list[Finding]], str | None]


def audit_agreement(view: AuditView) -> AgreementTable:
    """The agreement of an audit's reviewers, as far as the person who looks may see them."""
    sampled = set(view.sample.task_ids)
    standing = [r for r in current_reviews(view.reviews) if r.task_id in sampled]
    return _remembered(_Asked(view.audit.id, frozenset(r.id for r in standing), view))


@dataclass(frozen=True)
class _Asked:
    """An audit with its standing reviews: the same ids give the same figures."""

    audit: str
    review_ids: frozenset[str]
    view: AuditView = field(compare=False)


@lru_cache(maxsize=4)
def _remembered(asked: _Asked) -> AgreementTable:
    """The table; remembered, since a page asks again whenever it is drawn."""
    view = asked.view
    return agreement_table(
        view.reviews,
        view.sample.task_ids,
        counting=view.audit.rubric.counting,
        taxonomy=view.audit.taxonomy,
        seed=view.audit.id,
    )


def agreement_table(
    reviews: Iterable[Review],
    sampled: Iterable[str],
    *,
    counting: Counting,
    taxonomy: Taxonomy,
    seed: str,
) -> AgreementTable:
    """The agreement on every question that the reviews of the sample raise.

    Args:
        reviews: Reviews of the audit; those that do not stand are passed over.
        sampled: Task ids of the sample; reviews of other tasks are passed over.
        counting: Which findings count; a row asks only for those.
        taxonomy: Names and order of the causes.
        seed: Text; same seed, same intervals.
    """
    shared = _shared(reviews, set(sampled), counting)
    if not shared:
        return AgreementTable(reviewers=(), tasks=0, rows=(), undefined=NO_OVERLAP)
    reviewers = sorted({person for own in shared.values() for person in own})
    rows = [_row(question, shared, seed) for question in _questions(shared, taxonomy)]
    defect = {
        task: {person: _yes(bool(found)) for person, found in own.items()}
        for task, own in shared.items()
    }
    pairs = [
        AgreementPair(first=a, second=b, figures=_figures(_only(defect, (a, b)), seed))
        for a, b in combinations(reviewers, 2)
        if len(reviewers) > 2
    ]
    return AgreementTable(
        reviewers=tuple(reviewers), tasks=len(shared), rows=tuple(rows), pairs=tuple(pairs)
    )


_Shared = dict[str, dict[str, list[Finding]]]
"""Task id → reviewer → the findings that count, for tasks that two or more judged."""


def _shared(reviews: Iterable[Review], sampled: set[str], counting: Counting) -> _Shared:
    found: _Shared = {}
    for review in current_reviews(reviews):
        if review.task_id in sampled:
            found.setdefault(review.task_id, {})[review.reviewer] = [
                f for f in review.findings if f.counts(min_severity=counting.min_severity)
            ]
    return {task: own for task, own in found.items() if len(own) > 1}


def _questions(shared: _Shared, taxonomy: Taxonomy) -> Iterator[_Question]:
    """The questions, those on causes only for the ones that somebody names."""
    yield _Question("defect", "Defective", Topic.DEFECT, lambda found: _yes(bool(found)))
    for effect in (Effect.FN, Effect.FP):
        label = next((e.label.text() for e in taxonomy.effects if e.id == effect), effect.value)
        yield _Question(effect.value, label, Topic.EFFECT, _has_effect(effect))
    yield _Question("stale", "Stale key", Topic.STALE, _names({STALE_CAUSE}))
    named = {
        code
        for own in shared.values()
        for found in own.values()
        for finding in found
        for code in _codes(finding)
    }
    for family in taxonomy.families:
        codes = {cause.code for cause in family.causes}
        if codes & named:
            yield _Question(family.letter, family.label.text(), Topic.FAMILY, _names(codes))
    known = taxonomy.causes
    for code in [*(code for code in known if code in named), *sorted(named - known.keys())]:
        label = known[code].label.text() if code in known else code
        yield _Question(code, label, Topic.CAUSE, _names({code}))
    yield _Question("severity", "Severity, where both find a defect", Topic.SEVERITY, _severity)


def _yes(is_so: bool) -> str:
    return _YES if is_so else _NO


def _codes(finding: Finding) -> set[str]:
    return {code for code in (finding.cause, *finding.causes) if code is not None}


def _has_effect(effect: Effect) -> Callable[[list[Finding]], str]:
    return lambda found: _yes(any(effect in finding.effects for finding in found))


def _names(codes: set[str]) -> Callable[[list[Finding]], str]:
    return lambda found: _yes(any(codes & _codes(finding) for finding in found))


def _severity(found: list[Finding]) -> str | None:
    stated = [finding.severity for finding in found if finding.severity is not None]
    return str(max(stated)) if stated else None


def _row(question: _Question, shared: _Shared, seed: str) -> AgreementRow:
    ratings: dict[str, dict[str, str]] = {}
    for task, own in shared.items():
        answers = {person: question.answer(found) for person, found in own.items()}
        ratings[task] = {person: said for person, said in answers.items() if said is not None}
    is_ordinal = question.topic is Topic.SEVERITY
    return AgreementRow(
        id=question.id,
        label=question.label,
        topic=question.topic,
        level="ordinal" if is_ordinal else "nominal",
        figures=_figures(ratings, seed, is_ordinal=is_ordinal),
    )


def _only(
    ratings: dict[str, dict[str, str]], reviewers: tuple[str, str]
) -> dict[str, dict[str, str]]:
    return {
        task: {person: said for person, said in own.items() if person in reviewers}
        for task, own in ratings.items()
    }


def _figures(
    ratings: dict[str, dict[str, str]], seed: str, *, is_ordinal: bool = False
) -> Agreement:
    if not is_ordinal:
        return agreement(ratings, seed=seed)
    return agreement(ratings, seed=seed, order=_SEVERITIES, no_overlap=_NO_SEVERITIES)
