"""Lines of a report with the place of each: section, row, column; of Markdown and of HTML.

A place is what a reader would say to find a figure: the heading above it, the first cell of its
row, the title of its column.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html.parser import HTMLParser

_HEADING = re.compile(r"#{1,6} (.*)")
_RULE = re.compile(r"\|(?: ?:?-{3,}:? ?\|)+")
_CELL = re.compile(r"(?<!\\)\|")
TOP = "head of the report"
"""The section of what stands above the first heading of the second level."""

_BLOCKS = frozenset(
    (
        *("h1", "h2", "h3", "h4", "h5", "h6", "p", "pre", "blockquote", "hr", "address"),
        *("ul", "ol", "li", "dl", "dt", "dd", "details", "summary", "figure", "figcaption"),
        *("table", "caption", "thead", "tbody", "tfoot", "tr"),
        *("body", "header", "main", "nav", "section", "article", "aside", "footer", "div"),
        *("svg", "text", "title"),
    )
)
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_SILENT = frozenset(("style", "script"))


@dataclass(frozen=True)
class PlacedLine:
    """One line of a report.

    Attributes:
        text: As it stands.
        section: The heading above it.
        cells: Of a row of a table its cells; empty for any other line.
        columns: Titles of the columns of its table.
    """

    text: str
    section: str
    cells: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()

    @property
    def row(self) -> str:
        """What names the row: its first cell."""
        return self.cells[0] if self.cells else ""


def markdown_lines(text: str) -> list[PlacedLine]:
    """The lines of a report in Markdown."""
    lines: list[PlacedLine] = []
    section = TOP
    columns: tuple[str, ...] = ()
    rows = text.split("\n")
    for number, line in enumerate(rows):
        if heading := _HEADING.fullmatch(line):
            section = heading[1]
        cells = _cells(line)
        if not cells:
            columns = ()
        elif number + 1 < len(rows) and _RULE.fullmatch(rows[number + 1]):
            columns = cells
        lines.append(PlacedLine(line, section, cells, columns))
    return lines


def _cells(line: str) -> tuple[str, ...]:
    if not (line.startswith("| ") and line.endswith(" |")):
        return ()
    return tuple(cell.strip() for cell in _CELL.split(line)[1:-1])


def html_lines(text: str) -> list[PlacedLine]:
    """What can be read in a report in HTML, block by block."""
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.finished()


@dataclass
class _State:
    """Where the reading of a page is."""

    lines: list[PlacedLine] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    section: str = TOP
    columns: tuple[str, ...] = ()
    cells: list[str] | None = None
    is_header: bool = False
    silent: int = 0


class _Reader(HTMLParser):
    """Collects blocks and rows; takes no notice of attributes."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._state = _State()

    def finished(self) -> list[PlacedLine]:
        """All lines."""
        self._end_block()
        return self._state.lines

    def handle_starttag(self, tag: str, attrs: Iterable[object]) -> None:
        state = self._state
        state.silent += tag in _SILENT
        if tag in _BLOCKS:
            self._end_block()
        if tag == "tr":
            state.cells, state.is_header = [], False
        elif tag == "table":
            state.columns = ()
        elif tag == "th":
            state.is_header = True

    def handle_endtag(self, tag: str) -> None:
        state = self._state
        state.silent -= tag in _SILENT and state.silent > 0
        if tag in ("td", "th") and state.cells is not None:
            state.cells.append(self._said())
        elif tag == "tr":
            self._end_row()
        elif tag in _HEADINGS:
            state.section = self._said() or state.section
            state.lines.append(PlacedLine(state.section, state.section))
        elif tag in _BLOCKS:
            self._end_block()

    def handle_data(self, data: str) -> None:
        if not self._state.silent:
            self._state.words.append(data)

    def _said(self) -> str:
        text = " ".join("".join(self._state.words).split())
        self._state.words.clear()
        return text

    def _end_block(self) -> None:
        state = self._state
        if state.cells is not None:
            return  # the text of a cell goes on
        if text := self._said():
            state.lines.append(PlacedLine(text, state.section))

    def _end_row(self) -> None:
        state = self._state
        cells, state.cells = tuple(state.cells or ()), None
        if state.is_header and not state.columns:
            state.columns = cells
        state.lines.append(
            PlacedLine(" | ".join(cells), state.section, cells or ("",), state.columns)
        )
