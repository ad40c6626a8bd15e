"""Commands about the course of an audit: stop, history, carry, compare, adopt a rubric."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from audit_app.cli.options import emit, existing_workspace, settings_of, workspace_options
from audit_app.services.comparison import ComparedAudit, Comparison
from audit_app.services.context import open_services
from audit_app.services.courses import VerdictChange
from audit_app.services.rubric_files import chosen_rubric


@click.command("stop")
@click.argument("name")
@click.option("--reason", required=True, help="Why reviewing stops, or goes on.")
@click.option("--resume", is_flag=True, help="Take an early stop back.")
@workspace_options
def stop(
    name: str, reason: str, resume: bool, db: Path | None, person: str | None, as_json: bool
) -> None:
    """Record that the review of audit NAME stops early; what is unread is no pass."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        act = services.courses.resume if resume else services.courses.stop
        view = act(name, reason)
    s = view.status
    unread = [task for task in view.sample.task_ids if task not in view.settled]
    data = {
        "stopped": view.grounds.stop,
        "sampled": s.sampled,
        "reviewed": s.reviewed,
        "not_reviewed": unread,
        "partial": view.verdict.partial,
    }
    text = view.grounds.stop or f"{name} goes on"
    emit(data, f"{text}\n{len(unread)} of {s.sampled} sampled tasks not reviewed", as_json=as_json)


@click.command("history")
@click.argument("name")
@workspace_options
def history(name: str, db: Path | None, person: str | None, as_json: bool) -> None:
    """Every change of the verdict of audit NAME, earlier versions of the benchmark included."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        changes = services.courses.history(name)
    data = {"history": [change.model_dump(mode="json") for change in changes]}
    text = "\n".join(map(_change_text, changes)) or "no verdict yet"
    emit(data, text, as_json=as_json)


def _change_text(change: VerdictChange) -> str:
    n = change.numbers
    numbers = f"{n.defective} of {n.reviewed} defective" if n else "numbers not kept"
    return (
        f"{change.at.isoformat(timespec='minutes')}  {change.audit}  {change.version}  "
        f"{change.label}  {numbers}  {change.by}: {change.cause}"
    )


@click.command("carry")
@click.argument("name")
@click.option("--to", required=True, metavar="BENCHMARK", help="The version: NAME or NAME@HASH.")
@click.option("--new", "new_name", required=True, metavar="NAME", help="Name of the new audit.")
@workspace_options
def carry(
    name: str, to: str, new_name: str, db: Path | None, person: str | None, as_json: bool
) -> None:
    """Continue audit NAME on another version: reviews of unchanged tasks are carried over."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        view = services.carrying.carry(name, to=to, as_=new_name)
    entry = view.dossier.carry
    data: dict[str, Any] = {"audit": view.audit.name, "version": view.benchmark.version}
    if entry is not None:
        data |= entry.body.model_dump(mode="json", exclude={"kind"}) | {"from": entry.body.audit}
        data["audit"] = view.audit.name
    lines = [f"audit {view.audit.name} of {view.benchmark.name} {view.benchmark.version}"]
    for key, words in (
        ("tasks", "with reviews carried over"),
        ("changed", "changed, to be looked at again"),
        ("fresh", "not reviewed before"),
        ("left", "reviewed before, not in this sample"),
        ("gone", "no longer in the benchmark"),
    ):
        ids = data.get(key, [])
        shown = f": {', '.join(ids)}" if ids and key != "tasks" else ""
        lines.append(f"  {len(ids):4} {words}{shown}")
    emit(data, "\n".join(lines), as_json=as_json)


@click.command("compare")
@click.argument("names", nargs=-1, required=True, metavar="NAME NAME…")
@workspace_options
def compare(names: tuple[str, ...], db: Path | None, person: str | None, as_json: bool) -> None:
    """Several audits side by side; a floor is never set against a rate without saying so."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        found = services.comparisons.compare(names)
    emit(found.model_dump(mode="json"), _comparison_text(found), as_json=as_json)


def _comparison_text(found: Comparison) -> str:
    blocks = ["\n".join(_lines(audit)) for audit in found.audits]
    return "\n\n".join([*blocks, *found.notes])


def _lines(audit: ComparedAudit) -> list[str]:
    partial = " (partial review)" if audit.partial else ""
    lines = [
        f"{audit.audit}: {audit.verdict_label}{partial}",
        f"  {audit.benchmark} {audit.version}, rubric {audit.rubric} {audit.rubric_version}",
        f"  {audit.evidence}: {audit.figure}",
    ]
    lines += [f"  {i.name}: {100 * i.lower:.1f} to {100 * i.upper:.1f} %" for i in audit.intervals]
    effects = audit.effects
    lines.append(f"  FN {effects.fn}, FP {effects.fp}, both {effects.both}")
    lines += [f"  {r.defective} of {r.reviewed} reviewed  {r.stratum}" for r in audit.strata]
    lines += [f"  outside evidence: at least {100 * floor:.1f} %" for floor in audit.outside]
    return [*lines, f"  judged by {', '.join(audit.reviewers) or 'nobody yet'}"]


@click.command("adopt")
@click.argument("name")
@click.option("--reason", required=True, help="Why the rubric changes half-way.")
@click.option("--rubric", "given", help="A rubric or a file; default: the one it came from, as is.")
@workspace_options
def adopt(
    name: str,
    reason: str,
    given: str | None,
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """Go on under the rubric file as it is now; the rubric before stays on record."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        choice = chosen_rubric(given) if given else None
        view = services.courses.adopt(name, choice, reason)
    last = view.dossier.adopted[-1].body
    data = {
        "rubric": view.audit.rubric.id,
        "version": view.audit.rubric.version,
        "differences": list(last.differences),
        "verdict": view.verdict.outcome.value,
    }
    lines = [f"{name} goes by {view.audit.rubric.id} {view.audit.rubric.version} from now on:"]
    emit(data, "\n".join([*lines, *(f"  {text}" for text in last.differences)]), as_json=as_json)
