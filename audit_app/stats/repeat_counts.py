"""What repeated trials come to: the mean, solved at least once, solved every time.

The three are different questions with different denominators: the mean is a share of trials, the
others are numbers of tasks. How errors are treated is a policy of its own, and every policy is
shown beside the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple


class Tally(NamedTuple):
    """The trials of one task.

    Attributes:
        passed: Trials that the grader passed.
        failed: Trials that the grader failed.
        errors: Trials without a grade: harness, connection, timeout, not run.
    """

    passed: int
    failed: int
    errors: int = 0

    @property
    def trials(self) -> int:
        """All trials of the task."""
        return self.passed + self.failed + self.errors


class Counts(NamedTuple):
    """Repeated trials in numbers.

    Attributes:
        tasks: Tasks that the task counts rest on.
        trials: Trials that the mean rests on.
        successes: Passed trials among them.
        mean: successes / trials; None where there is no trial.
        ever: Tasks solved at least once.
        all: Tasks solved in every trial.
        mixed: Tasks solved in some trials and not in others.
        never: Tasks solved in no trial.
    """

    tasks: int
    trials: int
    successes: int
    mean: float | None
    ever: int
    all: int
    mixed: int
    never: int


class Bound(NamedTuple):
    """The least and the largest value that a figure takes, whatever the errors would have been."""

    lower: float
    upper: float


class Bounds(NamedTuple):
    """Every figure with all errors as fails, with all as passes, and anything between."""

    mean: Bound | None
    ever: Bound
    all: Bound
    mixed: Bound
    never: Bound


def count_errors_as_failures(tallies: Iterable[Tally]) -> Counts:
    """Counts in which a trial without a grade is a trial not passed. Tasks need one trial."""
    rows = [row for row in tallies if row.trials]
    return _counts(rows, trials=sum(row.trials for row in rows))


def count_without_errors(tallies: Iterable[Tally]) -> Counts:
    """Counts in which errors leave the denominators.

    The mean is over graded trials of all tasks; a task is counted as solved ever, always,
    sometimes or never only where all its trials were graded.
    """
    rows = [row for row in tallies if row.trials]
    graded = _counts(
        [row for row in rows if not row.errors], trials=sum(r.passed + r.failed for r in rows)
    )
    successes = sum(row.passed for row in rows)
    mean = successes / graded.trials if graded.trials else None
    return graded._replace(successes=successes, mean=mean)


def _counts(rows: list[Tally], *, trials: int) -> Counts:
    successes = sum(row.passed for row in rows)
    ever = sum(row.passed > 0 for row in rows)
    solved = sum(row.passed == row.trials for row in rows)
    return Counts(
        tasks=len(rows),
        trials=trials,
        successes=successes,
        mean=successes / trials if trials else None,
        ever=ever,
        all=solved,
        mixed=ever - solved,
        never=len(rows) - ever,
    )


def error_bounds(tallies: Iterable[Tally]) -> Bounds:
    """The range of every figure over all outcomes that the errors could have had."""
    rows = [row for row in tallies if row.trials]
    trials = sum(row.trials for row in rows)
    passed = sum(row.passed for row in rows)
    errors = sum(row.errors for row in rows)

    def tasks(least: Iterable[bool], most: Iterable[bool]) -> Bound:
        return Bound(sum(least), sum(most))

    return Bounds(
        mean=Bound(passed / trials, (passed + errors) / trials) if trials else None,
        ever=tasks((r.passed > 0 for r in rows), (r.passed + r.errors > 0 for r in rows)),
        all=tasks((r.passed == r.trials for r in rows), (not r.failed for r in rows)),
        mixed=tasks(
            (r.passed > 0 and r.failed > 0 for r in rows), (_may_be_mixed(r) for r in rows)
        ),
        never=tasks((r.failed == r.trials for r in rows), (r.passed == 0 for r in rows)),
    )


def _may_be_mixed(row: Tally) -> bool:
    """Whether some outcome of its errors leaves the task neither always nor never solved."""
    return max(row.passed, 1) <= min(row.passed + row.errors, row.trials - 1)


def ranking_depends_on_errors(first: Iterable[Tally], second: Iterable[Tally]) -> bool:
    """Whether two models change places, by their mean, between the ways to treat errors."""
    a, b = list(first), list(second)
    orders = set()
    for policy in (count_errors_as_failures, count_without_errors, _count_errors_as_passes):
        means = policy(a).mean, policy(b).mean
        if means[0] is not None and means[1] is not None:
            orders.add((means[0] > means[1]) - (means[0] < means[1]))
    return len(orders) > 1


def _count_errors_as_passes(tallies: Iterable[Tally]) -> Counts:
    return count_errors_as_failures(Tally(r.passed + r.errors, r.failed) for r in tallies)


def successes_per_task(tallies: Iterable[Tally]) -> Mapping[int, int]:
    """Number of passed trials → number of tasks with so many, from 0 to the largest trial count."""
    rows = [row for row in tallies if row.trials]
    most = max((row.trials for row in rows), default=0)
    found = dict.fromkeys(range(most + 1), 0)
    for row in rows:
        found[row.passed] += 1
    return found
