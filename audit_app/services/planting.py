"""Finding tasks whose key is taken to be right, and making planted checks of some of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import msgspec

from audit_app.controls.damage import damaged_key, own_answer
from audit_app.controls.damaged import EXPECTED, DamagedKey
from audit_app.controls.known_clean import KnownClean, agreed_clean, first_basis
from audit_app.controls.pool import KeyPool
from audit_app.controls.selection import Check, choose_checks
from audit_app.domain.benchmark import KeyKind, Output, Task
from audit_app.domain.planted import PlantedTask, PlantKind
from audit_app.domain.record import Json
from audit_app.domain.review import Judgement
from audit_app.domain.sampling import DrawKind
from audit_app.errors import InputError, NotFoundError
from audit_app.sampling.draw import widen_sample
from audit_app.scoring.grade import GradeStatus, ScoringSettings
from audit_app.scoring.rules import RULE_SETS, V4
from audit_app.services.audits import AuditService, AuditView
from audit_app.services.clock import Clock
from audit_app.services.task_grading import TaskGrader
from audit_app.services.view_grading import screen_grader
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.grades import GradeRepository
from audit_app.storage.outputs import OutputRepository
from audit_app.storage.verdicts import VerdictRepository
from audit_app.storage.workspace import Workspace


class Planter:
    """Makes the planted checks of one audit; stores nothing.

    Args:
        workspace: The open workspace.
        audits: Reads this and other audits of the same benchmark.
        view: The audit.
        cache: Where fetched packages lie, for grading multi-turn tasks.
    """

    def __init__(
        self, workspace: Workspace, audits: AuditService, view: AuditView, cache: Path
    ) -> None:
        self._workspace, self._audits, self._view, self._cache = workspace, audits, view, cache
        self._key = view.audit.benchmark
        self._benchmarks = BenchmarkRepository(workspace)
        self._outputs = OutputRepository(workspace, self._key)

    def checks(self, seed: str, listed: Sequence[KnownClean], share: float) -> list[Check]:
        """The checks for one seed.

        Args:
            seed: Text; same seed, same checks.
            listed: Tasks that the operator takes to be clean.
            share: Share of checks in the queue.

        Raises:
            InputError: There are too few tasks that can be planted.
            NotFoundError: The benchmark has no task of that id.
        """
        for clean in listed:
            if clean.task_id not in self._tasks:
                raise NotFoundError("task", clean.task_id, f"it is {clean.basis}")
        known = first_basis(listed, self._judged_clean(), self._agreed_clean())
        candidates = {
            stratum: [known[t] for t in members if t in known and self._may_be_planted(t)]
            for stratum, members in self._view.frame.members.items()
        }
        return choose_checks(
            candidates,
            self._view.sample.allocation,
            lambda task_id: self._damaged(self._tasks[task_id], seed),
            share=share,
            seed=seed,
        )

    @cached_property
    def _tasks(self) -> dict[str, Task]:
        return {task.id: task for task in self._benchmarks.all_tasks(self._key)}

    @cached_property
    def _pool(self) -> KeyPool:
        return KeyPool(self._tasks.values())

    @cached_property
    def _grader(self) -> TaskGrader:
        stored = self._benchmarks.by_key(self._key)
        return screen_grader(self._workspace, stored, self._cache)

    @cached_property
    def _settings(self) -> ScoringSettings:
        rules = self._view.benchmark.rules
        return ScoringSettings(rules=rules if rules in RULE_SETS else V4.version)

    @cached_property
    def _drawn(self) -> frozenset[str]:
        """Tasks of the sample, those that it will hold once it is widened, and targeted ones."""
        view, sample = self._view, self._view.sample
        drawn = set(sample.task_ids) | {read.task.task_id for read in view.targeted}
        can_widen = sample.kind is DrawKind.RANDOM and sample.stage == 1
        if can_widen and view.audit.plan.widen_to > len(drawn):
            wide = widen_sample(view.audit.plan, view.frame, sample, reason="")
            drawn |= set(wide.task_ids)
        return frozenset(drawn)

    def _may_be_planted(self, task_id: str) -> bool:
        task = self._tasks[task_id]
        is_whole = task.key_kind is not KeyKind.MISSING and bool(task.turns)
        return is_whole and task_id not in self._drawn

    def _judged_clean(self) -> Iterator[KnownClean]:
        """Tasks that another audit of this version settled as clean."""
        for name in sorted(self._audits.names()):
            if name == self._view.audit.name:
                continue
            other = self._audits.view(name)
            if other.audit.benchmark != self._key:
                continue
            for task_id, review in other.settled.items():
                if review.judgement is Judgement.CLEAN:
                    basis = f"judged clean by {review.reviewer} in the audit {name}"
                    yield KnownClean(task_id, basis, 1)

    def _agreed_clean(self) -> list[KnownClean]:
        run = GradeRepository(self._workspace, self._key).latest()
        verdicts = VerdictRepository(self._workspace, self._key, run.key if run else None)
        task_of = {entry.id: task_id for task_id, entry in verdicts.entries()}
        return agreed_clean(
            (task_of[row.entry_id], row.model, row.share) for row in verdicts.shares()
        )

    def _damaged(self, task: Task, seed: str) -> DamagedKey | None:
        answers = [o for o in self._outputs.of_task(task.id) if o.body is not None]
        own = own_answer(task)
        if own is not None:
            answers.append(Output(entry_id="", model="", body=own))

        def verdicts(key: Json) -> list[bool | None]:
            shown = msgspec.structs.replace(task, key=key)
            graded = [answer.grade for answer in self._grader.grade(shown, key, answers)]
            return [g.passed if g and g.status is GradeStatus.GRADED else None for g in graded]

        return damaged_key(task, verdicts, pool=self._pool, seed=seed, settings=self._settings)

    def planted(self, check: Check, clock: Clock, person: str) -> PlantedTask:
        """A check as it is stored."""
        kind = check.damaged.kind if check.damaged else PlantKind.CLEAN
        return PlantedTask(
            id=clock.new_id(),
            task_id=check.task_id,
            stratum=check.stratum,
            kind=kind,
            cause=EXPECTED[kind].cause,
            effects=EXPECTED[kind].effects,
            key=check.damaged.key if check.damaged else self._tasks[check.task_id].key,
            basis=check.basis,
            planted_at=clock.now(),
            planted_by=person,
        )


def require_share(share: float) -> float:
    """The share of planted checks, where there is to be any.

    Raises:
        InputError: The audit's settings ask for none.
    """
    if not share:
        raise InputError(
            "nothing is planted: the audit's share of planted checks is 0; set it to 0.10 to 0.20 "
            "first, with assay audit team NAME --planted SHARE"
        )
    return share
