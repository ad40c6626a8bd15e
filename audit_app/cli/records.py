"""Commands for what stands beside the sample: outside evidence, targeted tasks, root causes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from audit_app.cli.options import emit, existing_workspace, settings_of, workspace_options
from audit_app.domain.dossier import Dossier, Recorded
from audit_app.domain.dossier_entries import ResponseStatus
from audit_app.services.context import open_services

links_option = click.option("--link", "links", multiple=True, help="Evidence; may be given often.")


def _told(dossier: Dossier) -> dict[str, Any]:
    return {"records": [record_data(r) for r in dossier.entries if dossier.standing(r.id)]}


def record_data(record: Recorded) -> dict[str, Any]:
    """One entry of a dossier as JSON has it."""
    exclude = {"rubric", "before"}
    body = record.body.model_dump(mode="json", exclude=exclude)
    return {"id": record.id, "at": record.at.isoformat(), "by": record.by, **body}


@click.command("cite")
@click.argument("name")
@click.option("--source", required=True, help="Link to the audit that is cited.")
@click.option("--examined", type=int, required=True, help="Tasks examined there.")
@click.option("--confirmed", type=int, required=True, help="Of those, found defective.")
@click.option("--of", "total", type=int, required=True, help="Tasks of the benchmark in all.")
@click.option("--note", required=True, help="What was examined, and how it was chosen.")
@workspace_options
def cite(
    name: str,
    source: str,
    examined: int,
    confirmed: int,
    total: int,
    note: str,
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """Cite somebody else's audit: a floor beside audit NAME, never part of its rate."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        dossier = services.dossiers.cite(
            name, source=source, examined=examined, confirmed=confirmed, of=total, note=note
        )
    floor = f"at least {confirmed} of {total} = {100 * confirmed / total:.1f} %"
    emit(_told(dossier), f"outside evidence kept: {floor}, a floor and no rate", as_json=as_json)


@click.command("target")
@click.argument("name")
@click.option("--task", "tasks", multiple=True, required=True, help="Task id; may be given often.")
@click.option("--reason", required=True, help="Why it is read.")
@workspace_options
def target(
    name: str,
    tasks: tuple[str, ...],
    reason: str,
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """Name tasks outside the sample of audit NAME to be read on purpose; they count in no rate."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        added = services.courses.target(name, tasks, reason)
        listed = [t.task_id for t in services.audits.view(name).dossier.targeted]
    text = f"{len(added)} tasks added; {len(listed)} are read outside the sample, last in the queue"
    emit({"added": added, "targeted": listed}, text, as_json=as_json)


@click.group("root-cause")
def root_cause() -> None:
    """Shared faults that make many tasks defective."""


@root_cause.command("add")
@click.argument("name")
@click.argument("key")
@click.option("--title", required=True, help="In a few words.")
@click.option("--text", default="", help="What is at fault.")
@click.option("--cause", default="", help="Code of the taxonomy, for example G3.")
@links_option
@workspace_options
def add(
    name: str,
    key: str,
    title: str,
    text: str,
    cause: str,
    links: tuple[str, ...],
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """Name a root cause KEY in audit NAME; the same key again states it anew."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        dossier = services.dossiers.add_root_cause(
            name, key, title=title, description=text, cause=cause, links=links
        )
    emit(_causes(dossier), _causes_text(dossier), as_json=as_json)


