"""The command that lists what differs between reviewers and settles it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from audit_app.cli.adjudicate_text import board_data, board_text, case_data, case_text
from audit_app.cli.options import emit, existing_workspace, settings_of, workspace_options
from audit_app.domain.review import Effect
from audit_app.errors import InputError
from audit_app.services.adjudication import AdjudicationService
from audit_app.services.case_board import Case
from audit_app.services.context import Services, open_services
from audit_app.services.files import read_text

_DECISIONS = ("take", "clean", "effects", "send_back", "undo")
_OF_A_DEFECT = ("cause", "causes", "severity", "note", "evidence", "proposed_key")


@click.command("adjudicate")
@click.argument("name")
@click.option("--accept-identical", is_flag=True, help="Settle every task whose reviews agree.")
@click.option("--task", "task_id", metavar="ID", help="One task; alone, its reviews side by side.")
@click.option("--take", metavar="REVIEWER", help="This review is right as it is.")
@click.option("--clean", is_flag=True, help="The key is right.")
@click.option("--effects", metavar="FN,FP", help="The key has a defect with these effects.")
@click.option("--cause", metavar="CODE", help="Its primary cause, as K2.")
@click.option("--causes", metavar="CODE,…", help="Its further causes.")
@click.option("--severity", type=click.IntRange(0, 3), help="Its severity.")
@click.option("--note", help="What is wrong, for the report.")
@click.option("--evidence", metavar="LINK", multiple=True, help="A link; may be given many times.")
@click.option(
    "--proposed-key",
    type=click.Path(path_type=Path),
    help="A JSON file with the key that should stand.",
)
@click.option("--send-back", metavar="REVIEWER", help="Return a review, with a reason.")
@click.option("--undo", is_flag=True, help="Take the adjudication back.")
@click.option("--reason", default="", help="Why.")
@workspace_options
def adjudicate(
    name: str, db: Path | None, person: str | None, as_json: bool, **options: Any
) -> None:
    """List where the reviews of audit NAME differ, or settle a task."""
    decision = _decision(options)
    with open_services(existing_workspace(settings_of(db, person))) as services:
        service = services.adjudicating(name)
        accepted = service.accept_identical() if options["accept_identical"] else None
        case = service.case(options["task_id"]) if options["task_id"] else None
        if case is not None and decision:
            _decide(services, service, case, decision, options)
        board = service.board()
    if case is not None and not decision:
        emit(case_data(case), case_text(case), as_json=as_json)
        return
    emit(board_data(board, accepted), board_text(board, accepted), as_json=as_json)


def _decision(options: dict[str, Any]) -> str:
    """What is to be done to the task; empty where it is only to be shown."""
    given = [name for name in _DECISIONS if options[name]]
    flags = [f"--{name.replace('_', '-')}" for name in given]
    if len(given) > 1:
        raise InputError(f"{' and '.join(flags)} exclude each other: settle a task in one way")
    if given and not options["task_id"]:
        raise InputError(f"{flags[0]} needs --task ID")
    if options["task_id"] and options["accept_identical"]:
        raise InputError("--accept-identical is for all tasks; leave --task out")
    if given != ["effects"]:
        extra = [name for name in _OF_A_DEFECT if options[name] not in (None, ())]
        if extra:
            flag = f"--{extra[0].replace('_', '-')}"
            raise InputError(f"{flag} describes a defect: give its --effects too")
    return given[0] if given else ""


def _decide(
    services: Services,
    service: AdjudicationService,
    case: Case,
    decision: str,
    options: dict[str, Any],
) -> None:
    action: dict[str, Any] = {
        "id": services.clock.new_id(),
        "task_id": case.item.task_id,
        "basis": case.basis,
        "supersedes": case.adjudication.id if case.adjudication else None,
        "note": options["reason"],
    }
    match decision:
        case "take" | "send_back":
            action |= {"kind": decision, "review_id": _review_of(case, options[decision])}
        case "undo":
            if case.adjudication is None:
                raise InputError(f"{case.item.task_id} has no adjudication to take back")
            action |= {"kind": "undo"}
        case "clean":
            action |= {"kind": "own", "judgement": "clean"}
        case "effects":
            action |= {"kind": "own", "judgement": "defect", "findings": [_finding(options)]}
    (ack,) = service.apply([action])
    if ack.error:
        raise InputError(ack.error)


def _review_of(case: Case, reviewer: str) -> str:
    for review in case.reviews:
        if review.reviewer == reviewer:
            return review.id
    names = ", ".join(review.reviewer for review in case.reviews)
    raise InputError(f"no review of {case.item.task_id} by {reviewer!r} stands; there are: {names}")


def _finding(options: dict[str, Any]) -> dict[str, Any]:
    effects = _listed(options["effects"].upper())
    for effect in effects:
        if effect not in Effect.__members__:
            raise InputError(f"--effects {effect!r} is none of {', '.join(Effect)}")
    key = options["proposed_key"]
    return {
        "effects": effects,
        "cause": options["cause"],
        "causes": _listed(options["causes"] or ""),
        "severity": options["severity"],
        "note": options["note"] or "",
        "evidence": options["evidence"],
        "proposed_key": read_text(key) if key else None,
    }


def _listed(text: str) -> list[str]:
    return [part for part in text.replace(",", " ").split() if part]
