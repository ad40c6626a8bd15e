"""Two rows of repeated trials side by side, and published rows checked, as escaped HTML."""

from __future__ import annotations

from collections.abc import Sequence

from audit_app.domain.estimates import Interval
from audit_app.services.trial_rows import TrialRow
from audit_app.services.trials import Comparison
from audit_app.stats.paired_trials import MarginalP, McNemar, Paired, SolvedClass
from audit_app.stats.published_counts import PublishedCheck
from audit_app.ui.components.blocks import Raw, table
from audit_app.ui.rendering.repeat_charts import classes_chart
from audit_app.ui.rendering.repeats import INTERVAL_WORDS
from audit_app.ui.rendering.text import bounded, counted, folded, literal

_MOST_IDS = 400


def comparison_card(compared: Comparison) -> str:
    """Differences with their tests, the nine cells, and the tasks behind each."""
    paired = compared.paired
    first, second = names_of(compared)
    return (
        f'<div class="ph"><h2><bdi>{bounded(first, 120)}</bdi> against '
        f'<bdi>{bounded(second, 120)}</bdi></h2><span class="meta">'
        f"{counted(paired.tasks, 'task')} that both ran, {counted(paired.k, 'trial')} each, paired"
        f"</span></div>{_warnings(compared)}{_tests(paired)}"
        f'<div class="charts">{classes_chart([compared.first, compared.second], chart_id="two")}'
        f"</div>{_cells(paired, first, second)}"
    )


def names_of(compared: Comparison) -> tuple[str, str]:
    """What the two rows are called: by model, by condition where the model is one."""
    return _names(compared.first, compared.second)


def _names(a: TrialRow, b: TrialRow) -> tuple[str, str]:
    if a.model != b.model:
        return a.model, b.model
    return f"{a.model}, {a.condition_id[:12]}", f"{b.model}, {b.condition_id[:12]}"


def _warnings(compared: Comparison) -> str:
    said = []
    if compared.depends_on_errors:
        said.append("Ranking depends on error handling.")
    if compared.differing:
        said.append(
            f"The conditions differ in {', '.join(compared.differing)}: a difference may come from "
            "there."
        )
    if compared.dropped:
        said.append(f"{counted(len(compared.dropped), 'task')} that only one of them ran left out.")
    return "".join(f'<p class="mindful">{bounded(line, 2_000)}</p>' for line in said)


def _tests(paired: Paired) -> str:
    flips = "all sign patterns" if paired.p_mean_is_exact else "20,000 random sign flips"
    rows = [
        (
            Raw("<b>Mean</b>"),
            _points(paired.mean_difference, paired.mean_interval),
            f"p {_p(paired.p_mean)} (permutation, {flips})",
        ),
        (
            Raw(f"<b>All-{paired.k}</b>"),
            _points(paired.all_difference, paired.all_interval),
            _mcnemar(paired.mcnemar_all),
        ),
        (Raw("<b>Ever</b>"), "—", _mcnemar(paired.mcnemar_ever)),
    ]
    headers = ["", "First less second", "Test"]
    return table(headers, rows, caption="Differences of the two rows")


def _points(difference: float, interval: Interval | None) -> str:
    if interval is None:
        return f"{100 * difference:+.1f} points"
    name = INTERVAL_WORDS.get(interval.name, interval.name)
    ends = f"{100 * interval.lower:+.1f} to {100 * interval.upper:+.1f}"
    return f"{100 * difference:+.1f} points (95 %: {ends}, {name})"


def _mcnemar(test: McNemar) -> str:
    return (
        f"{test.first_only} tasks by the first only, {test.second_only} by the second only; "
        f"exact McNemar p {_p(test.p)}"
    )


def _p(p: float | None) -> str:
    if p is None:
        return "not defined: no task tells them apart"
    return f"{p:.4f}" if p >= 0.0005 else f"{p:.6f}"


def _cells(paired: Paired, first: str, second: str) -> str:
    classes = tuple(SolvedClass)
    rows = [
        (Raw(f"<b>{x.value}</b>"), *(len(paired.classes[x, y]) for y in classes)) for x in classes
    ]
    headers = ["", *(f"{y.value}" for y in classes)]
    lists = "".join(
        folded(f"<b>{x.value}</b> and <b>{y.value}</b>: {counted(len(ids), 'task')}", _ids(ids))
        for (x, y), ids in paired.classes.items()
        if ids
    )
    return (
        '<div class="ph"><h2>Tasks by class</h2><span class="meta">rows: '
        f"<bdi>{bounded(first, 80)}</bdi>, columns: <bdi>{bounded(second, 80)}</bdi></span></div>"
        f'<div class="narrow">'
        f"{table(headers, rows, numeric=(1, 2, 3), caption='Tasks by class of both rows')}</div>"
        f"{lists}"
    )


def _ids(ids: Sequence[str]) -> str:
    shown = "".join(f"<li><code><bdi>{bounded(i, 200)}</bdi></code></li>" for i in ids[:_MOST_IDS])
    left = len(ids) - _MOST_IDS
    more = f'<p class="foot-note">and {left:,} more</p>' if left > 0 else ""
    return f'<ul class="ids">{shown}</ul>{more}'


def published_card(check: PublishedCheck, *, tasks: int, k: int) -> str:
    """Whether published figures can belong together."""
    low, high = check.successes
    passed = f"{low}" if low == high else f"{low} to {high}"
    style, word = ("pass", "Consistent") if check.is_possible else ("fail", "Impossible")
    why = f" {literal(check.reason)}." if check.reason else ""
    each = (
        f" {check.per_mixed_task:.2f} passed trials in a mixed task, on average."
        if check.per_mixed_task is not None and check.is_possible
        else ""
    )
    return (
        f'<p class="checked"><span class="v {style}">{word}</span>{why}</p>'
        f"<p>Mixed {check.mixed}, never {check.never} of {counted(tasks, 'task')}. The mean means "
        f"{passed} passed trials of {tasks * k:,}; ever and all allow {check.allowed[0]} to "
        f"{check.allowed[1]}.{each}</p>"
    )


def p_range_line(ends: tuple[MarginalP, MarginalP]) -> str:
    """What two published totals leave open of a paired test."""
    low, high = ends
    return (
        "<p>The two totals alone do not fix a paired test: McNemar’s exact p is "
        f"{_p(low.p)} where {counted(low.overlap, 'task')} {'was' if low.overlap == 1 else 'were'} "
        f"solved by both, and {_p(high.p)} where {high.overlap} were.</p>"
    )
