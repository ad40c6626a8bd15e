"""What the trials attached to a finding come to, under the published and the proposed key."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

from audit_app import __version__
from audit_app.domain.benchmark import Task, encode
from audit_app.domain.evidence import AnswerGrades, AnswerMark, AnswerVerdict, TrialGrades
from audit_app.domain.live_jobs import Job, StoredTrial
from audit_app.domain.trials import CompletionStatus, TrialStatus
from audit_app.scoring.grade import Grade, GradeStatus
from audit_app.scoring.key_edits import ReplaceKey, apply_edit
from audit_app.services.corrections import edited_task
from audit_app.services.live_grading import TrialGrader
from audit_app.services.live_groups import AnswerGroup, failure_signature

_VERDICTS = {
    GradeStatus.RAISES: AnswerVerdict.RAISES,
    GradeStatus.NOT_GRADED: AnswerVerdict.NOT_GRADED,
    GradeStatus.ERROR: AnswerVerdict.NOT_GRADED,
}


def under_key(task: Task, text: str) -> Task:
    """The task under a proposed key.

    Raises:
        InputError: The text is no key of this task; the sentence says where.
    """
    return edited_task(task, apply_edit(task.key_kind, task.key, ReplaceKey(text)))


def key_digest(task: Task) -> str:
    """SHA-256 of kind and content of a task's key, hexadecimal."""
    return sha256(encode([task.key_kind.value, task.key])).hexdigest()


def output_digest(trial: StoredTrial) -> str:
    """SHA-256 of the canonical JSON of what a trial answered, hexadecimal."""
    return sha256(encode(trial.output)).hexdigest()


def grade_trials(
    grader: TrialGrader,
    job: Job,
    trials: Sequence[StoredTrial],
    task: Task,
    corrected: Task | None,
    *,
    rules: str,
) -> TrialGrades:
    """The trials of one task, graded.

    Args:
        grader: Grades.
        job: Their job.
        trials: Finished trials, by number.
        task: The task with its published key.
        corrected: The task with the proposed key, None where none is proposed.
        rules: The rule version that the grader goes by.
    """
    pairs = [(job, trial) for trial in trials]
    published = grader.grade(task, pairs)
    proposed = None if corrected is None else grader.grade(corrected, pairs)
    again = {} if proposed is None else _marks(proposed.groups)
    answers: dict[tuple[int, str], list[int]] = {}
    for number, group in enumerate(_answered(published.groups), start=1):
        for verdict in group.verdicts:
            place = (number, output_digest(verdict.trial))
            answers.setdefault(place, []).append(verdict.trial.trial)
    marks = _marks(published.groups)
    return TrialGrades(
        assay=__version__,
        rules=rules,
        runs=tuple(trial.id for trial in trials),
        recorded=sum(trial.is_cached and trial.status is CompletionStatus.OK for trial in trials),
        answers=tuple(
            AnswerGrades(
                answer=number,
                digest=digest,
                trials=tuple(sorted(numbers)),
                published=marks[numbers[0]],
                proposed=again.get(numbers[0]),
            )
            for (number, digest), numbers in answers.items()
        ),
        errors=_errors(trials),
        published_key=key_digest(task),
        proposed_key=None if corrected is None else key_digest(corrected),
        triage=published.triage.triage.value,
        triage_proposed=None if proposed is None else proposed.triage.triage.value,
    )


def _answered(groups: Iterable[AnswerGroup]) -> list[AnswerGroup]:
    return [group for group in groups if group.published is not None]


def _marks(groups: Iterable[AnswerGroup]) -> dict[int, AnswerMark]:
    """Number of a trial → the grade of its answer."""
    return {
        verdict.trial.trial: _mark(group.published)
        for group in _answered(groups)
        for verdict in group.verdicts
        if group.published is not None
    }


def _mark(grade: Grade) -> AnswerMark:
    verdict = _VERDICTS.get(grade.status)
    if verdict is None:
        verdict = AnswerVerdict.VALID if grade.passed else AnswerVerdict.INVALID
    return AnswerMark(verdict=verdict, code=grade.reason_code, signature=failure_signature(grade))


def _errors(trials: Iterable[StoredTrial]) -> dict[TrialStatus, tuple[int, ...]]:
    found: dict[TrialStatus, tuple[int, ...]] = {}
    for trial in trials:
        if trial.status is not CompletionStatus.OK:
            kind = trial.status.error or TrialStatus.HARNESS_ERROR
            found[kind] = (*found.get(kind, ()), trial.trial)
    return found


def differences(stored: TrialGrades, now: TrialGrades) -> tuple[str, ...]:
    """What grading the same trials again says otherwise, in clauses.

    An answer that cannot be graded here and now, as without simulators, differs in nothing.
    """
    found = []
    if stored.published_key != now.published_key:
        found.append("the published key is another one")
    if stored.proposed_key != now.proposed_key:
        found.append("the proposed key is another one")
    if stored.errors != now.errors:
        found.append("other trials ended without an answer")
    before, after = _by_trial(stored), _by_trial(now)
    if {trial: a.digest for trial, a in before.items()} != {t: a.digest for t, a in after.items()}:
        return (*found, "the answers are other ones")
    for name in ("published", "proposed"):
        trials = [
            trial
            for trial, answer in before.items()
            if _differ(getattr(answer, name), getattr(after[trial], name))
        ]
        if trials:
            numbers = ", ".join(map(str, sorted(trials)[:20]))
            found.append(f"other grades under the {name} key (trials {numbers})")
    return tuple(found)


def _by_trial(grades: TrialGrades) -> Mapping[int, AnswerGrades]:
    return {trial: answer for answer in grades.answers for trial in answer.trials}


def _differ(stored: AnswerMark | None, now: AnswerMark | None) -> bool:
    if stored is None or now is None:
        return stored is not now
    if AnswerVerdict.NOT_GRADED in (stored.verdict, now.verdict):
        return False
    return stored != now
