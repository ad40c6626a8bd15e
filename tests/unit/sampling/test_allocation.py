from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.domain.sampling import Frame, SamplingPlan, Stratum
from audit_app.errors import InputError
from audit_app.sampling.allocation import allocate
from audit_app.sampling.frame import build_frame
from tests.unit.sampling.frames import PUBLISHED_GROUPS, frame_of, tasks_of, weighted_plan

names = st.sampled_from("abcdefgh")
sizes = st.dictionaries(names, st.integers(1, 60), min_size=1)


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        pytest.param(50, [5, 5, 5, 15, 10, 10], id="first draw"),
        pytest.param(100, [10, 10, 10, 30, 20, 20], id="widened"),
    ],
)
def test_published_allocation(published_plan: SamplingPlan, n: int, expected: list[int]) -> None:
    frame = build_frame(published_plan, tasks_of(PUBLISHED_GROUPS))
    assert list(allocate(frame, n).values()) == expected


@pytest.mark.parametrize(
    ("population", "weights", "n", "expected"),
    [
        pytest.param(
            {"a": 9, "b": 9, "c": 9},
            {"a": 1, "b": 1, "c": 1},
            10,
            [4, 3, 3],
            id="tie to smaller id",
        ),
        pytest.param(
            {"b": 9, "a": 9, "B": 9}, {"b": 1, "a": 1, "B": 1}, 4, [1, 1, 2], id="by code point"
        ),
        # Quotas 0.5 and 4.5 leave equal remainders; a has one already by the lower bound.
        pytest.param({"a": 9, "b": 9}, {"a": 1, "b": 9}, 5, [1, 4], id="at least one"),
        # Quotas 2.5 and 7.5: equal remainders, the larger weight wins.
        pytest.param({"a": 9, "b": 9}, {"a": 1, "b": 3}, 10, [2, 8], id="tie to larger weight"),
        # b is read whole; the other 7 go to a and c by 1:1, so 3.5 each.
        pytest.param(
            {"a": 9, "b": 3, "c": 9}, {"a": 1, "b": 8, "c": 1}, 10, [4, 3, 3], id="full stratum"
        ),
        # 0.1 + 0.2 is not 0.3 in doubles; as decimals the quotas 1, 2, 3 are whole.
        pytest.param(
            {"a": 9, "b": 9, "c": 9}, {"a": 0.1, "b": 0.2, "c": 0.3}, 6, [1, 2, 3], id="decimals"
        ),
        pytest.param(
            {"a": 9, "b": 9, "c": 9}, {"a": 5, "b": 3, "c": 2}, 2, [1, 1, 0], id="too few for all"
        ),
        pytest.param({"a": 2, "b": 3}, {"a": 1, "b": 1}, 5, [2, 3], id="everything"),
        pytest.param({"a": 2, "b": 3}, {"a": 1, "b": 1}, 0, [0, 0], id="nothing"),
    ],
)
def test_allocation(
    population: dict[str, int], weights: dict[str, float], n: int, expected: list[int]
) -> None:
    assert list(allocate(frame_of(population, weights), n).values()) == expected


def test_outer_strata_are_allocated_before_inner_ones() -> None:
    # By outer weights 1:1 each side gets 5 of 10, although o has four inner strata.
    plan = weighted_plan({"o": 1, "z": 1}, within={"o": dict.fromkeys("pqrs", 1.0)})
    frame = build_frame(plan, tasks_of(dict.fromkeys("pqrsz", 20)))
    assert allocate(frame, 10) == {"p": 2, "q": 1, "r": 1, "s": 1, "z": 5}


def test_every_outer_stratum_is_read_where_not_every_inner_one_can_be() -> None:
    plan = weighted_plan({"o": 98, "z": 2}, within={"o": dict.fromkeys("pqrs", 1.0)})
    frame = build_frame(plan, tasks_of(dict.fromkeys("pqrsz", 20)))
    assert allocate(frame, 4) == {"p": 1, "q": 1, "r": 1, "s": 0, "z": 1}


