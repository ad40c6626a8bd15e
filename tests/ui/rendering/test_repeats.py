"""Repeat reliability on the page: denominators, policies, charts without colour, comparison."""

from __future__ import annotations

import re

import pytest

from audit_app.domain.trials import TrialStatus
from audit_app.services.published_rows import check_row, p_range
from audit_app.services.trial_rows import Pool, TrialRow
from audit_app.services.trials import compare_two
from audit_app.stats.repeat_counts import Tally
from audit_app.ui.rendering.repeat_charts import MOST_BARS, bars_of, classes_chart, successes_chart
from audit_app.ui.rendering.repeat_comparison import comparison_card, p_range_line, published_card
from audit_app.ui.rendering.repeats import row_card, rows_table
from tests.ui.rendering.markup import Markup, text_of


def row(*passed: int, k: int = 5, errors: int = 0, **fields: object) -> TrialRow:
    """Tasks with so many passed trials of ``k``; ``errors`` of the first one have no grade."""
    tallies = {
        f"task_{i}": Tally(c, k - c - (errors if not i else 0), errors if not i else 0)
        for i, c in enumerate(passed)
    }
    outcomes = {TrialStatus.PASS: sum(passed), TrialStatus.TIMEOUT: errors}
    given = {"model": "m", "category": "", "condition": {"temperature": 1}, "condition_id": "c1"}
    return TrialRow(tallies=tallies, outcomes=outcomes, **{**given, **fields})  # type: ignore[arg-type]


def test_no_figure_stands_without_its_denominator() -> None:
    said = text_of(row_card(row(5, 4, 0)))
    assert "60.0 % of 15 trials" in said
    assert "2 of 3 tasks" in said
    assert "All-5" in said
    assert "Not stated: benchmark" in said
    assert "Every trial was graded" in said


def test_both_ways_to_treat_errors_and_the_bounds_stand_side_by_side() -> None:
    said = text_of(row_card(row(3, 5, errors=2)))
    assert "80.0 % of 10 trials" in said
    assert "100.0 % of 8 graded trials" in said
    assert "80.0–100.0 %" in said
    assert "timeout 2" in said


def test_a_pooled_row_is_labelled_and_has_no_interval_and_no_curve() -> None:
    html = row_card(row(5, 4, pool=Pool("same weights", ("c1", "c2")), condition_id=""))
    assert "no reliability figure" in text_of(html)
    assert "interval" not in text_of(html)
    assert "pass@k" not in html


@pytest.mark.parametrize(
    ("k", "labels"),
    [
        pytest.param(5, ["0", "1", "2", "3", "4", "5"], id="one bar a number"),
        pytest.param(100, ["0", "1–5", "6–10"], id="ranges between"),
    ],
)
def test_never_and_every_time_are_bars_of_their_own(k: int, labels: list[str]) -> None:
    bars = bars_of(row(0, 1, k, k, k=k))
    assert [bar.label for bar in bars][: len(labels)] == labels
    assert len(bars) <= MOST_BARS
    assert (bars[0].last, bars[-1].first) == (0, k)
    assert sum(bar.tasks for bar in bars) == 4


def test_charts_say_in_words_what_their_bars_show() -> None:
    both = successes_chart(row(0, 3, 5), chart_id="a") + classes_chart([row(0, 3, 5)], chart_id="b")
    said = text_of(both)
    assert "0 passed: 1 task; 3 passed: 1 task; 5 passed: 1 task" in said
    assert "all 1, mixed 1, never 1 of 3 tasks; ever 2" in said
    assert len(set(re.findall(r' id="([^"]+)"', both))) == 4


def test_names_are_shown_literally() -> None:
    evil = '<script>alert(1)</script>"'
    shown = row(5, 0, model=evil, condition={evil: evil})
    for html in (row_card(shown), rows_table([shown]), comparison_card(compare_two(shown, shown))):
        assert "script" not in Markup(html).tags


def test_two_rows_are_compared_task_by_task() -> None:
    said = text_of(comparison_card(compare_two(row(5, 5, 1), row(5, 0, 1, model="n"))))
    assert "all and never: 1 task" in said
    assert "1 tasks by the first only, 0 by the second only" in said
    assert "the first" in said


def test_a_published_row_is_checked_and_what_it_leaves_open_is_said() -> None:
    card = published_card(check_row("62.8 %", 83, 42, tasks=100, k=5), tasks=100, k=5)
    assert "314 passed trials of 500" in text_of(card)
    assert "Consistent" in text_of(card)
    wrong = published_card(check_row("0.9", 50, 42, tasks=100, k=5), tasks=100, k=5)
    assert "Impossible" in text_of(wrong)
    line = text_of(p_range_line(p_range(57, 42, tasks=100)))
    assert "0.1591" in line
    assert "0.000061" in line
