"""Writes the golden report anew: ``python -m tests.golden.write_report``; then read it once."""

from __future__ import annotations

from pathlib import Path

from audit_app.reporting.render import render
from tests.golden.audits import golden_audit

FOLDER = Path(__file__).parent / "report"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name, content in render(golden_audit()).items():
        (FOLDER / name).write_bytes(content)


if __name__ == "__main__":
    main()
