"""An audit as the files of its report."""

from __future__ import annotations

from collections.abc import Callable, Collection

from audit_app.errors import InputError
from audit_app.reporting.build import build_report
from audit_app.reporting.csv_tables import findings_csv, sample_csv
from audit_app.reporting.impact_chart import impact_chart, impact_slopes
from audit_app.reporting.json_document import report_json
from audit_app.reporting.markdown import report_markdown
from audit_app.reporting.markdown_impact import CHART
from audit_app.reporting.model import AuditRecord
from audit_app.reporting.review_rows import reviews_csv

_FILES: dict[str, dict[str, Callable[[AuditRecord], str]]] = {
    "md": {"report.md": lambda record: report_markdown(build_report(record))},
    "json": {"report.json": lambda record: report_json(build_report(record))},
    "csv": {
        "sample.csv": sample_csv,
        "findings.csv": findings_csv,
        "reviews.csv": lambda record: reviews_csv(record.standing_reviews),
    },
}

_FILE_STYLE = (
    "<style>:root{color:#1a1e22}@media(prefers-color-scheme:dark){:root{color:#e4e8eb}}</style>"
)
"""A picture in a file of its own inherits no colour of text: it follows the reader's scheme."""

FORMATS = tuple(_FILES)
"""What a report can be rendered as, in the order of the files."""


def render(record: AuditRecord, formats: Collection[str] = FORMATS) -> dict[str, bytes]:
    """File name → content in UTF-8, the report of each format first.

    Raises:
        InputError: A format is not known.
    """
    unknown = sorted(set(formats) - set(FORMATS))
    if unknown:
        raise InputError(f"there is no report format {unknown[0]!r}; {', '.join(FORMATS)}")
    files = {
        name: write(record).encode("utf-8")
        for format_id, group in _FILES.items()
        if format_id in formats
        for name, write in group.items()
    }
    chart = impact_svg(record)
    return files | ({CHART: chart.encode("utf-8")} if chart and "md" in formats else {})


def impact_svg(record: AuditRecord) -> str:
    """The leaderboard before and after as a chart, empty where there is nothing to draw."""
    slopes = impact_slopes(record.impact.impact) if record.impact and record.reviews else []
    if not slopes:
        return ""
    title = f"{record.benchmark.name}: the leaderboard before and after"
    head, mark, body = impact_chart(slopes, title=title).partition(">")
    return f"{head}{mark}{_FILE_STYLE}{body}"
