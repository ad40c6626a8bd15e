"""What a proposed key would do to the stored outputs of one task; no model is called."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit_app import __version__
from audit_app.domain.benchmark import Output, OutputStatus, Task
from audit_app.errors import InputError
from audit_app.scoring.grade import Grade, GradeStatus
from audit_app.scoring.key_differences import key_differences
from audit_app.scoring.key_edits import EditedKey, KeyEdit, ReplaceKey, apply_edit
from audit_app.scoring.key_shapes import ReadKey
from audit_app.services.corrections import edited_task
from audit_app.services.task_grading import TaskGrader
from audit_app.storage.audits import AuditRepository
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.grades import GradeRepository
from audit_app.storage.verdicts import FiledOutput, VerdictRepository
from audit_app.storage.workspace import Workspace

LEFT_OUT = "The task is taken out of the count."
FAILED_REQUEST = "The request failed: it is not an answer."
NO_OUTPUT = "Only the outcome was imported, not the output: it cannot be graded again."


class Change(StrEnum):
    """What becomes of a verdict."""

    GAINED = "fail → pass"
    LOST = "pass → fail"
    KEPT = "unchanged"
    NONE = "no verdict"
    """There is none on one side; the reason says why."""


@dataclass(frozen=True)
class Flip:
    """One output under the published and under the proposed key.

    Attributes:
        model: Who said it.
        entry_id: For which entry.
        trial: In which trial.
        before: The verdict under the published key, None where there is none.
        after: The verdict under the proposed key, None where there is none.
        reason_code: The code under the proposed key.
        reason: The reason under the proposed key, in a sentence.
    """

    model: str
    entry_id: str
    trial: int
    before: bool | None
    after: bool | None
    reason_code: str
    reason: str

    @property
    def change(self) -> Change:
        """What becomes of the verdict."""
        if self.before is None or self.after is None:
            return Change.NONE
        if self.before == self.after:
            return Change.KEPT
        return Change.GAINED if self.after else Change.LOST


@dataclass(frozen=True)
class Flips:
    """What a proposed key does to the outputs of a task.

    Attributes:
        task_id: The task.
        outputs: Every output, by model.
        differences: What the proposed key changes, in sentences.
        is_left_out: Whether the task is taken out of the count instead.
        error: Why the text is no key and where, empty where it is one; then nothing is graded.
    """

    task_id: str
    outputs: tuple[Flip, ...] = ()
    differences: tuple[str, ...] = ()
    is_left_out: bool = False
    error: str = ""

    def count(self, change: Change, model: str | None = None) -> int:
        """Outputs with that change, of all models or of one."""
        return sum(f.change is change for f in self.outputs if model in (None, f.model))

    @property
    def models(self) -> tuple[str, ...]:
        """Models with an output, by name."""
        return tuple(sorted({flip.model for flip in self.outputs}))

    @property
    def flipped(self) -> tuple[Flip, ...]:
        """The outputs whose verdict flips."""
        return tuple(f for f in self.outputs if f.change in (Change.GAINED, Change.LOST))

    @property
    def sentence(self) -> str:
        """The totals in words."""
        if self.error:
            return self.error
        if not self.outputs:
            return "No output is stored for this task."
        counts = [(self.count(change), change) for change in Change]
        parts = ", ".join(f"{n} {change.value}" for n, change in counts if n)
        return f"Of {len(self.outputs)} outputs: {parts}."


class RegradeService:
    """Tries proposed keys on the tasks of one audit's benchmark."""

    def __init__(self, workspace: Workspace, audit: str, *, grader: TaskGrader) -> None:
        """Open it.

        Args:
            workspace: The workspace.
            audit: Name of the audit.
            grader: Grades outputs as its owner reads them, with the simulators it keeps.
        """
        self._benchmarks = BenchmarkRepository(workspace)
        stored = self._benchmarks.by_key(AuditRepository(workspace).find(audit).benchmark)
        self._benchmark = stored.key
        run = GradeRepository(workspace, stored.key).latest()
        # Grades of another version of Assay could differ by more than the key.
        is_comparable = run is not None and run.version == __version__
        self._verdicts = VerdictRepository(
            workspace, stored.key, run.key if run and is_comparable else None
        )
        self._grader = grader

    def flips(self, task_id: str, proposed: str | KeyEdit) -> Flips:
        """What becomes of the verdicts on a task's outputs.

        Args:
            task_id: The task.
            proposed: The text of the proposed key, or an edit of the published one.

        Raises:
            NotFoundError: The benchmark has no such task.
        """
        task = self._benchmarks.task(self._benchmark, task_id)
        return self._flips(task, self._verdicts.of_task(task_id), proposed)

    def flips_as_shown(self, shown: Task, outputs: Sequence[Output], proposed: str) -> Flips:
        """The same for a task that is shown under another key than the published one.

        Args:
            shown: The task with the key that is shown.
            outputs: All its outputs, with the published grades that are shown.
            proposed: The text of the proposed key.
        """
        known = {(o.model, o.entry_id, o.trial): o for o in outputs}
        filed = [
            f._replace(output=known[f.output.model, f.output.entry_id, f.output.trial], status="")
            for f in self._verdicts.of_task(shown.id)
        ]
        return self._flips(shown, filed, proposed)

    def _flips(self, task: Task, outputs: Sequence[FiledOutput], proposed: str | KeyEdit) -> Flips:
        edit = ReplaceKey(proposed) if isinstance(proposed, str) else proposed
        try:
            edited = apply_edit(task.key_kind, task.key, edit)
        except InputError as error:
            return Flips(task.id, error=str(error))
        after = self._left_out(outputs) if edited.dropped else self._after(task, edited, outputs)
        return Flips(
            task_id=task.id,
            outputs=tuple(
                _flip(filed, before, grade)
                for filed, before, grade in zip(
                    outputs, self._before(task, outputs), after, strict=True
                )
            ),
            differences=tuple(
                key_differences(ReadKey(task.key_kind, task.key), ReadKey(edited.kind, edited.key))
            ),
            is_left_out=edited.dropped,
        )

    def _before(self, task: Task, outputs: Sequence[FiledOutput]) -> list[bool | None]:
        """The stored verdicts where the last run has them all, else those made now."""
        graded = [f.status or f.output.status is OutputStatus.ERROR for f in outputs]
        if all(graded):
            return [f.verdict for f in outputs]
        grades = self._grader.grade(task, task.key, [f.output for f in outputs])
        return [_kept_or_made(f, a.grade) for f, a in zip(outputs, grades, strict=True)]

    def _after(
        self, task: Task, edited: EditedKey, outputs: Sequence[FiledOutput]
    ) -> list[Grade | None]:
        corrected = edited_task(task, edited)
        answers = self._grader.grade(corrected, corrected.key, [f.output for f in outputs])
        return [answer.grade for answer in answers]

    def _left_out(self, outputs: Sequence[FiledOutput]) -> list[Grade | None]:
        grade = Grade(False, "left_out", LEFT_OUT, status=GradeStatus.NOT_GRADED)
        return [grade] * len(outputs)


def _kept_or_made(filed: FiledOutput, grade: Grade | None) -> bool | None:
    """The verdict made now; the published one where none can be made here."""
    is_kept = grade is not None and grade.status is GradeStatus.NOT_GRADED
    return filed.output.passed if is_kept or not filed.is_stored else _verdict(filed, grade)


def _verdict(filed: FiledOutput, grade: Grade | None) -> bool | None:
    """A verdict made now: none on what is no answer, was not stored or cannot be graded."""
    is_graded = grade is not None and grade.status is GradeStatus.GRADED
    return grade.passed if grade is not None and is_graded and filed.is_stored else None


def _flip(filed: FiledOutput, before: bool | None, grade: Grade | None) -> Flip:
    output = filed.output
    if grade is None:
        code, reason = "request_failed", FAILED_REQUEST
    elif not filed.is_stored and grade.reason != LEFT_OUT:
        code, reason = "output:missing", NO_OUTPUT
    else:
        code, reason = grade.reason_code, grade.reason
    return Flip(
        output.model, output.entry_id, output.trial, before, _verdict(filed, grade), code, reason
    )
