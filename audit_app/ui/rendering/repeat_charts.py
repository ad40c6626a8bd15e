"""Charts of repeated trials as inline SVG that follows the colours of the page.

Every bar carries its figure in words: nothing is told by colour alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from audit_app.services.trial_rows import TrialRow
from audit_app.ui.rendering.text import attribute, counted

MOST_BARS = 24
"""Bars beyond which single numbers of passed trials are put together."""

_WIDTH = 640
_ID = re.compile(r"[^A-Za-z0-9_-]")
_HEIGHT, _BASE = 176, 132
"""Of the distribution: the whole, and where its bars stand."""
_TALLEST = 100
_ROW = 46
_NAME_LENGTH = 60


class Bar(NamedTuple):
    """One bar of a distribution.

    Attributes:
        first: Least number of passed trials.
        last: Largest.
        tasks: Tasks with so many.
    """

    first: int
    last: int
    tasks: int

    @property
    def label(self) -> str:
        """Its numbers, as ``3`` or ``3–9``."""
        return str(self.first) if self.first == self.last else f"{self.first}–{self.last}"


def bars_of(row: TrialRow) -> list[Bar]:
    """The distribution; solved never and every time stay bars of their own."""
    counts = list(row.histogram.items())
    if len(counts) <= MOST_BARS:
        return [Bar(passed, passed, tasks) for passed, tasks in counts]
    (first, *middle, last), width = counts, -(-(len(counts) - 2) // (MOST_BARS - 2))
    parts = [middle[start : start + width] for start in range(0, len(middle), width)]
    between = [Bar(part[0][0], part[-1][0], sum(n for _, n in part)) for part in parts]
    return [Bar(first[0], first[0], first[1]), *between, Bar(last[0], last[0], last[1])]


def successes_chart(row: TrialRow, *, chart_id: str) -> str:
    """How many tasks passed how many of their trials, as bars from 0 to k."""
    bars = bars_of(row)
    most = max(bar.tasks for bar in bars)
    step = _WIDTH / len(bars)
    width = min(64.0, 0.72 * step)
    drawn = []
    for place, bar in enumerate(bars):
        middle = (place + 0.5) * step
        height = _TALLEST * bar.tasks / most if most else 0.0
        css = _class(bar, row)
        if bar.tasks:
            drawn.append(_rect(middle - width / 2, _BASE - height, width, height, css))
        drawn.append(_text(middle, _BASE - height - 5, str(bar.tasks), anchor="middle", bold=True))
        drawn.append(_text(middle, _BASE + 15, bar.label, anchor="middle"))
        if css != "mixed" and row.least == row.most:
            drawn.append(_text(middle, _BASE + 29, css, anchor="middle", css="axis"))
    trials = f"{row.least}" if row.least == row.most else f"{row.least} to {row.most}"
    axis = f"passed trials of {trials}"
    drawn.append(_text(_WIDTH / 2, _HEIGHT - 2, axis, anchor="middle", css="axis"))
    drawn.append(f'<path class="line" d="M0 {_BASE}H{_WIDTH}"/>')
    said = "; ".join(
        f"{bar.label} passed: {counted(bar.tasks, 'task')}" for bar in bars if bar.tasks
    )
    return _svg(chart_id, _HEIGHT, "Tasks by number of passed trials", said, drawn)


def _class(bar: Bar, row: TrialRow) -> str:
    if bar.last == 0:
        return "never"
    return "all" if bar.first == row.most else "mixed"


def classes_chart(rows: Sequence[TrialRow], *, chart_id: str) -> str:
    """Tasks solved every time, sometimes and never, one bar a row, each with its denominator."""
    drawn, said = [], []
    for place, row in enumerate(rows):
        counts, top = row.counts, place * _ROW
        parts = (("all", counts.all), ("mixed", counts.mixed), ("never", counts.never))
        words = ", ".join(f"{name} {number}" for name, number in parts)
        words = f"{words} of {counted(counts.tasks, 'task')}; ever {counts.ever}"
        left = 0.0
        for css, number in parts:
            width = _WIDTH * number / counts.tasks if counts.tasks else 0.0
            if number:
                drawn.append(_rect(left, top + 18, width, 14, css))
            if width > 22:
                drawn.append(
                    _text(left + width / 2, top + 29, str(number), anchor="middle", css=f"in-{css}")
                )
            left += width
        name = _short(row.model)
        drawn.append(_text(0, top + 12, name, bold=True))
        drawn.append(_text(_WIDTH, top + 12, words, anchor="end"))
        said.append(f"{name}: {words}")
    height = _ROW * len(rows) - 8
    title = "Tasks solved every time, sometimes, never"
    return _svg(chart_id, height, title, "; ".join(said), drawn)


def _short(name: str) -> str:
    return name if len(name) <= _NAME_LENGTH else f"{name[: _NAME_LENGTH - 1]}…"


def _svg(chart_id: str, height: float, title: str, said: str, drawn: Sequence[str]) -> str:
    name = _ID.sub("-", chart_id)
    return (
        f'<svg class="chart" role="img" viewBox="0 0 {_WIDTH} {height:.0f}" '
        f'aria-labelledby="{name}-title {name}-desc">'
        f'<title id="{name}-title">{attribute(title)}</title>'
        f'<desc id="{name}-desc">{attribute(said)}</desc>{"".join(drawn)}</svg>'
    )


def _rect(x: float, y: float, width: float, height: float, css: str) -> str:
    return (
        f'<rect class="{css}" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'
    )


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", bold: bool = False, css: str = ""
) -> str:
    style = f' class="{css or ("strong" if bold else "plain")}"'
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f"<text {place}{style}>{attribute(text)}</text>"
