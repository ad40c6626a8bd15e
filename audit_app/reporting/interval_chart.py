"""Shares with their intervals as a chart: inline SVG that takes its colours from the page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from audit_app.domain.estimates import Interval
from audit_app.reporting.markup import isolated, visible

MOST_ROWS = 60
"""Rows beyond which a chart cannot be read."""

_WIDTH = 760
_LEFT, _RIGHT = 222, 584
_TOP, _ROW, _FOOT = 34, 23, 26
_NAME_LENGTH = 36


class Bar(NamedTuple):
    """One row.

    Attributes:
        label: What it is about.
        share: The share in [0, 1]; None draws the reason why there is none.
        interval: For the share, None where there is none.
        note: The figures in words, at the right.
        strong: Whether the row stands out, as a total does.
    """

    label: str
    share: float | None
    interval: Interval | None
    note: str
    strong: bool = False


class Marks(NamedTuple):
    """What the shares are to be read against.

    Attributes:
        line: A share drawn as a line, None without.
        band: Two shares between which the plot is shaded, None without.
        words: What line and band are.
    """

    line: float | None = None
    band: tuple[float, float] | None = None
    words: str = ""


def interval_chart(
    bars: Sequence[Bar], *, chart_id: str, title: str, marks: Marks | None = None
) -> str:
    """The chart as a ``figure`` element; nothing without a row.

    Args:
        bars: The rows from the top; those beyond ``MOST_ROWS`` are counted below.
        chart_id: Prefix of the element ids, unique on its page.
        title: What the chart shows; also its accessible name and its caption.
        marks: A threshold and a band.
    """
    if not bars:
        return ""
    marks = marks or Marks()
    shown = bars[:MOST_ROWS]
    bottom = _TOP + _ROW * len(shown)
    caption = " ".join([f"{title}.", marks.words, _hidden(len(bars) - len(shown))]).strip()
    body = [
        *_band(marks, bottom),
        *_axis(bottom),
        *_line(marks, bottom),
        *(_row(bar, _TOP + _ROW * n + _ROW / 2) for n, bar in enumerate(shown)),
    ]
    return (
        '<figure class="chart" tabindex="0" role="group" '
        f'aria-label="Chart: {_text(title)}">'
        f'<svg role="img" viewBox="0 0 {_WIDTH} {bottom + _FOOT}" '
        f'aria-labelledby="{chart_id}-title {chart_id}-desc">'
        f'<title id="{chart_id}-title">{_text(title)}</title>'
        f'<desc id="{chart_id}-desc">{_text(_description(shown))}</desc>'
        f"{''.join(body)}</svg><figcaption>{_text(caption)}</figcaption></figure>"
    )


def _hidden(count: int) -> str:
    return f"{count} more rows are in the table." if count > 0 else ""


def _description(bars: Sequence[Bar]) -> str:
    """The figures in words, for who cannot see the rows."""
    return "; ".join(f"{bar.label}: {bar.note}" for bar in bars) + "."


def _x(share: float) -> float:
    return _LEFT + min(max(share, 0.0), 1.0) * (_RIGHT - _LEFT)


def _axis(bottom: float) -> list[str]:
    parts = []
    for tick in range(0, 101, 20):
        x = _x(tick / 100)
        parts.append(f'<path class="grid" d="M{x:.1f} {_TOP - 6}V{bottom:.1f}"/>')
        parts.append(f'<text class="tick" x="{x:.1f}" y="{bottom + 16:.1f}">{tick} %</text>')
    return parts


def _band(marks: Marks, bottom: float) -> list[str]:
    if marks.band is None:
        return []
    low, high = map(_x, marks.band)
    size = f'width="{high - low:.1f}" height="{bottom - _TOP + 6:.1f}"'
    return [f'<rect class="band" x="{low:.1f}" y="{_TOP - 6}" {size}/>']


def _line(marks: Marks, bottom: float) -> list[str]:
    if marks.line is None:
        return []
    x = _x(marks.line)
    return [
        f'<path class="limit" d="M{x:.1f} {_TOP - 10}V{bottom:.1f}"/>',
        f'<text class="tick limit-name" x="{x:.1f}" y="{_TOP - 15}">'
        f"threshold {100 * marks.line:g} %</text>",
    ]


def _row(bar: Bar, y: float) -> str:
    name = visible(bar.label)
    short = name if len(name) <= _NAME_LENGTH else f"{name[: _NAME_LENGTH - 1]}…"
    weight = ' class="strong"' if bar.strong else ""
    parts = [
        f"<g{weight}><title>{_text(f'{bar.label}: {bar.note}')}</title>",
        f'<text class="name" x="{_LEFT - 12}" y="{y + 4:.1f}">{_text(short)}</text>',
        f'<text class="note" x="{_RIGHT + 14}" y="{y + 4:.1f}">{_text(bar.note)}</text>',
    ]
    if bar.interval is not None:
        low, high = _x(bar.interval.lower), _x(bar.interval.upper)
        parts.append(f'<path class="whisker" d="M{low:.1f} {y - 4:.1f}v8m0 -4H{high:.1f}m0 -4v8"/>')
    if bar.share is not None:
        parts.append(f'<circle class="dot" cx="{_x(bar.share):.1f}" cy="{y:.1f}" r="4.2"/>')
    return "".join([*parts, "</g>"])


def _text(text: str) -> str:
    """The text with nothing that SVG could read as markup or not read at all."""
    return isolated(escape(visible(text)))
