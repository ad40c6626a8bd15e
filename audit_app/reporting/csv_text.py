"""CSV as RFC 4180 has it, with cells that a spreadsheet would run made harmless."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from audit_app.domain.review_file import guarded


def csv_text(header: Sequence[str], rows: Iterable[Sequence[str | float | None]]) -> str:
    """The table as CSV text; lines end in CRLF, None is an empty cell.

    Line breaks and control characters inside a cell are kept as they are, and so are numbers.
    """
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in row])
    return buffer.getvalue()
