"""Repeat reliability of recorded trials: trials."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from audit_app.cli.options import emit, json_option, rejected_rows, rejected_text
from audit_app.cli.trials_data import comparison_data, published_data, row_data
from audit_app.cli.trials_text import comparison_text, published_text, report_text
from audit_app.errors import InputError
from audit_app.services.published_rows import check_row
from audit_app.services.trials import compare_rows, read_trial_files, report_trials
from audit_app.stats.published_counts import PublishedCheck


@click.command()
@click.argument("files", nargs=-1, type=click.Path(path_type=Path))
@click.option("--category", default="", help="Only tasks of this category.")
@click.option("--pool", metavar="REASON", help="Count across conditions, labelled so.")
@click.option(
    "--compare", nargs=2, metavar="A B", help="Compare two models (or condition ids) task by task."
)
@click.option(
    "--published",
    metavar="MEAN,EVER,ALL,TASKS,K",
    help="Check a published row instead (MEAN as 62.8% or 0.628).",
)
@click.option("--seed", default=0, show_default=True, help="Of the bootstrap.")
@json_option
def trials(
    files: tuple[Path, ...],
    category: str,
    pool: str | None,
    compare: tuple[str, str] | None,
    published: str | None,
    seed: int,
    as_json: bool,
) -> int:
    """Say what repeated runs come to: the mean, solved at least once, solved every time."""
    if published is not None:
        if files:
            raise InputError("give files of trials or --published, not both")
        check = _published(published)
        emit(published_data(check), published_text(check), as_json=as_json)
        return 0 if check.is_possible else 1
    if not files:
        raise InputError("name a file of trials, or a published row with --published")
    report = report_trials(read_trial_files(files), category=category, pool=pool)
    compared = compare_rows(report, *compare, seed=seed) if compare else None
    data: dict[str, Any] = {
        "models": [row_data(row, seed) for row in report.rows],
        "rejected": rejected_rows(report.rejected),
    }
    text = report_text(report, seed=seed)
    if compared:
        data["comparison"] = comparison_data(compared)
        text += "\n\n" + comparison_text(compared)
    emit(data, text + rejected_text(report.rejected), as_json=as_json)
    return 1 if report.rejected else 0


def _published(text: str) -> PublishedCheck:
    parts = [part.strip() for part in text.split(",")]
    try:
        printed, *rest = parts
        ever, solved, tasks, k = map(int, rest)
        return check_row(printed, ever, solved, tasks=tasks, k=k)
    except ValueError as error:
        raise InputError(
            f"--published {text[:80]!r} is not MEAN,EVER,ALL,TASKS,K such as 62.8%,83,42,100,5 "
            f"({error})"
        ) from error
