"""The verdict that a rubric's answers come to, with the reasoning behind it.

Sections are taken in order. A gate stops with the verdict of its answer, or lets the review go
on, to the next section or to the later one that the answer names; a section of items that must all
pass stops with the verdict of the first issue; Verified needs every such item to pass. Advisory
sections never change the verdict, and what is not reviewed never reads as a pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from audit_app.domain.estimates import NextStep, Status
from audit_app.domain.grounds import Grounds
from audit_app.domain.rubric import (
    NOT_REVIEWED,
    Answer,
    Item,
    Outcome,
    Rubric,
    Section,
    SectionKind,
    TraceStep,
    Verdict,
)
from audit_app.domain.rubric import Status as ItemStatus


class _Course(NamedTuple):
    """How far the sections led: the outcome and the steps up to it."""

    outcome: Outcome
    steps: tuple[TraceStep, ...]


_NO_GROUNDS = Grounds()


def decide(
    rubric: Rubric,
    answers: Mapping[str, Answer],
    status: Status | None,
    grounds: Grounds = _NO_GROUNDS,
) -> Verdict:
    """What the answers come to.

    Args:
        rubric: The questions.
        answers: Item id → its latest answer; those to unknown items are passed over, and an
            answer with an unknown status counts as not reviewed.
        status: Where the sample stands, for the numbers in the reasoning; they never change the
            outcome, which rests on the answers alone.
        grounds: What is stated beside the numbers; it never changes the outcome either.
    """
    given = {item.id: _status(item, answers) for item in rubric.items.values()}
    course = _course(rubric, given)
    not_reviewed = tuple(item for item, answer in given.items() if answer.id == NOT_REVIEWED)
    stopped = course.outcome in (Outcome.FLAWED, Outcome.NEI)
    walked = _walked(rubric, given)
    is_open = any(item.id in not_reviewed for section in walked for item in section.items)
    cut_short = bool(grounds.stop) and status is not None and status.reviewed < status.sampled
    partial = (stopped and is_open) or (cut_short and course.outcome is not Outcome.IN_PROGRESS)
    return Verdict(
        outcome=course.outcome,
        partial=partial,
        trace=(
            *course.steps,
            *_numbers(rubric, given, status, grounds),
            *_remarks(rubric, not_reviewed, partial=stopped and is_open),
            *_stop(grounds, status),
        ),
        not_reviewed=not_reviewed,
    )


def proposed_status(
    item: Item, status: Status | None, grounds: Grounds = _NO_GROUNDS
) -> str | None:
    """The answer that the numbers, or an issue at scale, propose for the scoring item.

    Returns:
        The id of its first status that stops where the rule finds an issue or one at scale is
        stated, of its first that passes where the rule finds none; None while the sample is
        unread or to be widened, and for every other item.
    """
    if status is None or item.threshold is None or not item.threshold.metric:
        return None
    if status.next is NextStep.ISSUE or grounds.scale:
        return next((s.id for s in item.statuses if s.verdict is not None), None)
    if status.next is NextStep.PASS:
        return next((s.id for s in item.statuses if s.passes), None)
    return None


def _status(item: Item, answers: Mapping[str, Answer]) -> ItemStatus:
    answer = answers.get(item.id)
    found = item.status(answer.status) if answer else None
    unanswered = item.status(NOT_REVIEWED)
    if unanswered is None:
        raise ValueError(f"item {item.id!r} has no status {NOT_REVIEWED!r}")
    return found or unanswered


def _walked(rubric: Rubric, given: Mapping[str, ItemStatus]) -> list[Section]:
    """The sections that bear on the verdict, without those that an answer of a gate passes over."""
    order = {section.id: place for place, section in enumerate(rubric.sections)}
    walked: list[Section] = []
    opened = 0
    for place, section in enumerate(rubric.sections):
        if place < opened or section.kind is SectionKind.ADVISORY:
            continue
        walked.append(section)
        if section.kind is SectionKind.GATE:
            opened = max(order.get(given[item.id].go, 0) for item in section.items)
    return walked


def _name(item: Item) -> str:
    return f"{item.number} {item.label.en}"


def _course(rubric: Rubric, given: Mapping[str, ItemStatus]) -> _Course:
    steps: list[TraceStep] = []
    walked = _walked(rubric, given)
    for section in walked:
        stop = next((i for i in section.items if given[i.id].verdict is not None), None)
        if stop is not None:
            return _stopped(rubric, steps, stop, given[stop.id])
        steps += [
            TraceStep(text=f"{_name(item)}: {given[item.id].label.en}.", item=item.id)
            for item in section.items
        ]
        closed = [i for i in section.items if given[i.id].id == NOT_REVIEWED]
        if section.kind is SectionKind.GATE and closed:
            text = f"In progress: nothing is decided before {_name(closed[0])} is answered."
            return _Course(Outcome.IN_PROGRESS, (*steps, TraceStep(text=text, item=closed[0].id)))
    return _unstopped(rubric, walked, steps, given)


def _stopped(rubric: Rubric, steps: list[TraceStep], item: Item, answer: ItemStatus) -> _Course:
    outcome = answer.verdict or Outcome.IN_PROGRESS
    text = (
        f"{_name(item)} is answered “{answer.label.en}”, which stops the review: "
        f"{rubric.outcomes[outcome].en}."
    )
    return _Course(outcome, (*steps, TraceStep(text=text, item=item.id, decides=True)))


def _unstopped(
    rubric: Rubric,
    walked: list[Section],
    steps: list[TraceStep],
    given: Mapping[str, ItemStatus],
) -> _Course:
    must_pass = [
        item
        for section in walked
        if section.kind is SectionKind.ALL_MUST_PASS
        for item in section.items
    ]
    waiting = [item for item in must_pass if not given[item.id].passes]
    if waiting:
        text = f"In progress: {', '.join(map(_name, waiting))} must pass and do not yet."
        if len(waiting) == 1:
            text = f"In progress: {_name(waiting[0])} must pass and does not yet."
        return _Course(Outcome.IN_PROGRESS, (*steps, TraceStep(text=text, item=waiting[0].id)))
    if not must_pass:
        text = "In progress: the rubric has no item that must pass, so nothing gives a verdict."
        return _Course(Outcome.IN_PROGRESS, (*steps, TraceStep(text=text)))
    verified = rubric.outcomes[Outcome.VERIFIED].en
    text = f"All {len(must_pass)} items that must pass do: {verified}."
    decisive = TraceStep(text=text, item=must_pass[-1].id, decides=True)
    return _Course(Outcome.VERIFIED, (*steps, decisive))


def _numbers(
    rubric: Rubric, given: Mapping[str, ItemStatus], status: Status | None, grounds: Grounds
) -> Iterator[TraceStep]:
    """The grounds of the scoring answer, and a warning where it departs from them."""
    item = rubric.scoring_item
    if item is None or status is None:
        return
    yield TraceStep(text=f"The numbers behind {_name(item)}: {status.next_text}", item=item.id)
    for sentence in (*grounds.scale_sentences, *grounds.outside):
        yield TraceStep(text=sentence, item=item.id)
    answer = given[item.id]
    if answer.id == NOT_REVIEWED:
        return
    if answer.verdict is not None:
        yield TraceStep(text=grounds.limb(_name(item), status), item=item.id)
    proposal = proposed_status(item, status, grounds)
    if proposal is None:
        text = (
            f"{_name(item)} is answered “{answer.label.en}” before the numbers propose an answer."
        )
        yield TraceStep(text=f"Warning: {text}", item=item.id)
    elif proposal != answer.id:
        proposed = item.status(proposal)
        text = (
            f"Warning: the numbers propose “{proposed.label.en if proposed else proposal}” for "
            f"{_name(item)}, and a person answered “{answer.label.en}”; the answer stands."
        )
        yield TraceStep(text=text, item=item.id)


def _stop(grounds: Grounds, status: Status | None) -> Iterator[TraceStep]:
    """That reviewing was stopped early; tasks left unread are no passes."""
    if not grounds.stop:
        return
    yield TraceStep(text=grounds.stop)
    unread = 0 if status is None else status.sampled - status.reviewed
    if unread:
        tasks = "1 sampled task is" if unread == 1 else f"{unread} sampled tasks are"
        yield TraceStep(text=f"Partial review: {tasks} not reviewed, and not reviewed is no pass.")


def _remarks(
    rubric: Rubric, not_reviewed: tuple[str, ...], *, partial: bool
) -> Iterator[TraceStep]:
    """What was left open, and what never counts."""
    if partial:
        yield TraceStep(text="Partial review: the review stopped with items not reviewed.")
    if not_reviewed:
        numbers = ", ".join(rubric.items[item].number for item in not_reviewed)
        yield TraceStep(text=f"Not reviewed: {numbers}.")
    for section in rubric.sections:
        if section.kind is SectionKind.ADVISORY:
            text = f"{section.number} {section.label.en} is advisory and never changes the verdict."
            yield TraceStep(text=text)
