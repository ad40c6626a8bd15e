"""Commands that use what an audit confirmed: the effect on the leaderboard, the key patch."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from audit_app.cli.options import (
    columns_of,
    emit,
    existing_workspace,
    map_option,
    percent,
    settings_of,
    workspace_options,
)
from audit_app.reporting.key_patch import KeyPatch, PatchedTask, PatchStatus
from audit_app.reporting.report import ImpactPart
from audit_app.services.context import open_services
from audit_app.services.patches import WrittenPatch
from audit_app.stats.impact_model import Impact, ModelImpact, OrderChange, RankingImpact, Weighting
from audit_app.stats.impact_text import signed_points

_LISTED = 20


@click.command()
@click.argument("audit")
@click.option(
    "--weighting",
    type=click.Choice([w.value for w in Weighting]),
    help="What scores give weight to (default: the overall score where there is one, else tasks).",
)
@click.option("--seed", help="Of the resamples (default: the audit's frame hash).")
@workspace_options
def impact(
    audit: str,
    weighting: str | None,
    seed: str | None,
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """What the confirmed defects of AUDIT do to the leaderboard of its benchmark."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        found = services.impacts.impact(
            audit, weighting=Weighting(weighting) if weighting else None, seed=seed
        )
    emit(_data(audit, found), _text(found), as_json=as_json)


def _data(audit: str, part: ImpactPart) -> dict[str, Any]:
    """The document; figures beside ``models`` are those with corrected keys where there are any."""
    found = part.impact
    correcting = found.correcting
    return {
        "audit": audit,
        "sentence": found.sentence,
        "method": found.method,
        "basis": part.basis,
        "weighting": found.weighting.value,
        "is_exact": found.is_exact,
        "models": [_model(m) for m in found.models],
        "pairs": [pair.model_dump(mode="json") for pair in correcting.pairs],
        "swapped": correcting.swapped,
        "tau": correcting.tau,
        "excluding": found.excluding.model_dump(mode="json"),
        "intervals": [
            {"model": m.model, **m.correcting.interval.model_dump(mode="json")}
            for m in found.models
            if m.correcting.interval is not None
        ],
        "denominators": {
            name: getattr(found, name)
            for name in (
                *("tasks", "ungraded", "unreviewed", "defects", "corrected", "excluded"),
                "resamples",
            )
        },
        "seed": found.seed,
        "notes": list(found.notes),
        "undefined": {**found.undefined, **correcting.undefined},
    }


def _model(model: ModelImpact) -> dict[str, Any]:
    change = model.correcting.model_dump(mode="json")
    flat = {
        "after": change["score"],
        "shift": change["shift"],
        "interval": change["interval"],
        "rank_after": change["rank"],
    }
    return {**model.model_dump(mode="json"), **flat}


def _text(part: ImpactPart) -> str:
    found = part.impact
    lines = [found.sentence, "", f"{'before':>8} {'after':>8} {'shift':>7} {'rank':>9}  model"]
    lines += [_line(m) for m in found.models]
    lines += _swaps(found.correcting)
    lines += ["", found.method, part.basis, *(f"- {note}" for note in found.notes)]
    return "\n".join(lines + _remedies(found))


def _line(m: ModelImpact) -> str:
    shift = m.correcting.shift
    moved = "—" if shift is None else signed_points(shift)
    rank = f"{m.rank_before or '—'} → {m.correcting.rank or '—'}"
    scores = f"{percent(m.before):>8} {percent(m.correcting.score):>8}"
    return f"{scores} {moved:>7} {rank:>9}  {m.model} ({m.entries} entries)"


def _swaps(ranking: RankingImpact) -> list[str]:
    swapped = [p for p in ranking.pairs if p.change is OrderChange.SWAPPED]
    lines = [f"  {p.behind} passes {p.ahead}" for p in swapped[:_LISTED]]
    if len(swapped) > _LISTED:
        lines.append(f"  … and {len(swapped) - _LISTED} more pairs (--json lists all)")
    return lines


def _remedies(found: Impact) -> list[str]:
    if not found.corrected:
        return []
    swapped = found.excluding.swapped
    return [f"With all defective tasks taken out instead, {swapped} pairs swap."]


@click.command()
@click.argument("audit")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder to write to (default: exports/AUDIT/patch).",
)
@click.option(
    "--source",
    type=click.Path(path_type=Path),
    help="What the benchmark was imported from: its folder, package or file.",
)
@map_option
@workspace_options
def patch(
    audit: str,
    out: Path | None,
    source: Path | None,
    mappings: tuple[str, ...],
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """Write the confirmed findings of AUDIT as changes of the benchmark's own key files."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        written = services.patches.write(
            audit, out, source=source, columns=columns_of(mappings) or None
        )
    data: dict[str, Any] = {
        "files": [str(path) for path in written.files],
        "source": written.source or None,
        **{
            name: [_task(task) for task in written.patch.of(status)]
            for name, status in _LISTS.items()
        },
    }
    if not written.source:
        data["undefined"] = {"source": _REBUILT}
    emit(data, _patch_text(written), as_json=as_json)


_LISTS = {
    "patched": PatchStatus.PATCHED,
    "label_changes": PatchStatus.LABEL_CHANGE,
    "without_proposal": PatchStatus.NO_PROPOSAL,
    "not_patched": PatchStatus.NOT_PATCHED,
}
_REBUILT = (
    "the key files were made from the stored keys; name the benchmark's own with --source for a "
    "diff that applies to them byte for byte"
)


def _task(task: PatchedTask) -> dict[str, Any]:
    return {
        "task_id": task.change.task_id,
        "file": task.file or None,
        "reason": task.reason,
        "differences": list(task.differences),
    }


def _patch_text(written: WrittenPatch) -> str:
    patch = written.patch
    lines = [
        f"{len(patch.of(PatchStatus.PATCHED))} keys changed in {len(patch.files)} key files",
        *_listed(patch, PatchStatus.LABEL_CHANGE, "change their label, which no key file holds"),
        *_listed(patch, PatchStatus.NO_PROPOSAL, "have no proposed key"),
        *_listed(patch, PatchStatus.NOT_PATCHED, "could not be changed"),
        *map(str, written.files),
    ]
    if not written.source:
        lines.append(f"Note: {_REBUILT}.")
    return "\n".join(lines)


def _listed(patch: KeyPatch, status: PatchStatus, what: str) -> list[str]:
    found = patch.of(status)
    if not found:
        return []
    more = [f"  … and {len(found) - _LISTED} more"] if len(found) > _LISTED else []
    rows = [f"  {task.change.task_id}: {task.reason}" for task in found[:_LISTED]]
    return [f"{len(found)} {what}:", *rows, *more]
