"""Grading finished trials of one task under any key.

It happens when they are looked at, never when a trial is stored: the same trials are graded under
the published key and under any proposed one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from audit_app.domain.benchmark import Output, OutputStatus, Task
from audit_app.domain.live_jobs import Job, StoredTrial
from audit_app.domain.repeat_runs import GRADED
from audit_app.domain.trials import TrialStatus
from audit_app.errors import InputError
from audit_app.scoring.grade import Grade, ScoringSettings, Simulator
from audit_app.scoring.key_edits import ReplaceKey, apply_edit
from audit_app.scoring.registry import ScorerRegistry
from audit_app.scoring.rules import RULE_SETS, V4
from audit_app.services.corrections import edited_task
from audit_app.services.live_groups import (
    AnswerGroup,
    GradedTask,
    TrialVerdict,
    failure_signature,
    graded_status,
)
from audit_app.services.task_grading import TaskGrader
from audit_app.services.task_views import OutputGroup, group_outputs
from audit_app.stats.triage import TaskTriage, Trials, triage


class TrialGrader:
    """Grades finished trials under any key.

    Args:
        rules: Rule version of the benchmark.
        simulator: Runs calls of multi-turn tasks; None where there is none.
    """

    def __init__(self, rules: str, simulator: Simulator | None) -> None:
        self._rules = rules if rules in RULE_SETS else V4.version
        self._registry = ScorerRegistry(simulator)

    def grade(
        self,
        task: Task,
        trials: Sequence[tuple[Job, StoredTrial]],
        proposed_key: str | None = None,
    ) -> GradedTask:
        """The trials of one task, grouped.

        Args:
            task: The task with its published key.
            trials: With their jobs.
            proposed_key: Text of another key.
        """
        outputs, forms = _outputs(task, trials)
        grader = self._grader(forms)
        corrected, key_error = _corrected(task, proposed_key)
        again = (
            {}
            if corrected is None
            else {
                (answer.output.model, answer.output.trial): answer.grade
                for answer in grader.grade(corrected, corrected.key, outputs)
            }
        )
        groups = [
            _answer_group(group, trials, again, has_key=corrected is not None)
            for group in group_outputs(task, outputs, grader)
        ]
        groups.sort(key=lambda group: (group.published is None, -group.count))
        verdicts = [verdict for group in groups for verdict in group.verdicts]
        return GradedTask(
            task=task,
            proposed_key=proposed_key,
            key_error=key_error,
            groups=tuple(groups),
            triage=_triage(verdicts, proposed=False),
            triage_proposed=None if corrected is None else _triage(verdicts, proposed=True),
        )

    def _grader(self, forms: Mapping[str, str]) -> TaskGrader:
        settings = {
            name: ScoringSettings(rules=self._rules, options={"form": form})
            for name, form in forms.items()
        }
        return TaskGrader(settings, rules=self._rules, registry=self._registry)


def _outputs(
    task: Task, trials: Sequence[tuple[Job, StoredTrial]]
) -> tuple[list[Output], dict[str, str]]:
    """The trials as outputs, numbered from 0, and how those of each name are read.

    A model whose outputs come in several forms (several jobs) gets a name for each.
    """
    outputs, forms = [], dict[str, str]()
    for number, (job, trial) in enumerate(trials):
        model = job.condition.model
        name = model
        while forms.setdefault(name, trial.form) != trial.form:
            name += f" ({trial.form})"
        is_answer = trial.status.error is None
        outputs.append(
            Output(
                entry_id=task.id,
                model=name,
                body=trial.output if is_answer else trial.status.value,
                trial=number,
                status=OutputStatus.ANSWER if is_answer else OutputStatus.ERROR,
            )
        )
    return outputs, forms


def _corrected(task: Task, text: str | None) -> tuple[Task | None, str]:
    """The task under the proposed key, and why there is none."""
    if text is None:
        return None, ""
    try:
        edited = apply_edit(task.key_kind, task.key, ReplaceKey(text))
    except InputError as error:
        return None, str(error)
    return edited_task(task, edited), ""


def _answer_group(
    group: OutputGroup,
    trials: Sequence[tuple[Job, StoredTrial]],
    again: Mapping[tuple[str, int], Grade | None],
    *,
    has_key: bool,
) -> AnswerGroup:
    raw = sorted(group.raw, key=lambda r: r.trial)
    proposed = again.get((raw[0].model, raw[0].trial))
    verdicts = tuple(
        _verdict(*trials[r.trial], group.grade, again.get((r.model, r.trial)), has_key=has_key)
        for r in raw
    )
    is_read = group.grade is not None
    shown = tuple(
        replace(
            r, model=job.condition.model, trial=trial.trial, text=r.text if is_read else trial.error
        )
        for r in raw
        for job, trial in [trials[r.trial]]
    )
    return AnswerGroup(replace(group, raw=shown), verdicts, group.grade, proposed)


def _verdict(
    job: Job,
    trial: StoredTrial,
    published: Grade | None,
    proposed: Grade | None,
    *,
    has_key: bool,
) -> TrialVerdict:
    error = trial.status.error
    return TrialVerdict(
        trial=trial,
        model=job.condition.model,
        condition_id=job.condition.digest,
        status=error or graded_status(published),
        proposed=(error or graded_status(proposed)) if has_key else None,
        reason_code=published.reason_code if published else trial.status.value,
        reason=published.reason if published else trial.error,
        signature=failure_signature(published),
        proposed_signature=failure_signature(proposed),
    )


def _triage(verdicts: Iterable[TrialVerdict], *, proposed: bool) -> TaskTriage:
    """Where to look first; a model under several conditions speaks once for each."""
    rows: dict[str, list[TrialVerdict]] = {}
    conditions: dict[str, dict[str, None]] = {}
    for verdict in verdicts:
        conditions.setdefault(verdict.model, {})[verdict.condition_id] = None
    for verdict in verdicts:
        several = len(conditions[verdict.model]) > 1
        name = f"{verdict.model} ({verdict.condition_id[:8]})" if several else verdict.model
        rows.setdefault(name, []).append(verdict)
    return triage({name: _trials(rows[name], proposed=proposed) for name in rows})


def _trials(verdicts: Sequence[TrialVerdict], *, proposed: bool) -> Trials:
    said = [
        (v.proposed, v.proposed_signature) if proposed else (v.status, v.signature)
        for v in verdicts
    ]
    return Trials(
        passed=sum(status is TrialStatus.PASS for status, _ in said),
        signatures=tuple(signature for status, signature in said if status is TrialStatus.FAIL),
        errors=sum(status not in GRADED for status, _ in said),
    )
