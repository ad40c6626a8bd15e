"""What warnings and docs say of coverage is what the simulation found."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from audit_app.domain.estimates import Counted, Estimand, Estimate, Interval
from audit_app.stats.known_coverage import LEAST, LOW_COVERAGE, SIMULATED, falling_short
from tests.bench.coverage import PATTERNS, RATES, simulate
from tests.bench.coverage_chart import coverage_chart

DOCS = Path(__file__).resolve().parents[3] / "docs"


def _rows() -> list[dict[str, str]]:
    with (DOCS / "coverage.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_the_table_has_every_situation() -> None:
    situations = {(r["read"], r["estimand"], r["pattern"], r["rate"]) for r in _rows()}
    assert len(situations) == 3 * 2 * len(PATTERNS) * len(RATES)


def test_low_coverage_is_what_the_table_says() -> None:
    short: dict[tuple[str, str, int], list[tuple[float, float]]] = {}
    for row in _rows():
        if float(row["coverage"]) < LEAST and row["read"].isdigit():
            key = row["method"], row["estimand"], int(row["read"])
            short.setdefault(key, []).append((float(row["coverage"]), float(row["rate"])))
    assert {(low.method, low.estimand.value, low.read) for low in LOW_COVERAGE} == set(short)
    for low in LOW_COVERAGE:
        found = short[low.method, low.estimand.value, low.read]
        assert low.lowest == min(found)[0]
        assert low.rates == (min(r for _, r in found), max(r for _, r in found))


def test_the_interval_to_quote_never_covers_less_than_95_percent() -> None:
    quoted = [r for r in _rows() if r["method"] == "korn_graubard"]
    assert min(float(row["coverage"]) for row in quoted) >= 0.95


def test_the_docs_print_the_lowest_coverage() -> None:
    text = (DOCS / "methods.md").read_text(encoding="utf-8")
    table = text.split("### Coverage")[1].split("![")[0]
    for row in ("Korn–Graubard | score-weighted", "Bayes | task-weighted", "Wilson | score-"):
        assert row in table
    for method, name in (("korn_graubard", "Korn–Graubard"), ("bayes", "Bayes")):
        for estimand in ("score_weighted", "task_weighted"):
            line = next(
                x for x in table.split("\n") if f"{name} | {estimand.replace('_', '-')}" in x
            )
            for read in ("50", "100", "50 or 100"):
                lowest = min(
                    float(r["coverage"])
                    for r in _rows()
                    if (r["method"], r["estimand"], r["read"]) == (method, estimand, read)
                )
                assert f"{100 * lowest:.1f} (at " in line


def _estimate(lower: float, upper: float) -> Estimate:
    return Estimate(
        estimand=Estimand.SCORE,
        counted=Counted.CONFIRMED,
        defective=1,
        reviewed=50,
        rate=0.1,
        intervals=(Interval(name="bayes", lower=lower, upper=upper, level=0.95),),
    )


@pytest.mark.parametrize(
    ("lower", "upper", "reviewed", "named"),
    [
        pytest.param(0.03, 0.2, 50, 1, id="5 percent inside"),
        pytest.param(0.06, 0.2, 50, 0, id="5 percent ruled out"),
        pytest.param(0.8, 0.97, 50, 1, id="its mirror image"),
        pytest.param(0.04, 0.2, 100, 0, id="only 3 percent falls short at 100"),
        pytest.param(0.02, 0.2, 120, 1, id="as at 100"),
    ],
)
def test_methods_that_fall_short(lower: float, upper: float, reviewed: int, named: int) -> None:
    assert len(falling_short([_estimate(lower, upper)], reviewed=reviewed)) == named
    assert SIMULATED == (50, 100)


@pytest.mark.parametrize("design", ["50", "50 or 100"])
def test_the_simulation_comes_near_the_table(design: str) -> None:
    rows = {r.method: r for r in simulate(design, "score_weighted", "even", 0.2, repeats=400)}
    for row in _rows():
        if (row["read"], row["estimand"], row["pattern"], row["rate"]) == (
            *(design, "score_weighted", "even"),
            "0.2",
        ):
            mine = rows[row["method"]]
            # Four standard errors of 400 samples at a coverage of 95 %.
            assert mine.coverage == pytest.approx(float(row["coverage"]), abs=0.044)
            assert mine.mean_width == pytest.approx(float(row["mean_width"]), abs=0.01)


def test_the_chart_draws_every_panel_and_names_every_method() -> None:
    rows = [
        row
        for estimand in ("score_weighted", "task_weighted")
        for rate in (0.1, 0.2)
        for row in simulate("50", estimand, "even", rate, repeats=20)
    ]
    chart = coverage_chart(rows)
    for words in ("Korn–Graubard", "Score-weighted, 50 tasks read", "Task-weighted", "93 %"):
        assert words in chart
    assert '<title id="title">' in chart
