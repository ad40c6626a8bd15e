"""Commands about the workspace itself: demo, serve, verify."""

from __future__ import annotations

import os
import sys
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

_APP = Path(__file__).resolve().parents[1] / "app.py"


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
@db_option
@click.option("--as", "person", metavar="NAME", help="Who reviews (default: ASSAY_REVIEWER).")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--allow-host",
    "names",
    multiple=True,
    metavar="NAME",
    help="Name under which browsers may reach it, besides localhost (against DNS rebinding).",
)
@click.option("--port", type=click.IntRange(1, 65535), default=8501, show_default=True)
def serve(
    db: Path | None, person: str | None, host: str, names: tuple[str, ...], port: int
) -> None:
    """Start the app and keep it running."""
    settings = settings_of(db, person)
    environment = {
        **os.environ,
        "ASSAY_DB": str(settings.db.resolve()),
        "ASSAY_REVIEWER": settings.reviewer,
    }
    click.echo(f"Assay is starting on http://{host}:{port} with {settings.db.resolve()}", err=True)
    sys.stderr.flush()
    arguments = [
        *(sys.executable, "-m", "streamlit", "run", str(_APP)),
        *("--server.address", host, "--server.port", str(port)),
        *("--server.headless", "true", "--browser.gatherUsageStats", "false"),
    ]
    for name in ("localhost", "127.0.0.1", host, *names):
        arguments += ["--server.allowedHosts", name]
    # The app takes this process's place: one process to stop, and signals reach it.
    os.execve(sys.executable, arguments, environment)


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
