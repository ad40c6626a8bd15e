"""The charts of a report: which figures are drawn, and under which heading each stands."""

from __future__ import annotations

from audit_app.domain.estimates import INTERVAL_NAMES, Counted, Estimand, Estimate
from audit_app.domain.sampling import DrawKind
from audit_app.reporting.impact_chart import impact_chart, impact_slopes
from audit_app.reporting.interval_chart import Bar, Marks, interval_chart
from audit_app.reporting.markdown_method import STRATA_HEADING
from audit_app.reporting.markdown_planted import PLANTED_HEADING
from audit_app.reporting.markdown_reviewers import AGREEMENT_HEADING
from audit_app.reporting.markup import percent
from audit_app.reporting.planted import CheckShare
from audit_app.reporting.report import Figures, Report, StratumRow
from audit_app.reporting.wording import count_of
from audit_app.stats.agreement_model import AgreementRow
from audit_app.stats.intervals import wilson_interval

_ESTIMANDS = {
    Estimand.SAMPLE: "Tasks read",
    Estimand.SCORE: "Score-weighted",
    Estimand.TASK: "Task-weighted",
}


def rule_chart(report: Report) -> str:
    """Where the rate stands against threshold and band, by each estimate and each interval.

    Of a census that is not read whole the floor, which is no estimate.
    """
    figures = report.figures
    found = figures.floor or figures.defective
    if not figures.reviewed or found.share is None:
        return ""
    bars = [bar for estimate in _drawn(figures) for bar in _estimated(estimate)]
    if not bars or figures.floor is not None:
        name = "All tasks" if figures.is_complete else "Floor: found so far"
        bars = [Bar(name, found.share, None, count_of(found))]
    title = "Share of defective tasks against the threshold"
    if figures.floor is None:
        title += ", by estimate and 95 % interval"
    return interval_chart(bars, chart_id="chart-rule", title=title, marks=_marks(report))


def _drawn(figures: Figures) -> list[Estimate]:
    """Estimates of the confirmed rate; of two that are one and the same the first."""
    same = {Estimand.TASK} if figures.weights_coincide else set()
    return [
        e for e in figures.estimates if e.counted is Counted.CONFIRMED and e.estimand not in same
    ]


def _estimated(estimate: Estimate) -> list[Bar]:
    what, rate = _ESTIMANDS[estimate.estimand], estimate.rate
    if rate is None:
        return []
    return [
        Bar(
            f"{what}, {INTERVAL_NAMES.get(each.name, each.name)}",
            rate,
            each,
            f"{percent(rate)}, {100 * each.lower:.1f} to {percent(each.upper)}",
        )
        for each in estimate.intervals
    ]


def section_charts(report: Report) -> dict[str, str]:
    """Heading, as it stands in the Markdown → the chart below it; headings without one left out."""
    charts = {
        STRATA_HEADING: _strata(report),
        AGREEMENT_HEADING: _agreement(report),
        PLANTED_HEADING: _planted(report),
    }
    return {heading: chart for heading, chart in charts.items() if chart}


def leaderboard_chart(report: Report) -> str:
    """The leaderboard before and after, empty where there is nothing to draw."""
    if report.impact is None or not report.figures.reviewed:
        return ""
    slopes = impact_slopes(report.impact.impact)
    if not slopes:
        return ""
    title = f"{report.heading.benchmark}: the leaderboard before and after"
    return impact_chart(slopes, title=title, chart_id="chart-impact")


def _marks(report: Report) -> Marks:
    line = Marks(report.figures.threshold, words="The line is the threshold.")
    if report.figures.floor is not None:
        return line
    low, high = (f"{100 * end:g}" for end in report.rule.widen_band)
    words = f"{line.words} Between {low} and {high} % (shaded) a first sample is widened."
    return line._replace(band=report.rule.widen_band, words=words)


def _strata(report: Report) -> str:
    is_census = report.methodology.evidence is DrawKind.CENSUS
    if is_census and not report.figures.is_complete:
        return ""  # the tasks read first are no sample of their strata
    bars = [_stratum(row, is_census=is_census) for row in report.figures.strata if row.reviewed]
    if not bars:
        return ""
    what = "rates found" if is_census else "rates with 95 % Wilson intervals of a plain sample"
    title = f"Defective tasks by stratum: {what}"
    return interval_chart(
        bars, chart_id="chart-strata", title=title, marks=Marks(line=report.figures.threshold)
    )


def _stratum(row: StratumRow, *, is_census: bool) -> Bar:
    name = f"{row.stratum}, together" if row.merged and row.stratum else row.stratum or "All"
    interval = None
    if not is_census:
        interval = wilson_interval(row.defective.count, row.defective.of)
    return Bar(name, row.defective.share, interval, count_of(row.defective), strong=row.merged)


def _agreement(report: Report) -> str:
    part = report.reviewers
    rows = part.agreement.rows if part is not None else ()
    bars = [_agreed(row) for row in rows if row.figures.raw is not None]
    title = "Raw agreement of the reviewers with 95 % intervals"
    return interval_chart(bars, chart_id="chart-agreement", title=title)


def _agreed(row: AgreementRow) -> Bar:
    figures = row.figures
    name = row.label if row.id == row.label else f"{row.label} ({row.id})"
    note = f"{figures.agree} of {figures.pairs} ({percent(figures.raw or 0.0)})"
    return Bar(name, figures.raw, figures.raw_interval, note)


def _planted(report: Report) -> str:
    part = report.planted
    if part is None or part.figures is None:
        return ""
    figures = part.figures
    named = (
        ("Recall, all reviewers", figures.recall),
        ("False alarms, all reviewers", figures.false_alarms),
        *((f"Recall, {row.reviewer}", row.recall) for row in figures.reviewers),
        *((f"False alarms, {row.reviewer}", row.false_alarms) for row in figures.reviewers),
    )
    bars = [_checked(name, share) for name, share in named if share.share is not None]
    title = "Planted checks: what reviewers found, with 95 % Wilson intervals"
    return interval_chart(bars, chart_id="chart-planted", title=title)


def _checked(name: str, share: CheckShare) -> Bar:
    note = f"{share.count} of {share.of} ({percent(share.share or 0.0)})"
    return Bar(name, share.share, share.interval, note, strong="all reviewers" in name)
