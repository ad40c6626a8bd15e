"""Chart of the simulated coverage: a panel for each way of reading and each estimand, as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol

from audit_app.domain.estimates import INTERVAL_NAMES

_PANEL_W, _PANEL_H = 250, 170
_LEFT, _TOP, _GAP_X, _GAP_Y = 62, 86, 26, 64
_LOW, _HIGH = 0.88, 1.0
_MOST = 0.62
_TITLES = {"50": "50 tasks read", "100": "100 tasks read", "50 or 100": "50 or 100 by the rule"}
_ROWS = {"score_weighted": "Score-weighted", "task_weighted": "Task-weighted"}
_STYLE = (
    "<style>svg{color:#1a1e22;background:#fff;--wilson:#8a5a00;--clopper_pearson:#5d6670;"
    "--jeffreys:#a3302b;--korn_graubard:#1f5c99;--bayes:#2f7d4f}"
    "@media(prefers-color-scheme:dark){svg{color:#e4e8eb;background:#14181b;--wilson:#e0b04a;"
    "--clopper_pearson:#a4adb5;--jeffreys:#ef8a80;--korn_graubard:#7db4ea;--bayes:#79cf9a}}"
    "</style>"
)
_DASH = {"clopper_pearson": "1 3", "jeffreys": "6 3", "bayes": "3 2", "wilson": "9 3 2 3"}
_HEAVY = "korn_graubard"


class Covered(Protocol):
    """A row of the table."""

    @property
    def read(self) -> str: ...
    @property
    def estimand(self) -> str: ...
    @property
    def rate(self) -> float: ...
    @property
    def method(self) -> str: ...
    @property
    def coverage(self) -> float: ...


class _Panel(NamedTuple):
    """Where one panel stands."""

    x: float
    y: float

    def across(self, rate: float) -> float:
        return self.x + rate / _MOST * _PANEL_W

    def up(self, coverage: float) -> float:
        return self.y + (_HIGH - max(coverage, _LOW)) / (_HIGH - _LOW) * _PANEL_H


def coverage_chart(rows: Sequence[Covered]) -> str:
    """The lowest coverage over the patterns, against the true rate."""
    reads, estimands = (
        list(dict.fromkeys(r.read for r in rows)),
        list(dict.fromkeys(r.estimand for r in rows)),
    )
    width = _LEFT + len(reads) * (_PANEL_W + _GAP_X) + 10
    height = _TOP + len(estimands) * (_PANEL_H + _GAP_Y)
    body = [_text(12, 22, "Simulated coverage of 95 % intervals", size=15, bold=True)]
    body += _legend(list(dict.fromkeys(r.method for r in rows)))
    for line, estimand in enumerate(estimands):
        for column, read in enumerate(reads):
            panel = _Panel(_LEFT + column * (_PANEL_W + _GAP_X), _TOP + line * (_PANEL_H + _GAP_Y))
            mine = [r for r in rows if (r.read, r.estimand) == (read, estimand)]
            body.append(
                _text(panel.x, panel.y - 8, f"{_ROWS[estimand]}, {_TITLES[read]}", bold=True)
            )
            body += _frame(panel, first=column == 0)
            body += _lines(panel, mine)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" aria-labelledby="title desc" fill="currentColor" '
        'font-family="system-ui, sans-serif" font-size="11.5">'
        '<title id="title">Simulated coverage of 95 % intervals</title>'
        '<desc id="desc">Lowest coverage over four patterns of rates, for true rates from 2 to '
        "60 %. The figures are in coverage.csv.</desc>"
        f"{_STYLE}{''.join(body)}</svg>\n"
    )


def _legend(methods: Iterable[str]) -> Iterator[str]:
    x = 12.0
    for method in methods:
        yield _path(f"M{x} 44H{x + 34}", method)
        yield _text(x + 40, 48, INTERVAL_NAMES[method])
        x += 58 + 7 * len(INTERVAL_NAMES[method])


def _frame(panel: _Panel, *, first: bool) -> Iterator[str]:
    for percent in (88, 90, 93, 95, 98, 100):
        y = panel.up(percent / 100)
        opacity = ".6" if percent in (93, 95) else ".12"
        yield (
            f'<path stroke="currentColor" opacity="{opacity}" d="M{panel.x} {y:.1f}h{_PANEL_W}"/>'
        )
        if first:
            yield _text(panel.x - 8, y + 4, f"{percent} %", anchor="end")
    for percent in (0, 10, 20, 30, 40, 50, 60):
        x = panel.across(percent / 100)
        yield _text(x, panel.y + _PANEL_H + 16, str(percent), anchor="middle")
    middle = panel.x + _PANEL_W / 2
    yield _text(middle, panel.y + _PANEL_H + 32, "true rate, %", anchor="middle")


def _lines(panel: _Panel, rows: Sequence[Covered]) -> Iterator[str]:
    for method in dict.fromkeys(r.method for r in rows):
        lowest: dict[float, float] = {}
        for row in rows:
            if row.method == method:
                lowest[row.rate] = min(row.coverage, lowest.get(row.rate, 1.0))
        points = "L".join(
            f"{panel.across(rate):.1f} {panel.up(low):.1f}" for rate, low in sorted(lowest.items())
        )
        yield _path(f"M{points}", method)


def _path(path: str, method: str) -> str:
    width = 2.4 if method == _HEAVY else 1.5
    dash = f' stroke-dasharray="{_DASH[method]}"' if method in _DASH else ""
    return (
        f'<path fill="none" style="stroke:var(--{method})" stroke-width="{width}"{dash} '
        f'stroke-linejoin="round" d="{path}"/>'
    )


def _text(
    x: float, y: float, text: str, *, anchor: str = "start", bold: bool = False, size: float = 0
) -> str:
    more = (' font-weight="600"' if bold else "") + (f' font-size="{size}"' if size else "")
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{more}>{text}</text>'
