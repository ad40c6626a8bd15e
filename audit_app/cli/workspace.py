"""Commands about the workspace itself: demo, verify."""

from __future__ import annotations

from pathlib import Path

import click

from audit_app.cli.options import (
    db_option,
    emit,
    existing_workspace,
    json_option,
    settings_of,
    workspace_options,
)
from audit_app.services.context import open_services
from audit_app.services.demo import ensure_demo


@click.command()
@db_option
@json_option
def demo(db: Path | None, as_json: bool) -> None:
    """Make the workspace with the bundled audit, if its file does not exist yet."""
    settings = settings_of(db, None)
    made = ensure_demo(settings)
    path = str(settings.db.resolve())
    text = f"{path} {'made, with the bundled audit' if made else 'is there already; left as it is'}"
    emit({"path": path, "made": made}, text, as_json=as_json)


@click.command()
@workspace_options
def verify(db: Path | None, person: str | None, as_json: bool) -> int:
    """Prove that what is stored holds: hashes, draws, chains of reviews."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        done = services.verify()
    data = {
        "benchmarks": done.benchmarks,
        "audits": done.audits,
        "problems": list(done.problems),
    }
    text = f"{done.benchmarks} benchmarks and {done.audits} audits checked: " + (
        "\n".join([f"{len(done.problems)} problems", *done.problems]) if done.problems else "sound"
    )
    emit(data, text, as_json=as_json)
    return 1 if done.problems else 0
