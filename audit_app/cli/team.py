"""Commands about sharing an audit: team, assign, send-back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from audit_app.cli.options import emit, existing_workspace, settings_of, workspace_options
from audit_app.domain.team import Mode, TeamSettings
from audit_app.errors import InputError
from audit_app.services.context import open_services
from audit_app.services.team import TeamChange, TeamService
from audit_app.services.team_standing import PersonStanding


@click.command("team")
@click.argument("name")
@click.option(
    "--mode",
    type=click.Choice([mode.value for mode in Mode]),
    help="How the reviews of a task become the judgement that counts.",
)
@click.option("--reviews-per-task", type=int, metavar="N", help="People who judge each task.")
@click.option(
    "--lease-minutes", type=int, metavar="N", help="How long an idle reviewer keeps a task."
)
@click.option("--reviewer", "reviewers", multiple=True, help="Who may review; may be repeated.")
@click.option("--anyone-reviews", is_flag=True, help="Name no reviewers.")
@click.option(
    "--adjudicator", "adjudicators", multiple=True, help="Who may adjudicate; may be repeated."
)
@click.option("--anyone-adjudicates", is_flag=True, help="Name no adjudicators.")
@click.option(
    "--planted", type=float, metavar="SHARE", help="Share of planted checks: 0, or 0.1 to 0.2."
)
@workspace_options
def team(name: str, db: Path | None, person: str | None, as_json: bool, **options: Any) -> None:
    """Show how audit NAME is shared and how far everybody is, or change it."""
    change = _change(options)
    with open_services(existing_workspace(settings_of(db, person))) as services:
        service = services.team(name)
        changed = service.change(change)
        people = service.standing()
    settings, follows = changed.settings, list(changed.consequences)
    data = {
        "audit": name,
        "team": settings.model_dump(mode="json"),
        "consequences": follows,
        "people": [_person_data(row) for row in people],
    }
    lines = [*_settings_lines(settings), *follows, *_people_lines(people)]
    emit(data, "\n".join(lines), as_json=as_json)


def _change(options: dict[str, Any]) -> TeamChange:
    for names, nobody in (("reviewers", "anyone_reviews"), ("adjudicators", "anyone_adjudicates")):
        if options[names] and options[nobody]:
            raise InputError(
                f"--{nobody.replace('_', '-')} names nobody, and --{names[:-1]} names somebody; "
                "give one of them"
            )
    return TeamChange(
        mode=None if options["mode"] is None else Mode(options["mode"]),
        reviews_per_task=options["reviews_per_task"],
        lease_minutes=options["lease_minutes"],
        reviewers=_names(options["reviewers"], options["anyone_reviews"]),
        adjudicators=_names(options["adjudicators"], options["anyone_adjudicates"]),
        planted_share=options["planted"],
    )


def _names(given: tuple[str, ...], nobody: bool) -> tuple[str, ...] | None:
    return () if nobody else given or None


def _settings_lines(settings: TeamSettings) -> list[str]:
    each = settings.reviews_per_task
    return [
        f"mode {settings.mode.value}, {each} review{'' if each == 1 else 's'} per task, "
        f"leases of {settings.lease_minutes} minutes, "
        f"{100 * settings.planted_share:.0f} % planted checks",
        f"reviewers: {', '.join(settings.reviewers) or 'anyone'}",
        f"adjudicators: {', '.join(settings.adjudicators) or 'anyone who did not review the task'}",
    ]


def _people_lines(people: list[PersonStanding]) -> list[str]:
    if not people:
        return ["nobody has begun"]
    rows = [
        f"{p.left.judged:6} {p.held:6} {p.left.open + p.left.skipped:6} {p.left.returned:9} "
        f"{p.assigned:9}  {p.reviewer}{'' if p.is_named else ' (not among the reviewers)'}"
        for p in people
    ]
    return [f"{'done':>6} {'held':>6} {'left':>6} {'returned':>9} {'assigned':>9}", *rows]


def _person_data(row: PersonStanding) -> dict[str, Any]:
    left = row.left
    return {
        "reviewer": row.reviewer,
        "done": left.judged,
        "held": row.held,
        "left": left.open + left.skipped,
        "skipped": left.skipped,
        "returned": left.returned,
        "taken": left.taken,
        "closed": left.closed,
        "assigned": row.assigned,
        "is_reviewer": row.is_named,
    }


@click.command("assign")
@click.argument("name")
@click.option("--task", "task_ids", metavar="ID", multiple=True, help="May be repeated.")
@click.option("--reviewer", "reviewers", multiple=True, help="To whom; may be repeated.")
@click.option("--evenly", is_flag=True, help="Every task, to everybody as many.")
@click.option("--seed", help="Same seed, same assignments (default: the audit's name).")
@click.option("--take-back", is_flag=True, help="Take assignments back instead.")
@workspace_options
def assign(name: str, db: Path | None, person: str | None, as_json: bool, **options: Any) -> None:
    """Give tasks of audit NAME to reviewers; nobody else is handed them then."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        service = services.team(name)
        changed = _assigned(service, name, options)
        people, short = service.standing(), service.short_handed()
        each = service.settings().reviews_per_task
    verb = "taken back" if options["take_back"] else "made"
    lines = [f"{changed} assignment{'' if changed == 1 else 's'} {verb}"]
    if short:
        lines.append(
            f"{short} of the assigned tasks can never have their {each} reviews: they are assigned "
            "to fewer people"
        )
    data = {
        "audit": name,
        "changed": changed,
        "short_handed": short,
        "people": [_person_data(row) for row in people],
    }
    emit(data, "\n".join([*lines, *_people_lines(people)]), as_json=as_json)


def _assigned(service: TeamService, name: str, options: dict[str, Any]) -> int:
    tasks, reviewers = options["task_ids"], options["reviewers"]
    if options["evenly"] == bool(tasks):
        raise InputError("say which tasks: --task ID, or --evenly for all of them")
    if options["seed"] is not None and not options["evenly"]:
        raise InputError("--seed goes with --evenly")
    if options["evenly"] and options["take_back"]:
        if reviewers:
            raise InputError("--evenly --take-back takes every assignment back; leave --reviewer")
        return service.take_back_all()
    if options["evenly"]:
        return service.assign_evenly(reviewers, seed=options["seed"] or name)
    if not reviewers:
        raise InputError("say to whom: --reviewer NAME")
    return service.assign(tasks, reviewers, take_back=options["take_back"])


@click.command("send-back")
@click.argument("name")
@click.argument("task_id", metavar="TASK")
@click.option("--reviewer", required=True, help="Whose review.")
@click.option("--reason", required=True, help="Why, for the reviewer to read.")
@workspace_options
def send_back(
    name: str,
    task_id: str,
    reviewer: str,
    reason: str,
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """Return a review of TASK in audit NAME to its reviewer, to be judged again."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        sent = services.team(name).send_back(task_id, reviewer, reason)
    text = f"{sent.task_id} was sent back to {sent.reviewer}; the first review stays stored"
    emit({"audit": name, **sent.model_dump(mode="json")}, text, as_json=as_json)
