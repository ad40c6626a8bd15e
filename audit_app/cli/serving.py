"""``assay serve``: what is refused before the app starts, and how it is started."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from audit_app.cli.options import db_option, settings_of
from audit_app.errors import InputError
from audit_app.services.key_settings import refuse_bad_keys
from audit_app.services.location import why_temporary
from audit_app.services.sign_in import SignIn, find_sign_in, is_loopback
from audit_app.settings import Settings

_APP = Path(__file__).resolve().parents[1] / "app.py"


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
    """Start the app and keep it running; on another address than this machine's with sign-in."""
    settings = settings_of(db, person)
    sign_in = find_sign_in(settings.secrets)
    _refuse_open(host, sign_in, settings)
    refuse_bad_keys(settings.keys)
    place = settings.db.resolve()
    click.echo(f"Assay is starting on http://{host}:{port} with {place}", err=True)
    for line in _notes(settings, sign_in, names):
        click.echo(line, err=True)
    sys.stderr.flush()
    allowed = [*names, *([sign_in.host] if sign_in else [])]
    # The app takes this process's place: one process to stop, and signals reach it.
    os.execve(
        sys.executable, _command(host, port, allowed, sign_in), _environment(settings, sign_in)
    )


def _refuse_open(host: str, sign_in: SignIn | None, settings: Settings) -> None:
    """Refuse to show a workspace to whoever can reach the address.

    Raises:
        InputError: Nobody would have to sign in.
    """
    if sign_in is not None:
        return
    if not is_loopback(host):
        raise InputError(
            f"--host {host} can be reached from elsewhere, and no sign-in is set up; "
            "give one in the file that ASSAY_SECRETS names (docs/team.md), or leave --host out"
        )
    if settings.admission.is_limited:
        raise InputError(
            "ASSAY_ALLOWED says who is admitted, and no sign-in is set up that could tell; "
            "give one in the file that ASSAY_SECRETS names (docs/team.md), or unset it"
        )


def _notes(settings: Settings, sign_in: SignIn | None, names: tuple[str, ...]) -> Iterator[str]:
    """What whoever starts the app should know."""
    temporary = why_temporary(settings.db)
    if temporary:
        yield f"Note: the workspace may be lost. {temporary} Choose another place with --db."
    if sign_in is None:
        if names:
            yield f"Note: whoever reaches the app as {', '.join(names)} can judge in any name."
        return
    yield f"Everyone signs in first; open {sign_in.origin}"
    if not settings.admission.is_limited:
        yield "Note: whoever has an account at the provider is admitted; see ASSAY_ALLOWED."
    if sign_in.is_in_clear:
        yield f"Note: {sign_in.origin} is not encrypted; who listens can take over a sign-in."


def _command(host: str, port: int, names: list[str], sign_in: SignIn | None) -> list[str]:
    arguments = [
        *(sys.executable, "-m", "streamlit", "run", str(_APP)),
        *("--server.address", host, "--server.port", str(port)),
        *("--server.headless", "true", "--browser.gatherUsageStats", "false"),
    ]
    for name in ("localhost", "127.0.0.1", host, *names):
        arguments += ["--server.allowedHosts", name]
    if sign_in is not None:
        arguments += ["--secrets.files", str(sign_in.secrets)]
    return arguments


def _environment(settings: Settings, sign_in: SignIn | None) -> dict[str, str]:
    """This process's environment, with the settings as they were read here."""
    given = {
        "ASSAY_DB": str(settings.db.resolve()),
        "ASSAY_REVIEWER": settings.reviewer,
        "ASSAY_SECRETS": str(sign_in.secrets) if sign_in else "",
        "ASSAY_KEYS": str(settings.keys.resolve()) if settings.keys else "",
    }
    return {**os.environ, **given}
