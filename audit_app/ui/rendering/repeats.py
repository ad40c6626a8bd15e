"""Repeat reliability as escaped HTML: the list of rows, and one row with all its figures.

No percentage stands without what it is a share of, and no row without its condition.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from audit_app.domain.estimates import Interval
from audit_app.domain.repeat_runs import GRADED, stated_fields
from audit_app.services.trial_rows import TrialRow
from audit_app.stats.repeat_counts import Bound, Counts
from audit_app.stats.triage import Triage
from audit_app.ui.components.blocks import Raw, percent, table
from audit_app.ui.rendering.repeat_charts import classes_chart, successes_chart
from audit_app.ui.rendering.text import (
    attribute,
    bounded,
    compact_json,
    counted,
    folded,
    literal,
)

MOST_LISTED = 200
_MOST_K = 12
"""Values of k shown of a curve: the first ones and the last."""
_FIGURES = ("ever", "all", "mixed", "never")
INTERVAL_WORDS = {
    "task_bootstrap": "task bootstrap",
    "paired_task_bootstrap": "paired task bootstrap",
    "wilson": "Wilson",
}


def rows_table(rows: Sequence[TrialRow]) -> str:
    """Every row on one line: mean, ever and all, mixed, never, then the condition."""
    headers = ["Model", "Category", "Mean of trials", "Ever", "All", "Mixed", "Never"]
    headers += ["Tasks", "Trials a task", "Without grade", "Condition"]
    shown = [_line(row) for row in rows[:MOST_LISTED]]
    left = len(rows) - len(shown)
    more = f'<p class="foot-note">{left:,} more rows are not listed here.</p>' if left else ""
    title = "Trials by model and condition"
    return (
        f'<div class="ph"><h2>{title}</h2><span class="meta">{counted(len(rows), "row")}; '
        "errors counted as trials not passed; conditions are never merged</span></div>"
        f'<div class="wide" tabindex="0" role="region" aria-label="{title}">'
        f"{table(headers, shown, numeric=range(2, 10), caption=title)}</div>{more}"
    )


def _line(row: TrialRow) -> list[object]:
    counts = row.counts
    each = f"{row.least}" if row.least == row.most else f"{row.least}–{row.most}"
    errors = sum(n for outcome, n in row.outcomes.items() if outcome not in GRADED)
    where = Raw('<span class="tag warn">pooled</span>') if row.pool else _id(row)
    return [
        Raw(f"<bdi>{bounded(row.model, 120)}</bdi>"),
        row.category or "—",
        f"{percent(counts.mean)} of {counts.trials:,}",
        *(getattr(counts, name) for name in _FIGURES),
        counts.tasks,
        each,
        errors,
        where,
    ]


def _id(row: TrialRow) -> Raw:
    shown = attribute(row.condition_words[:600])
    return Raw(f'<code title="{shown}">{bounded(row.condition_id[:12], 40)}</code>')


def row_card(row: TrialRow, *, seed: int = 0, chart_id: str = "row") -> str:
    """One row: its figures under every way to treat errors, its charts and its condition."""
    category = f", {bounded(row.category, 200)}" if row.category else ""
    pooled = (
        f'<p class="mindful"><b>Pooled.</b> {bounded(row.pool.sentence, 2_000)}.</p>'
        if row.pool
        else ""
    )
    return (
        f'<div class="ph"><h2><bdi>{bounded(row.model, 200)}</bdi>{category}</h2>'
        f'<span class="meta">{counted(row.counts.tasks, "task")}, {_each(row)}</span></div>'
        f'{pooled}<div class="beside"><div>{figures_table(row, seed=seed)}{_errors(row)}</div>'
        f'<div class="charts">{classes_chart([row], chart_id=f"{chart_id}-classes")}'
        f"{successes_chart(row, chart_id=f'{chart_id}-passed')}</div></div>"
        f"{_curve(row)}{_hints(row)}{condition_lines(row)}"
    )


def _each(row: TrialRow) -> str:
    if row.least != row.most:
        return f"{row.least} to {row.most} trials a task"
    return (
        "1 trial a task: ever, all and the mean are one"
        if row.least == 1
        else (f"{row.least} trials a task")
    )


def all_name(row: TrialRow) -> str:
    """The name of ``all``: the number of trials is part of it."""
    return f"All-{row.least}" if row.least == row.most and not row.pool else "All"


def figures_table(row: TrialRow, *, seed: int = 0) -> str:
    """Mean, ever and all, mixed, never: both ways to treat errors, the bounds, the intervals."""
    intervals = row.intervals(seed=seed)
    has_errors = bool(_kinds(row))
    headers = ["", "Errors as not passed"]
    headers += ["Errors left out", "Whatever errors had been"] if has_errors else []
    headers += ["95 % interval"] if intervals else []
    rows = [
        _figure_row(row, name, intervals, has_errors=has_errors)
        for name in ("mean", "ever", "all", "mixed", "never")
    ]
    same = (
        ""
        if has_errors
        else ('<p class="foot-note">Every trial was graded, so all ways to treat errors agree.</p>')
    )
    scope = (
        '<p class="foot-note">Intervals: variation over tasks like these, trials as observed; '
        "Wilson as a check.</p>"
        if intervals
        else ""
    )
    return table(headers, rows, caption="Figures of this row") + same + scope


def _figure_row(
    row: TrialRow, name: str, intervals: Mapping[str, Sequence[Interval]], *, has_errors: bool
) -> list[object]:
    label = all_name(row) if name == "all" else name.capitalize()
    cells: list[object] = [Raw(f"<b>{label}</b>"), _figure(row.counts, name, "trial")]
    if has_errors:
        cells.append(_figure(row.without_errors, name, "graded trial", " graded in full"))
        cells.append(_bound(getattr(row.bounds, name), is_share=name == "mean"))
    if intervals:
        cells.append(Raw("<br>".join(map(interval_words, intervals.get(name, ()))) or "—"))
    return cells


def _figure(counts: Counts, name: str, trial: str, which: str = "") -> Raw:
    if name == "mean":
        return Raw(f"<b>{percent(counts.mean)}</b> of {counted(counts.trials, trial)}")
    return Raw(f"<b>{getattr(counts, name):,}</b> of {counted(counts.tasks, 'task')}{which}")


def _bound(bound: Bound | None, *, is_share: bool) -> str:
    if bound is None:
        return "not defined: no trial"
    if is_share:
        return f"{100 * bound.lower:.1f}–{100 * bound.upper:.1f} %"
    return f"{bound.lower:.0f}–{bound.upper:.0f}"


def interval_words(interval: Interval) -> str:
    """An interval with the name of its method."""
    name = INTERVAL_WORDS.get(interval.name, interval.name)
    return f"{100 * interval.lower:.1f}–{100 * interval.upper:.1f} % ({literal(name)})"


def _kinds(row: TrialRow) -> list[str]:
    return [
        f"{outcome.value.replace('_', ' ')} {number:,}"
        for outcome, number in sorted(row.outcomes.items())
        if outcome not in GRADED and number
    ]


def _errors(row: TrialRow) -> str:
    kinds = _kinds(row)
    if not kinds:
        return ""
    return f'<p class="mindful"><b>Without a grade:</b> {", ".join(kinds)}. No wrong answers.</p>'


def _curve(row: TrialRow) -> str:
    points = row.curve
    if len(points) < 2:
        return ""
    if len(points) > _MOST_K:
        points = (*points[: _MOST_K - 1], points[-1])
    headers = ["k", *(str(point.k) for point in points)]
    rows = [
        ["pass@k", *(percent(point.pass_at_k) for point in points)],
        ["pass^k", *(percent(point.pass_hat_k) for point in points)],
    ]
    n = f"{row.least}" if row.least == row.most else f"{row.least} to {row.most}"
    title = "pass@k and pass^k"
    return (
        f'<div class="ph"><h2>{title}</h2><span class="meta">mean over '
        f"{counted(row.counts.tasks, 'task')}, n = {n} trials; at least one, and every one, of k"
        f'</span></div><div class="strips" tabindex="0" role="region" aria-label="{title}">'
        f"{table(headers, rows, numeric=range(1, len(headers)), caption=title)}</div>"
    )


def _hints(row: TrialRow) -> str:
    if row.pool or row.most < 2:
        return ""
    suspects = [task for task, hint in row.hints().items() if hint.triage is Triage.KEY_OR_SCORER]
    if not suspects:
        return ""
    listed = "".join(f"<li><code><bdi>{bounded(task, 200)}</bdi></code></li>" for task in suspects)
    return folded(
        f"<b>{counted(len(suspects), 'task')}</b> never solved, always with the same failure: look "
        "at key and scorer first",
        f'<ul class="ids">{listed}</ul><p class="foot-note">A hint, no evidence: models can be '
        "wrong in one way.</p>",
    )


def condition_lines(row: TrialRow) -> str:
    """What is known of the condition, and what is not stated."""
    parts = []
    if row.pool is None:
        stated = stated_fields(row.condition)
        fields = "".join(
            f"<dt>{bounded(name, 80)}</dt><dd><bdi>{bounded(_value(value), 400)}</bdi></dd>"
            for name, value in stated.items()
        )
        known = f'<dl class="facts">{fields}</dl>' if fields else "<p>Nothing is stated.</p>"
        parts.append(
            folded(
                f"<b>Condition</b> {bounded(row.condition_id[:12], 40)}: "
                f"{counted(len(stated), 'field')} stated",
                known,
            )
        )
    if row.not_stated:
        parts.append(f'<p class="foot-note">Not stated: {", ".join(row.not_stated)}.</p>')
    if row.remark:
        parts.append(f'<p class="foot-note">{literal(row.remark)}.</p>')
    return "".join(parts)


def _value(value: object) -> str:
    return value if isinstance(value, str) else compact_json(value)