@root_cause.command("link")
@click.argument("name")
@click.argument("key")
@click.option("--task", "tasks", multiple=True, required=True, help="Task id; may be given often.")
@workspace_options
def link(
    name: str,
    key: str,
    tasks: tuple[str, ...],
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """Link tasks with a finding to the root cause KEY of audit NAME."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        dossier = services.dossiers.link(name, key, tasks)
    emit(_causes(dossier), _causes_text(dossier), as_json=as_json)


@root_cause.command("unlink")
@click.argument("name")
@click.argument("key")
@click.option("--task", "tasks", multiple=True, required=True, help="Task id; may be given often.")
@workspace_options
def unlink(
    name: str,
    key: str,
    tasks: tuple[str, ...],
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """Take tasks out of the root cause KEY of audit NAME again."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        dossier = services.dossiers.link(name, key, tasks, unlink=True)
    emit(_causes(dossier), _causes_text(dossier), as_json=as_json)


@root_cause.command("list")
@click.argument("name")
@workspace_options
def list_(name: str, db: Path | None, person: str | None, as_json: bool) -> None:
    """The root causes of audit NAME with their tasks."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        dossier = services.audits.view(name).dossier
    emit(_causes(dossier), _causes_text(dossier), as_json=as_json)


def _causes(dossier: Dossier) -> dict[str, Any]:
    return {
        "root_causes": [
            {**entry.body.model_dump(mode="json"), "tasks": list(dossier.linked[key])}
            for key, entry in dossier.root_causes.items()
        ]
    }


def _causes_text(dossier: Dossier) -> str:
    lines = [
        f"{key}: {entry.body.title} ({len(dossier.linked[key])} tasks: "
        f"{', '.join(dossier.linked[key]) or 'none'})"
        for key, entry in dossier.root_causes.items()
    ]
    return "\n".join(lines) or "no root cause yet"


@click.command("scale")
@click.argument("name")
@click.option("--text", required=True, help="What damages grading, and why at scale.")
@click.option("--root-cause", "key", default="", help="Key of the root cause that it rests on.")
@links_option
@workspace_options
def scale(
    name: str,
    text: str,
    key: str,
    links: tuple[str, ...],
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """State an issue at scale in audit NAME; it may fail the scoring item at any rate."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        dossier = services.dossiers.state_scale_issue(name, text, links=links, root_cause=key)
    told = "issue at scale kept; a person still answers the scoring item, with assay rubric set"
    emit(_told(dossier), told, as_json=as_json)


@click.command("response")
@click.argument("name")
@click.option("--task", "task_id", required=True, help="The task whose findings are meant.")
@click.option("--status", type=click.Choice([s.value for s in ResponseStatus]), required=True)
@click.option("--version", default="", help="Version that brings the fix.")
@click.option("--date", "on", type=click.DateTime(["%Y-%m-%d"]), help="Day; default today.")
@click.option("--link", "address", default="", help="Where it can be read.")
@click.option("--text", default="", help="In their words.")
@workspace_options
def response(
    name: str,
    task_id: str,
    status: str,
    version: str,
    on: Any,
    address: str,
    text: str,
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """Record what the developers answered to the findings on a task of audit NAME."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        dossier = services.dossiers.respond(
            name,
            task_id,
            ResponseStatus(status),
            version=version,
            on=on.date() if on else None,
            link=address,
            text=text,
        )
    told = f"response to {task_id} kept: {status}; it changes no count"
    emit(_told(dossier), told, as_json=as_json)


@click.command("records")
@click.argument("name")
@workspace_options
def records(name: str, db: Path | None, person: str | None, as_json: bool) -> None:
    """Everything recorded beside the reviews of audit NAME that stands, with its ids."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        dossier = services.audits.view(name).dossier
    data = _told(dossier)
    lines = [f"{r['id']}  {r['at'][:10]}  {r['by']}  {r['kind']}" for r in data["records"]]
    emit(data, "\n".join(lines) or "nothing is recorded", as_json=as_json)


@click.command("withdraw")
@click.argument("name")
@click.argument("record")
@click.option("--reason", required=True, help="Why it no longer stands.")
@workspace_options
def withdraw(
    name: str, record: str, reason: str, db: Path | None, person: str | None, as_json: bool
) -> None:
    """Take back RECORD (an id of assay audit records) of audit NAME; it stays on file."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        dossier = services.dossiers.withdraw(name, record, reason)
    emit(_told(dossier), f"{record} no longer stands", as_json=as_json)
