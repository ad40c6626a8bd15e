"""The course of an audit: stopping early, targeted tasks, another rubric, history of verdicts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from audit_app.domain.dossier import Noted, TargetedTask
from audit_app.domain.dossier_entries import (
    AdoptedRubric,
    EarlyStop,
    Entry,
    RubricFile,
    VerdictNumbers,
    Withdrawal,
)
from audit_app.domain.record import Record
from audit_app.domain.rubric import Answer, Outcome, Rubric, Verdict
from audit_app.domain.rubric_changes import rubric_differences
from audit_app.domain.verdict import decide
from audit_app.errors import InputError, NotFoundError
from audit_app.services.audits import AuditService, AuditView
from audit_app.services.clock import Clock
from audit_app.services.dossier_entry import made, noted
from audit_app.services.rubric_files import RubricChoice, current_rubric
from audit_app.storage.audits import AuditRepository
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.dossiers import DossierRepository
from audit_app.storage.workspace import Workspace


class VerdictChange(Record):
    """One change of a verdict.

    Attributes:
        audit: The audit it happened in: this one, or one that it continues.
        benchmark: Benchmark.
        version: Its version.
        at: When.
        by: Who gave the answer, or adopted the rubric.
        cause: What changed it, in words.
        outcome: The verdict from then on.
        label: As printed.
        numbers: Where the audit stood, None where that was not kept.
    """

    audit: str
    benchmark: str
    version: str
    at: datetime
    by: str
    cause: str
    outcome: Outcome
    label: str
    numbers: VerdictNumbers | None


class CourseService:
    """Records turns in the course of audits, and tells them."""

    def __init__(self, workspace: Workspace, clock: Clock, person: str) -> None:
        self._workspace = workspace
        self._views = AuditService(workspace, clock, person)
        self._audits = AuditRepository(workspace)
        self._clock, self._person = clock, person

    def stop(self, name: str, reason: str) -> AuditView:
        """Record that reviewing stops with tasks of the sample unread.

        Raises:
            InputError: Every task is reviewed, it is stopped already, or no reason is given.
        """
        view = self._views.view(name)
        s = view.status
        if view.dossier.stop is not None:
            raise InputError(f"{name!r} is stopped already: {view.grounds.stop}")
        if s.reviewed >= s.sampled:
            raise InputError(
                f"all {s.sampled} sampled tasks of {name!r} are reviewed: there is nothing to stop"
            )
        body = made(
            EarlyStop,
            reason=reason,
            sampled=s.sampled,
            reviewed=s.reviewed,
            defective=s.defective,
        )
        return self._append(view, body)

    def resume(self, name: str, reason: str) -> AuditView:
        """Take an early stop back.

        Raises:
            InputError: There is none, or no reason is given.
        """
        view = self._views.view(name)
        stop = view.dossier.stop
        if stop is None:
            raise InputError(f"{name!r} is not stopped")
        return self._append(view, made(Withdrawal, entry=stop.id, reason=reason))

    def target(self, name: str, task_ids: Iterable[str], reason: str) -> list[str]:
        """Name tasks outside the sample to be read on purpose; the ids that are new.

        Raises:
            NotFoundError: The benchmark has no such task.
            InputError: A task is in the sample, or no reason is given.
        """
        view = self._views.view(name)
        ids = tuple(dict.fromkeys(task_ids))
        if not ids or not reason.strip():
            raise InputError("name at least one task, and say why it is read")
        sampled = set(view.sample.task_ids)
        known = BenchmarkRepository(self._workspace).tasks(view.audit.benchmark, ids)
        for task_id in ids:
            if task_id not in known:
                raise NotFoundError("task", task_id, f"{view.benchmark.name} has none of that id")
            if task_id in sampled:
                raise InputError(f"task {task_id!r} is in the sample: it is read there")
        now = self._clock.now()
        repository = DossierRepository(self._workspace, view.audit.id)
        return repository.add_targeted(
            TargetedTask(self._clock.new_id(), task_id, reason.strip(), now, self._person)
            for task_id in ids
        )

    def adopt(self, name: str, choice: RubricChoice | None, reason: str) -> AuditView:
        """Go on under another state of the rubric; the one before stays on record.

        Args:
            name: The audit.
            choice: The rubric; None takes the file it came from as it is now.
            reason: Why.

        Raises:
            InputError: There is no such file, it says the same, or no reason is given.
        """
        view = self._views.view(name)
        before = view.audit.rubric
        new = choice or self._from_file(view)
        differences = rubric_differences(before, new.rubric)
        if not differences:
            raise InputError(f"the rubric of {name!r} says the same already; nothing to adopt")
        body = made(
            AdoptedRubric,
            rubric=new.rubric,
            before=before,
            reason=reason,
            differences=differences,
        )
        bodies: list[Entry] = [RubricFile(path=new.path)]
        adopted = noted(body, self._clock, self._person)
        verdict = decide(new.rubric, view.current_answers, view.status, view.grounds)
        if verdict.outcome is not view.verdict.outcome:
            bodies.append(verdict_numbers(view, adopted.id, verdict))
        entries: list[Noted[Entry]] = [adopted]
        entries += [noted(b, self._clock, self._person) for b in bodies]
        DossierRepository(self._workspace, view.audit.id).add(*entries)
        return self._views.view(name)

    def _from_file(self, view: AuditView) -> RubricChoice:
        own = DossierRepository(self._workspace, view.audit.id).rubric_path()
        found = current_rubric(view.audit.rubric, own)
        if found is None:
            raise InputError(
                f"where the rubric of {view.audit.name!r} came from is not known; name a file"
            )
        return found

    def history(self, name: str) -> tuple[VerdictChange, ...]:
        """Every change of the verdict, those of audits that this one continues first."""
        view = self._views.view(name)
        carry = view.dossier.carry
        earlier: tuple[VerdictChange, ...] = ()
        if carry is not None and carry.body.audit in self._audits.names():
            earlier = self.history(carry.body.audit)
        return (*earlier, *verdict_changes(view))

    def _append(self, view: AuditView, body: Entry) -> AuditView:
        repository = DossierRepository(self._workspace, view.audit.id)
        repository.add(noted(body, self._clock, self._person))
        return self._views.view(view.audit.name)


def verdict_numbers(view: AuditView, event: str, verdict: Verdict) -> VerdictNumbers:
    """Where an audit stands as its verdict changes.

    Args:
        view: The audit.
        event: Id of what changes it.
        verdict: The verdict from then on.
    """
    return VerdictNumbers(
        event=event,
        outcome=verdict.outcome,
        partial=verdict.partial,
        evidence=view.sample.kind,
        sampled=view.status.sampled,
        reviewed=view.status.reviewed,
        defective=view.status.defective,
    )


def verdict_changes(view: AuditView) -> Iterator[VerdictChange]:
    """The changes of one audit's verdict: its answers and rubrics told again in their order."""
    adopted = view.dossier.adopted
    rubric = adopted[0].body.before if adopted else view.audit.rubric
    answers: dict[str, Answer] = {}
    outcome = Outcome.IN_PROGRESS
    turns: list[Answer | Noted[AdoptedRubric]] = [*view.answers, *adopted]
    for turn in sorted(turns, key=_when):
        if isinstance(turn, Answer):
            answers[turn.item] = turn
            cause, by = _answer_words(rubric, turn), turn.answered_by
        else:
            rubric, by = turn.body.rubric, turn.by
            cause = f"another rubric was adopted: {turn.body.reason}"
        now = decide(rubric, answers, None).outcome
        if now is outcome:
            continue
        outcome = now
        yield VerdictChange(
            audit=view.audit.name,
            benchmark=view.benchmark.name,
            version=view.benchmark.version,
            at=_when(turn),
            by=by,
            cause=cause,
            outcome=now,
            label=rubric.outcomes[now].en,
            numbers=view.dossier.verdict_numbers.get(turn.id),
        )


def _when(turn: Answer | Noted[AdoptedRubric]) -> datetime:
    return turn.answered_at if isinstance(turn, Answer) else turn.at


def _answer_words(rubric: Rubric, answer: Answer) -> str:
    item = rubric.items.get(answer.item)
    status = item.status(answer.status) if item else None
    name = f"{item.number} {item.label.en}" if item else answer.item
    return f"{name} was answered “{status.label.en if status else answer.status}”"
