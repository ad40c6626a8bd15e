"""The golden figures of repeated trials: printed in the seed, or derived from what it prints."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from audit_app.stats.intervals import wilson_interval
from audit_app.stats.paired_trials import SolvedClass, compare_paired, p_from_totals
from audit_app.stats.pass_at_k import curve, pass_at_k, pass_hat_k
from audit_app.stats.published_counts import check_published
from audit_app.stats.repeat_counts import (
    Counts,
    Tally,
    count_errors_as_failures,
    count_without_errors,
    error_bounds,
)
from audit_app.stats.trial_bootstrap import task_bootstrap

_FILE = Path(__file__).parents[1] / "data" / "repeat_trials.json"
_CASES: dict[str, Any] = {
    case["id"]: case for case in json.loads(_FILE.read_text("utf-8"))["cases"]
}
_VIRTUAL = ("virtual_A", "virtual_B", "virtual_C")
_RECONSTRUCTED = ("reconstruction_claude_sonnet_5_5", "reconstruction_qwen3_8_27b")


def _tallies(case: dict[str, Any]) -> list[Tally]:
    given, k = case["input"], case["input"]["k"]
    runs = given.get("per_task_successes_runlength")
    passed = (
        given["per_task_successes"]
        if runs is None
        else [successes for successes, times in runs for _ in range(times)]
    )
    return [Tally(successes, k - successes) for successes in passed]


def test_every_golden_case_is_looked_at() -> None:
    elsewhere = {"condition_mismatch", "systematic_failure"}  # test_trial_conditions.py
    here = {
        *_VIRTUAL,
        *_RECONSTRUCTED,
        "mean_314_500",
        "published_rows",
        "published_gap_significance_range",
        "paired_toy",
        "error_policy_toy",
        "estimators_small",
        "estimator_refuse",
    }
    assert set(_CASES) == here | elsewhere


def test_a_mean_counts_trials_not_tasks() -> None:
    case = _CASES["mean_314_500"]
    given, expect = case["input"], case["expect"]
    full, rest = divmod(given["successes"], given["k"])
    tallies = [Tally(5, 0)] * full + [Tally(rest, 5 - rest)]
    tallies += [Tally(0, 5)] * (given["n_tasks"] - len(tallies))
    counts = count_errors_as_failures(tallies)
    assert (counts.trials, counts.mean) == (given["n_trials"], expect["mean_success"])


@pytest.mark.parametrize("case_id", [*_VIRTUAL, *_RECONSTRUCTED])
def test_counts_and_curves(case_id: str) -> None:
    case = _CASES[case_id]
    expect, tallies = case["expect"], _tallies(case)
    counts = count_errors_as_failures(tallies)
    assert counts.mean == pytest.approx(expect["mean_success"])
    assert counts == Counts(
        tasks=expect["n_tasks"],
        trials=expect["n_trials"],
        successes=expect["successes"],
        mean=counts.mean,
        ever=expect["solved_at_least_once"],
        all=expect["solved_all"],
        mixed=expect["mixed"],
        never=expect["never"],
    )
    for point in curve(tallies):
        assert point.pass_at_k == pytest.approx(expect["pass_at_k"][str(point.k)])
        assert point.pass_hat_k == pytest.approx(expect["pass_hat_k"][str(point.k)])
    assert len(curve(tallies)) == case["input"]["k"]


@pytest.mark.parametrize("case_id", _RECONSTRUCTED)
def test_task_bootstrap(case_id: str) -> None:
    case = _CASES[case_id]
    boot = case["input"]["boot"]
    found = task_bootstrap(_tallies(case), seed=boot["seed"], resamples=boot["B"])
    names = {"mean_success": "mean", "solved_all": "all", "solved_at_least_once": "ever"}
    for name, ends in case["expect"]["boot95"].items():
        interval = found[names.get(name, name)]
        assert (interval.lower, interval.upper) == pytest.approx(tuple(ends)), name


@pytest.mark.parametrize("model", ["claude_sonnet_5_5", "qwen3_8_27b"])
def test_published_rows(model: str) -> None:
    case = _CASES["published_rows"]
    row = case["input"][model]
    printed, derived = row["published"], row["derived"]
    check = check_published(
        printed["mean_success"],
        printed["solved_at_least_once"],
        printed["solved_all"],
        tasks=100,
        k=5,
        rounding=0.0005,
    )
    assert check.is_possible is derived["bounds_hold"]
    assert check.successes == (derived["successes"], derived["successes"])
    assert check.allowed == tuple(derived["successes_bounds"])
    assert (check.mixed, check.never) == (printed["mixed"], derived["never"])
    assert check.never == case["expect"]["never"][model]
    assert check.per_mixed_task == pytest.approx(derived["mean_successes_in_mixed_tasks"], abs=1e-6)
    for name, count in (("solved_all", "solved_all"), ("solved_at_least_once",) * 2):
        wilson = wilson_interval(printed[count], 100)
        assert (wilson.lower, wilson.upper) == pytest.approx(
            tuple(derived[f"wilson95_{name}"]), abs=1e-6
        )


def test_published_gaps() -> None:
    case = _CASES["published_rows"]
    a, b = (case["input"][m]["published"] for m in ("claude_sonnet_5_5", "qwen3_8_27b"))
    expect = case["expect"]
    assert 100 * (a["mean_success"] - b["mean_success"]) == pytest.approx(expect["mean_diff_pp"])
    assert a["solved_all"] - b["solved_all"] == expect["solved_all_diff"]
    ever = a["solved_at_least_once"] - b["solved_at_least_once"]
    assert ever == expect["solved_at_least_once_diff"]


def test_totals_alone_give_a_range_of_p() -> None:
    case = _CASES["published_gap_significance_range"]
    given = case["input"]
    found = {
        row.overlap: row for row in p_from_totals(given["A_all"], given["B_all"], tasks=given["T"])
    }
    assert min(found) == 0
    assert max(found) == 42
    for row in case["expect"]["table"]:
        mine = found[row["overlap_all_k"]]
        assert (mine.first_only, mine.second_only) == (row["b"], row["c"])
        assert mine.p == pytest.approx(row["p_exact"], rel=1e-6)


def test_paired_comparison() -> None:
    case = _CASES["paired_toy"]
    given, expect = case["input"], case["expect"]
    first, second = (
        {f"t{i}": Tally(c, given["k"] - c) for i, c in enumerate(given[name])} for name in "AB"
    )
    found = compare_paired(first, second, seed=given["boot"]["seed"])
    assert found.mean_difference == pytest.approx(expect["mean_diff"])
    assert found.all_difference == pytest.approx(expect["all_k_diff"])
    assert found.mean_interval is not None
    assert found.all_interval is not None
    ends = (found.mean_interval.lower, found.mean_interval.upper)
    assert ends == pytest.approx(tuple(expect["mean_diff_ci"]))
    ends = (found.all_interval.lower, found.all_interval.upper)
    assert ends == pytest.approx(tuple(expect["all_k_diff_ci"]))
    assert found.mcnemar_all == (
        expect["b_A_only_all_k"],
        expect["c_B_only_all_k"],
        expect["mcnemar_exact_p"],
    )
    assert (found.p_mean, found.p_mean_is_exact) == (expect["signflip_exact_p_mean"], True)
    for row, cells in expect["class_table_A_rows_B_cols"].items():
        for column, count in cells.items():
            assert len(found.classes[SolvedClass(row), SolvedClass(column)]) == count


def test_error_policies() -> None:
    case = _CASES["error_policy_toy"]
    tallies = [
        Tally(row.count("pass"), row.count("fail"), sum(s.endswith("error") for s in row))
        for row in case["input"].values()
    ]
    expect = case["expect"]
    policies = {
        "policy_count_as_fail": count_errors_as_failures(tallies),
        "policy_exclude_complete_tasks_only": count_without_errors(tallies),
    }
    for name, counts in policies.items():
        want = expect[name]
        assert counts.mean == pytest.approx(want["mean_success"])
        assert counts == Counts(
            tasks=want["decidable_tasks"],
            trials=want["denominator_trials"],
            successes=want["successes"],
            mean=counts.mean,
            ever=want["solved_at_least_once"],
            all=want["solved_all"],
            mixed=want["mixed"],
            never=want["never"],
        )
    bounds, want = error_bounds(tallies), expect["bounds"]
    assert bounds.mean == pytest.approx(tuple(want["mean_success"]))
    assert bounds.all == tuple(want["solved_all"])
    assert bounds.ever == tuple(want["solved_at_least_once"])


@pytest.mark.parametrize(
    "row",
    [
        pytest.param(row, id="n{n}-c{c}-k{k}".format(**row))
        for row in _CASES["estimators_small"]["expect"]
    ],
)
def test_estimators(row: dict[str, Any]) -> None:
    given = (row["n"], row["c"], row["k"])
    assert pass_at_k(*given) == Fraction(row["pass_at_k"])
    assert pass_hat_k(*given) == Fraction(row["pass_hat_k"])


def test_more_trials_than_there_are_is_refused() -> None:
    given = _CASES["estimator_refuse"]["input"]
    for estimator in (pass_at_k, pass_hat_k):
        with pytest.raises(ValueError, match="5 trials define it for 1 to 5 only"):
            estimator(given["n"], given["c"], given["k"])
