"""Trials attached to findings as files with which anyone can grade and count them again.

``trials_cases.jsonl`` holds each distinct output under each key, as ``assay grade`` reads it;
``trials.jsonl`` each trial with its condition, as ``assay trials`` does, under the published keys.
Nothing of the requests is in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit_app.domain.benchmark import Task, encode
from audit_app.domain.conditions import SeedPolicy
from audit_app.domain.evidence import AnswerGrades, AnswerMark, AnswerVerdict
from audit_app.domain.record import Json
from audit_app.domain.trials import TrialStatus
from audit_app.reporting.evidence import CASES_FILE, TRIALS_FILE
from audit_app.scoring.cases import CONTEXT, STORED
from audit_app.services.evidence_rows import AttachedEvidence
from audit_app.services.live_rows import stated_condition

_STATUSES = {AnswerVerdict.VALID: TrialStatus.PASS, AnswerVerdict.INVALID: TrialStatus.FAIL}


def trial_files(attached: Iterable[AttachedEvidence]) -> dict[str, bytes]:
    """File name → content; equal evidence gives equal files."""
    rows = list(attached)
    return {
        CASES_FILE: _lines(case for row in rows for case in _cases(row)),
        TRIALS_FILE: _lines(trial for row in rows for trial in _trials(row)),
    }


def _lines(rows: Iterable[tuple[object, dict[str, Json]]]) -> bytes:
    """One JSON object a line; of rows with one identity the first."""
    known: dict[object, bytes] = {}
    for identity, row in rows:
        if identity not in known:
            known[identity] = encode(row)
    return b"".join(line + b"\n" for line in known.values())


def _cases(row: AttachedEvidence) -> Iterator[tuple[object, dict[str, Json]]]:
    outputs = {trial.trial: trial for trial in row.trials}
    grades = row.evidence.grades
    for answer in grades.answers:
        if not (stored := [outputs[trial] for trial in answer.trials if trial in outputs]):
            continue
        keys = [("published", row.task, answer.published, grades.published_key)]
        if row.corrected is not None and answer.proposed is not None:
            keys.append(("proposed", row.corrected, answer.proposed, grades.proposed_key or ""))
        for name, task, mark, digest in keys:
            case = {
                "case_id": _case_id(row, answer, name, digest),
                **_setting(row, task, answer, name),
                "form": stored[0].form,
                "rules": grades.rules,
                "output": stored[0].output,
                **_expected(mark),
            }
            yield case["case_id"], case


def _case_id(row: AttachedEvidence, answer: AnswerGrades, name: str, digest: str) -> str:
    key = name if name == "published" else f"{name} {digest[:8]}"
    numbers = f"trial {trial_numbers(answer.trials)}"
    return f"{row.task.id} / job {row.job.id[:8]} / {numbers} / {key} key"


def _setting(row: AttachedEvidence, task: Task, answer: AnswerGrades, name: str) -> dict[str, Json]:
    language = task.fields.get("language")
    return {
        "group": task.group,
        "category": task.category,
        "output_kind": STORED,
        "task_id": task.id,
        "scorer": task.scorer,
        "key_kind": task.key_kind.value,
        **({"language": language} if language else {}),
        "functions": list(task.tools),
        **{member: task.context[member] for member in CONTEXT if member in task.context},
        "key_name": name,
        "key": task.key,
        "model": row.job.condition.model,
        "condition_id": row.job.condition.digest,
        "job": row.job.id,
        "trials": list(answer.trials),
    }


def _expected(mark: AnswerMark) -> dict[str, Json]:
    """What grading gave; nothing where it gave no verdict."""
    if mark.verdict is AnswerVerdict.NOT_GRADED:
        return {"expected": None, "error_type": None}
    code = None if mark.verdict is AnswerVerdict.VALID else mark.code
    return {"expected": mark.verdict.value, "error_type": code}


def _trials(row: AttachedEvidence) -> Iterator[tuple[object, dict[str, Json]]]:
    marks = {
        trial: answer.published for answer in row.evidence.grades.answers for trial in answer.trials
    }
    condition = stated_condition(row.job)
    if row.job.condition.seed_policy is not SeedPolicy.NONE:
        condition["job"] = row.job.id  # a second job repeats these trials and has no fresh ones
    for trial in row.trials:
        mark = marks.get(trial.trial)
        error = trial.status.error or TrialStatus.HARNESS_ERROR
        status = error if mark is None else _STATUSES.get(mark.verdict, TrialStatus.HARNESS_ERROR)
        yield (
            trial.id,
            {
                "model": row.job.condition.model,
                "condition": condition,
                "category": row.task.category,
                "task": row.task.id,
                "trial": f"{row.job.id[:8]}-{trial.trial}",
                "status": status.value,
                "signature": "" if mark is None else mark.signature,
            },
        )


def trial_numbers(trials: Iterable[int]) -> str:
    """Numbers with runs of them as ranges: ``1-3,5``."""
    ranges: list[list[int]] = []
    for number in sorted(trials):
        if ranges and number == ranges[-1][1] + 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    return ",".join(str(a) if a == b else f"{a}-{b}" for a, b in ranges)
