"""Planted checks as CSV: the figures on them can be counted again from it."""

from __future__ import annotations

from collections.abc import Iterator

from audit_app.domain.review_file import SEPARATOR
from audit_app.reporting.csv_text import csv_text
from audit_app.reporting.planted import PlantedFigures

CHECK_COLUMNS = (
    "task_id",
    "stratum",
    "kind",
    "damaged",
    "cause",
    "effects",
    "basis",
    "reviewer",
    "defective",
    "cause_right",
)


def checks_csv(figures: PlantedFigures) -> str:
    """One row a judgement of a check; a check without one has a row with an empty reviewer."""
    return csv_text(CHECK_COLUMNS, _rows(figures))


def _rows(figures: PlantedFigures) -> Iterator[list[str | int | None]]:
    for check in figures.checks:
        known: list[str | int | None] = [
            check.task_id,
            check.stratum,
            check.kind,
            int(check.kind != "clean"),
            check.cause,
            SEPARATOR.join(check.effects),
            check.basis,
        ]
        for judged in check.judgements:
            yield [*known, judged.reviewer, int(judged.defective), int(judged.cause_right)]
        if not check.judgements:
            yield [*known, None, None, None]
