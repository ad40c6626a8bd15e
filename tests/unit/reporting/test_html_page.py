"""The HTML report as a file: it stands alone, and every figure drawn is said in words too."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from audit_app.domain.estimates import Interval
from audit_app.domain.sampling import DrawKind
from audit_app.reporting.build import build_report
from audit_app.reporting.charts import section_charts
from audit_app.reporting.interval_chart import MOST_ROWS, Bar, Marks, interval_chart
from audit_app.reporting.markdown import body_blocks
from audit_app.reporting.model import AuditRecord
from audit_app.reporting.render import render
from tests.unit.reporting.audits import audit
from tests.unit.reporting.hostile import ATTACK, attacked, whole

SVG = "{http://www.w3.org/2000/svg}"


def page(record: AuditRecord) -> str:
    return render(record, ["html"])["report.html"].decode()


@pytest.mark.parametrize("record", [whole(), attacked(ATTACK)], ids=["plain", "hostile"])
def test_the_file_asks_for_nothing_and_forbids_to(record: AuditRecord) -> None:
    html = page(record)
    assert html.startswith("<!doctype html>")
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:;"
    assert html.index(policy) < html.index("<title>"), "before any foreign text"
    for tag in ("script", "img", "link", "iframe", "object", "embed", "base", "form"):
        assert f"<{tag}" not in html
    tags = "".join(re.findall(r"<[^>]*>", html))
    assert not re.search(r"""\s(src|srcset|action|on\w+)\s*=\s*["']""", tags)
    style = html.partition("<style>")[2].partition("</style>")[0]
    assert "url(" not in style
    assert "@import" not in style


def test_every_section_of_the_markdown_is_in_the_contents_once() -> None:
    html = page(whole())
    titles = [b.removeprefix("## ") for b in body_blocks(build_report(whole())) if b[:3] == "## "]
    contents = html.partition('<nav class="contents"')[2].partition("</nav>")[0]
    assert re.findall(r'<a href="#[^"]+">([^<]+)</a>', contents) == [
        "Summary",
        *titles[: titles.index("Errors") + 1],
        "Each error",
        *titles[titles.index("Errors") + 1 :],
    ]


def test_the_charts_stand_under_headings_that_exist() -> None:
    report = build_report(whole())
    assert set(section_charts(report)) <= set(body_blocks(report))
    html = page(whole())
    drawn = re.findall(r'aria-labelledby="([\w-]+)-title', html)
    assert drawn == [
        *("chart-rule", "chart-strata", "chart-agreement"),
        *("chart-impact", "chart-planted"),
    ]


@pytest.mark.parametrize(
    ("record", "charts"),
    [
        pytest.param(audit(judged=[]), [], id="nothing reviewed"),
        pytest.param(audit(), ["chart-rule", "chart-strata"], id="one reviewer"),
        pytest.param(
            audit(kind=DrawKind.CENSUS), ["chart-rule"], id="unfinished census: a floor alone"
        ),
    ],
)
def test_only_what_there_is_is_drawn(record: AuditRecord, charts: list[str]) -> None:
    html = page(record)
    assert re.findall(r'aria-labelledby="([\w-]+)-title', html) == charts
    if record.sample.kind is DrawKind.CENSUS:
        assert 'class="whisker"' not in html
        assert "Floor: found so far: 3 of 60 (5.0 %)" in html
        assert '<dt>Defective, at least</dt><dd class="value">5.0 %</dd>' in html


def test_every_error_can_be_linked_and_is_linked_from_the_table() -> None:
    html = page(whole())
    for task in ("chat_0", "chat_1", "memory_0"):
        assert f'id="error-{task}"' in html
        assert f'<a class="to" href="#error-{task}"><code dir="auto">{task}</code></a>' in html


def _svg(html: str) -> ElementTree.Element:
    found = re.search(r"<svg.*</svg>", html, re.DOTALL)
    assert found is not None
    return ElementTree.fromstring(found[0].replace("<svg", f'<svg xmlns="{SVG[1:-1]}"', 1))


def test_a_chart_says_its_figures_and_draws_them_in_place() -> None:
    interval = Interval(name="wilson", lower=0.25, upper=0.75, level=0.95)
    bars = [
        Bar("a <b> \u202e", 0.5, interval, "1 of 2 (50.0 %)"),
        Bar("none", None, None, "not defined"),
    ]
    marks = Marks(line=0.5, band=(0.25, 0.75), words="Read against this.")
    html = interval_chart(bars, chart_id="c", title="Rates", marks=marks)
    root = _svg(html)
    description = root.find(f"{SVG}desc")
    assert description is not None
    assert description.text == "a <b> ⟨U+202E⟩: 1 of 2 (50.0 %); none: not defined."
    (dot,) = root.iter(f"{SVG}circle")
    (band,) = root.iter(f"{SVG}rect")
    left, width = float(band.attrib["x"]), float(band.attrib["width"])
    assert float(dot.attrib["cx"]) == pytest.approx(left + width / 2, abs=0.2)
    (whisker,) = [p for p in root.iter(f"{SVG}path") if p.attrib["class"] == "whisker"]
    assert whisker.attrib["d"].startswith(f"M{left:.1f} ")
    assert "<figcaption>Rates. Read against this.</figcaption>" in html


def test_a_chart_of_nothing_is_none_and_one_of_too_much_counts_the_rest() -> None:
    assert interval_chart([], chart_id="c", title="Rates") == ""
    bars = [Bar(str(n), 0.5, None, "") for n in range(MOST_ROWS + 3)]
    html = interval_chart(bars, chart_id="c", title="Rates")
    assert len(list(_svg(html).iter(f"{SVG}circle"))) == MOST_ROWS
    assert "3 more rows are in the table." in html
