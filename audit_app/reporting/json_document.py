"""The report as one JSON document: members sorted, shares in [0, 1], null with its reason."""

from __future__ import annotations

import json

from audit_app.reporting.report import Report

SCHEMA = "assay.report"
SCHEMA_VERSION = 1
"""Rises when a field changes its meaning or goes away."""


def report_json(report: Report) -> str:
    """The document, indented, ending in a line break.

    Without outputs it has no ``impact``, without planted checks no ``planted``, where one
    person judges each task no ``reviewers``, without trials no ``evidence``, and where nothing is
    recorded beside the sample no ``records``.
    """
    parts = {
        "impact": report.impact,
        "planted": report.planted,
        "reviewers": report.reviewers,
        "evidence": report.evidence,
        "records": report.records,
    }
    left_out = {name for name, part in parts.items() if part is None}
    document = {
        "schema": SCHEMA,
        "schema_version": SCHEMA_VERSION,
        **report.model_dump(mode="json", exclude=left_out),
    }
    text = json.dumps(document, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False)
    return text + "\n"
