"""Commands about judgements and what comes of them: reviews, rubric, report."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from audit_app.cli.options import (
    brief,
    emit,
    existing_workspace,
    rejected_rows,
    rejected_text,
    settings_of,
    workspace_options,
)
from audit_app.domain.rubric import Verdict
from audit_app.errors import InputError
from audit_app.reporting.render import FORMATS
from audit_app.services.audits import AuditView
from audit_app.services.context import open_services
from audit_app.services.report_check import ReportCheck, check_report


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
        "rubric": view.audit.rubric.id,
        "rubric_note": view.rubric_note,
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
    lines += [view.rubric_note] if view.rubric_note else []
    return "\n".join([*lines, *(f"  - {step.text}" for step in verdict.trace)])


@click.command()
@click.argument("name", required=False)
@click.option("--out", type=click.Path(path_type=Path), default=Path("exports"), show_default=True)
@click.option("--format", "formats", default=",".join(FORMATS), show_default=True)
@click.option(
    "--check",
    "checked",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Recompute the report FILE (.md, .html, .json) from the exports beside it.",
)
@workspace_options
def report(
    name: str | None,
    out: Path,
    formats: str,
    checked: Path | None,
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> int:
    """Write the report of audit NAME, at any stage; or check one that was written."""
    if checked is not None:
        if name is not None:
            raise InputError("--check takes the file of a report and no name of an audit")
        return _check(checked, as_json=as_json)
    if name is None:
        raise InputError("name the audit to report on, or give a report with --check FILE")
    wanted: list[str] = [part.strip() for part in formats.split(",") if part.strip()]
    with open_services(existing_workspace(settings_of(db, person))) as services:
        files = services.reports.write(name, out, wanted)
    data: dict[str, Any] = {"files": [str(path) for path in files]}
    emit(data, "\n".join(str(path) for path in files), as_json=as_json)
    return 0


def _check(path: Path, *, as_json: bool) -> int:
    check = check_report(path)
    data = {
        "file": str(path.resolve()),
        "differs": [difference._asdict() for difference in check.differs],
        "made_with": check.made_with,
        "checked_with": check.checked_with,
    }
    emit(data, _check_text(path, check), as_json=as_json)
    return 1 if check.differs else 0


def _check_text(path: Path, check: ReportCheck) -> str:
    if not check.differs:
        return f"{path}: every figure follows from the exports beside it"
    lines = [
        f"  {brief(d.figure)}\n    printed {_shown(d.printed)}, recomputed {_shown(d.recomputed)}"
        for d in check.differs
    ]
    if check.made_with != check.checked_with:
        lines.append(
            f"  The report was made with Assay {check.made_with} and recomputed with "
            f"{check.checked_with}, which may word or compute it otherwise."
        )
    return "\n".join([f"{path}: {len(check.differs)} differ:", *lines])


def _shown(text: str | None) -> str:
    return "nothing" if text is None else brief(text)
