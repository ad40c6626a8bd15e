"""Agreement of reviewers as a quiet table: raw, kappa and alpha, each with its interval."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from audit_app.domain.estimates import Interval
from audit_app.stats.agreement_model import Agreement, AgreementRow, AgreementTable, Topic
from audit_app.ui.rendering.text import counted, literal


def agreement_panel(table: AgreementTable) -> str:
    """Head and table, or why there is none; what is not defined has its reason below the table."""
    if table.undefined or not table.rows:
        why = table.undefined or "no task was judged by two people"
        return f'{_head("")}<p class="foot-note">Not defined: {literal(why)}.</p>'
    is_pair = len(table.reviewers) == 2
    who = "two reviewers" if is_pair else counted(len(table.reviewers), "reviewer")
    meta = f"{who}, {counted(table.tasks, 'task')} judged by two or more, adjudicator excluded"
    reasons = _Reasons()
    titles = [
        "Raw",
        *(["Cohen’s kappa, 95%"] if is_pair else []),
        "Krippendorff’s alpha, 95%",
    ]
    rows = "".join(_row(row, reasons, is_pair=is_pair) for row in table.rows)
    parts = _table("On", titles, rows) + _pairs(table, reasons) + reasons.html()
    return (
        f'{_head(meta)}<div class="scroll" tabindex="0" role="region" aria-label="Agreement">'
        f"{parts}</div>"
    )


@dataclass
class _Reasons:
    """Reasons why figures are not defined, each once and numbered."""

    numbers: dict[str, int] = field(default_factory=dict)

    def mark(self, undefined: Mapping[str, str], figure: str) -> str:
        """``not defined`` with the number of its reason."""
        why = undefined.get(figure, "it was not computed")
        number = self.numbers.setdefault(why, len(self.numbers) + 1)
        return f'<span class="undef" title="{literal(why)}">not defined<sup>{number}</sup></span>'

    def html(self) -> str:
        """The reasons, under the table."""
        return "".join(
            f'<p class="foot-note"><sup>{number}</sup> Not defined: {literal(why)}.</p>'
            for why, number in self.numbers.items()
        )


def _head(meta: str) -> str:
    words = f'<span class="meta">{literal(meta)}</span>'
    return f'<div class="ph"><h2>Agreement so far</h2>{words}</div>'


def _table(first: str, titles: list[str], rows: str) -> str:
    heads = "".join(f'<th scope="col" class="num">{title}</th>' for title in titles)
    return (
        f'<table class="grid agree"><thead><tr><th scope="col">{first}</th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _row(row: AgreementRow, reasons: _Reasons, *, is_pair: bool) -> str:
    figures = row.figures
    cells = [_raw(figures, reasons)]
    if is_pair:
        cells.append(_figure(figures, "kappa", figures.kappa, figures.kappa_interval, reasons))
    cells.append(_figure(figures, "alpha", figures.alpha, figures.alpha_interval, reasons))
    return _line(literal(_label(row)), cells)


def _label(row: AgreementRow) -> str:
    """The question in the few words that a narrow column has room for."""
    match row.topic:
        case Topic.DEFECT:
            return "defect, yes or no"
        case Topic.EFFECT:
            return f"effect {row.id}"
        case Topic.STALE:
            return "stale, yes or no"
        case Topic.FAMILY:
            return f"cause family {row.id}, {row.label.lower()}"
        case Topic.CAUSE:
            return row.id if row.id == row.label else f"cause {row.id} {row.label.lower()}"
        case _:
            return f"{row.label[:1].lower()}{row.label[1:]}"


def _line(label: str, cells: list[str]) -> str:
    figures = "".join(f'<td class="num">{cell}</td>' for cell in cells)
    return f'<tr><th scope="row">{label}</th>{figures}</tr>'


def _raw(figures: Agreement, reasons: _Reasons) -> str:
    if figures.raw is None:
        return reasons.mark(figures.undefined, "raw")
    return f'<span class="nw">{figures.agree} of {figures.pairs}</span>'


def _figure(
    figures: Agreement,
    name: str,
    value: float | None,
    interval: Interval | None,
    reasons: _Reasons,
) -> str:
    if value is None:
        return reasons.mark(figures.undefined, name)
    ends = (
        reasons.mark(figures.undefined, f"{name}_interval")
        if interval is None
        else f"{_signed(interval.lower)} to {_signed(interval.upper)}"
    )
    return f'<b>{_signed(value)}</b> <span class="ends">{ends}</span>'


def _signed(value: float) -> str:
    return f"{value:.2f}".replace("-", "−")


def _pairs(table: AgreementTable, reasons: _Reasons) -> str:
    if not table.pairs:
        return ""
    rows = "".join(
        _line(
            f"<bdi>{literal(pair.first)}</bdi> and <bdi>{literal(pair.second)}</bdi>",
            [
                _raw(pair.figures, reasons),
                _figure(
                    pair.figures, "kappa", pair.figures.kappa, pair.figures.kappa_interval, reasons
                ),
            ],
        )
        for pair in table.pairs
    )
    return _table("Defect, yes or no, by two", ["Raw", "Cohen’s kappa, 95%"], rows)
