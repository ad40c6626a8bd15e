from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit_app.domain.benchmark import Entry
from audit_app.stats.impact import compute_impact
from audit_app.stats.impact_model import (
    Impact,
    ImpactData,
    ImpactTask,
    OrderChange,
    Remedy,
    StratumWeight,
    Weighting,
)
from tests.unit.stats.impact_data import grades, tasks

TASK, SCORE = Weighting.TASK, Weighting.SCORE
LEADERBOARD = ImpactData(
    tasks=tasks("aaaaa"),
    before=grades({"ann": "11100", "bob": "11000", "cid": "00110"}),
    after=grades({"ann": "1", "bob": "1", "cid": "0"}, first=3),
    defects={"t3": Remedy.CORRECTED, "t4": Remedy.EXCLUDED},
)


def _scores(impact: Impact) -> dict[str, tuple[float | None, float | None, float | None]]:
    return {m.model: (m.before, m.excluding.score, m.correcting.score) for m in impact.models}


def test_scores_of_a_whole_benchmark_by_tasks() -> None:
    # Of 5 tasks; of t0–t2; of t0–t3 with t3 graded again.
    impact = compute_impact(LEADERBOARD, TASK, seed="s")
    assert _scores(impact) == {
        "ann": (0.6, 1.0, 1.0),
        "bob": (0.4, pytest.approx(2 / 3), 0.75),
        "cid": (0.4, pytest.approx(1 / 3), 0.25),
    }
    assert [(m.rank_before, m.correcting.rank) for m in impact.models] == [(1, 1), (2, 2), (2, 3)]
    assert impact.models[2].correcting.shift == pytest.approx(-0.15)
    assert (impact.models[0].entries, impact.models[0].excluding.entries) == (5, 3)
    assert (impact.defects, impact.corrected, impact.excluded, impact.resamples) == (2, 1, 1, 0)


def test_a_whole_benchmark_is_exact() -> None:
    impact = compute_impact(LEADERBOARD, TASK, seed="s")
    assert impact.is_exact
    assert all(m.correcting.interval is None and m.undefined["interval"] for m in impact.models)
    assert all(pair.swap_share is None for pair in impact.correcting.pairs)


def test_pairs_and_tau_of_a_tie_that_is_broken() -> None:
    # ann is ahead of both, before and after: C = 2; bob and cid are tied before only: T1 = 1.
    impact = compute_impact(LEADERBOARD, TASK, seed="s")
    changes = {(p.ahead, p.behind): p.change for p in impact.correcting.pairs}
    assert changes == {
        ("ann", "bob"): OrderChange.KEPT,
        ("ann", "cid"): OrderChange.KEPT,
        ("bob", "cid"): OrderChange.UNTIED,
    }
    assert impact.correcting.tau == pytest.approx(2 / math.sqrt(3 * 2))
    assert impact.sentence == (
        "Correcting 1 of 2 confirmed defects and taking out the other 1 task moves ann the most, "
        "by +40.0 points (5 tasks counted); 0 of 3 pairs of models swap order; Kendall's tau-b "
        "between the rankings is 0.816."
    )


def test_points_of_the_overall_score_stay_in_their_cell() -> None:
    # Cell p has 10 points in two tasks, q has 30 in three. ann passes one of p and two of q:
    # (10·1/2 + 30·2/3) / 40. Without t0, which ann passed: (10·0/1 + 30·2/3) / 40.
    data = ImpactData(
        tasks=tasks("ppqqq", weights=[5, 5, 10, 10, 10]),
        before=grades({"ann": "10110"}),
        defects={"t0": Remedy.EXCLUDED},
    )
    (model,) = compute_impact(data, SCORE, seed="s").models
    assert (model.before, model.excluding.score) == pytest.approx((25 / 40, 20 / 40))
    (model,) = compute_impact(data, TASK, seed="s").models
    assert (model.before, model.excluding.score) == pytest.approx((3 / 5, 2 / 4))


def test_one_key_may_feed_several_entries() -> None:
    # By score each entry weighs its own points, by tasks the key counts once.
    three = (Entry("kv", 2), Entry("vector", 1), Entry("sum", 1))
    data = ImpactData(
        tasks=[ImpactTask("m", "memory", three), *tasks("a", weights=[4])],
        before={"ann": {"kv": 1, "vector": 0, "sum": 0, "e0": 0}},
    )
    assert compute_impact(data, SCORE, seed="s").models[0].before == pytest.approx(2 / 8)
    assert compute_impact(data, TASK, seed="s").models[0].before == pytest.approx((1 / 3 + 0) / 2)


