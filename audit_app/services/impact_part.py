"""The impact of an audit from its judgements and the grades of outputs; nothing is read or stored.

So that a report can be recomputed from its exports, everything that grading gave is an input here,
and everything that follows from the judgements is worked out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from audit_app.domain.benchmark import Entry, Task, content_digest, encode
from audit_app.domain.sampling import DrawKind
from audit_app.importers.bfcl_layout import CATEGORIES
from audit_app.reporting.report import ImpactPart
from audit_app.services.audits import AuditView
from audit_app.services.corrections import Correction, corrections, counted
from audit_app.stats.impact import compute_impact
from audit_app.stats.impact_model import (
    Grades,
    ImpactData,
    ImpactTask,
    Remedy,
    StratumWeight,
    Weighting,
)

_NONE_REVIEWED = (
    "The effect on the leaderboard is not defined: no task of the sample has been reviewed."
)
_NONE_GRADED = (
    "The effect on the leaderboard is not defined: the outputs bear no published grade; "
    "run assay score first."
)


@dataclass(frozen=True, kw_only=True)
class ImpactInputs:
    """What an impact rests on besides the judgements.

    Attributes:
        weighting: What scores give weight to; None for the benchmark's overall score where it
            defines one, else tasks.
        seed: Of the resamples; None for the hash of the frame.
        basis: Whose verdicts the scores are made of, in a sentence.
        has_run: Whether there is a score run.
        entries: Task id → its scored entries, for every task of the benchmark.
        categories: Task id → its category, for the same.
        before: Model → entry id → share passed, of the sampled tasks; in a census of all.
        after: Likewise under the corrected keys, of the tasks that have one.
        graded: Task id → digest of the corrected key that ``after`` was graded under.
        failed: Task id → outputs that are failed requests.
        late: Task id → outputs that came after the score run.
    """

    weighting: Weighting | None = None
    seed: str | None = None
    basis: str
    has_run: bool
    entries: Mapping[str, tuple[Entry, ...]]
    categories: Mapping[str, str]
    before: Grades
    after: Grades = field(default_factory=dict)
    graded: Mapping[str, str] = field(default_factory=dict)
    failed: Mapping[str, int] = field(default_factory=dict)
    late: Mapping[str, int] = field(default_factory=dict)

    @property
    def has_points(self) -> bool:
        """Whether the benchmark defines an overall score."""
        return all(e.weight is not None for entries in self.entries.values() for e in entries)


def key_digest(task: Task) -> str:
    """SHA-256 of kind and content of a task's key."""
    return content_digest(encode([task.key_kind.value, task.key]))


def found_corrections(view: AuditView, tasks: Mapping[str, Task]) -> dict[str, Correction]:
    """Task id → what its counted findings ask for, for the reviewed tasks of the sample."""
    reviewed = {t: tasks[t] for t in view.sample.task_ids if t in view.settled and t in tasks}
    return corrections(view.settled, reviewed, counted(view.audit.rubric.counting.min_severity))


def not_graded(inputs: ImpactInputs, found: Mapping[str, Correction]) -> list[str]:
    """Tasks whose corrected key is another one than the grades were made under."""
    return [
        task_id
        for task_id, correction in found.items()
        if correction.corrected is not None
        and inputs.graded.get(task_id) != key_digest(correction.corrected)
    ]


def impact_part(
    view: AuditView, inputs: ImpactInputs, found: Mapping[str, Correction]
) -> ImpactPart:
    """The leaderboard before and after excluding or correcting the confirmed defects."""
    data = _data(view, inputs, found)
    by_score = Weighting.SCORE if inputs.has_points else Weighting.TASK
    seed = view.frame.digest if inputs.seed is None else inputs.seed
    impact = compute_impact(data, inputs.weighting or by_score, seed=seed)
    if not data.tasks:
        impact = impact.model_copy(update={"sentence": _NONE_REVIEWED})
    elif not inputs.has_run and impact.ungraded == len(data.tasks):
        impact = impact.model_copy(update={"sentence": _NONE_GRADED})
    notes = (*impact.notes, *_notes(view, inputs, [task.id for task in data.tasks]))
    return ImpactPart(basis=inputs.basis, impact=impact.model_copy(update={"notes": notes}))


def _data(view: AuditView, inputs: ImpactInputs, found: Mapping[str, Correction]) -> ImpactData:
    is_census = view.sample.kind is DrawKind.CENSUS
    strata = view.frame.stratum_of()
    reviewed = [t for t in view.sample.task_ids if t in view.settled]
    counted_ids = list(strata) if is_census else reviewed
    return ImpactData(
        tasks=[
            ImpactTask(
                t, _pool(inputs.categories[t]) if is_census else strata[t], inputs.entries[t]
            )
            for t in counted_ids
        ],
        before=inputs.before,
        after=inputs.after,
        defects={
            t: Remedy.EXCLUDED if c.corrected is None else Remedy.CORRECTED
            for t, c in found.items()
        },
        strata=None if is_census else _weights(view, inputs),
        unreviewed=0 if is_census else len(view.sample.task_ids) - len(reviewed),
    )


def _pool(category: str) -> str:
    """The tasks that share points of the overall score: categories, some of them pooled."""
    known = CATEGORIES.get(category)
    return known.pool if known else category


def _weights(view: AuditView, inputs: ImpactInputs) -> dict[str, StratumWeight]:
    weights = {}
    for stratum in view.frame.strata:
        points = [
            entry.weight
            for task_id in view.frame.members[stratum.id]
            for entry in inputs.entries[task_id]
        ]
        known = [p for p in points if p is not None]
        total = sum(known) if len(known) == len(points) else None
        weights[stratum.id] = StratumWeight(frame=stratum.weight, points=total)
    return weights


def _notes(view: AuditView, inputs: ImpactInputs, counted_ids: Iterable[str]) -> Iterable[str]:
    ids = list(counted_ids)
    failed = sum(inputs.failed.get(task_id, 0) for task_id in ids)
    late = sum(inputs.late.get(task_id, 0) for task_id in ids)
    if failed:
        yield f"{failed:,} outputs are failed requests: no answers, so they are left out."
    if late:
        yield f"{late:,} outputs came after the last score run: left out; run assay score again."
    waiting = sum(task_id not in view.settled for task_id in view.sample.task_ids)
    if view.sample.kind is DrawKind.CENSUS and waiting:
        yield f"{waiting:,} tasks are not reviewed yet: they count as they are."
