from __future__ import annotations

from random import Random

import pytest

from audit_app.domain.sampling import InnerStratum, PlannedStratum, SamplingPlan
from audit_app.errors import InputError
from audit_app.sampling.frame import build_frame
from tests.unit.sampling.frames import PUBLISHED_GROUPS, tasks_of, weighted_plan

TWO_FIELDS = ("group", "category")


def _two_level_tasks() -> list[tuple[str, dict[str, str]]]:
    cells = {("a", "x"): 6, ("a", "y"): 2, ("b", "x"): 4}
    return [
        (f"{outer}{inner}{n}", {"group": outer, "category": inner})
        for (outer, inner), size in cells.items()
        for n in range(size)
    ]


def test_published_plan_gives_six_strata_and_leaves_relevance_outside(
    published_plan: SamplingPlan,
) -> None:
    frame = build_frame(published_plan, tasks_of(PUBLISHED_GROUPS))
    # Agentic 40 % is split evenly over memory and web search, whatever their numbers of tasks.
    assert {s.id: s.weight for s in frame.strata} == {
        "non_live_ast": 0.1,
        "live_ast": 0.1,
        "irrelevance": 0.1,
        "multi_turn": 0.3,
        "memory": 0.2,
        "web_search": 0.2,
    }
    assert {s.outer: s.outer_weight for s in frame.strata}["agentic"] == 0.4
    assert frame.outside == {"live_relevance": 16}
    assert frame.size == 4680


def test_without_weights_strata_weigh_by_their_tasks() -> None:
    frame = build_frame(SamplingPlan(size=1, widen_to=1), tasks_of({"b": 30, "a": 10}))
    assert [(s.id, s.weight) for s in frame.strata] == [("a", 0.25), ("b", 0.75)]


def test_no_field_makes_one_stratum() -> None:
    plan = SamplingPlan(size=1, widen_to=1, stratify_by=())
    frame = build_frame(plan, [("t1", {}), ("t2", {})])
    assert [(s.id, s.population, s.weight) for s in frame.strata] == [("all", 2, 1.0)]


def test_two_fields_divide_by_tasks_where_the_plan_says_nothing() -> None:
    plan = SamplingPlan(size=1, widen_to=1, stratify_by=TWO_FIELDS)
    frame = build_frame(plan, _two_level_tasks())
    # 8 of 12 tasks in a, of those 6 and 2; 4 of 12 in b.
    assert [(s.id, s.outer, s.weight) for s in frame.strata] == [
        ("a/x", "a", 0.5),
        ("a/y", "a", 2 / 12),
        ("b/x", "b", 4 / 12),
    ]


def test_two_fields_with_weights_at_both_levels() -> None:
    strata = (
        PlannedStratum(id="b", weight=3),
        PlannedStratum(
            id="a",
            weight=1,
            within=(InnerStratum(id="x", weight=1), InnerStratum(id="y", weight=4)),
        ),
    )
    plan = SamplingPlan(size=1, widen_to=1, stratify_by=TWO_FIELDS, strata=strata)
    frame = build_frame(plan, _two_level_tasks())
    assert [(s.id, s.weight) for s in frame.strata] == [("b/x", 0.75), ("a/x", 0.05), ("a/y", 0.2)]


def test_inner_strata_without_weights_share_by_tasks() -> None:
    plan = weighted_plan({"o": 1, "z": 1}, within={"o": {"p": None, "q": None}})
    frame = build_frame(plan, tasks_of({"p": 3, "q": 1, "z": 9}))
    assert {s.id: s.weight for s in frame.strata} == {"p": 0.375, "q": 0.125, "z": 0.5}


def test_an_inner_stratum_of_weight_0_is_outside() -> None:
    plan = weighted_plan({"o": 1}, within={"o": {"p": 1, "q": 0}})
    frame = build_frame(plan, tasks_of({"p": 3, "q": 2}))
    assert ([s.id for s in frame.strata], frame.outside, frame.size) == (["p"], {"q": 2}, 3)


def test_an_empty_planned_stratum_stays_visible_and_its_weight_is_shared() -> None:
    frame = build_frame(weighted_plan({"a": 1, "b": 2, "c": 1}), tasks_of({"a": 5, "c": 5}))
    assert [(s.id, s.population, s.weight) for s in frame.strata] == [
        ("a", 5, 0.5),
        ("b", 0, 0.0),
        ("c", 5, 0.5),
    ]


def test_an_empty_inner_stratum_gives_its_weight_to_its_siblings_only() -> None:
    plan = weighted_plan({"o": 3, "z": 1}, within={"o": {"p": 1, "q": 1}})
    frame = build_frame(plan, tasks_of({"p": 2, "z": 2}))
    assert {s.id: s.weight for s in frame.strata} == {"p": 0.75, "q": 0.0, "z": 0.25}


def test_the_order_of_the_tasks_is_irrelevant(published_plan: SamplingPlan) -> None:
    tasks = tasks_of(PUBLISHED_GROUPS)
    shuffled = tasks.copy()
    Random(7).shuffle(shuffled)
    assert build_frame(published_plan, shuffled) == build_frame(published_plan, tasks)


def test_values_that_the_plan_does_not_name_are_listed_not_dropped() -> None:
    with pytest.raises(InputError, match=r"not 'memroy' \(3\), 'web' \(1\)"):
        build_frame(weighted_plan({"a": 1}), tasks_of({"a": 5, "memroy": 3, "web": 1}))


@pytest.mark.parametrize(
    ("plan", "tasks", "told"),
    [
        pytest.param(
            SamplingPlan(size=1, widen_to=1, stratify_by=("level",)),
            [("t9", {"group": "a"})],
            "task 't9' has no field 'level'",
            id="missing field",
        ),
        pytest.param(weighted_plan({"a": 1}), [], "no task is in the frame", id="no tasks"),
        pytest.param(
            weighted_plan({"a": 1, "b": 0}), tasks_of({"b": 2}), "no task is in", id="all outside"
        ),
        pytest.param(
            weighted_plan({}), tasks_of({"a": 1}) * 2, "'a_0' stands twice", id="repeated id"
        ),
        pytest.param(
            weighted_plan({"a": 1, "o": 1}, within={"o": {"a": 1}}),
            tasks_of({"a": 2}),
            "'a' stands in two strata",
            id="value with two homes",
        ),
        pytest.param(
            SamplingPlan(size=1, widen_to=1, stratify_by=TWO_FIELDS),
            [
                ("t1", {"group": "a/b", "category": "c"}),
                ("t2", {"group": "a", "category": "b/c"}),
            ],
            "two strata would be called 'a/b/c'",
            id="slash makes one id of two",
        ),
        pytest.param(
            weighted_plan({}),
            [("t\ud800", {"group": "a"})],
            "lone surrogate",
            id="half a character",
        ),
    ],
)
def test_tasks_that_do_not_fit_are_refused(
    plan: SamplingPlan, tasks: list[tuple[str, dict[str, str]]], told: str
) -> None:
    with pytest.raises(InputError) as refusal:
        build_frame(plan, tasks)
    assert told in str(refusal.value)
