"""Commands about planted checks: planting them, and what reviewers made of them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from audit_app.cli.options import (
    emit,
    existing_workspace,
    percent,
    settings_of,
    workspace_options,
)
from audit_app.controls.known_clean import KnownClean, listed_clean
from audit_app.domain.planted import PlantedTask
from audit_app.errors import InputError
from audit_app.reporting.planted import KIND_LABELS, CheckShare, CorrectedPart, PlantedPart
from audit_app.services.context import open_services
from audit_app.services.files import read_text
from audit_app.services.planted_part import planted_part


@click.command("plant")
@click.argument("name")
@click.option("--seed", help="Same seed, same checks; keep it secret (default: a fresh one).")
@click.option(
    "--clean",
    "clean_file",
    type=click.Path(path_type=Path),
    help="Tasks known to be clean: one id a line, or a table with columns id and reason.",
)
@click.option("--reason", default="", help="Why they are, where the file does not say.")
@workspace_options
def plant(
    name: str,
    seed: str | None,
    clean_file: Path | None,
    reason: str,
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """Mix tasks of known outcome into the queues of audit NAME, unmarked."""
    listed = _listed(clean_file, reason)
    with open_services(existing_workspace(settings_of(db, person))) as services:
        used = seed if seed is not None else services.clock.new_id()
        planted = services.planted(name).plant(used, listed)
    damaged = sum(task.is_defective for task in planted)
    data = {
        "audit": name,
        "seed": used,
        "planted": len(planted),
        "damaged": damaged,
        "clean": len(planted) - damaged,
        "bases": _bases(planted),
    }
    text = (
        f"{len(planted)} checks planted in {name}: {damaged} with a damaged key, "
        f"{len(planted) - damaged} left as they are; seed {used}\n"
    )
    lines = [f"  {count:3} {basis}" for basis, count in _bases(planted).items()]
    emit(data, text + "\n".join(lines), as_json=as_json)


@click.command("checks")
@click.argument("name")
@workspace_options
def checks(name: str, db: Path | None, person: str | None, as_json: bool) -> None:
    """What reviewers of audit NAME made of its planted checks, and the rate corrected for it."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        results = services.planted(name).results()
    if results is None:
        raise InputError(f"no check is planted in {name!r}; see assay audit plant")
    part = planted_part(results)
    data = {"audit": name, **part.model_dump(mode="json")}
    emit(data, "\n".join(_lines(name, part)), as_json=as_json)


def _listed(path: Path | None, reason: str) -> list[KnownClean]:
    if path is None:
        if reason:
            raise InputError("--reason says why the tasks of --clean FILE are clean; name the file")
        return []
    return listed_clean(read_text(path), source=path.name, reason=reason)


def _bases(planted: Iterable[PlantedTask]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for task in planted:
        counts[task.basis] = counts.get(task.basis, 0) + 1
    return counts


def _lines(name: str, part: PlantedPart) -> Iterable[str]:
    yield (
        f"{name}: {part.planted} planted checks beside {part.sampled} sampled tasks; "
        "not part of the sample or of any rate"
    )
    if part.hidden:
        yield part.hidden
    figures = part.figures
    if figures is None:
        return
    yield f"  recall        {_share(figures.recall)}"
    yield f"  false alarms  {_share(figures.false_alarms)}"
    yield f"  cause family  {_share(figures.cause_right)}"
    for row in figures.kinds:
        label = KIND_LABELS[row.kind]
        yield f"  {row.checks:3} {label:26} judged defective {_share(row.defective)}"
    for reviewer in figures.reviewers:
        recall, wrong = _share(reviewer.recall), _share(reviewer.false_alarms)
        yield f"  {reviewer.reviewer}: recall {recall}; false alarms {wrong}"
    alarms = [
        check.task_id
        for check in figures.checks
        if not check.cause and any(judged.defective for judged in check.judgements)
    ]
    if alarms:
        yield f"  look again at what was taken for clean and judged defective: {', '.join(alarms)}"
    if figures.corrected is not None:
        yield from _corrected(figures.corrected)


def _corrected(corrected: CorrectedPart) -> Iterable[str]:
    if corrected.rate is None:
        yield f"corrected rate: not defined, {corrected.undefined['rate']}"
        return
    interval: Any = corrected.interval
    ends = (
        corrected.undefined["interval"]
        if interval is None
        else f"{percent(interval.lower)} to {percent(interval.upper)} at {interval.level:.0%}"
    )
    rate, observed = percent(corrected.rate), percent(corrected.observed)
    yield f"corrected rate: {rate} (observed {observed}); {ends}"
    if corrected.clipped:
        yield f"  clipped: {corrected.clipped}"


def _share(share: CheckShare) -> str:
    if share.share is None:
        return f"not defined, {share.undefined['share']}"
    return f"{share.count} of {share.of} ({percent(share.share)})"
