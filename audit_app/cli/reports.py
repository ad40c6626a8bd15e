"""Commands about judgements and what comes of them: reviews, rubric, report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from audit_app.cli.options import (
    emit,
    existing_workspace,
    rejected_rows,
    rejected_text,
    settings_of,
    workspace_options,
)
from audit_app.domain.rubric import Verdict
from audit_app.reporting.render import FORMATS
from audit_app.services.audits import AuditView
from audit_app.services.context import open_services


@click.group()
def reviews() -> None:
    """Reviews in and out as files."""


@reviews.command("import")
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path))
@workspace_options
def import_(name: str, file: Path, db: Path | None, person: str | None, as_json: bool) -> int:
    """Append the reviews of FILE (CSV or JSON lines) to audit NAME."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        done = services.review_files.import_file(name, file)
    data = {"accepted": done.accepted, "rejected": rejected_rows(done.rejected)}
    emit(data, f"{done.accepted} reviews accepted{rejected_text(done.rejected)}", as_json=as_json)
    return 1 if done.rejected else 0


@reviews.command("export")
@click.argument("name")
@click.argument("file", type=click.Path(path_type=Path))
@workspace_options
def export(name: str, file: Path, db: Path | None, person: str | None, as_json: bool) -> None:
    """Write the standing reviews of audit NAME to FILE (.csv or .jsonl)."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        count = services.review_files.export_file(name, file)
    path = str(file.resolve())
    emit({"reviews": count, "files": [path]}, f"{count} reviews in {path}", as_json=as_json)


@click.group()
def rubric() -> None:
    """Answer the rubric and read the verdict."""


@rubric.command("set")
@click.argument("name")
@click.argument("item")
@click.argument("status")
@click.option("--note", help="Remark shown beside the answer.")
@workspace_options
def set_(
    name: str,
    item: str,
    status: str,
    note: str | None,
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """Answer ITEM of audit NAME: a status, or the text or number that the item takes."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        view = services.rubrics.set(name, item, status, note=note)
    _emit_verdict(view, as_json=as_json)


@rubric.command("show")
@click.argument("name")
@workspace_options
def show(name: str, db: Path | None, person: str | None, as_json: bool) -> None:
    """The answers of audit NAME and the verdict they come to."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        view = services.audits.view(name)
    _emit_verdict(view, as_json=as_json)


def _emit_verdict(view: AuditView, *, as_json: bool) -> None:
    verdict = view.verdict
    data = {
        "verdict": verdict.outcome.value,
        "partial": verdict.partial,
        "trace": [step.model_dump(mode="json") for step in verdict.trace],
        "not_reviewed": list(verdict.not_reviewed),
        "answers": [
            answer.model_dump(mode="json", exclude={"id"})
            for answer in view.current_answers.values()
        ],
    }
    emit(data, _verdict_text(view, verdict), as_json=as_json)


def _verdict_text(view: AuditView, verdict: Verdict) -> str:
    lines = []
    for section in view.audit.rubric.sections:
        lines.append(f"{section.number} {section.label.text()}")
        for item in section.items:
            answer = view.current_answers.get(item.id)
            status = item.status(answer.status if answer else "not_reviewed")
            label = status.label.text() if status else "?"
            lines.append(f"  {item.number:4} {item.id:14} {label}")
    label = view.audit.rubric.outcomes[verdict.outcome].text()
    lines.append(f"verdict: {label}{' (partial review)' if verdict.partial else ''}")
    return "\n".join([*lines, *(f"  - {step.text}" for step in verdict.trace)])


@click.command()
@click.argument("name")
@click.option("--out", type=click.Path(path_type=Path), default=Path("exports"), show_default=True)
@click.option("--format", "formats", default=",".join(FORMATS), show_default=True)
@workspace_options
def report(
    name: str, out: Path, formats: str, db: Path | None, person: str | None, as_json: bool
) -> None:
    """Write the report of audit NAME, at any stage."""
    wanted: list[str] = [part.strip() for part in formats.split(",") if part.strip()]
    with open_services(existing_workspace(settings_of(db, person))) as services:
        files = services.reports.write(name, out, wanted)
    data: dict[str, Any] = {"files": [str(path) for path in files]}
    emit(data, "\n".join(str(path) for path in files), as_json=as_json)
