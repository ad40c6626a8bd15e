"""How often one task was solved, by model and condition, under both keys."""

from __future__ import annotations

from audit_app.services.confirming import counts_by_condition
from audit_app.services.live_groups import GradedTask
from audit_app.stats.repeat_counts import Tally
from audit_app.ui.components.blocks import Raw, table
from audit_app.ui.rendering.text import bounded


def counts_table(graded: GradedTask) -> str:
    """One row a condition: passed of trials, ever, all, and errors apart."""
    found = counts_by_condition(graded)
    if not found:
        return ""
    has_key = any(row.proposed for row in found)
    headers = ["Model, condition", "Published key", "Ever", "All"]
    headers += ["Proposed key", "Ever", "All"] if has_key else []
    headers += ["Without answer"]
    rows = []
    for row in found:
        name = f"<bdi>{bounded(row.model, 80)}</bdi> <code>{row.condition_id[:8]}</code>"
        cells: list[object] = [Raw(name), *_cells(row.published)]
        cells += _cells(row.proposed) if row.proposed else []
        rows.append([*cells, f"{row.published.errors} of {row.published.trials}"])
    title = "This task by condition"
    return (
        f'<div class="ph"><h2>{title}</h2><span class="meta">trials passed; ever and all of 1 '
        f'task, errors counted as not passed</span></div><div class="strips" tabindex="0" '
        f'role="region" aria-label="{title}">{table(headers, rows, caption=title)}</div>'
    )


def _cells(tally: Tally) -> list[object]:
    ever, solved = tally.passed > 0, tally.passed == tally.trials
    return [f"{tally.passed} of {tally.trials}", _yes(ever), _yes(solved)]


def _yes(is_so: bool) -> str:
    return "yes" if is_so else "no"
