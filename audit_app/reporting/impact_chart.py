"""Leaderboard before and after as a slope chart: inline SVG that follows the text colour."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from audit_app.reporting.markup import visible
from audit_app.stats.impact_model import Impact, OrderChange

MOST_MODELS = 40
"""Lines beyond which a chart cannot be read."""

_WIDTH = 780
_LEFT, _RIGHT = 285, 495
_TOP, _BOTTOM = 44, 14
_ROW = 15
_LOWEST = 150
"""Height of the plot with few models; with many it grows by more than a row each."""
_NAME_LENGTH = 28
_ID = re.compile(r"[^A-Za-z0-9_-]")


class Slope(NamedTuple):
    """One model.

    Attributes:
        model: Its name.
        before: Score before, share in [0, 1].
        after: Score after, share in [0, 1].
        swaps: Whether it changes places with another model.
    """

    model: str
    before: float
    after: float
    swaps: bool = False


def impact_slopes(impact: Impact) -> list[Slope]:
    """A line for each model with a score before and after; none where no key is corrected."""
    if not impact.corrected and not impact.excluded:
        return []
    swapping = {
        name
        for pair in impact.correcting.pairs
        if pair.change is OrderChange.SWAPPED
        for name in (pair.ahead, pair.behind)
    }
    return [
        Slope(model.model, model.before, model.correcting.score, model.model in swapping)
        for model in impact.models
        if model.before is not None and model.correcting.score is not None
    ]


class _Line(NamedTuple):
    """A model with the heights of its two points and its two labels."""

    slope: Slope
    points: tuple[float, float]
    labels: tuple[float, float]


def impact_chart(
    slopes: Sequence[Slope],
    *,
    title: str,
    before_label: str = "Published keys",
    after_label: str = "Corrected keys",
    chart_id: str = "impact",
) -> str:
    """The chart as an ``svg`` element; without a model a sentence in its place.

    The best models by score before are drawn, up to ``MOST_MODELS``; a line below says how many
    are not. Lines of models that change places are heavy and solid, others thin; labels are moved
    apart where they would overlap, and joined to their points.

    Args:
        slopes: The models.
        title: What the chart shows; also its accessible name.
        before_label: Heading of the left side.
        after_label: Heading of the right side.
        chart_id: Prefix of the element ids, unique on its page.
    """
    shown = sorted(slopes, key=lambda s: (-s.before, s.model))[:MOST_MODELS]
    if not shown:
        return "<p>No model has a score before and after, so there is no chart.</p>"
    bottom = _TOP + max(_LOWEST, 1.2 * _ROW * len(shown))
    lines = _lines(shown, bottom)
    hidden = len(slopes) - len(shown)
    height = round(bottom + _BOTTOM + (_ROW + 6 if hidden else 0))
    name = _ID.sub("-", chart_id)
    body = [
        _text(_LEFT, 18, before_label, anchor="end", bold=True),
        _text(_RIGHT, 18, after_label, bold=True),
        *(_axis(x, _TOP - 8, bottom + 4) for x in (_LEFT, _RIGHT)),
        *(_drawn(line) for line in lines),
    ]
    if hidden:
        rest = f"and {hidden} more {'model' if hidden == 1 else 'models'} with lower scores"
        body.append(_text(_WIDTH // 2, height - 8, rest, anchor="middle"))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {_WIDTH} {height}" '
        f'width="100%" style="max-width:{_WIDTH}px;height:auto" '
        f'aria-labelledby="{name}-title {name}-desc" '
        'fill="currentColor" font-family="system-ui, sans-serif" font-size="11.5">'
        f'<title id="{name}-title">{_inert(title)}</title>'
        f'<desc id="{name}-desc">{_inert(_description(shown, hidden))}</desc>'
        f"{''.join(body)}</svg>"
    )


def _description(shown: Sequence[Slope], hidden: int) -> str:
    """The figures in words, for who cannot see the lines."""
    parts = [
        f"{s.model}: {_percent(s.before)} before, {_percent(s.after)} after"
        f"{', changes places' if s.swaps else ''}"
        for s in shown
    ]
    return "; ".join(parts) + (f"; {hidden} more not drawn." if hidden else ".")


def _lines(shown: Sequence[Slope], bottom: float) -> list[_Line]:
    values = [value for slope in shown for value in (slope.before, slope.after)]
    low, span = min(values), max(values) - min(values)

    def height(value: float) -> float:
        share = (value - low) / span if span else 0.5
        return bottom - share * (bottom - _TOP)

    points = [(height(s.before), height(s.after)) for s in shown]
    left = _spread([p[0] for p in points], [(-s.before, s.model) for s in shown], bottom)
    right = _spread([p[1] for p in points], [(-s.after, s.model) for s in shown], bottom)
    return [_Line(*row) for row in zip(shown, points, zip(left, right, strict=True), strict=True)]


def _spread(
    heights: Sequence[float], keys: Sequence[tuple[float, str]], bottom: float
) -> list[float]:
    """Heights for labels: a row apart, in the order of the keys, else as near as can be.

    With x_i the wanted height less i rows, labels keep their distance exactly if the x_i do not
    fall; the nearest such sequence is the isotonic regression, which pooling of neighbours finds
    and which clipping keeps within bounds.

    Source: Best and Chakravarti (1990), Active set algorithms for isotonic regression.
    """
    order = sorted(range(len(heights)), key=lambda i: keys[i])
    pools: list[tuple[float, int]] = []
    for place, i in enumerate(order):
        mean, size = heights[i] - place * _ROW, 1
        while pools and pools[-1][0] > mean:
            other, count = pools.pop()
            mean, size = (mean * size + other * count) / (size + count), size + count
        pools.append((mean, size))
    last = bottom - _ROW * (len(order) - 1)
    level = [min(max(mean, _TOP), last) for mean, size in pools for _ in range(size)]
    spread = [0.0] * len(heights)
    for place, (i, start) in enumerate(zip(order, level, strict=True)):
        spread[i] = start + place * _ROW
    return spread


def _drawn(line: _Line) -> str:
    slope, (left, right), (left_label, right_label) = line
    opacity, width = ("1", "2.2") if slope.swaps else ("0.55", "1.1")
    name = visible(slope.model)
    short = name if len(name) <= _NAME_LENGTH else f"{name[: _NAME_LENGTH - 1]}…"
    about = f"{name}: {_percent(slope.before)} → {_percent(slope.after)}"
    inner = _LEFT - 14, _RIGHT + 14
    return (
        f"<g><title>{_inert(about)}</title>"
        f'<g stroke="currentColor" opacity="{opacity}" fill="none">'
        f'<path stroke-width="{width}" d="M{_LEFT} {left:.1f}L{_RIGHT} {right:.1f}"/>'
        f'<path stroke-width="0.6" d="M{inner[0]} {left_label:.1f}L{_LEFT} {left:.1f}'
        f'M{_RIGHT} {right:.1f}L{inner[1]} {right_label:.1f}"/></g>'
        f'<circle cx="{_LEFT}" cy="{left:.1f}" r="2.6"/>'
        f'<circle cx="{_RIGHT}" cy="{right:.1f}" r="2.6"/>'
        + _text(
            inner[0] - 4,
            left_label + 4,
            f"{short} {_percent(slope.before)}",
            anchor="end",
            bold=slope.swaps,
        )
        + _text(inner[1] + 4, right_label + 4, f"{_percent(slope.after)} {short}", bold=slope.swaps)
        + "</g>"
    )


def _axis(x: int, top: float, bottom: float) -> str:
    return (
        f'<path stroke="currentColor" stroke-width="0.6" opacity="0.4" '
        f'd="M{x} {top:.1f}V{bottom:.1f}"/>'
    )


def _text(x: int, y: float, text: str, *, anchor: str = "start", bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x}" y="{y:.1f}" text-anchor="{anchor}"{weight}>{_inert(text)}</text>'


def _inert(text: str) -> str:
    """The text with nothing that SVG could read as markup or not read at all."""
    return escape(visible(text))


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"
