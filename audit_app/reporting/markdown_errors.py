"""Representative errors, the table of all errors, and the tasks without one."""

from __future__ import annotations

from collections.abc import Iterable

from audit_app.reporting.markup import code, link, md, md_block, table
from audit_app.reporting.report import Report, Representative, RepresentativePart
from audit_app.reporting.wording import (
    EFFECT_NAMES,
    category_text,
    cause_text,
    fragile_sentence,
    severity_text,
    tasks,
)

ERRORS_HEADING = "## Errors"
"""Opens the section of all errors."""


def representative_blocks(report: Report) -> Iterable[str]:
    """The section of representative errors, from low to high severity."""
    part = report.representative
    yield "## Representative errors"
    yield _introduction(part, any_error=bool(report.errors))
    for error in part.errors:
        yield _representative(error)
    if part.not_defective:
        ids = ", ".join(code(task_id) for task_id in part.not_defective)
        yield f"Named as representative, but not counted as defective and so left out: {ids}."
    yield fragile_sentence(report.methodology)


def _introduction(part: RepresentativePart, *, any_error: bool) -> str:
    if not part.errors:
        return (
            "No error is shown: no finding that counts has a reason written down."
            if any_error
            else "No defective task has been found."
        )
    if part.chosen_by == "auditors":
        return "Chosen by the auditors, in their order, roughly from low to high severity."
    unstated = sum(item.error.severity is None for item in part.errors)
    text = (
        f"Chosen by rule: at most five, of each stratum the error with the longest reason first, "
        f"then the longest of the rest. {tasks(len(part.errors))} shown"
    )
    if unstated == len(part.errors):
        return f"{text}; no severity is stated, so they stand in the order of the strata."
    last = f"; {tasks(unstated)} without a stated severity last" if unstated else ""
    return f"{text}, from low to high severity{last}."


def _representative(item: Representative) -> str:
    row = item.error
    kind = " and ".join(EFFECT_NAMES[effect] for effect in row.effects)
    lines = [
        f"- **{kind.capitalize()}** · {code(row.task_id)} · {category_text(row)} · "
        f"severity: {severity_text(row)} · cause: {cause_text(row)}"
    ]
    asks = md_block(item.asks, "  ")
    lines.append(f"  The task asks:\n\n{asks}" if asks else "  The task has no user message.")
    for reason in item.reasons:
        lines.append(f"  The reviewer's reason:\n\n{md_block(reason, '  ')}")
    if item.evidence:
        lines.append(f"  Evidence: {', '.join(link(address) for address in item.evidence)}")
    return "\n\n".join(lines)


def errors_blocks(report: Report) -> Iterable[str]:
    """The error table, the tasks found right, and those that are neither or open."""
    yield ERRORS_HEADING
    lists, reviewed = report.tasks, report.figures.reviewed
    if report.errors:
        yield f"{len(report.errors)} of {reviewed} reviewed tasks are defective."
        rows = [
            (
                code(row.task_id, in_table=True),
                category_text(row),
                ", ".join(row.effects),
                cause_text(row),
                severity_text(row),
            )
            for row in report.errors
        ]
        yield table(("Task", "Category", "Error type", "Cause", "Severity"), rows)
    elif reviewed:
        yield f"None of {reviewed} reviewed tasks is defective."
    else:
        yield "No task has been reviewed yet."
    if lists.found_right:
        ids = ", ".join(code(task_id) for task_id in lists.found_right)
        number = len(lists.found_right)
        yield f"The answer key was found right in {number} of {reviewed} reviewed tasks: {ids}."
    if lists.not_counted:
        yield (
            f"Reviewed, with findings that do not count: {len(lists.not_counted)} of {reviewed} "
            "reviewed tasks."
        )
        rows_open = [
            (code(task.task_id, in_table=True), md("; ".join(task.findings)))
            for task in lists.not_counted
        ]
        yield table(("Task", "Findings"), rows_open)
    if lists.not_reviewed:
        ids = ", ".join(code(task_id) for task_id in lists.not_reviewed)
        number = len(lists.not_reviewed)
        yield f"Not reviewed yet, {number} of {report.figures.sampled} sampled tasks: {ids}."
