"""Commands about single tasks: finding them."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import click

from audit_app.cli.options import brief, emit, existing_workspace, settings_of, workspace_options
from audit_app.errors import InputError
from audit_app.services.browsing import TaskPage, TaskQuery, TaskRow
from audit_app.services.context import open_services

_LONGEST_ID = 60


@click.command()
@click.argument("benchmark")
@click.option("--search", "text", default="", help="Words that id, prompt, tools or key must hold.")
@click.option("--category", default="", help="Only tasks of this category.")
@click.option("--group", "group_", default="", help="Only tasks of this group.")
@click.option(
    "--limit", type=click.IntRange(min=1), default=50, show_default=True, help="Tasks to list."
)
@workspace_options
def tasks(
    benchmark: str,
    text: str,
    category: str,
    group_: str,
    limit: int,
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """List the tasks of BENCHMARK, or find some by their text."""
    query = TaskQuery(text=text, category=category, group=group_)
    with open_services(existing_workspace(settings_of(db, person))) as services:
        page = services.browsing(benchmark=benchmark).tasks(query, size=limit)
    _require("category", category, page.categories)
    _require("group", group_, page.groups)
    data = {
        "benchmark": page.benchmark.name,
        "version": page.benchmark.version,
        "tasks": page.benchmark.tasks,
        "found": page.found,
        "grades": "ours" if page.is_scored else "published",
        "rows": [_row(row) for row in page.rows],
    }
    emit(data, _text(page), as_json=as_json)


def _require(what: str, name: str, known: Collection[str]) -> None:
    if name and name not in known:
        raise InputError(f"there is no {what} {name!r}; there are: {', '.join(known)}")


def _row(row: TaskRow) -> dict[str, Any]:
    outcome = row.outcome
    return {
        "task_id": row.task_id,
        "category": row.category,
        "group": row.group,
        "outputs": outcome.outputs if outcome else None,
        "graded": outcome.graded if outcome else None,
        "right": outcome.right if outcome else None,
        "in_your_queue": row.audit or None,
    }


def _text(page: TaskPage) -> str:
    lines = [f"{'right':>9}  {'task':30}  {'group':16}  category"]
    for row in page.rows:
        id_ = brief(row.task_id)
        id_ = id_ if len(id_) <= _LONGEST_ID else f"{id_[:_LONGEST_ID]}…"
        queued = "  (in your queue)" if row.audit else ""
        lines.append(f"{_right(row):>9}  {id_:30}  {row.group:16}  {row.category}{queued}")
    shown = f", the first {len(page.rows)} shown" if len(page.rows) < page.found else ""
    found = f"{page.found} of {page.benchmark.tasks} tasks of {page.benchmark.name} found{shown}"
    return "\n".join([*(lines if page.rows else []), found])


def _right(row: TaskRow) -> str:
    outcome = row.outcome
    if outcome is None or not outcome.graded:
        return "—"
    return f"{outcome.right} of {outcome.graded}"
