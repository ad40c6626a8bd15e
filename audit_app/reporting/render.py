"""An audit as the files of its report."""

from __future__ import annotations

from collections.abc import Collection

from audit_app.errors import InputError
from audit_app.reporting.build import build_report
from audit_app.reporting.charts import leaderboard_chart
from audit_app.reporting.csv_tables import findings_csv, sample_csv
from audit_app.reporting.estimates_csv import estimates_csv
from audit_app.reporting.evidence_csv import evidence_csv
from audit_app.reporting.finding_pages import build_pages
from audit_app.reporting.finding_text import attached_cases, finding_text
from audit_app.reporting.html_page import report_html
from audit_app.reporting.json_document import report_json
from audit_app.reporting.markdown import report_markdown
from audit_app.reporting.markdown_impact import CHART
from audit_app.reporting.model import AuditRecord
from audit_app.reporting.planted_csv import checks_csv
from audit_app.reporting.report import Report
from audit_app.reporting.review_rows import reviews_csv
from audit_app.reporting.reviewers_csv import agreement_csv

FORMATS = ("md", "html", "json", "csv")
"""What a report can be rendered as, in the order of the files."""

AGREEMENT = "agreement.csv"
"""Agreement of the reviewers, where several people judge a task."""

EVIDENCE = "evidence.csv"
"""Trials attached to findings, where there are any."""

CHECKS = "planted_checks.csv"
"""Judgements of planted checks, where there are any."""

_FILE_STYLE = (
    "<style>:root{color:#1a1e22}@media(prefers-color-scheme:dark){:root{color:#e4e8eb}}</style>"
)
"""A picture in a file of its own inherits no colour of text: it follows the reader's scheme."""


def render(record: AuditRecord, formats: Collection[str] = FORMATS) -> dict[str, bytes]:
    """File name → content in UTF-8: the report of each format, its tables, then other files.

    Raises:
        InputError: A format is not known.
    """
    unknown = sorted(set(formats) - set(FORMATS))
    if unknown:
        raise InputError(f"there is no report format {unknown[0]!r}; {', '.join(FORMATS)}")
    report = build_report(record)
    pages = build_pages(record, report) if {"md", "html"} & set(formats) else ()
    files: dict[str, str] = {}
    if "md" in formats:
        files["report.md"] = report_markdown(report)
    if "html" in formats:
        files["report.html"] = report_html(report, pages)
    if "json" in formats:
        files["report.json"] = report_json(report)
    if "csv" in formats:
        files |= _tables(record)
    if "md" in formats:
        chart = leaderboard_svg(report)
        files |= {CHART: chart} if chart else {}
    written = {name: text.encode("utf-8") for name, text in files.items()}
    written.update(record.trial_files)
    if "csv" in formats:
        written.update(record.input_files)
    if "md" in formats:
        written |= {page.file: finding_text(page, report).encode("utf-8") for page in pages}
        attached = {page.case_file: attached_cases(page) for page in pages}
        written |= {name: lines.encode("utf-8") for name, lines in attached.items() if lines}
    return written


def _tables(record: AuditRecord) -> dict[str, str]:
    files = {
        "sample.csv": sample_csv(record),
        "findings.csv": findings_csv(record),
        "reviews.csv": reviews_csv(record.standing_reviews),
        "estimates.csv": estimates_csv(record.status.estimates),
    }
    if record.reviewers is not None:
        files[AGREEMENT] = agreement_csv(record.reviewers.agreement)
    if record.planted is not None and record.planted.figures is not None:
        files[CHECKS] = checks_csv(record.planted.figures)
    if record.evidence is not None:
        files[EVIDENCE] = evidence_csv(record.evidence)
    return files


def leaderboard_svg(report: Report) -> str:
    """The leaderboard before and after as a file, empty where there is nothing to draw."""
    head, mark, body = leaderboard_chart(report).partition(">")
    return f"{head}{mark}{_FILE_STYLE}{body}" if head else ""
