"""Commands about samples: plan, audit new, status, expand, list, note."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from audit_app.cli.adjudicate_text import agreement_data, agreement_line
from audit_app.cli.options import (
    emit,
    existing_workspace,
    percent,
    settings_of,
    workspace_options,
)
from audit_app.cli.planning import planning, planning_options, planning_preview
from audit_app.cli.records_text import beside_data, beside_text
from audit_app.domain.estimates import Estimand, Status
from audit_app.domain.sampling import Frame, Sample, SamplingPlan
from audit_app.services.agreement import audit_agreement
from audit_app.services.audits import AuditView, Preview
from audit_app.services.case_board import awaited
from audit_app.services.context import Services, open_services
from audit_app.services.plans import PlanFlags, preview_of
from audit_app.services.rubric_files import chosen_rubric
from audit_app.services.rubrics import STATEMENTS


def plan_options(function: Any) -> Any:
    """The options that say how to draw."""
    for option in reversed(
        (
            click.option("--benchmark", required=True, help="The benchmark to draw from."),
            click.option(
                "--plan", "plan_file", type=click.Path(path_type=Path), help="A plan as TOML."
            ),
            click.option("--size", type=int, help="Tasks to draw at first."),
            click.option("--seed", help="Same seed, same draw; kept with the plan."),
            click.option("--stratify-by", help="Field whose values are the strata (or two: a,b)."),
            click.option("--weights", help="Weights of the strata: a=1,b=2."),
            click.option(
                "--ids",
                "ids_file",
                type=click.Path(path_type=Path),
                help="A draw made elsewhere: one task id a line.",
            ),
        )
    ):
        function = option(function)
    return function


def _preview(services: Services, options: dict[str, Any]) -> Preview:
    return preview_of(services.audits, options["benchmark"], PlanFlags.of(options))


rubric_option = click.option(
    "--rubric", help="A rubric that travels with Assay (epoch, minimal), or a file; default epoch."
)


@click.command()
@plan_options
@planning_options
@workspace_options
def plan(db: Path | None, person: str | None, as_json: bool, **options: Any) -> None:
    """Show what a plan would draw, and what can be known before; nothing is stored."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        preview = planning_preview(services, options)
    more, lines = planning(preview, options)
    data = _plan_data(preview.plan, preview.frame, preview.sample) | more
    text = "\n".join([_plan_text(preview.frame, preview.sample), *lines])
    emit(data, text, as_json=as_json)


@click.group()
def audit() -> None:
    """Set up an audit, widen its sample, see where it stands."""


@audit.command("new")
@click.argument("name")
@plan_options
@rubric_option
@workspace_options
def new(name: str, db: Path | None, person: str | None, as_json: bool, **options: Any) -> None:
    """Store an audit NAME with its plan and first draw."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        view = services.audits.create(
            name,
            options["benchmark"],
            _preview(services, options),
            chosen_rubric(options["rubric"]),
        )
    data = {"audit": view.audit.name, **_plan_data(view.audit.plan, view.frame, view.sample)}
    text = f"audit {view.audit.name} of {view.benchmark.name} {view.benchmark.version}\n"
    emit(data, text + _plan_text(view.frame, view.sample), as_json=as_json)


@audit.command("expand")
@click.argument("name")
@click.option("--reason", default="", help="Why, where the rule does not ask for it.")
@workspace_options
def expand(name: str, reason: str, db: Path | None, person: str | None, as_json: bool) -> None:
    """Widen the sample by the plan, keeping the first draw."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        view = services.audits.expand(name, reason=reason)
    data = _plan_data(view.audit.plan, view.frame, view.sample)
    emit(data, _plan_text(view.frame, view.sample), as_json=as_json)


@audit.command("list")
@workspace_options
def list_(db: Path | None, person: str | None, as_json: bool) -> None:
    """The audits of this workspace, the latest first."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        names = services.audits.names()
    emit({"audits": names}, "\n".join(names) or "no audit yet", as_json=as_json)


@audit.command("status")
@click.argument("name")
@workspace_options
def status(name: str, db: Path | None, person: str | None, as_json: bool) -> None:
    """Where an audit stands and what the rule says next."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        view = services.audits.view(name)
    emit(_status_data(view), _status_text(view), as_json=as_json)


