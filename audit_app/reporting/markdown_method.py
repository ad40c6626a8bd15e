"""Methodology: population, strata, rates with their denominators, intervals, definitions."""

from __future__ import annotations

from collections.abc import Iterable

from audit_app.domain.sampling import DrawKind
from audit_app.reporting.markdown_estimates import estimates_blocks
from audit_app.reporting.markdown_reviewers import LATEST_COUNTS
from audit_app.reporting.markup import code, md, percent, table
from audit_app.reporting.report import Figures, Report, StratumRow
from audit_app.reporting.wording import (
    allocation_sentence,
    count_of,
    definition_sentences,
    evidence_sentence,
    interval_text,
    population_sentence,
    range_sentence,
    sample_sentence,
    tasks,
)

STRATA_HEADING = "### Defective tasks by stratum"
"""Above the strata table."""


def methodology_blocks(report: Report) -> Iterable[str]:
    """The section, its strata table and the counts by effect."""
    method, figures = report.methodology, report.figures
    yield "## Methodology"
    yield f"{population_sentence(method)} {sample_sentence(method)}"
    yield allocation_sentence(figures.strata)
    yield evidence_sentence(method)
    yield _reviewers(report)
    yield definition_sentences(method)
    yield _rate(report)
    yield _band(figures)
    yield range_sentence(figures)
    yield _intervals(figures)
    yield f"Next step of the sampling rule: {md(figures.next_text)}"
    yield STRATA_HEADING
    yield _strata_table(figures)
    yield from estimates_blocks(report)
    yield "### Defective tasks by effect"
    yield from _effects(report)


def _reviewers(report: Report) -> str:
    judges = report.methodology.reviewers
    if not judges:
        return "No task of the sample has been judged yet."
    parts = [f"{md(name)} ({tasks(number)})" for name, number in judges.items()]
    rule = f" {LATEST_COUNTS}" if len(judges) > 1 and report.reviewers is None else ""
    return f"Judged by {', '.join(parts)}.{rule}"


def _rate(report: Report) -> str:
    figures = report.figures
    if not figures.reviewed:
        return "Overall rate: not defined, because no task is reviewed."
    text = f"Overall, {count_of(figures.defective)} reviewed tasks are defective."
    if report.methodology.evidence is DrawKind.CENSUS and not figures.is_complete:
        return (
            f"{text} The tasks that were read first are no random sample: this is not an "
            "estimate of the rate of the benchmark."
        )
    if figures.weighted_rate is None:
        reason = md(figures.undefined.get("weighted_rate", ""))
        return f"{text} The rate weighted to the frame is not defined: {reason}."
    return f"{text} Weighted to the frame by the weights below: {percent(figures.weighted_rate)}."


def _band(figures: Figures) -> str:
    if figures.possible.count == figures.defective.count:
        return ""
    return (
        f"With findings that are disputed, uncertain or of unsure effect it would be up to "
        f"{count_of(figures.possible)} reviewed tasks."
    )


def _intervals(figures: Figures) -> str:
    if not figures.intervals:
        return f"Interval: not defined, {md(figures.undefined.get('intervals', ''))}."
    level = figures.intervals[0].level
    parts = ", ".join(interval_text(interval) for interval in figures.intervals)
    return (
        f"{100 * level:g} % intervals for the overall rate, {count_of(figures.defective)}, as for "
        f"a plain random sample and without finite population correction: {parts}."
    )


def _strata_table(figures: Figures) -> str:
    header = ("Stratum", "Weight", "In the frame", "Drawn", "Reviewed", "Defective", "Rate")
    if not any(row.interval for row in figures.strata):
        return table(header, map(_stratum_cells, figures.strata), right=range(1, 7))
    rows = [(*_stratum_cells(row), _wilson_cell(row)) for row in figures.strata]
    return table((*header, "Wilson 95 %"), rows, right=range(1, 8))


def _wilson_cell(row: StratumRow) -> str:
    if row.interval is None:
        return "not defined"
    return f"{100 * row.interval.lower:.1f}–{percent(row.interval.upper)}"


def _stratum_cells(row: StratumRow) -> tuple[str, ...]:
    name = code(row.stratum, in_table=True)
    if row.merged:
        name = f"**{md(row.stratum)}, together**" if row.stratum else "**All**"
    rate = "not defined" if row.defective.share is None else percent(row.defective.share)
    return (
        name,
        percent(row.weight),
        str(row.population),
        str(row.sampled),
        str(row.reviewed),
        f"{row.defective.count} of {row.defective.of}",
        rate,
    )


def _effects(report: Report) -> Iterable[str]:
    figures, method = report.figures, report.methodology
    effects, defective = figures.effects, figures.defective.count
    header = ("Effect", "Tasks", f"Of the {defective} defective")
    fn_only, fp_only = effects.fn - effects.both, effects.fp - effects.both
    counts = (
        ("False negative (FN), with or without FP", effects.fn),
        ("False positive (FP), with or without FN", effects.fp),
        ("Both", effects.both),
        ("FN only", fn_only),
        ("FP only", fp_only),
        ("Stale key (K2), a cause", figures.stale),
    )
    rows = [
        (name, str(n), percent(n / defective) if defective else "not defined") for name, n in counts
    ]
    yield table(header, rows, right=(1, 2))
    severe = f"Strict rate (severity {method.strict_severity} or higher)"
    if figures.strict is None:
        yield f"{severe}: not defined, {md(figures.undefined.get('strict', ''))}."
    else:
        yield f"{severe}: {count_of(figures.strict)} reviewed tasks."
