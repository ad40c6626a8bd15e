"""Commands that bring data in: fetch, formats, import, outputs."""

from __future__ import annotations

from pathlib import Path

import click

from audit_app.cli.options import (
    columns_of,
    emit,
    existing_workspace,
    ignored_text,
    json_option,
    map_option,
    rejected_rows,
    rejected_text,
    settings_of,
    workspace_options,
)
from audit_app.cli.progress import progress_count
from audit_app.external.fetch import fetch_bfcl_v4
from audit_app.importers.registry import FORMATS
from audit_app.services.context import in_workspace, open_services


@click.command()
@click.argument("what", type=click.Choice(["bfcl-v4"]))
@click.option("--to", type=click.Path(path_type=Path, file_okay=False), help="Folder to put it in.")
@json_option
def fetch(what: str, to: Path | None, as_json: bool) -> None:
    """Get the public package that carries a benchmark's data, pinned and checked."""
    fetched = fetch_bfcl_v4(to or settings_of(None, None).cache)
    path = str(fetched.path.resolve())
    emit(
        {"path": path, "sha256": fetched.sha256},
        f"{what} is at {path}\nsha256 {fetched.sha256}",
        as_json=as_json,
    )


@click.command()
@json_option
def formats(as_json: bool) -> None:
    """The formats that can be imported."""
    rows = [{"format": f.id, "reads": list(f.reads), "description": f.description} for f in FORMATS]
    text = "\n".join(f"{f.id:8} {', '.join(f.reads):16} {f.description}" for f in FORMATS)
    emit({"formats": rows}, text, as_json=as_json)


@click.command("import")
@click.argument("format_id", metavar="FORMAT")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--benchmark", "name", required=True, help="Name to store it under.")
@map_option
@workspace_options
def import_(
    format_id: str,
    path: Path,
    name: str,
    mappings: tuple[str, ...],
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> int:
    """Import the tasks and keys of a benchmark."""
    columns = columns_of(mappings)
    summary = in_workspace(
        settings_of(db, person),
        lambda services: services.benchmarks.import_tasks(
            format_id, path, name=name, columns=columns
        ),
    )
    v = summary.version
    data = {
        "benchmark": v.name,
        "version": v.version,
        "content_hash": v.content_hash,
        "is_new": summary.is_new,
        "tasks": v.tasks,
        "entries": v.entries,
        "weighted_entries": summary.weighted_entries,
        "by_category": dict(summary.by_category),
        "by_group": dict(summary.by_group),
        "rejected": rejected_rows(summary.rejected),
    }
    counts = "\n".join(f"  {count:6} {group}" for group, count in summary.by_group.items())
    verb = "imported" if summary.is_new else "is there already:"
    text = (
        f"{v.name} {verb} {v.tasks} tasks feeding {v.entries} scored entries "
        f"({summary.weighted_entries} in the overall score), version {v.version}\n{counts}"
        f"{rejected_text(summary.rejected)}"
    )
    emit(data, text, as_json=as_json)
    return 1 if summary.rejected else 0


@click.command()
@click.argument("format_id", metavar="FORMAT")
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--benchmark", required=True, help="The benchmark they belong to.")
@click.option(
    "--scores",
    type=click.Path(path_type=Path),
    help="Tree of score files beside a tree of results (bfcl).",
)
@click.option("--simulated", is_flag=True, help="Say wherever they show that they are simulated.")
@map_option
@workspace_options
def outputs(
    format_id: str,
    path: Path,
    benchmark: str,
    scores: Path | None,
    simulated: bool,
    mappings: tuple[str, ...],
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> int:
    """Import model outputs, with published grades where there are any."""
    with (
        open_services(existing_workspace(settings_of(db, person))) as services,
        progress_count("outputs read") as progress,
    ):
        summary = services.benchmarks.import_outputs(
            format_id,
            path,
            benchmark=benchmark,
            columns=columns_of(mappings),
            scores=scores,
            simulated=simulated,
            progress=progress,
        )
    data = {
        "models": list(summary.models),
        "outputs": summary.outputs,
        "ignored": list(summary.ignored),
        "rejected": rejected_rows(summary.rejected),
    }
    text = (
        f"{summary.outputs} outputs of {len(summary.models)} models imported"
        f"{ignored_text(summary.ignored)}{rejected_text(summary.rejected)}"
    )
    emit(data, text, as_json=as_json)
    return 1 if summary.rejected else 0
