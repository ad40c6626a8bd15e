"""The columns of a review file, and the rule that keeps a spreadsheet from running its cells."""

from __future__ import annotations

COLUMNS = (
    "task_id",
    "reviewer",
    "reviewed_at",
    "judgement",
    "effects",
    "cause",
    "causes",
    "severity",
    "state",
    "note",
    "evidence",
    "proposed_key",
)
"""The full form: one row a finding, one row for a clean task."""

SEPARATOR = " "
"""Between several effects, causes or links in one cell; none of them can hold a space."""

FLAGS = ("defective", "false_negative", "false_positive", "stale")
"""The 0/1 columns of the short form, which names its tasks in a column ``id``."""

_GUARDED = ("=", "+", "-", "@", "\t", "\r", "'")


def guarded(cell: str) -> str:
    """The cell as it stands in a CSV file: text that a spreadsheet would run gets one ``'``."""
    return f"'{cell}" if cell.startswith(_GUARDED) else cell


def unguarded(cell: str) -> str:
    """Inverse of ``guarded``: takes exactly one ``'`` away, where ``guarded`` had put it."""
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(_GUARDED) else cell
