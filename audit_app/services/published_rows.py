"""Published rows of repeat figures, as printed: whether they can be, and what they leave open."""

from __future__ import annotations

from audit_app.stats.paired_trials import MarginalP, p_from_totals
from audit_app.stats.published_counts import PublishedCheck, check_published


def check_row(mean: str, ever: int, solved_all: int, *, tasks: int, k: int) -> PublishedCheck:
    """Whether a mean as printed, an ever and an all can belong together.

    Args:
        mean: ``62.8%``, ``62.8 %`` or ``0.628``; the true one may differ by half a unit of the
            last digit.
        ever: Tasks solved at least once.
        solved_all: Tasks solved in every trial.
        tasks: All tasks.
        k: Trials of each task.

    Raises:
        ValueError: The mean is no number, or the figures are none of so many tasks and trials.
    """
    share, rounding = printed_share(mean)
    return check_published(share, ever, solved_all, tasks=tasks, k=k, rounding=rounding)


def printed_share(text: str) -> tuple[float, float]:
    """A printed share, and half a unit of its last digit.

    Raises:
        ValueError: It is no number.
    """
    text = text.strip()
    number = text.removesuffix("%").strip()
    scale = 0.01 if text.endswith("%") else 1.0
    digits = len(number.partition(".")[2])
    return float(number) * scale, 0.5 * 10.0**-digits * scale


def p_range(first: int, second: int, *, tasks: int) -> tuple[MarginalP, MarginalP]:
    """McNemar's test at the least and at the largest overlap that two published totals allow.

    Raises:
        ValueError: A total is no count of so many tasks.
    """
    rows = p_from_totals(first, second, tasks=tasks)
    return rows[0], rows[-1]
