"""Writes the golden report and the schema anew: ``make golden``; then read what changed."""

from __future__ import annotations

import json
from pathlib import Path

from audit_app.reporting.render import render
from audit_app.reporting.report_schema import report_schema
from tests.golden.audits import golden_audit

FOLDER = Path(__file__).parent / "report"
SCHEMA = Path(__file__).parents[2] / "docs" / "report.schema.json"


def schema_text() -> str:
    """The published schema of report.json."""
    return json.dumps(report_schema(), ensure_ascii=False, indent=2) + "\n"


def main() -> None:
    for name, content in render(golden_audit()).items():
        path = FOLDER / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    SCHEMA.write_text(schema_text(), encoding="utf-8")


if __name__ == "__main__":
    main()
