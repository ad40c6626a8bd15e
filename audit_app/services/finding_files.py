"""The texts of findings on disk: those of findings that no longer count are taken away."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from audit_app.errors import InputError
from audit_app.reporting.finding_pages import FOLDER


def drop_outdated(report: Path, written: Collection[Path], audit_id: str) -> None:
    """Take away texts that an earlier report of the audit wrote and this one did not.

    Other files in the folder, and texts of other audits, stay.

    Args:
        report: The folder of the report.
        written: The files of this report.
        audit_id: The audit; each of its texts names it.

    Raises:
        InputError: A text cannot be read or taken away.
    """
    for path in sorted((report / FOLDER).glob("*.md")):
        try:
            if path not in written and audit_id.encode() in path.read_bytes():
                path.unlink()
                path.with_suffix(".jsonl").unlink(missing_ok=True)
        except OSError as error:
            raise InputError(f"{path} cannot be taken away: {error.strerror}") from error
