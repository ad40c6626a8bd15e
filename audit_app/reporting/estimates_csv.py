"""The estimates of a report as CSV: one row a figure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit_app.domain.estimates import Estimate
from audit_app.reporting.csv_text import csv_text

COLUMNS = (
    "estimand",
    "counted",
    "figure",
    "value",
    "lower",
    "upper",
    "level",
    "defective",
    "reviewed",
    "undefined",
)

Cell = str | float | None


def estimates_csv(estimates: Iterable[Estimate]) -> str:
    """Rates, intervals, standard errors and probabilities, with why any is not defined.

    ``figure`` is ``rate``, the id of an interval, ``standard_error_`` with the id of one,
    ``effective_size`` or ``probability_at_least_threshold``.
    """
    return csv_text(COLUMNS, (row for estimate in estimates for row in _rows(estimate)))


def _rows(estimate: Estimate) -> Iterator[list[Cell]]:
    counts: list[Cell] = [estimate.defective, estimate.reviewed]

    def row(figure: str, *cells: Cell) -> list[Cell]:
        reason = estimate.undefined.get(figure, "")
        given = [*cells, *[None] * (4 - len(cells))]
        return [estimate.estimand.value, estimate.counted.value, figure, *given, *counts, reason]

    yield row("rate", estimate.rate)
    for interval in estimate.intervals:
        yield row(interval.name, None, interval.lower, interval.upper, interval.level)
    for error in estimate.standard_errors:
        yield row(f"standard_error_{error.name}", error.value)
    if estimate.effective_size is not None:
        yield row("effective_size", estimate.effective_size)
        yield row("probability_at_least_threshold", estimate.probability_at_least_threshold)
    shown = {"rate", *(("effective_size",) if estimate.effective_size is not None else ())}
    for figure in estimate.undefined:
        if figure not in shown | {"defective"}:
            yield row(figure)
