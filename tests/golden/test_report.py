from __future__ import annotations

import pytest

from audit_app.reporting.render import render
from tests.golden.audits import golden_audit
from tests.golden.write_report import FOLDER

FILES = ["report.md", "report.json", "sample.csv", "findings.csv", "reviews.csv"]


def test_files_come_in_order() -> None:
    assert list(render(golden_audit())) == FILES


@pytest.mark.parametrize("name", FILES)
def test_report_is_the_same_byte_for_byte(name: str) -> None:
    assert render(golden_audit())[name] == (FOLDER / name).read_bytes()
