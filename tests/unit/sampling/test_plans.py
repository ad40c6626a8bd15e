from __future__ import annotations

import pytest

from audit_app.domain.rubric import Rubric
from audit_app.domain.sampling import InnerStratum, PlannedStratum, SamplingPlan
from audit_app.errors import InputError
from audit_app.sampling.plans import plan_from_flags, plan_from_toml


def test_published_plan_states_weights_and_nesting(published_plan: SamplingPlan) -> None:
    assert (published_plan.size, published_plan.widen_to) == (50, 100)
    assert {s.id: s.weight for s in published_plan.strata} == {
        "non_live_ast": 10,
        "live_ast": 10,
        "irrelevance": 10,
        "multi_turn": 30,
        "agentic": 40,
        "live_relevance": 0,
    }
    agentic = published_plan.strata[4]
    assert [(i.id, i.weight) for i in agentic.within] == [("memory", 1), ("web_search", 1)]


def test_what_a_file_leaves_out_comes_from_the_rule(rubric: Rubric) -> None:
    plan = plan_from_toml('name = "mine"\nseed = "x"', source="p.toml", rule=rubric.sampling)
    assert plan == SamplingPlan(size=50, widen_to=100, census_at_or_below=50, seed="x")


def test_a_size_above_the_rules_wider_sample_is_not_widened(rubric: Rubric) -> None:
    plan = plan_from_toml("size = 120", source="p.toml", rule=rubric.sampling)
    assert plan.widen_to == 120


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("size = ", "p.toml: this is not valid TOML", id="not TOML"),
        pytest.param(f"size = {'9' * 5000}", "p.toml: this is not valid TOML", id="huge integer"),
        pytest.param("sise = 5", "p.toml: sise: is not a known key", id="unknown key"),
        pytest.param("size = '5'", "size: must be a whole number (given '5')", id="text size"),
        pytest.param("size = true", "size: must be a whole number", id="truth value"),
        pytest.param("size = 0", "size: ", id="size 0"),
        pytest.param("size = 9\nwiden_to = 3", "widen_to 3 is smaller than size 9", id="shrinks"),
        pytest.param("seed = 7", "seed: must be text in quotes (given 7)", id="number as seed"),
        pytest.param("stratify_by = ['a','b','c']", "two levels", id="three levels"),
        pytest.param("stratify_by = 3", "stratify_by: must be a list", id="field is a number"),
        pytest.param("strata = 1", "strata: must be a list", id="strata is a number"),
        pytest.param("[[strata]]\nweight = 1", "strata.1.id: is missing", id="no id"),
        pytest.param("[[strata]]\nid='a'\nweight=-1", "strata.a.weight: ", id="negative weight"),
        pytest.param("[[strata]]\nid='a'\nweight=nan", "a.weight: must be a finite", id="nan"),
        pytest.param("[[strata]]\nid='a'\nweight=inf", "a.weight: must be a finite", id="inf"),
        pytest.param("[[strata]]\nid='a'\nheavy=1", "a.heavy: is not a known key", id="stray key"),
        pytest.param("[[strata]]\nid='a'\n[[strata]]\nid='a'", "'a' stands twice", id="twice"),
        pytest.param("[[strata]]\nid='a'\nweight=0", "all weights are 0", id="all outside"),
        pytest.param(
            "[[strata]]\nid='a'\nweight=1\n[[strata]]\nid='b'", "'b' has no weight", id="mixed"
        ),
        pytest.param(
            "[[strata]]\nid='a'\n[[strata.within]]\nid='b'\nweight=1\n[[strata.within]]\nid='c'",
            "inner stratum 'c' has no weight",
            id="mixed within",
        ),
        pytest.param(
            "[[strata]]\nid='a'\n[[strata.within]]\nid='b'\nweight=0",
            "all weights within 'a' are 0",
            id="nothing within",
        ),
        pytest.param(
            "stratify_by = []\n[[strata]]\nid='a'", "names no field", id="strata of no field"
        ),
    ],
)
def test_a_mistake_is_one_sentence_with_file_and_key(rubric: Rubric, text: str, told: str) -> None:
    with pytest.raises(InputError) as refusal:
        plan_from_toml(text, source="p.toml", rule=rubric.sampling)
    message = str(refusal.value)
    assert message.startswith("p.toml: ")
    assert told in message
    assert "\n" not in message


def test_flags_and_file_state_the_same_plan(rubric: Rubric) -> None:
    text = """
        size = 8
        seed = "s"
        stratify_by = ["group", "category"]
        [[strata]]
        id = "a=b"
        weight = 1
        [[strata]]
        id = "c"
        weight = 2.5
    """
    by_flags = plan_from_flags(8, "s", "group, category", "a=b=1,c=2.5", rubric.sampling)
    assert by_flags == plan_from_toml(text, source="p", rule=rubric.sampling)
    assert by_flags.strata[1] == PlannedStratum(id="c", weight=2.5)


def test_flags_left_out_come_from_the_rule(rubric: Rubric) -> None:
    plan = plan_from_flags(None, "", None, None, rubric.sampling)
    assert plan == SamplingPlan(size=50, widen_to=100, stratify_by=("group",))
    assert plan_from_flags(None, "", "", None, rubric.sampling).stratify_by == ()


@pytest.mark.parametrize("weights", ["a", "a=", "=1", "a=b", "a=nan", "a=-1"])
def test_weights_that_are_no_numbers_are_refused(rubric: Rubric, weights: str) -> None:
    with pytest.raises(InputError):
        plan_from_flags(5, "", None, weights, rubric.sampling)


def test_one_inner_value_may_stand_in_two_strata_where_two_fields_divide() -> None:
    inner = (InnerStratum(id="x"),)
    strata = (PlannedStratum(id="a", within=inner), PlannedStratum(id="b", within=inner))
    plan = SamplingPlan(size=1, widen_to=1, stratify_by=("group", "category"), strata=strata)
    assert len(plan.strata) == 2


def test_half_a_character_in_a_seed_is_one_sentence(rubric: Rubric) -> None:
    with pytest.raises(InputError, match="flags: a text holds half of a surrogate pair"):
        plan_from_flags(10, "\udcff", None, None, rule=rubric.sampling)