def test_widening_keeps_what_is_drawn() -> None:
    # Remainders move when n grows (the Alabama paradox), so without a floor a stratum may shrink:
    # weights 6:6:2 give 4, 4, 2 at 10 and 5, 5, 1 at 11.
    frame = frame_of({"a": 99, "b": 99, "c": 99}, {"a": 6, "b": 6, "c": 2})
    first = allocate(frame, 10)
    assert list(first.values()) == [4, 4, 2]
    assert list(allocate(frame, 11).values()) == [5, 5, 1]
    assert list(allocate(frame, 11, floor=first).values()) == [5, 4, 2]


@pytest.mark.parametrize(
    ("n", "floor", "told"),
    [
        pytest.param(6, {}, "6 tasks from a frame of 5", id="more than there are"),
        pytest.param(-1, {}, "-1 tasks", id="negative"),
        pytest.param(2, {"a": 2, "b": 1}, "fewer than the 3 to be kept", id="fewer than the floor"),
        pytest.param(4, {"a": 3}, "'a' cannot keep 3", id="floor above the stratum"),
        pytest.param(4, {"x": 1}, "'x' cannot keep 1", id="floor of an unknown stratum"),
    ],
)
def test_what_cannot_be_allocated_is_refused(n: int, floor: dict[str, int], told: str) -> None:
    with pytest.raises(InputError, match=told):
        allocate(frame_of({"a": 2, "b": 3}), n, floor=floor)


def test_a_stratum_without_weight_is_not_drawn_from() -> None:
    row = Stratum(id="a", outer="a", population=1, weight=0, outer_weight=0)
    with pytest.raises(InputError, match="weighs too little"):
        allocate(Frame(strata=(row,), members={"a": ("t",)}), 1)


@given(sizes, st.data())
def test_allocation_is_exact_feasible_and_order_free(
    population: dict[str, int], data: st.DataObject
) -> None:
    weights = {h: data.draw(st.integers(1, 50), label=h) for h in population}
    frame = frame_of(population, weights)
    n = data.draw(st.integers(0, frame.size), label="n")
    parts = allocate(frame, n)
    assert sum(parts.values()) == n
    assert all(0 <= parts[h] <= population[h] for h in population)
    if n >= len(population):
        assert min(parts.values()) >= 1
    backwards = dict(reversed(population.items()))
    assert allocate(frame_of(backwards, dict(reversed(weights.items()))), n) == parts


@given(sizes, st.data())
def test_a_widened_allocation_never_takes_back(
    population: dict[str, int], data: st.DataObject
) -> None:
    weights = {h: data.draw(st.integers(1, 50), label=h) for h in population}
    frame = frame_of(population, weights)
    wide = data.draw(st.integers(0, frame.size), label="wide")
    first = allocate(frame, data.draw(st.integers(0, wide), label="first"))
    second = allocate(frame, wide, floor=first)
    assert sum(second.values()) == wide
    assert all(first[h] <= second[h] <= population[h] for h in population)


@given(st.dictionaries(names, st.integers(1, 40), min_size=1), st.integers(0, 60))
def test_without_bounds_it_is_the_largest_remainder_method(weights: dict[str, int], n: int) -> None:
    total = sum(weights.values())
    quotas = {h: Fraction(n * w, total) for h, w in weights.items()}
    if any(quota < 1 for quota in quotas.values()):
        return  # the bound of one each binds
    parts = {h: int(quota) for h, quota in quotas.items()}
    for h in sorted(weights, key=lambda h: (parts[h] - quotas[h], -weights[h], h))[
        : n - sum(parts.values())
    ]:
        parts[h] += 1
    frame = frame_of(dict.fromkeys(weights, 60), {h: float(w) for h, w in weights.items()})
    assert allocate(frame, n) == parts


@given(sizes, st.data())
def test_bounded_quotas_lie_on_one_ray(population: dict[str, int], data: st.DataObject) -> None:
    """Parts between their bounds differ from λ·w by less than one, for one λ (found by floats)."""
    weights = {h: data.draw(st.integers(1, 50), label=h) for h in population}
    frame = frame_of(population, weights)
    n = data.draw(st.integers(len(population), frame.size), label="n")
    low, high = 0.0, 100.0
    for _ in range(60):
        ray = (low + high) / 2
        total = sum(min(max(ray * weights[h], 1), population[h]) for h in population)
        low, high = (ray, high) if total < n else (low, ray)
    for h, part in allocate(frame, n).items():
        assert abs(part - min(max(high * weights[h], 1), population[h])) < 1 + 1e-6
