from __future__ import annotations

import pytest

from audit_app.reporting.render import render
from tests.golden.audits import golden_audit
from tests.golden.write_report import FOLDER, SCHEMA, schema_text

FILES = [
    *("report.md", "report.html", "report.json"),
    *("sample.csv", "findings.csv", "reviews.csv", "estimates.csv"),
    *("findings/chat_0.md", "findings/chat_1.md", "findings/memory_0.md"),
]


def test_files_come_in_order() -> None:
    assert list(render(golden_audit())) == FILES


@pytest.mark.parametrize("name", FILES)
def test_report_is_the_same_byte_for_byte(name: str) -> None:
    assert render(golden_audit())[name] == (FOLDER / name).read_bytes()


def test_the_published_schema_is_current() -> None:
    assert SCHEMA.read_text(encoding="utf-8") == schema_text(), "run make golden"
