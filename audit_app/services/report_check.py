"""`assay report --check`: makes a report again from the files beside it, and compares.

The whole report is made again, so nothing printed in it escapes: what is a figure is named by its
place, and any other line that differs by its own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from audit_app import __version__
from audit_app.errors import InputError
from audit_app.reporting.figure_diff import (
    Difference,
    differing_lines,
    json_differences,
    line_differences,
    text_differences,
)
from audit_app.reporting.figure_places import (
    PlacedLine,
    html_lines,
    markdown_lines,
)
from audit_app.reporting.render import render
from audit_app.services.files import decoded_text, read_bytes
from audit_app.services.impact_part import not_graded
from audit_app.services.report_inputs import ReportInputs, record_of
from audit_app.services.report_reading import read_inputs

_REPORTS = {".md": "report.md", ".html": "report.html", ".json": "report.json"}


@dataclass(frozen=True)
class ReportCheck:
    """What a check came to.

    Attributes:
        differs: Every figure and line that does not follow from the exports.
        made_with: Version of Assay that made the report.
        checked_with: Version that made it again.
    """

    differs: tuple[Difference, ...]
    made_with: str
    checked_with: str


def check_report(path: Path) -> ReportCheck:
    """Make a report again from the exports beside it, and name what differs.

    Args:
        path: The report: Markdown, HTML or JSON.

    Raises:
        InputError: The file cannot be read or is no report, or an export is missing or broken.
    """
    name = _REPORTS.get(path.suffix.lower())
    if name is None:
        raise InputError(f"{path} is no report: name one that ends in {', '.join(_REPORTS)}")
    printed = decoded_text(read_bytes(path), str(path)).replace("\r\n", "\n")
    inputs = read_inputs(path.parent)
    try:
        record = record_of(inputs)
        made = render(record, [path.suffix.lower()[1:]])[name].decode()
    except (ValueError, KeyError) as error:  # exports that are whole one by one, but not together
        reason = " ".join(str(error).split())[:200]
        raise InputError(
            f"{path.parent}: the exports contradict one another, so nothing can be recomputed: "
            f"{reason}"
        ) from error
    return ReportCheck(
        differs=(*_differences(printed, made, name), *_ungraded(inputs)),
        made_with=inputs.versions.get("assay", "unknown"),
        checked_with=__version__,
    )


def _differences(printed: str, made: str, name: str) -> Iterator[Difference]:
    if printed == made:
        return
    found = False
    for difference in _named(printed, made, name):
        found = True
        yield difference
    if not found and printed.strip() != made.strip():
        yield from line_differences(_plain(printed), _plain(made))


def _named(printed: str, made: str, name: str) -> Iterator[Difference]:
    if name == "report.json":
        try:
            document = json.loads(printed)
        except (ValueError, RecursionError) as error:
            raise InputError(f"the report is not JSON: {error}") from error
        yield from json_differences(document, json.loads(made))
    elif name == "report.html":
        yield from line_differences(html_lines(printed), html_lines(made))
        yield from _unseen(printed, made)
    else:
        yield from line_differences(markdown_lines(printed), markdown_lines(made))


def _unseen(printed: str, made: str) -> Iterator[Difference]:
    """Lines of HTML that read the same and are not: what a chart draws, where a link goes."""
    for mine, theirs in differing_lines(_plain(printed), _plain(made)):
        if mine is not None and theirs is not None and _reads_as(mine) == _reads_as(theirs):
            yield from text_differences(mine, theirs)


def _reads_as(line: PlacedLine) -> str:
    return " ".join(placed.text for placed in html_lines(line.text))


def _plain(text: str) -> list[PlacedLine]:
    return [
        PlacedLine(line, f"line {number}") for number, line in enumerate(text.split("\n"), start=1)
    ]


def _ungraded(inputs: ReportInputs) -> Iterator[Difference]:
    """Tasks whose corrected key the exported grades are not of."""
    if inputs.impact is not None:
        for task_id in not_graded(inputs.impact, inputs.corrections):
            yield Difference(
                f"effect on the leaderboard, {task_id}",
                "graded under another corrected key",
                None,
            )
