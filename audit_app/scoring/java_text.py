"""Reading texts of Java and JavaScript values in one pass over them, however long they are.

The benchmark's converters search with patterns that retry from every position; on hostile text
that takes time without bound. What is found here is the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from audit_app.scoring.faults import CheckerStopError

_SPACE = re.compile(r"\s*")


def after_space(text: str, position: int) -> int:
    """The first position from ``position`` on that holds no white space."""
    match = _SPACE.match(text, position)
    return match.end() if match else position


def line_end(text: str, position: int) -> int:
    """Where the line that ``position`` is on ends."""
    end = text.find("\n", position)
    return end if end >= 0 else len(text)


def enclosed(text: str, opening: re.Pattern[str], close: str, *, least: int = 0) -> Iterator[str]:
    """What stands between an opening and the nearest close on the same line, one after another.

    Args:
        text: Where to look.
        opening: What comes before; it does not match the empty text.
        close: What comes after.
        least: The least number of characters between them.
    """
    position, close_at, ends_at = 0, -1, -1
    while match := opening.search(text, position):
        start = match.end()
        if close_at < start + least:
            close_at = text.find(close, start + least)
            if close_at < 0:
                return
        if ends_at < start:
            ends_at = line_end(text, start)
        if ends_at < close_at:
            position = match.start() + 1
        else:
            yield text[start:close_at]
            position = close_at + len(close)


def whole_number(digits: str) -> int:
    """The number that digits name.

    Raises:
        CheckerStopError: They are more than Python converts; the benchmark's converter stops.
    """
    try:
        return int(digits)
    except ValueError as error:
        raise CheckerStopError("ValueError", f"no whole number: {digits[:40]!r}") from error


def guessed_number(text: str) -> int | float | str:
    """The whole number or else the number that Python reads in a text, or the text."""
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return text
