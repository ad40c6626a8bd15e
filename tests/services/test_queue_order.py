from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from audit_app.services.queue_order import mixed
from audit_app.storage.standing import Place

SAMPLED = [Place(f"{s}{i}", s, "") for s in "ab" for i in range(20)]
PLANTED = [Place(f"p{s}{i}", s, "") for s in "ab" for i in range(4)]

places = st.builds(
    Place, st.text("xyz", min_size=1, max_size=5), st.sampled_from("abc"), st.just("")
)


@given(
    sampled=st.lists(places, max_size=12, unique_by=lambda p: p.task_id),
    planted=st.lists(places, max_size=6, unique_by=lambda p: p.task_id),
    seed=st.text(max_size=3),
)
def test_planted_checks_stand_inside_their_stratum_and_move_nothing_else(
    sampled: list[Place], planted: list[Place], seed: str
) -> None:
    sampled.sort(key=lambda place: place.stratum)
    known = {place.task_id for place in sampled}
    queue = mixed(sampled, planted, seed=seed)
    assert [place for place in queue if place.task_id in known] == sampled
    added = [place for place in planted if place.task_id not in known]
    assert Counter(queue) == Counter([*sampled, *added])
    for stratum in {place.stratum for place in sampled}:
        positions = [i for i, place in enumerate(queue) if place.stratum == stratum]
        assert positions == list(range(positions[0], positions[-1] + 1))


def test_planted_checks_stand_elsewhere_for_each_reviewer_and_stay_there() -> None:
    ada, bob = (mixed(SAMPLED, PLANTED, seed=who) for who in ("ada", "bob"))
    assert ada != bob
    assert mixed(SAMPLED, PLANTED[::-1], seed="ada") == ada


def test_planted_checks_stand_anywhere_in_their_stratum() -> None:
    """Over 400 reviewers each of the 21 places of a check is taken, about 19 times."""
    check = PLANTED[:1]
    taken = Counter(mixed(SAMPLED, check, seed=str(n)).index(check[0]) for n in range(400))
    assert set(taken) == set(range(21))
    assert max(taken.values()) < 45
