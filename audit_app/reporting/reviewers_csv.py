"""Agreement of the reviewers as CSV, one row a question or pair of reviewers."""

from __future__ import annotations

from collections.abc import Iterator

from audit_app.domain.estimates import Interval
from audit_app.reporting.csv_text import csv_text
from audit_app.stats.agreement_model import Agreement, AgreementTable

AGREEMENT_COLUMNS = (
    "question",
    "label",
    "topic",
    "level",
    "reviewers",
    "tasks",
    "pairs",
    "agree",
    "raw",
    "raw_lower",
    "raw_upper",
    "kappa",
    "kappa_lower",
    "kappa_upper",
    "alpha",
    "alpha_lower",
    "alpha_upper",
    "undefined",
)


def agreement_csv(table: AgreementTable) -> str:
    """Every figure with its interval; an empty cell has its reason in ``undefined``."""
    return csv_text(AGREEMENT_COLUMNS, _rows(table))


def _rows(table: AgreementTable) -> Iterator[list[str | float | None]]:
    everyone = ", ".join(table.reviewers)
    for row in table.rows:
        head = [row.id, row.label, row.topic.value, row.level]
        yield [*head, everyone, *_figures(row.figures)]
    for pair in table.pairs:
        head = ["defect", "Defective", "defect", "nominal"]
        yield [*head, f"{pair.first}, {pair.second}", *_figures(pair.figures)]


def _figures(figures: Agreement) -> list[str | float | None]:
    reasons = "; ".join(f"{name}: {reason}" for name, reason in figures.undefined.items())
    return [
        figures.tasks,
        figures.pairs,
        figures.agree,
        *_with_ends(figures.raw, figures.raw_interval),
        *_with_ends(figures.kappa, figures.kappa_interval),
        *_with_ends(figures.alpha, figures.alpha_interval),
        reasons,
    ]


def _with_ends(value: float | None, interval: Interval | None) -> list[float | None]:
    ends = (None, None) if interval is None else (interval.lower, interval.upper)
    return [value, *ends]
