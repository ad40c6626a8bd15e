"""Commands that move whole audits: audit export, audit import."""

from __future__ import annotations

from pathlib import Path

import click

from audit_app.cli.options import emit, existing_workspace, settings_of, workspace_options
from audit_app.services.context import in_workspace, open_services
from audit_app.services.reports import folder_name

outputs_option = click.option(
    "--outputs/--no-outputs",
    "with_outputs",
    default=True,
    show_default=True,
    help="Whether model outputs and their grades go along.",
)


@click.command("export")
@click.argument("name")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="The folder to write [default: exports/NAME/audit].",
)
@outputs_option
@workspace_options
def export(
    name: str,
    out: Path | None,
    with_outputs: bool,
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """Write audit NAME whole, with its benchmark, as a folder of plain files."""
    place = out or Path("exports") / folder_name(name) / "audit"
    with open_services(existing_workspace(settings_of(db, person))) as services:
        files = services.transfers.export(name, place, with_outputs=with_outputs)
    sizes = {str(path): path.stat().st_size for path in files}
    total = sum(sizes.values())
    lines = [f"{size:12,}  {path}" for path, size in sizes.items()]
    data = {"files": [*sizes], "folder": str(files[0].parent), "sizes": sizes, "bytes": total}
    emit(data, "\n".join([*lines, f"{total:12,}  bytes"]), as_json=as_json)


@click.command("import")
@click.argument("folder", type=click.Path(path_type=Path))
@outputs_option
@click.option(
    "--as-version",
    is_flag=True,
    help="Let its benchmark be a further version of one of the same name that is here.",
)
@workspace_options
def import_(
    folder: Path,
    with_outputs: bool,
    as_version: bool,
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """Bring the audit of FOLDER in, or what this workspace lacks of it; else nothing."""
    done = in_workspace(
        settings_of(db, person),
        lambda services: services.transfers.import_folder(
            folder, with_outputs=with_outputs, as_version=as_version
        ),
    )
    data = {
        "audit": done.audit,
        "is_new": done.is_new,
        "added": done.added,
        "is_new_benchmark": done.is_new_benchmark,
        "outputs": done.outputs,
    }
    emit(data, done.sentence, as_json=as_json)
