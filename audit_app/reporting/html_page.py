"""The report as one HTML file: opens without a network, runs nothing, prints."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple
from urllib.parse import quote

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from audit_app.domain.estimates import INTERVAL_NAMES, Counted, Estimand
from audit_app.domain.rubric import Outcome
from audit_app.domain.sampling import DrawKind
from audit_app.reporting.charts import leaderboard_chart, rule_chart, section_charts
from audit_app.reporting.finding_pages import FindingPage
from audit_app.reporting.markdown import body_blocks, heading_blocks, summary_blocks
from audit_app.reporting.markdown_errors import ERRORS_HEADING
from audit_app.reporting.markdown_html import MarkdownHtml
from audit_app.reporting.markdown_impact import CHART
from audit_app.reporting.markup import percent, visible, visible_lines
from audit_app.reporting.report import Report, Share
from audit_app.reporting.wording import EFFECT_MEANINGS, EFFECT_NAMES

LONGEST = 4_000
"""Characters of a note or key in the page; the text of the finding beside it holds all of it."""

_TONES = {
    Outcome.VERIFIED: "pass",
    Outcome.FLAWED: "fail",
    Outcome.NEI: "warn",
    Outcome.IN_PROGRESS: "open",
}
_EVIDENCE = {
    DrawKind.RANDOM: "random sample",
    DrawKind.CENSUS: "census",
    DrawKind.SUPPLIED: "supplied draw",
}


def report_html(report: Report, pages: Sequence[FindingPage]) -> str:
    """The whole report; equal reports give equal text."""
    charts = section_charts(report)
    pictures = {f"chart:{n}": chart for n, chart in enumerate(charts.values())} | {
        CHART: leaderboard_chart(report)
    }
    markdown = MarkdownHtml({visible(p.error.task_id): p.anchor for p in pages}, pictures)
    sections = markdown.sections(_with_charts(body_blocks(report), charts))
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            report=report,
            pages=pages,
            title=f"{report.heading.benchmark}: benchmark review",
            style=Markup(_style()),
            tone=_TONES[report.verdict.outcome],
            heading=Markup(markdown.html(heading_blocks(report))),
            summary=Markup(markdown.html(summary_blocks(report))),
            figures=_figures(report),
            rule_chart=Markup(rule_chart(report)),
            sections=[(s.id, s.title, Markup(s.html)) for s in sections],
            errors_title=ERRORS_HEADING.removeprefix("## "),
        )
    )


def _with_charts(blocks: Iterable[str], charts: Mapping[str, str]) -> Iterable[str]:
    """The blocks with each chart as a picture below its heading."""
    numbers = {heading: n for n, heading in enumerate(charts)}
    for block in blocks:
        yield block
        if block in numbers:
            yield f"![](chart:{numbers[block]})"


class Figure(NamedTuple):
    """One figure at the head of the page."""

    name: str
    value: str
    remark: str


def _figures(report: Report) -> list[Figure]:
    """The rate of the tasks read, the interval to quote, the strict rate, and what they rest on."""
    figures, method = report.figures, report.methodology
    floor = None if figures.is_complete else figures.floor
    rate = _share("Defective", figures.defective, f" {figures.defective.of_what}")
    return [
        rate if floor is None else _share("Defective, at least", floor, f" {floor.of_what}"),
        *_quoted(report),
        _share("Strict", figures.strict, f", severity {method.strict_severity} or higher"),
        Figure(
            "Evidence",
            _EVIDENCE[method.evidence],
            f"{figures.reviewed} of {figures.sampled} read",
        ),
    ]


def _share(name: str, share: Share | None, what: str) -> Figure:
    if share is None or share.share is None:
        reason = share.undefined.get("share", "") if share else ""
        return Figure(name, "not defined", reason or what.lstrip(" ,"))
    return Figure(name, percent(share.share), f"{share.count} of {share.of}{what}")


def _quoted(report: Report) -> list[Figure]:
    """The interval of the frame where there is one, else that of a plain sample."""
    weighted = [
        interval
        for estimate in report.figures.estimates
        if (estimate.estimand, estimate.counted) == (Estimand.SCORE, Counted.CONFIRMED)
        for interval in estimate.intervals
    ]
    what = "score-weighted" if weighted else "plain sample"
    return [
        Figure(
            f"{100 * interval.level:g} % interval",
            f"{100 * interval.lower:.1f}–{percent(interval.upper)}",
            f"{INTERVAL_NAMES.get(interval.name, interval.name)}, {what}",
        )
        for interval in (weighted or list(report.figures.intervals))[:1]
    ]


@cache
def _style() -> str:
    return (files("audit_app.reporting") / "report.css").read_text("utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("audit_app.reporting", ""),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "shown": visible_lines,
        "cut": lambda text: text[:LONGEST],
        "is_cut": lambda text: len(text) > LONGEST,
        "anchor": quote,
        "severity": _severity,
    }
    environment.globals |= {
        "effect_names": EFFECT_NAMES,
        "effect_meanings": EFFECT_MEANINGS,
    }
    return environment


def _severity(page: FindingPage) -> str:
    row = page.error
    return "not stated" if row.severity is None else f"{row.severity} {row.severity_label}".strip()