def test_entries_without_a_verdict_are_left_out_on_both_sides_and_counted() -> None:
    # bob has nothing on t2, and t1 could not be graded again: one task is left, which he passed.
    data = ImpactData(
        tasks=tasks("aaa"),
        before=grades({"ann": "100", "bob": "11·"}),
        after={"ann": {"e1": 1}, "bob": {"e1": None}},
        defects={"t1": Remedy.CORRECTED},
    )
    impact = compute_impact(data, TASK, seed="s")
    bob, ann = impact.models
    assert (bob.before, bob.correcting.score) == (1.0, 1.0)
    assert (bob.entries, bob.missing, bob.not_regraded) == (1, 1, 1)
    assert (ann.before, ann.correcting.score) == pytest.approx((1 / 3, 2 / 3))
    assert impact.notes == (
        "bob lacks some verdicts: each model is scored on the entries it has, the same before and "
        "after.",
    )


SAMPLE = ImpactData(
    tasks=tasks("aabb"),
    before=grades({"ann": "1101", "bob": "1000"}),
    after=grades({"ann": "1", "bob": "1"}, first=2),
    defects={"t2": Remedy.CORRECTED},
    strata={"a": StratumWeight(0.25, 5), "b": StratumWeight(0.75, 10)},
)


@pytest.mark.parametrize(
    ("weighting", "before", "after"),
    [
        pytest.param(TASK, (0.625, 0.125), (1.0, 0.5), id="by the frame's weights 1 to 3"),
        pytest.param(SCORE, (2 / 3, 1 / 6), (1.0, 0.5), id="by the strata's points 1 to 2"),
    ],
)
def test_a_sample_is_weighted_to_its_frame(
    weighting: Weighting, before: tuple[float, float], after: tuple[float, float]
) -> None:
    # Means of ann: a 2/2, b 1/2, then b 2/2; of bob: a 1/2, b 0, then b 1/2.
    ann, bob = compute_impact(SAMPLE, weighting, seed="s", resamples=50).models
    assert (ann.before, bob.before) == pytest.approx(before)
    assert (ann.correcting.score, bob.correcting.score) == pytest.approx(after)


def test_interval_of_a_shift_that_can_be_enumerated() -> None:
    # One of two tasks is drawn in each stratum: the shift is 0.75 if it is t2, else 0, each with
    # chance 1/2, so both ends of the middle 95 % are among these.
    ann, _ = compute_impact(SAMPLE, TASK, seed="s", resamples=2_000).models
    interval = ann.correcting.interval
    assert interval is not None
    assert (interval.lower, interval.upper, interval.level) == (0.0, 0.75, 0.95)


def test_share_of_resamples_in_which_a_pair_swaps() -> None:
    # ann is ahead by t0 (weight 1/2), bob gains t1 (1/2) and t2 (1/2 in a stratum of its own, so
    # always drawn). Of stratum a one of two tasks is drawn: t0 gives ann before 0.5 : 0 and after
    # 0.5 : 0.5, a tie; t1 gives 0 : 0 before. Neither is a swap.
    data = ImpactData(
        tasks=tasks("aab"),
        before=grades({"ann": "100", "bob": "000"}),
        after=grades({"ann": "00", "bob": "11"}, first=1),
        defects={"t1": Remedy.CORRECTED, "t2": Remedy.CORRECTED},
        strata={"a": StratumWeight(0.5), "b": StratumWeight(0.5)},
    )
    (pair,) = compute_impact(data, TASK, seed="s", resamples=500).correcting.pairs
    assert (pair.change, pair.swap_share) == (OrderChange.SWAPPED, 0.0)
    # With more weight on b, drawing t0 (chance 1/2) is a swap.
    heavier = replace(data, strata={"a": StratumWeight(0.4), "b": StratumWeight(0.6)})
    (pair,) = compute_impact(heavier, TASK, seed="s", resamples=4_000).correcting.pairs
    assert pair.swap_share == pytest.approx(0.5, abs=0.04)


@pytest.mark.parametrize(
    ("data", "weighting", "reason"),
    [
        pytest.param(
            ImpactData(tasks=tasks("aa", weights=[None, 1]), before=grades({"ann": "10"})),
            SCORE,
            "the benchmark defines no overall score",
            id="no weights",
        ),
        pytest.param(
            ImpactData(tasks=tasks("aa"), before={}), TASK, "no model is given", id="no model"
        ),
        pytest.param(
            ImpactData(tasks=tasks("aa"), before=grades({"ann": "··"})),
            TASK,
            "no model has a verdict on any of these tasks",
            id="no verdict",
        ),
    ],
)
def test_what_is_not_defined_says_why(data: ImpactData, weighting: Weighting, reason: str) -> None:
    impact = compute_impact(data, weighting, seed="s")
    assert impact.undefined == {"models": reason}
    assert impact.sentence == f"The effect on the leaderboard is not defined: {reason}."
    assert all(m.before is None and m.rank_before is None for m in impact.models)


