"""Repeat reliability in words: no percentage stands without what it is a share of."""

from __future__ import annotations

from audit_app.cli.options import brief, percent
from audit_app.domain.estimates import Interval
from audit_app.domain.repeat_runs import GRADED
from audit_app.services.trial_rows import TrialRow
from audit_app.services.trials import Comparison, TrialsReport
from audit_app.stats.paired_trials import McNemar, SolvedClass
from audit_app.stats.published_counts import PublishedCheck
from audit_app.stats.repeat_counts import Bound, Counts
from audit_app.stats.triage import Triage


def report_text(report: TrialsReport, *, seed: int) -> str:
    """Every row, in the order mean, ever and all, mixed, never, conditions."""
    return "\n\n".join(_row_text(row, seed) for row in report.rows)


def _row_text(row: TrialRow, seed: int) -> str:
    counts = row.counts
    k = f"all-{row.least}" if row.least == row.most and not row.pool else "all"
    intervals = row.intervals(seed=seed)
    lines = [
        f"{row.model}{', ' + row.category if row.category else ''}",
        *([f"  {row.pool.sentence}"] if row.pool else []),
        f"  mean    {percent(counts.mean)} of {counts.trials} trials{_ends(intervals, 'mean')}",
        f"  ever    {_tasks(counts.ever, counts)}{_ends(intervals, 'ever')}",
        f"  {k:<7} {_tasks(counts.all, counts)}{_ends(intervals, 'all')}",
        f"  mixed   {_tasks(counts.mixed, counts)}",
        f"  never   {_tasks(counts.never, counts)}",
        *_error_lines(row),
        *_curve_lines(row),
        *_hint_lines(row),
        *([] if row.pool else [f"  condition: {brief(row.condition_words)}"]),
    ]
    if row.least == row.most == 1:
        lines.append("  one trial a task: ever, all and the mean are the same thing")
    elif row.least != row.most:
        lines.append(f"  tasks have {row.least} to {row.most} trials")
    if row.not_stated:
        lines.append(f"  not stated: {', '.join(row.not_stated)}")
    if row.remark:
        lines.append(f"  {row.remark}")
    return "\n".join(lines)


def _tasks(count: int, counts: Counts) -> str:
    share = count / counts.tasks if counts.tasks else None
    return f"{count} of {counts.tasks} tasks ({percent(share)})"


def _ends(intervals: dict[str, tuple[Interval, ...]], name: str) -> str:
    shown = [f"{i.name} {100 * i.lower:.1f}–{100 * i.upper:.1f} %" for i in intervals.get(name, ())]
    return f"; 95 %: {', '.join(shown)}" if shown else ""


def _error_lines(row: TrialRow) -> list[str]:
    errors = {o: n for o, n in row.outcomes.items() if o not in GRADED and n}
    if not errors:
        return []
    kinds = ", ".join(f"{n} {outcome.value}" for outcome, n in sorted(errors.items()))
    rest, bounds = row.without_errors, row.bounds
    return [
        f"  errors  {kinds}; counted above as trials not passed",
        f"  without errors: mean {percent(rest.mean)} of {rest.trials} graded trials; "
        f"ever {rest.ever}, all {rest.all}, mixed {rest.mixed}, never {rest.never} of the "
        f"{rest.tasks} tasks whose trials were all graded",
        f"  whatever the errors would have been: mean {_share_bound(bounds.mean)}, "
        + ", ".join(f"{n} {_bound(getattr(bounds, n))}" for n in ("ever", "all", "mixed", "never")),
    ]


def _share_bound(bound: Bound | None) -> str:
    return "not defined" if bound is None else f"{100 * bound.lower:.1f}–{100 * bound.upper:.1f} %"


def _bound(bound: Bound) -> str:
    return f"{bound.lower:.0f}–{bound.upper:.0f}"


def _curve_lines(row: TrialRow) -> list[str]:
    points = [point for point in row.curve if point.k > 1]
    if not points:
        return []
    any_, all_ = (
        ", ".join(f"k={p.k} {100 * getattr(p, name):.1f} %" for p in points)
        for name in ("pass_at_k", "pass_hat_k")
    )
    n = row.least if row.least == row.most else f"{row.least} to {row.most}"
    return [f"  pass@k  {any_} (n = {n})", f"  pass^k  {all_} (n = {n})"]


def _hint_lines(row: TrialRow) -> list[str]:
    if row.pool or row.most < 2:
        return []
    suspects = [t for t, hint in row.hints().items() if hint.triage is Triage.KEY_OR_SCORER]
    if not suspects:
        return []
    shown = ", ".join(suspects[:10]) + (f" and {len(suspects) - 10} more" if suspects[10:] else "")
    return [f"  never solved, always the same failure (look at key and scorer first): {shown}"]


def published_text(check: PublishedCheck) -> str:
    """Whether published figures can belong together."""
    low, high = check.successes
    passed = f"{low}" if low == high else f"{low} to {high}"
    head = "consistent" if check.is_possible else f"impossible: {check.reason}"
    lines = [
        head,
        f"  mixed {check.mixed}, never {check.never} tasks",
        f"  the mean means {passed} passed trials; ever and all allow "
        f"{check.allowed[0]} to {check.allowed[1]}",
    ]
    if check.per_mixed_task is not None:
        lines.append(f"  {check.per_mixed_task:.2f} passed trials in a mixed task, on average")
    return "\n".join(lines)


def comparison_text(compared: Comparison) -> str:
    """Two rows side by side, with the nine cells of their classes."""
    paired = compared.paired
    a, b = compared.first.model, compared.second.model
    if a == b:
        a, b = compared.first.condition_id, compared.second.condition_id
    flips = "exact" if paired.p_mean_is_exact else "20,000 random flips"
    lines = [
        f"{a} against {b}: {paired.tasks} tasks, {paired.k} trials each",
        f"  mean      {_points(paired.mean_difference, paired.mean_interval)}; sign-flip p "
        f"{_p(paired.p_mean)} ({flips})",
        f"  all-{paired.k:<5} {_points(paired.all_difference, paired.all_interval)}; "
        f"{_mcnemar(paired.mcnemar_all)}",
        f"  ever      {_mcnemar(paired.mcnemar_ever)}",
        f"  tasks     {'':<8}{''.join(f'{c.value:>8}' for c in SolvedClass)}   (columns: {b})",
        *(
            f"            {x.value:<8}"
            + "".join(f"{len(paired.classes[x, y]):>8}" for y in SolvedClass)
            for x in SolvedClass
        ),
    ]
    if compared.dropped:
        lines.append(f"  {len(compared.dropped)} tasks that only one of them ran are left out")
    if compared.differing:
        lines.append(f"  the conditions differ in: {', '.join(compared.differing)}")
    if compared.depends_on_errors:
        lines.append("  ranking depends on error handling")
    return "\n".join(lines)


def _points(difference: float, interval: Interval | None) -> str:
    ends = f" (95 % {100 * interval.lower:+.1f} to {100 * interval.upper:+.1f})" if interval else ""
    return f"{100 * difference:+.1f} points{ends}"


def _mcnemar(test: McNemar) -> str:
    return f"{test.first_only} against {test.second_only} tasks, McNemar p {_p(test.p)}"


def _p(p: float | None) -> str:
    return "not defined (no task tells them apart)" if p is None else f"{p:.4f}"
