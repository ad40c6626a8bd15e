"""One row of repeat reliability: the trials of one model under one condition, and its figures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from audit_app.domain.estimates import Interval
from audit_app.domain.record import Json
from audit_app.domain.repeat_runs import fields_not_stated, stated_fields
from audit_app.domain.trials import TrialStatus
from audit_app.stats.intervals import wilson_interval
from audit_app.stats.pass_at_k import AtK, curve
from audit_app.stats.repeat_counts import (
    Bounds,
    Counts,
    Tally,
    count_errors_as_failures,
    count_without_errors,
    error_bounds,
    successes_per_task,
)
from audit_app.stats.triage import TaskTriage, Trials, triage
from audit_app.stats.trial_bootstrap import task_bootstrap

RUN_SUMMARY = "run summary: only its failures are named, so no failure tells from an error"


@dataclass(frozen=True)
class Pool:
    """Conditions counted across, on the user's word.

    Attributes:
        reason: Why, in the user's words.
        conditions: Ids of the conditions.
    """

    reason: str
    conditions: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """What such a row is and is not."""
        return (
            f"pooled over {len(self.conditions)} conditions ({self.reason}): a count across "
            "conditions, no reliability figure"
        )


@dataclass(frozen=True)
class TrialRow:
    """The trials of one model under one condition, or pooled over several.

    Attributes:
        model: Who was asked.
        category: Category of the tasks, empty where the log has none or tells several.
        condition: What is known of the condition; None for a pooled row.
        condition_id: Its identity; empty for a pooled row.
        tallies: Task id → its trials.
        unnamed: Tasks that no run names, because they passed in every one.
        outcomes: Number of trials by how they ended.
        signatures: Task id → what its failed trials looked like.
        pool: How it was pooled, None where it was not.
        remark: What a reader must know of the source, may be empty.
    """

    model: str
    category: str
    condition: Json
    condition_id: str
    tallies: Mapping[str, Tally]
    unnamed: tuple[Tally, ...] = ()
    outcomes: Mapping[TrialStatus, int] = field(default_factory=dict)
    signatures: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pool: Pool | None = None
    remark: str = ""

    @property
    def rows(self) -> list[Tally]:
        """The trials of every task."""
        return [*self.tallies.values(), *self.unnamed]

    @property
    def least(self) -> int:
        """Trials of the task with the fewest."""
        return min(row.trials for row in self.rows)

    @property
    def most(self) -> int:
        """Trials of the task with the most."""
        return max(row.trials for row in self.rows)

    @property
    def counts(self) -> Counts:
        """Errors counted as trials not passed."""
        return count_errors_as_failures(self.rows)

    @property
    def without_errors(self) -> Counts:
        """Errors out of the denominators."""
        return count_without_errors(self.rows)

    @property
    def bounds(self) -> Bounds:
        """The range over all outcomes that errors could have had."""
        return error_bounds(self.rows)

    @property
    def curve(self) -> tuple[AtK, ...]:
        """pass@k and pass^k, none for a pooled row: its trials are no repeats of one thing."""
        return () if self.pool else curve(self.rows)

    @property
    def histogram(self) -> Mapping[int, int]:
        """Passed trials → tasks with so many."""
        return successes_per_task(self.rows)

    @property
    def not_stated(self) -> tuple[str, ...]:
        """What the source does not say of the condition."""
        return () if self.pool else fields_not_stated(self.condition)

    def intervals(self, *, seed: int = 0) -> dict[str, tuple[Interval, ...]]:
        """Figure → intervals: the task bootstrap, and Wilson as a check for ever and all.

        None for a pooled row.
        """
        if self.pool:
            return {}
        counts = self.counts
        found: dict[str, tuple[Interval, ...]] = {
            name: (row,) for name, row in task_bootstrap(self.rows, seed=seed).items()
        }
        for name, tasks in (("ever", counts.ever), ("all", counts.all)):
            found[name] = (*found.get(name, ()), wilson_interval(tasks, counts.tasks))
        return found

    @property
    def condition_words(self) -> str:
        """The condition on one line; what it names of files is left out."""
        if self.pool:
            return self.pool.sentence
        stated = stated_fields(self.condition)
        shown = [f"{k} {v}" for k, v in stated.items() if not isinstance(v, list | dict)]
        return ", ".join(shown) or "not stated"

    def hints(self) -> dict[str, TaskTriage]:
        """Task id → where to look first, for tasks that were not always solved."""
        found = {}
        for task, row in self.tallies.items():
            if row.passed < row.trials:
                trials = Trials(row.passed, self.signatures.get(task, ()), row.errors)
                found[task] = triage({self.model: trials})
        return found
