"""The sequential rule's behaviour by true rate: inline SVG that follows the text colour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from audit_app.sampling.characteristics import Characteristics
from audit_app.sampling.operating import Course

_WIDTH, _HEIGHT = 780, 270
_TOP, _BOTTOM = 56, 222
_DASH = "5 4"
_FILE_STYLE = (
    "<style>:root{color:#1a1e22}@media(prefers-color-scheme:dark){:root{color:#e4e8eb}}</style>"
)


class _Panel(NamedTuple):
    """A panel: its left and right edge, and the values of its axes' ends."""

    left: int
    right: int
    most_rate: float
    low: float
    high: float

    def across(self, rate: float) -> float:
        return self.left + rate / self.most_rate * (self.right - self.left)

    def up(self, value: float) -> float:
        return _BOTTOM - (value - self.low) / (self.high - self.low) * (_BOTTOM - _TOP)


class _Line(NamedTuple):
    """A line: its points, how heavy it is, and whether it is dashed."""

    values: Sequence[float]
    width: float
    dashed: bool


def operating_chart(shown: Characteristics, *, chart_id: str = "operating") -> str:
    """The chart as an ``svg`` element: chances to the left, tasks read to the right.

    Solid lines have the same rate in every stratum, dashed ones the defects as unevenly as can
    be. The threshold is a line, the band in which the sample is widened a shaded strip.

    Args:
        shown: What the rule does.
        chart_id: Prefix of the element ids, unique on its page.
    """
    rates = [course.rate for course in shown.even]
    most = max(rates)
    chances = _Panel(58, 440, most, 0.0, 1.0)
    high = max(shown.wider, shown.first + 1)
    tasks = _Panel(530, 760, most, float(shown.first), float(high))
    both = ((shown.even, False), (shown.uneven, True))
    body = [
        *_frame(chances, shown, "Chance", [(v / 100, f"{v} %") for v in (0, 25, 50, 75, 100)]),
        *_frame(tasks, shown, "Tasks read on average", _task_ticks(shown.first, high)),
        *_legend(),
    ]
    for courses, dashed in both:
        body += [
            _drawn(chances, rates, _Line([c.issue for c in courses], 2.2, dashed)),
            _drawn(chances, rates, _Line([c.widen for c in courses], 1.1, dashed)),
            _drawn(tasks, rates, _Line([c.mean_read for c in courses], 2.2, dashed)),
        ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {_WIDTH} {_HEIGHT}" '
        f'width="100%" style="max-width:{_WIDTH}px;height:auto" '
        f'aria-labelledby="{chart_id}-title {chart_id}-desc" '
        'fill="currentColor" font-family="system-ui, sans-serif" font-size="11.5">'
        f'<title id="{chart_id}-title">What the sampling rule does, by true rate</title>'
        f'<desc id="{chart_id}-desc">{operating_words(shown)}</desc>'
        f"{''.join(body)}</svg>"
    )


def operating_picture(shown: Characteristics) -> str:
    """The chart as a file of its own, which follows the reader's colour scheme."""
    head, mark, body = operating_chart(shown).partition(">")
    return f"{head}{mark}{_FILE_STYLE}{body}"


def operating_words(shown: Characteristics) -> str:
    """The figures in words, for who cannot see the lines."""

    def said(course: Course) -> str:
        return (
            f"{100 * course.rate:.0f} %: an issue in {100 * course.issue:.0f} %, widened in "
            f"{100 * course.widen:.0f} %, {course.mean_read:.0f} tasks"
        )

    return "True rate, the same in every stratum. " + "; ".join(
        said(course) for course in shown.even if round(100 * course.rate) % 5 == 0
    )


def _task_ticks(first: int, high: int) -> list[tuple[float, str]]:
    middle = (first + high) // 2
    return [(float(n), str(n)) for n in sorted({first, middle, high})]


def _legend() -> Iterator[str]:
    places = (
        (58, 2.2, False, "issue in the end"),
        (200, 1.1, False, "widened"),
        (306, 1.6, False, "same rate in every stratum"),
        (512, 1.6, True, "as uneven as can be"),
    )
    for x, width, dashed, label in places:
        yield _path(f"M{x} 14H{x + 26}", width, dashed=dashed)
        yield _text(x + 32, 18, label)


def _frame(
    panel: _Panel, shown: Characteristics, title: str, ticks: Sequence[tuple[float, str]]
) -> Iterator[str]:
    """Axes, band and threshold."""
    lower, upper = (panel.across(min(end, panel.most_rate)) for end in shown.band)
    yield (
        f'<rect x="{lower:.1f}" y="{_TOP}" width="{upper - lower:.1f}" '
        f'height="{_BOTTOM - _TOP}" opacity="0.09"/>'
    )
    yield _text(panel.left, _TOP - 9, title, bold=True)
    for value, label in ticks:
        y = panel.up(value)
        yield (
            f'<path stroke="currentColor" stroke-width="0.6" opacity="0.3" '
            f'd="M{panel.left} {y:.1f}H{panel.right}"/>'
        )
        yield _text(panel.left - 7, y + 4, label, anchor="end")
    for percent in range(0, round(100 * panel.most_rate) + 1, 10):
        yield _text(panel.across(percent / 100), _BOTTOM + 17, f"{percent} %", anchor="middle")
    middle = (panel.left + panel.right) / 2
    yield _text(middle, _BOTTOM + 37, "True defect rate of the benchmark", anchor="middle")
    x = panel.across(shown.threshold)
    yield (
        f'<path stroke="currentColor" stroke-width="1" opacity="0.7" '
        f'd="M{x:.1f} {_TOP}V{_BOTTOM}"/>'
    )
    if panel.left < _WIDTH / 2:
        name = f"threshold {100 * shown.threshold:g} % in the widening band"
        yield _text(x, _TOP - 9, name, anchor="middle", size=10.5)


def _drawn(panel: _Panel, rates: Sequence[float], line: _Line) -> str:
    points = "L".join(
        f"{panel.across(rate):.1f} {panel.up(value):.1f}"
        for rate, value in zip(rates, line.values, strict=True)
    )
    return _path(f"M{points}", line.width, dashed=line.dashed)


def _path(path: str, width: float, *, dashed: bool) -> str:
    dash = f' stroke-dasharray="{_DASH}"' if dashed else ""
    return (
        f'<path fill="none" stroke="currentColor" stroke-width="{width}" '
        f'stroke-linejoin="round"{dash} d="{path}"/>'
    )


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", bold: bool = False, size: float = 0
) -> str:
    more = (' font-weight="600"' if bold else "") + (f' font-size="{size}"' if size else "")
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{text}</text>'
