from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.domain.sampling import DrawKind, Frame, SamplingPlan
from audit_app.errors import InputError
from audit_app.sampling.draw import (
    draw_sample,
    draw_stratum,
    ids_from_text,
    supplied_sample,
    widen_sample,
)
from audit_app.sampling.frame import build_frame
from tests.unit.sampling.frames import PUBLISHED_GROUPS, tasks_of, weighted_plan

# Any id, half characters included: a draw must never fail on one.
task_ids = st.lists(st.text(st.characters(), max_size=6), unique=True, max_size=30)


def _frame(plan: SamplingPlan, sizes: dict[str, int]) -> Frame:
    return build_frame(plan, tasks_of(sizes))


def test_draw_follows_the_published_numbers() -> None:
    # printf 's1\x1fd' | sha256sum, and so on, sorted: d 78cd…, b a1c5…, c ada3…, é d692…, a d726….
    assert draw_stratum(["a", "b", "c", "d", "é"], 5, seed="s1") == ("d", "b", "c", "é", "a")


@given(task_ids, st.text(st.characters(), max_size=4), st.data())
def test_draws_nest_and_ignore_the_order(ids: list[str], seed: str, data: st.DataObject) -> None:
    large = data.draw(st.integers(0, len(ids)))
    small = data.draw(st.integers(0, large))
    wide = draw_stratum(ids, large, seed=seed)
    assert len(set(wide)) == large
    assert set(wide) <= set(ids)
    assert draw_stratum(data.draw(st.permutations(ids)), small, seed=seed) == wide[:small]


@pytest.mark.parametrize(
    ("ids", "n"),
    [
        pytest.param(["a"], 2, id="too many"),
        pytest.param(["a"], -1, id="negative"),
        pytest.param(["a", "a"], 1, id="repeated id"),
    ],
)
def test_what_cannot_be_drawn_is_refused(ids: list[str], n: int) -> None:
    with pytest.raises(InputError):
        draw_stratum(ids, n, seed="")


def test_published_plan_widens_around_its_first_draw(published_plan: SamplingPlan) -> None:
    frame = _frame(published_plan, PUBLISHED_GROUPS)
    first = draw_sample(published_plan, frame)
    assert (first.kind, first.stage, len(first.task_ids)) == (DrawKind.RANDOM, 1, 50)
    wide = widen_sample(published_plan, frame, first, reason="a second look")
    assert (wide.kind, wide.stage, wide.reason) == (DrawKind.RANDOM, 2, "a second look")
    assert len(set(wide.task_ids)) == 100
    for before, after in zip(first.draws, wide.draws, strict=True):
        assert after.stratum == before.stratum
        assert after.task_ids[: len(before.task_ids)] == before.task_ids


@pytest.mark.parametrize(
    ("tasks", "kind", "drawn"),
    [
        pytest.param(50, DrawKind.CENSUS, 50, id="at the limit all are read"),
        pytest.param(51, DrawKind.RANDOM, 20, id="above it a sample"),
        pytest.param(3, DrawKind.CENSUS, 3, id="fewer than the size"),
    ],
)
def test_small_frames_are_read_whole(tasks: int, kind: DrawKind, drawn: int) -> None:
    plan = weighted_plan({}, size=20, census_at_or_below=50)
    sample = draw_sample(plan, _frame(plan, {"a": tasks}))
    assert (sample.kind, len(sample.task_ids)) == (kind, drawn)


def test_a_sample_as_large_as_its_frame_is_a_census() -> None:
    plan = weighted_plan({}, size=20)
    assert draw_sample(plan, _frame(plan, {"a": 20})).kind is DrawKind.CENSUS


def test_widening_stops_at_the_end_of_the_frame() -> None:
    plan = weighted_plan({}, size=10, widen_to=20)
    frame = _frame(plan, {"a": 9, "b": 4})
    wide = widen_sample(plan, frame, draw_sample(plan, frame), reason="")
    assert (wide.kind, wide.stage, len(wide.task_ids)) == (DrawKind.CENSUS, 2, 13)


def test_what_cannot_be_widened_is_refused() -> None:
    plan = weighted_plan({}, size=10, widen_to=20)
    frame, small = _frame(plan, {"a": 50}), _frame(plan, {"a": 5})
    first = draw_sample(plan, frame)
    supplied = supplied_sample(frame, ids_from_text("a_1", source="ids.txt"))
    wide = widen_sample(plan, frame, first, reason="")
    flat = plan.model_copy(update={"widen_to": 10})
    other = plan.model_copy(update={"seed": "other"})
    for told, one_plan, one_frame, sample in (
        ("made outside Assay", plan, frame, supplied),
        ("no third stage", plan, frame, wide),
        ("every task", plan, small, draw_sample(plan, small)),
        ("drawn already", flat, frame, first),
        ("does not come from this plan", other, frame, first),
    ):
        with pytest.raises(InputError, match=told):
            widen_sample(one_plan, one_frame, sample, reason="")


def test_a_supplied_draw_keeps_the_order_of_frame_and_file() -> None:
    plan = weighted_plan({"b": 1, "a": 1})
    frame = _frame(plan, {"a": 3, "b": 3})
    listed = ids_from_text("\ufeffa_2\r\n\r\nb_1\ra_0\n  \nb_0", source="ids.txt")
    sample = supplied_sample(frame, listed)
    assert (sample.kind, sample.stage) == (DrawKind.SUPPLIED, 1)
    assert [(d.stratum, d.task_ids) for d in sample.draws] == [
        ("b", ("b_1", "b_0")),
        ("a", ("a_2", "a_0")),
    ]


def test_a_supplied_draw_may_be_a_column_of_a_table() -> None:
    listed = ids_from_text(
        '\ufeffcategory,id,note\r\na,a_2,"one, two"\r\n\r\nb,b_1,"over\r\ntwo lines"\r\na,a_0,\r\n',
        source="review.csv",
    )
    assert listed.lines == ((2, "a_2"), (5, "b_1"), (6, "a_0"))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param("", "ids.txt: there is no task id", id="empty"),
        pytest.param("x,id\n,a_0\n,a_0", "ids.txt:3: task 'a_0' stands in line 2", id="column"),
        pytest.param("\n \n", "ids.txt: there is no task id", id="blank"),
        pytest.param("a_0\na_1\na_0", "ids.txt:3: task 'a_0' stands in line 1", id="twice"),
        pytest.param("a_0\n\nx", "ids.txt:3: task 'x' is not in the frame", id="unknown"),
        pytest.param("a_0 ", "ids.txt:1: task 'a_0 ' is not in", id="ids are kept as written"),
        pytest.param("out_0", "ids.txt:1: task 'out_0' is outside the frame", id="weight 0"),
    ],
)
def test_a_bad_list_of_ids_is_refused_by_line(text: str, told: str) -> None:
    tasks = tasks_of({"a": 3, "out": 1})
    frame = build_frame(weighted_plan({"a": 1, "out": 0}), tasks)

    def read() -> None:
        listed = ids_from_text(text, source="ids.txt")
        supplied_sample(frame, listed, benchmark_ids={task for task, _ in tasks})

    with pytest.raises(InputError) as refusal:
        read()
    assert told in str(refusal.value)
