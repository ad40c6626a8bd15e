"""Planted checks in the report: what reviewers made of them, and the rate corrected for it."""

from __future__ import annotations

from collections.abc import Iterable

from audit_app.reporting.markup import md, percent, table
from audit_app.reporting.planted import (
    KIND_LABELS,
    CheckShare,
    CorrectedPart,
    KindRow,
    PlantedFigures,
    PlantedPart,
)

PLANTED_HEADING = "## Planted checks"
"""Opens the section."""


def planted_blocks(part: PlantedPart | None) -> Iterable[str]:
    """The section; nothing where no check is planted."""
    if part is None:
        return
    yield PLANTED_HEADING
    yield (
        f"{part.planted} tasks of known outcome were mixed into the reviewers' queues, unmarked, "
        f"besides the {part.sampled} sampled ones. They are not part of the sample or of any rate "
        "above."
    )
    if part.hidden:
        yield md(part.hidden)
    if part.figures is not None:
        yield from _figures(part.figures)


def _figures(figures: PlantedFigures) -> Iterable[str]:
    yield "\n".join(
        [
            f"- Recall: {_share(figures.recall)}.",
            f"- False alarms: {_share(figures.false_alarms)}.",
            f"- Cause of the expected family: {_share(figures.cause_right)}.",
        ]
    )
    if figures.corrected is not None:
        yield corrected_sentence(figures.corrected)
    yield table(
        ("What was done to the key", "Checks", "Judged defective", "Cause family right"),
        [_kind(row) for row in figures.kinds],
        right=(1,),
    )
    if figures.reviewers:
        yield table(
            ("Reviewer", "Recall", "False alarms"),
            [(md(r.reviewer), _count(r.recall), _count(r.false_alarms)) for r in figures.reviewers],
        )
    yield "Why the published keys of these tasks are taken to be right:"
    yield "\n".join(f"- {md(basis)}: {count}" for basis, count in figures.bases.items())


def corrected_sentence(corrected: CorrectedPart) -> str:
    """The corrected rate with what it is made of, or why there is none."""
    if corrected.rate is None:
        return f"The corrected defect rate is not defined: {md(corrected.undefined['rate'])}."
    parts = (corrected.observed, corrected.false_alarm_rate, corrected.recall)
    observed, alarms, recall = ("" if part is None else f"{part:.3f}" for part in parts)
    interval = corrected.interval
    ends = (
        f"; not defined as an interval: {md(corrected.undefined['interval'])}"
        if interval is None
        else f", {interval.level:.0%} bootstrap interval {percent(interval.lower)} to "
        f"{percent(interval.upper)}"
    )
    clipped = f" It is clipped: {md(corrected.clipped)}." if corrected.clipped else ""
    return (
        f"Defect rate corrected for what reviewers miss and see wrongly: "
        f"({observed} − {alarms}) / ({recall} − {alarms}) = {percent(corrected.rate)}{ends} "
        f"(Rogan and Gladen 1978).{clipped}"
    )


def _kind(row: KindRow) -> tuple[str, str, str, str]:
    cause = _count(row.cause_right) if row.is_damaged else "—"
    return KIND_LABELS[row.kind], str(row.checks), _count(row.defective), cause


def _count(share: CheckShare) -> str:
    shown = "" if share.share is None else f" ({percent(share.share)})"
    return f"{share.count} of {share.of}{shown}"


def _share(share: CheckShare) -> str:
    if share.interval is None:
        return f"not defined, {md(share.undefined['share'])}"
    interval = share.interval
    return (
        f"{_count(share)} {share.of_what}, {interval.level:.0%} Wilson interval "
        f"{percent(interval.lower)} to {percent(interval.upper)}"
    )
