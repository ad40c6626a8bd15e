"""Which tasks are planted: the share, the strata, half of them damaged."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.controls.damaged import DamagedKey
from audit_app.controls.known_clean import KnownClean, agreed_clean, first_basis, listed_clean
from audit_app.controls.selection import Check, choose_checks, number_of_checks
from audit_app.domain.planted import PlantKind
from audit_app.errors import InputError


def damage(task_id: str) -> DamagedKey | None:
    return DamagedKey(PlantKind.WRONG_VALUE, f"not {task_id}")


def candidates(sizes: dict[str, int], rank: int = 2) -> dict[str, list[KnownClean]]:
    return {s: [KnownClean(f"{s}{i}", "agreed", rank) for i in range(n)] for s, n in sizes.items()}


@pytest.mark.parametrize(
    ("sampled", "share", "checks"),
    [
        pytest.param(50, 0.10, 6, id="6 of 56 are 10.7 %; 5 of 55 would be 9.1 %"),
        pytest.param(50, 0.15, 9, id="9 of 59 are 15.3 %"),
        pytest.param(50, 0.20, 12, id="12 of 62 are 19.4 %; 12.5 are wanted"),
        pytest.param(100, 0.20, 25, id="25 of 125"),
        pytest.param(5, 0.10, 2, id="at least one of each"),
    ],
)
def test_checks_make_up_the_share_of_the_queue(sampled: int, share: float, checks: int) -> None:
    assert number_of_checks(sampled, share) == checks


@given(
    st.dictionaries(st.sampled_from("abcd"), st.integers(1, 30), min_size=1),
    st.floats(0.10, 0.20),
    st.text(max_size=3),
)
def test_laws_of_the_choice(sampled: dict[str, int], share: float, seed: str) -> None:
    known = candidates(dict.fromkeys(sampled, 60))
    checks = choose_checks(known, sampled, damage, share=share, seed=seed)
    turned = {s: tasks[::-1] for s, tasks in reversed(known.items())}
    assert sorted(checks, key=_id) == sorted(
        choose_checks(turned, sampled, damage, share=share, seed=seed), key=_id
    )
    total = sum(sampled.values())
    assert len(checks) == max(2, round(share * total / (1 - share)))
    assert len({c.task_id for c in checks}) == len(checks)
    damaged = sum(c.damaged is not None for c in checks)
    assert damaged == (len(checks) + 1) // 2
    by_stratum = Counter(c.stratum for c in checks)
    for stratum, n in sampled.items():
        exact = len(checks) * n / total
        # Strata are rounded to whole checks, and each gets one where there are enough.
        assert abs(by_stratum[stratum] - exact) < 1 + len(sampled)


def _id(check: Check) -> str:
    return check.task_id


def test_named_tasks_come_before_those_that_models_agree_on() -> None:
    known = candidates({"a": 20})
    named = [KnownClean(f"n{i}", "listed", 0) for i in range(4)]
    checks = choose_checks({"a": [*known["a"], *named]}, {"a": 20}, damage, share=0.2, seed="s")
    assert {c.task_id for c in checks} >= {c.task_id for c in named}


def test_a_task_that_cannot_be_damaged_serves_as_a_clean_one() -> None:
    def only_some(task_id: str) -> DamagedKey | None:
        return damage(task_id) if task_id.endswith(("1", "3")) else None

    checks = choose_checks(candidates({"a": 5}), {"a": 20}, only_some, share=0.15, seed="s")
    assert len(checks) == 4
    assert {c.task_id for c in checks if c.damaged} == {"a1", "a3"}


def test_strata_whose_keys_cannot_be_damaged_leave_it_to_the_others() -> None:
    def only_a(task_id: str) -> DamagedKey | None:
        return damage(task_id) if task_id.startswith("a") else None

    known = candidates({"a": 20, "b": 20})
    checks = choose_checks(known, {"a": 20, "b": 20}, only_a, share=0.2, seed="s")
    assert Counter((c.stratum, c.damaged is not None) for c in checks) == {
        ("a", True): 5,
        ("b", False): 5,
    }


def test_where_most_strata_cannot_be_damaged_the_others_take_a_larger_share() -> None:
    def only_a(task_id: str) -> DamagedKey | None:
        return damage(task_id) if task_id.startswith("a") else None

    known = candidates({"a": 4, "b": 20, "c": 20})
    checks = choose_checks(known, {"a": 8, "b": 16, "c": 16}, only_a, share=0.2, seed="s")
    # In proportion it would be 2, 4 and 4; a has four tasks in all, so four of five are damaged.
    assert Counter((c.stratum, c.damaged is not None) for c in checks) == {
        ("a", True): 4,
        ("b", False): 3,
        ("c", False): 3,
    }


@pytest.mark.parametrize(
    ("sizes", "can", "says"),
    [
        pytest.param({"a": 3}, True, "10 checks are wanted, and only 3 tasks", id="too few tasks"),
        pytest.param({}, True, "only 0 tasks", id="none"),
        pytest.param({"a": 50}, False, "5 damaged keys are wanted, and only 0", id="no damage"),
    ],
)
def test_too_few_candidates_are_one_sentence(sizes: dict[str, int], can: bool, says: str) -> None:
    with pytest.raises(InputError, match=f"nothing is planted: .*{says}"):
        choose_checks(
            candidates(sizes), {"a": 40}, damage if can else lambda _: None, share=0.2, seed="s"
        )


def test_models_agree_only_where_three_pass_and_none_fails() -> None:
    shares = [
        *(("ok", model, 1.0) for model in "abc"),
        ("ok", "d", None),  # a failed request is no answer
        *(("two", model, 1.0) for model in "ab"),
        *(("mixed", model, 1.0) for model in "abc"),
        ("mixed", "d", 0.5),
        *(("entries", model, 1.0) for model in "abc"),
        ("entries", "a", 0.0),  # the same model on a second entry of the task
    ]
    assert agreed_clean(shares) == [KnownClean("ok", "all 3 models' outputs pass", 2)]


@pytest.mark.parametrize(
    ("text", "reason", "basis"),
    [
        pytest.param("t1\nt2\n", "", "listed in ids.txt", id="ids alone"),
        pytest.param(
            "t1\n", "solved by hand", "listed in ids.txt: solved by hand", id="one reason"
        ),
        pytest.param("id,reason\nt1,by proof\n", "x", "listed in ids.txt: by proof", id="a column"),
        pytest.param("id,reason\nt1,\n", "x", "listed in ids.txt: x", id="an empty cell"),
    ],
)
def test_a_file_names_tasks_and_why_they_are_clean(text: str, reason: str, basis: str) -> None:
    first = listed_clean(text, source="ids.txt", reason=reason)[0]
    assert (first.task_id, first.basis, first.rank) == ("t1", basis, 0)


def test_the_first_source_gives_the_basis() -> None:
    one, two = KnownClean("t", "listed", 0), KnownClean("t", "agreed", 2)
    assert first_basis([one], [two]) == {"t": one}
