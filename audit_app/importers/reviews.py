"""Reads reviews from a file: what ``reviews export`` writes, or a published list of 0/1 flags.

A review that spans several rows is loaded whole or not at all: half of a judgement is not what the
reviewer said, and it would stand in the way of the corrected file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePath
from typing import NamedTuple

from audit_app.domain.review import Review
from audit_app.domain.review_file import COLUMNS, FLAGS
from audit_app.errors import RowRejectedError
from audit_app.importers.report import RejectedRow
from audit_app.importers.review_forms import FullRow, full_row, reason_of, review_of, short_review
from audit_app.importers.row_files import Line, read_rows


class NumberedReview(NamedTuple):
    """A review and the physical line it begins on."""

    review: Review
    line: int


class ReviewsRead(NamedTuple):
    """What a review file gave: reviews in the order of their first rows, and rejected rows."""

    reviews: list[NumberedReview]
    rejected: list[RejectedRow]


def read_reviews(
    content: str | bytes, *, source: str, new_id: Callable[[], str], now: datetime
) -> ReviewsRead:
    """The reviews of a file, and the rows that were rejected.

    Args:
        content: CSV or JSON lines in UTF-8, with or without a byte order mark.
        source: Name of the file, for messages and as reviewer where the file names none.
        new_id: Makes the UUID of a review.
        now: The time of reviews that state none (aware).

    Raises:
        RowRejectedError: The file as a whole is neither form.
    """
    file = read_rows(content, source)
    unnamed = f"imported: {PurePath(source).name}"
    reading = _Reading(source, unnamed, new_id, now, list(file.rejected))
    if not file.columns:
        return ReviewsRead([], reading.rejected)
    full = _has_full_form(file.columns, source)
    found = reading.full(file.lines) if full else reading.short(file.lines)
    reviews = reading.first_of_each(found)
    return ReviewsRead(reviews, sorted(reading.rejected, key=lambda row: row.line))


def _has_full_form(columns: tuple[str, ...], source: str) -> bool:
    """Whether a file with these columns has the full form; False for the short one."""
    if {"id", *FLAGS} <= set(columns):
        return False
    if not {"task_id", "judgement"} <= set(columns):
        reason = (
            f"the columns {', '.join(columns)[:200]!r} are no review file: it needs task_id and "
            f"judgement, or id, {', '.join(FLAGS)}, separated by commas"
        )
        raise RowRejectedError(source, 1, reason)
    unknown = next((name for name in columns if name not in COLUMNS), None)
    if unknown is not None:
        raise RowRejectedError(source, 1, f"column {unknown!r} is none of {', '.join(COLUMNS)}")
    return True


class _Numbered(NamedTuple):
    """A review and the lines it was read from."""

    lines: list[int]
    review: Review


Group = dict[int, FullRow | str]
"""Line → row of one review, or what is wrong with the row."""


@dataclass
class _Reading:
    """One pass over one file, collecting what it rejects."""

    source: str
    unnamed: str
    new_id: Callable[[], str]
    now: datetime
    rejected: list[RejectedRow] = field(default_factory=list)

    def short(self, lines: Iterable[Line]) -> list[_Numbered]:
        """A review for each good row of a published list."""
        found = []
        for line in lines:
            try:
                review = short_review(
                    line.cells, review_id=self.new_id(), unnamed=self.unnamed, now=self.now
                )
            except ValueError as error:
                self._reject(line.number, reason_of(error))
            else:
                found.append(_Numbered([line.number], review))
        return found

    def full(self, lines: Iterable[Line]) -> list[_Numbered]:
        """A review for the rows of each task, reviewer and time."""
        found = []
        for group in self._groups(lines):
            faults = _faults(group)
            rows = [row for row in group.values() if isinstance(row, FullRow)]
            try:
                review = None if faults else review_of(rows, review_id=self.new_id())
            except ValueError as error:
                review, faults = None, {min(group): reason_of(error)}
            if review is not None:
                found.append(_Numbered(list(group), review))
                continue
            other = f"line {min(faults)}, which belongs to the same review, is rejected"
            for number in group:
                self._reject(number, faults.get(number, other))
        return found

    def first_of_each(self, found: Iterable[_Numbered]) -> list[NumberedReview]:
        """The first review of each task and reviewer; further ones are rejected."""
        first: dict[tuple[str, str], int] = {}
        reviews = []
        for lines, review in found:
            line = first.setdefault((review.task_id, review.reviewer), lines[0])
            if line == lines[0]:
                reviews.append(NumberedReview(review, line))
                continue
            who, what = review.reviewer[:80], review.task_id[:80]
            for number in lines:
                self._reject(number, f"task {what!r} is judged by {who!r} on line {line} already")
        return reviews

    def _groups(self, lines: Iterable[Line]) -> list[Group]:
        groups: dict[tuple[str, ...], Group] = {}
        for line in lines:
            row: FullRow | str
            try:
                row = full_row(line.cells, unnamed=self.unnamed, now=self.now)
            except ValueError as error:
                row = reason_of(error)
            names = ("task_id", "reviewer", "reviewed_at")
            key = tuple(str(line.cells.get(name) or "") for name in names)
            groups.setdefault(key, {})[line.number] = row
        return list(groups.values())

    def _reject(self, line: int, reason: str) -> None:
        self.rejected.append(RejectedRow(self.source, line, reason))


def _faults(group: Group) -> dict[int, str]:
    """Line → what is wrong with it, within one review."""
    faults = {number: row for number, row in group.items() if isinstance(row, str)}
    clean = [n for n, row in group.items() if isinstance(row, FullRow) and row.finding is None]
    if clean and len(group) > 1 and not faults:
        other = next(number for number in group if number != clean[-1])
        reason = f"the task is clean here, but line {other} judges it at the same time"
        faults[clean[-1]] = reason
    return faults
