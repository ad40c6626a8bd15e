"""Options that many commands take, and how they print."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from audit_app.errors import InputError
from audit_app.importers.report import RejectedRow
from audit_app.services.context import workspace_exists
from audit_app.settings import Settings, read_settings

LONGEST_LINE = 1_000
"""Characters of a message about one thing."""

Function = TypeVar("Function", bound=Callable[..., Any])

db_option = click.option(
    "--db",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The workspace file (default: ASSAY_DB, else ./assay.db).",
)
as_option = click.option(
    "--as", "person", metavar="NAME", help="Who does this (default: ASSAY_REVIEWER, else you)."
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON document and nothing else."
)
map_option = click.option(
    "--map",
    "mappings",
    metavar="FIELD=COLUMN",
    multiple=True,
    help="Which column holds a field; may be given many times.",
)


def workspace_options(function: Function) -> Function:
    """``--db``, ``--as`` and ``--json``."""
    return db_option(as_option(json_option(function)))


def settings_of(db: Path | None, person: str | None) -> Settings:
    """Settings of a command: what is given by hand wins over the environment."""
    return read_settings(db=db, reviewer=person)


def existing_workspace(settings: Settings) -> Settings:
    """The settings, if the workspace is there to be read.

    Raises:
        InputError: The file does not exist, so that a mistyped path makes no empty workspace.
    """
    if not workspace_exists(settings):
        raise InputError(
            f"there is no workspace {settings.db}; make one with assay demo or assay import"
        )
    return settings


def columns_of(mappings: tuple[str, ...]) -> dict[str, str]:
    """``FIELD=COLUMN`` pairs as a mapping."""
    columns: dict[str, str] = {}
    for mapping in mappings:
        field, mark, column = mapping.partition("=")
        if not mark or not field or not column:
            raise InputError(f"--map {mapping!r} is not of the form FIELD=COLUMN")
        if field in columns:
            raise InputError(f"--map gives {field!r} twice")
        columns[field] = column
    return columns


def emit(data: Mapping[str, Any], text: str, *, as_json: bool) -> None:
    """Print the one JSON document, or the text for a person; a reader may leave (``| head``)."""
    try:
        # In ASCII, because text may hold what the terminal's encoding cannot.
        click.echo(json.dumps(data, ensure_ascii=True, indent=2) if as_json else text)
    except BrokenPipeError:
        stop_printing()


def stop_printing() -> None:
    """Drop what is still to be printed: nobody reads it."""
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())


def brief(text: str) -> str:
    """One line of a bearable length: what is too long in it, as an id can be, loses its middle."""
    line = " ".join(text.split())
    if len(line) <= LONGEST_LINE:
        return line
    half = LONGEST_LINE // 2
    return f"{line[:half]} … {line[-half:]}"


def rejected_rows(rows: tuple[RejectedRow, ...]) -> list[dict[str, Any]]:
    """Rejected rows as JSON has them."""
    return [{"source": r.source, "line": r.line, "reason": brief(r.reason)} for r in rows]


def rejected_text(rows: tuple[RejectedRow, ...], *, most: int = 20) -> str:
    """Rejected rows for a person, the first ones of many."""
    if not rows:
        return ""
    lines = [
        brief(f"{r.source}:{r.line}: {r.reason}" if r.line else f"{r.source}: {r.reason}")
        for r in rows[:most]
    ]
    more = [f"  … and {len(rows) - most} more (--json lists all)"] if len(rows) > most else []
    return "\n".join([f"\n{len(rows)} rejected:", *(f"  {line}" for line in lines), *more])


def ignored_text(names: tuple[str, ...], *, most: int = 5) -> str:
    """What was left alone on purpose, the first ones of many."""
    if not names:
        return ""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return (
        f"\nleft alone, since it carries no weight or no outputs: {', '.join(names[:most])}{more}"
    )


def percent(share: float | None) -> str:
    """A share as a percentage with one decimal, or "not defined"."""
    return "not defined" if share is None else f"{100 * share:.1f} %"