@audit.command("note")
@click.argument("name")
@click.argument("statement", type=click.Choice(list(STATEMENTS)))
@click.argument("text")
@workspace_options
def note(
    name: str, statement: str, text: str, db: Path | None, person: str | None, as_json: bool
) -> None:
    """Put a text into the report of an audit; an empty one takes it out."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        services.rubrics.state(name, statement, text)
        statements = services.rubrics.statements(name)
    emit({"statements": statements}, f"{statement} kept", as_json=as_json)


def _allocation(frame: Frame, sample: Sample) -> dict[str, int]:
    drawn = sample.allocation
    return {stratum.id: drawn.get(stratum.id, 0) for stratum in frame.strata}


def _plan_data(plan: SamplingPlan, frame: Frame, sample: Sample) -> dict[str, Any]:
    return {
        "plan": plan.model_dump(mode="json"),
        "kind": sample.kind.value,
        "stage": sample.stage,
        "frame_size": frame.size,
        "frame_hash": frame.digest,
        "outside": dict(frame.outside),
        "allocation": _allocation(frame, sample),
        "draw": [{"stratum": d.stratum, "task_ids": list(d.task_ids)} for d in sample.draws],
    }


def _plan_text(frame: Frame, sample: Sample) -> str:
    lines = [f"{'tasks':>7} {'weight':>8} {'drawn':>6}  stratum"]
    drawn = _allocation(frame, sample)
    lines += [
        f"{s.population:7} {percent(s.weight):>8} {drawn[s.id]:6}  {s.id}" for s in frame.strata
    ]
    lines += [
        f"{n:7} {'':>8} {'':>6}  {value} (outside the frame)" for value, n in frame.outside.items()
    ]
    kind = {"random": "random sample", "census": "census", "supplied": "drawn outside Assay"}
    total = len(sample.task_ids)
    return "\n".join([*lines, f"{kind[sample.kind.value]}: {total} of {frame.size} tasks"])


def _status_data(view: AuditView) -> dict[str, Any]:
    s = view.status
    agreed, awaits = agreement_data(audit_agreement(view)), awaited(view)
    return {
        "audit": view.audit.name,
        **s.model_dump(mode="json", exclude={"by_outer", "next", "next_text"}),
        "by_outer": [row.model_dump(mode="json") for row in s.by_outer],
        "next": s.next.value,
        "next_text": s.next_text,
        **beside_data(view),
        "verdict": view.verdict.outcome.value,
        "partial": view.verdict.partial,
        "agreement": agreed["agreement"],
        "awaiting": awaits._asdict(),
        "hidden": view.hidden,
        "undefined": s.undefined | agreed["undefined"],
    }


def _status_text(view: AuditView) -> str:
    s = view.status
    lines = [
        f"{view.audit.name}: {s.reviewed} of {s.sampled} sampled tasks reviewed, "
        f"{s.defective} defective = {percent(s.rate)}",
    ]
    lines += [
        f"  {i.name}: {percent(i.lower)} to {percent(i.upper)} at {100 * i.level:.0f} %"
        for i in s.intervals
    ]
    lines += [
        f"  {row.defective:3} of {row.reviewed:3} reviewed, {row.sampled:3} sampled  "
        f"{percent(row.rate):>11}  {row.stratum}"
        for row in s.by_stratum
    ]
    lines += _frame_text(s)
    lines.append(f"  FN {s.effects.fn}, FP {s.effects.fp}, both {s.effects.both}, stale {s.stale}")
    lines += [f"  {key}: not defined, {reason}" for key, reason in s.undefined.items()]
    lines += [f"  mind: {warning}" for warning in s.warnings]
    lines.append(s.next_text)
    lines += beside_text(view)
    lines += _team_text(view)
    label = view.audit.rubric.outcomes[view.verdict.outcome].text()
    return "\n".join([*lines, f"verdict: {label}"])


def _frame_text(status: Status) -> list[str]:
    """The rates of the frame with the interval to quote; one line where they are the same."""
    names = {Estimand.SCORE: "score-weighted", Estimand.TASK: "task-weighted"}
    if status.weights_coincide:
        names = {Estimand.SCORE: "score- and task-weighted"}
    lines = []
    for estimand, name in names.items():
        found = status.estimate(estimand)
        if found.rate is not None:
            ends = [
                f"{i.name} {percent(i.lower)} to {percent(i.upper)}" for i in found.intervals[:1]
            ]
            lines.append(f"  {', '.join([f'{name} {percent(found.rate)}', *ends])}")
    return lines


def _team_text(view: AuditView) -> list[str]:
    """How the reviewers agree and what is awaited, where several people judge a task."""
    agreed, awaits = audit_agreement(view), awaited(view)
    if not view.team.is_blind and agreed.undefined:
        return []
    hidden = f"; {view.hidden} reviews are not shown to you yet" if view.hidden else ""
    return [
        f"{agreement_line(agreed)}; awaiting {awaits.reviews} reviews and "
        f"{awaits.adjudication} adjudications{hidden}"
    ]
