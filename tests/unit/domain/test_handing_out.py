from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.domain.assigning import spread_evenly
from audit_app.domain.handing_out import Lease, fair_share, next_tasks
from audit_app.domain.review import Judgement, Review
from audit_app.domain.team import TeamSettings
from audit_app.domain.visibility import hidden_tasks

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
QUARTER = timedelta(minutes=15)


@pytest.mark.parametrize(
    ("left", "is_live", "is_half_gone"),
    [
        pytest.param(15, True, False, id="just taken"),
        pytest.param(7.5, True, False, id="half"),
        pytest.param(7.4, True, True, id="less than half left"),
        pytest.param(0, False, True, id="run out"),
        pytest.param(-1, False, True, id="long ago"),
        pytest.param(15.01, False, False, id="the clock went back"),
    ],
)
def test_r10_a_lease_lives_for_its_length_and_no_longer(
    left: float, is_live: bool, is_half_gone: bool
) -> None:
    lease = Lease("t", "ada", NOON + timedelta(minutes=left))
    assert lease.is_live(NOON, QUARTER) is is_live
    assert lease.is_half_gone(NOON, QUARTER) is is_half_gone


@pytest.mark.parametrize(
    ("open_tasks", "active", "share"),
    [
        pytest.param(100, 1, 11, id="alone: as many as asked for"),
        pytest.param(12, 1, 6, id="alone near the end: half is left for others"),
        pytest.param(40, 4, 5, id="half of the open ones among four"),
        pytest.param(3, 20, 1, id="never less than one"),
        pytest.param(0, 1, 1, id="nothing open"),
    ],
)
def test_fair_share(open_tasks: int, active: int, share: int) -> None:
    assert fair_share(open_tasks, active, most=11) == share


def test_the_screen_advances_to_the_end_and_then_from_the_start() -> None:
    assert list(next_tasks("abcd", 2)) == ["c", "d", "a", "b"]
    assert list(next_tasks("abcd", 0)) == ["a", "b", "c", "d"]


names = st.lists(st.text("abcdefgh", min_size=1, max_size=3), min_size=1, max_size=6, unique=True)


@given(tasks=st.sets(st.text(min_size=1, max_size=4), max_size=30), people=names, data=st.data())
def test_spread_evenly_gives_each_task_its_people_and_everybody_as_many(
    tasks: set[str], people: list[str], data: st.DataObject
) -> None:
    each = data.draw(st.integers(1, len(people)))
    pairs = spread_evenly(tasks, people, each=each, kept={}, seed="s")
    assert len(set(pairs)) == len(pairs)
    assert Counter(task for task, _ in pairs) == dict.fromkeys(tasks, each)
    load = Counter(person for _, person in pairs)
    counts = [load[person] for person in people]
    assert max(counts) - min(counts) <= 1
    shuffled = data.draw(st.permutations(sorted(tasks)))
    assert spread_evenly(shuffled, people[::-1], each=each, kept={}, seed="s") == pairs


def test_spread_evenly_keeps_what_was_given_before() -> None:
    pairs = spread_evenly(["a", "b"], ["x", "y"], each=1, kept={"a": {"x"}}, seed="s")
    assert pairs == [("b", "y")]


@pytest.mark.parametrize(
    ("judged_by", "team", "is_hidden"),
    [
        pytest.param(["bob"], {"reviews_per_task": 2}, True, id="not judged by the viewer yet"),
        pytest.param(["bob"], {"reviews_per_task": 1}, False, id="one person judges each task"),
        pytest.param(["ada", "bob"], {"reviews_per_task": 3}, False, id="judged by the viewer"),
        pytest.param(["bob", "cy"], {"reviews_per_task": 2}, False, id="all its reviews are there"),
        pytest.param(["ada"], {"reviews_per_task": 2}, False, id="only the viewer's own"),
        pytest.param(
            ["bob"],
            {"reviews_per_task": 2, "reviewers": ("bob", "cy")},
            False,
            id="the viewer reviews nothing",
        ),
    ],
)
def test_r17_which_tasks_are_hidden(
    judged_by: list[str], team: dict[str, object], is_hidden: bool
) -> None:
    reviews = [
        Review(id=person, task_id="t", reviewer=person, reviewed_at=NOON, judgement=Judgement.CLEAN)
        for person in judged_by
    ]
    hidden = hidden_tasks(reviews, TeamSettings.model_validate(team), "ada")
    assert hidden == (frozenset({"t"}) if is_hidden else frozenset())
