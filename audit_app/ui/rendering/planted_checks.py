"""What reviewers made of the planted checks, as escaped HTML."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from audit_app.reporting.planted import (
    KIND_LABELS,
    CheckShare,
    CorrectedPart,
    KindRow,
    PlantedFigures,
    PlantedPart,
)
from audit_app.ui.rendering.text import counted, literal


def planted_panel(part: PlantedPart) -> str:
    """Head, tables by kind and reviewer, and the corrected rate."""
    checks = counted(part.planted, "check")
    meta = f"{checks} beside {part.sampled} sampled tasks, in no other figure"
    hidden = f'<p class="foot-note">{literal(part.hidden)}</p>' if part.hidden else ""
    figures = _figures(part.figures) if part.figures is not None else ""
    return (
        f'<div class="ph"><h2>Planted checks</h2><span class="meta">{meta}</span></div>'
        f'<div class="scroll">{hidden}{figures}</div>'
    )


def _figures(figures: PlantedFigures) -> str:
    overall = [("all checks", *map(_share, (figures.recall, figures.false_alarms)))]
    people = [
        (f"<bdi>{literal(row.reviewer)}</bdi>", _share(row.recall), _share(row.false_alarms))
        for row in figures.reviewers
    ]
    kinds = [(KIND_LABELS[row.kind], str(row.checks), *_kind(row)) for row in figures.kinds]
    corrected = "" if figures.corrected is None else _corrected(figures.corrected)
    return (
        _table(("Reviewer", "Recall, 95%", "False alarms, 95%"), [*overall, *people])
        + corrected
        + _table(
            ("What was done to the key", "Checks", "Judged defective", "Cause family right"), kinds
        )
    )


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    first, *others = titles
    heads = "".join(f'<th scope="col" class="num">{title}</th>' for title in others)
    body = "".join(
        f'<tr><th scope="row">{label}</th>'
        + "".join(f'<td class="num">{cell}</td>' for cell in cells)
        + "</tr>"
        for label, *cells in rows
    )
    return (
        f'<table class="grid agree"><thead><tr><th scope="col">{first}</th>{heads}</tr></thead>'
        f"<tbody>{body}</tbody></table>"
    )


def _kind(row: KindRow) -> tuple[str, str]:
    return _count(row.defective), _count(row.cause_right) if row.is_damaged else "—"


def _share(share: CheckShare) -> str:
    interval = share.interval
    if interval is None:
        return _count(share)
    ends = f"{interval.lower:.0%} to {interval.upper:.0%}"
    return f'{_count(share)} <span class="ends">{ends}</span>'


def _count(share: CheckShare) -> str:
    if share.share is None:
        why = literal(share.undefined.get("share", "none judged"))
        return f'<span class="undef">not defined: {why}</span>'
    return f"<b>{share.count} of {share.of}</b>"


def _corrected(corrected: CorrectedPart) -> str:
    if corrected.rate is None:
        why = literal(corrected.undefined.get("rate", "no figure"))
        return f'<p class="foot-note">Corrected defect rate not defined: {why}.</p>'
    interval = corrected.interval
    ends = (
        f"no interval: {literal(corrected.undefined.get('interval', 'not computed'))}"
        if interval is None
        else f"{interval.level:.0%} interval {interval.lower:.1%} to {interval.upper:.1%}"
    )
    observed = "" if corrected.observed is None else f", observed {corrected.observed:.1%}"
    clipped = f"; {literal(corrected.clipped)}" if corrected.clipped else ""
    return (
        f'<p class="foot-note">Defect rate corrected for them: <b>{corrected.rate:.1%}</b>'
        f" ({ends}{observed}{clipped}).</p>"
    )
