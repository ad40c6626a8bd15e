"""A planted task as reviewers see it: its key and grades are of one piece, as in any other task.

Everything that shows a task of the queue, or says how a model did on it, goes through here. Else
a planted task would be known by published grades that do not fit its key.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from audit_app.domain.benchmark import Output, OutputStatus, Task
from audit_app.domain.planted import PlantedTask
from audit_app.scoring.grade import Grade, GradeStatus
from audit_app.services.task_grading import GradedAnswer, TaskGrader


def task_as_planted(task: Task, planted: PlantedTask) -> Task:
    """The task with the key that reviewers see."""
    return msgspec.structs.replace(task, key=planted.key)


def outputs_as_planted(
    task: Task, planted: PlantedTask, outputs: Sequence[Output], grader: TaskGrader
) -> list[Output]:
    """The outputs, with the published grades that they would have had under the planted key.

    A published grade that was ours under the published key becomes ours under the planted one. One
    that differed stays as it is, as do those of failed requests.

    Args:
        task: The task with its published key.
        planted: The planted check on it.
        outputs: Its outputs.
        grader: Grades them.
    """
    if planted.key == task.key:
        return list(outputs)
    before = grader.grade(task, task.key, outputs)
    shown = task_as_planted(task, planted)
    after = grader.grade(shown, shown.key, outputs)
    return [_regraded(b, a.grade) for b, a in zip(before, after, strict=True)]


def verdicts_as_planted(
    task: Task, planted: PlantedTask, outputs: Sequence[Output], grader: TaskGrader
) -> Mapping[tuple[str, str, int], bool | None]:
    """(model, entry id, trial) → the verdict under the key that reviewers see, None without one."""
    shown = task_as_planted(task, planted)
    masked = outputs_as_planted(task, planted, outputs, grader)
    return {
        (a.output.model, a.output.entry_id, a.output.trial): _verdict(a)
        for a in grader.grade(shown, shown.key, masked)
    }


def _regraded(before: GradedAnswer, after: Grade | None) -> Output:
    output, ours = before.output, before.grade
    if ours is None or after is None or output.passed is None:
        return output
    is_graded = ours.status is GradeStatus.GRADED and after.status is GradeStatus.GRADED
    if not is_graded or output.passed != ours.passed:
        return output
    return msgspec.structs.replace(
        output,
        passed=after.passed,
        reason_code=after.reason_code if output.reason_code else "",
        reason=after.reason if output.reason else "",
    )


def _verdict(answer: GradedAnswer) -> bool | None:
    grade = answer.grade
    if grade is None or answer.output.status is OutputStatus.ERROR:
        return None
    if grade.status is GradeStatus.NOT_GRADED:
        return answer.output.passed
    return grade.passed if grade.status is GradeStatus.GRADED else None
