"""Repeat reliability on the page: which trials, one row in full, two rows, a published row."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from audit_app.errors import AuditError, InputError
from audit_app.importers.trial_files import TrialFile
from audit_app.services.live_progress import JobSummary
from audit_app.services.published_rows import check_row, p_range
from audit_app.services.trial_rows import TrialRow
from audit_app.services.trials import (
    TrialsReport,
    compare_two,
    merge_trials,
    pool_rows,
    report_trials,
)
from audit_app.ui.components.blocks import heading
from audit_app.ui.components.confirm.panel import panel
from audit_app.ui.components.notices import notice
from audit_app.ui.context import page_services
from audit_app.ui.rendering.live_jobs import job_label
from audit_app.ui.rendering.repeat_comparison import comparison_card, p_range_line, published_card
from audit_app.ui.rendering.repeats import row_card, rows_table

_FILES, _STORED = "Files of recorded trials", "Live trials of this audit"
_EVERY = "All categories"
_NOBODY = "Nothing"
_MOST_REJECTED = 5


@st.cache_data(max_entries=4, show_spinner=False)
def _read(files: tuple[tuple[str, bytes], ...]) -> TrialFile:
    return merge_trials(files)


def repeats_section(jobs: Sequence[JobSummary], *, hidden: str = "") -> None:
    """What repeated runs come to: of files, or of live trials stored here.

    Args:
        jobs: Jobs of live trials that the person may see.
        hidden: Why figures of the audit are not shown to the person; empty where they are.
    """
    source = st.radio("Trials", (_FILES, _STORED), key="repeat_source", horizontal=True)
    if source == _FILES:
        report = files_report()
    elif hidden:
        notice("mind", hidden)
        report = None
    else:
        report = stored_report(jobs)
    if report is not None:
        report_section(report)
    published_section()


def stored_report(jobs: Sequence[JobSummary]) -> TrialsReport | None:
    """The rows of live trials; None where there is none."""
    started = {row.job.id: row for row in jobs if row.done}
    if not started:
        st.html('<p class="say">No live trial of this audit has ended yet.</p>')
        return None
    chosen = st.multiselect(
        "Jobs",
        list(started),
        default=list(started),
        format_func=lambda job: job_label(started[job]),
        key="repeat_jobs",
    )
    reason = pool_reason(st.container())
    if not chosen:
        return None
    try:
        with page_services() as services:
            rows = services.live.reliability(chosen)
        return TrialsReport(tuple(pool_rows(rows, reason) if reason else rows), ())
    except AuditError as error:
        notice("error", str(error))
        return None


def files_report() -> TrialsReport | None:
    """The rows of uploaded files; None where there is none yet, or none that can be used."""
    uploaded = st.file_uploader(
        "Files of recorded trials (JSON lines or CSV: model, task, trial, status, condition)",
        accept_multiple_files=True,
        key="repeat_files",
    )
    if not uploaded:
        return None
    try:
        file = _read(tuple((one.name, one.getvalue()) for one in uploaded))
        columns = st.columns([34, 66])
        category = _category(file, columns[0])
        reason = pool_reason(columns[1])
        return report_trials(file, category=category, pool=reason)
    except AuditError as error:
        notice("error", str(error))
        return None


def _category(file: TrialFile, place: st.delta_generator.DeltaGenerator) -> str:
    known = sorted({t.category for t in file.trials} | {s.category for s in file.summaries})
    if len(known) < 2:
        return ""
    chosen = place.selectbox("Category", [_EVERY, *known], key="repeat_category")
    return "" if chosen == _EVERY else chosen


def pool_reason(place: st.delta_generator.DeltaGenerator) -> str | None:
    """Why the conditions are to be counted across; None where they are not."""
    typed = place.text_input(
        "Count across conditions, because (empty: every condition by itself)",
        key="repeat_pool",
        placeholder="What is alike in these conditions; the result is labelled as pooled",
    )
    return typed if typed.strip() else None


def report_section(report: TrialsReport) -> None:
    """The list of rows, the chosen one in full, and a second one beside it."""
    if report.rejected:
        _rejected(report)
    rows = report.rows
    panel(rows_table(rows), key="repeat_rows")
    numbers = list(range(len(rows)))
    labels = [_label(row) for row in rows]
    columns = st.columns(2)
    chosen = columns[0].selectbox(
        "In full", numbers, format_func=labels.__getitem__, key="repeat_row"
    )
    other = columns[1].selectbox(
        "Compared with",
        [None, *(n for n in numbers if n != chosen)],
        format_func=lambda n: _NOBODY if n is None else labels[n],
        key="repeat_other",
    )
    panel(row_card(rows[chosen]), key="repeat_card")
    if other is not None:
        _comparison(rows[chosen], rows[other])


def _label(row: TrialRow) -> str:
    where = "pooled" if row.pool else row.condition_id[:12]
    return " · ".join(part for part in (row.model, row.category, where) if part)


def _comparison(first: TrialRow, second: TrialRow) -> None:
    try:
        compared = compare_two(first, second)
    except AuditError as error:
        notice("mind", str(error))
        return
    panel(comparison_card(compared), key="repeat_comparison")


def _rejected(report: TrialsReport) -> None:
    shown: Sequence[str] = [
        f"{row.source}:{row.line}: {row.reason}" for row in report.rejected[:_MOST_REJECTED]
    ]
    left = len(report.rejected) - len(shown)
    more = f"; and {left} more" if left else ""
    notice("mind", f"{len(report.rejected)} rows are left out: {'; '.join(shown)}{more}")


def published_section() -> None:
    """Figures as somebody printed them: whether they can belong to one set of trials."""
    st.html(heading("Check a published row"))
    fields = st.columns([2, 1, 1, 1, 1, 2])
    mean = fields[0].text_input("Mean", key="published_mean", placeholder="62.8 %")
    numbers = [
        fields[place].number_input(label, value=None, step=1, key=f"published_{label.lower()}")
        for place, label in enumerate(("Ever", "All", "Tasks", "K"), 1)
    ]
    other = fields[5].number_input(
        "All of another model", value=None, step=1, key="published_other"
    )
    if not mean.strip() or any(number is None for number in numbers):
        st.html(
            '<p class="meta">As printed: the mean is a share of trials, ever and all are tasks.</p>'
        )
        return
    ever, solved, tasks, k = (int(number) for number in numbers if number is not None)
    try:
        html = _checked(mean, ever, solved, tasks, k)
        html += "" if other is None else _range(solved, int(other), tasks)
    except InputError as error:
        notice("error", str(error))
        return
    panel(html, key="published_card")


def _checked(mean: str, ever: int, solved: int, tasks: int, k: int) -> str:
    try:
        return published_card(check_row(mean, ever, solved, tasks=tasks, k=k), tasks=tasks, k=k)
    except ValueError as error:
        raise InputError(f"the row cannot be checked: {error}") from error


def _range(first: int, second: int, tasks: int) -> str:
    try:
        return p_range_line(p_range(first, second, tasks=tasks))
    except ValueError as error:
        raise InputError(f"the two totals cannot be set side by side: {error}") from error
