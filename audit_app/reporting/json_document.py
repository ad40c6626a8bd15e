"""The report as one JSON document: members sorted, shares in [0, 1], null with its reason."""

from __future__ import annotations

import json

from audit_app.reporting.report import Report

SCHEMA = "assay.report"
SCHEMA_VERSION = 1
"""Rises when a field changes its meaning or goes away."""


def report_json(report: Report) -> str:
    """The document, indented, ending in a line break; without outputs it has no ``impact``."""
    left_out = {"impact"} if report.impact is None else set[str]()
    document = {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        **report.model_dump(mode="json", exclude=left_out),
    }
    text = json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False)
    return text + "\n"