def test_a_model_without_a_verdict_in_a_weighty_cell_has_no_score() -> None:
    data = ImpactData(tasks=tasks("ab"), before=grades({"ann": "11", "bob": "1·"}))
    ann, bob = compute_impact(data, SCORE, seed="s").models
    assert (ann.before, bob.before) == (1.0, None)
    assert bob.undefined["before"] == "the model has no verdict on any task in b"


def test_excluding_all_leaves_nothing_to_compare() -> None:
    data = ImpactData(
        tasks=tasks("a"), before=grades({"ann": "1"}), defects={"t0": Remedy.EXCLUDED}
    )
    impact = compute_impact(data, TASK, seed="s")
    assert impact.models[0].excluding.score is None
    assert impact.models[0].undefined["excluding"] == "every task with a verdict is taken out"
    assert "no score is left to compare" in impact.sentence


@pytest.mark.parametrize(
    ("change", "message"),
    [
        pytest.param({"tasks": [*tasks("a"), *tasks("a")]}, "twice", id="task twice"),
        pytest.param({"defects": {"t9": Remedy.EXCLUDED}}, "'t9'", id="defect elsewhere"),
        pytest.param({"strata": {"b": StratumWeight(1)}}, "'a' has no weight", id="no stratum"),
        pytest.param({"before": {"ann": {"e0": 2.0}}}, "not a share", id="grade"),
        pytest.param({"tasks": tasks("aaaaa", weights=[-1] * 5)}, "weight", id="weight"),
    ],
)
def test_contradictions_are_refused(change: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        compute_impact(replace(LEADERBOARD, **change), TASK, seed="s")  # type: ignore[arg-type]


boards = st.integers(1, 6).flatmap(
    lambda n: st.builds(
        lambda cells, rows, after, defects, is_sample: ImpactData(
            tasks=tasks(cells),
            before=grades({f"m{i}": row for i, row in enumerate(rows)}),
            after=grades({f"m{i}": after for i in range(len(rows))}),
            defects={f"t{i}": remedy for i, remedy in defects.items()},
            strata={c: StratumWeight(0.5, 2.0) for c in "ab"} if is_sample else None,
        ),
        st.text("ab", min_size=n, max_size=n),
        st.lists(st.text("011·", min_size=n, max_size=n), max_size=4),
        st.text("01", min_size=n, max_size=n),
        st.dictionaries(st.integers(0, n - 1), st.sampled_from(Remedy)),
        st.booleans(),
    )
)


@given(boards, st.sampled_from(Weighting))
def test_without_defects_nothing_moves(data: ImpactData, weighting: Weighting) -> None:
    impact = compute_impact(replace(data, defects={}), weighting, seed="s", resamples=20)
    for model in impact.models:
        for change in (model.excluding, model.correcting):
            assert change.shift in (0.0, None)
            assert change.rank == model.rank_before
            if change.interval:
                assert (change.interval.lower, change.interval.upper) == (0.0, 0.0)
    assert impact.correcting.tau in (None, 1.0)
    assert impact.correcting.swapped == 0
    assert all(pair.swap_share in (None, 0.0) for pair in impact.correcting.pairs)


@given(boards, st.sampled_from(Weighting), st.randoms(use_true_random=False))
@settings(deadline=None)
def test_the_order_of_the_input_is_irrelevant(
    data: ImpactData, weighting: Weighting, chance: random.Random
) -> None:
    shuffled = list(data.tasks)
    chance.shuffle(shuffled)
    models = list(data.before)
    chance.shuffle(models)
    other = replace(data, tasks=shuffled, before={m: data.before[m] for m in models})
    assert compute_impact(data, weighting, seed="s", resamples=20) == compute_impact(
        other, weighting, seed="s", resamples=20
    )


@given(boards, st.sampled_from(Weighting))
@settings(deadline=None)
def test_names_of_models_are_only_names(data: ImpactData, weighting: Weighting) -> None:
    names = {f"m{i}": f"z{9 - i}" for i in range(4)}
    other = replace(
        data,
        before={names[m]: g for m, g in data.before.items()},
        after={names[m]: g for m, g in data.after.items()},
    )
    one, two = (compute_impact(d, weighting, seed="s", resamples=20) for d in (data, other))
    renamed = {names[m.model]: m.model_copy(update={"model": names[m.model]}) for m in one.models}
    assert renamed == {m.model: m for m in two.models}
    assert (one.correcting.tau, one.correcting.swapped) == (
        two.correcting.tau,
        two.correcting.swapped,
    )
