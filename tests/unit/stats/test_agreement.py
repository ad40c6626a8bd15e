"""Agreement against derivations by hand, published examples and a second way of computing it."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import permutations
from math import isfinite
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from audit_app.stats.agreement import agreement
from audit_app.stats.agreement_model import NO_OVERLAP, Agreement

COEFFICIENTS = ("kappa", "kappa_interval", "alpha", "alpha_interval")


def two_by_two(a: int, b: int, c: int, d: int) -> dict[str, dict[str, str]]:
    """a tasks both call yes, b only ann, c only bob, d neither."""
    cells = {("yes", "yes"): a, ("yes", "no"): b, ("no", "yes"): c, ("no", "no"): d}
    said = [pair for pair, n in cells.items() for _ in range(n)]
    return {f"t{i}": {"ann": x, "bob": y} for i, (x, y) in enumerate(said)}


@pytest.mark.parametrize(
    ("cells", "raw", "kappa", "alpha"),
    [
        # kappa: p_o = 0.7, p_e = 0.5·0.6 + 0.5·0.4 = 0.5, so 0.2 / 0.5.
        # alpha: 55 yes and 45 no among 100; D_o = 15/50, D_e = 2·55·45/(100·99) = 0.5, so 0.4.
        pytest.param((20, 5, 10, 15), 0.7, 0.4, 0.4, id="the textbook table"),
        # p_o = 0.5 = p_e. 11 yes and 9 no: D_e = 2·11·9/(20·19) = 198/380, D_o = 1/2.
        pytest.param((3, 2, 3, 2), 0.5, 0.0, 1 - 190 / 198, id="no better than chance"),
        # p_o = 0, p_e = 2/4. D_o = 1, D_e = 2·2·2/(4·3) = 2/3.
        pytest.param((0, 1, 1, 0), 0.0, -1.0, 1 - 3 / 2, id="always apart"),
        # Bob never finds any: p_o = p_e = 0.9. 1 yes of 20: D_o = 0.1, D_e = 2·19/(20·19) = 0.1.
        pytest.param((0, 1, 0, 9), 0.9, 0.0, 0.0, id="one of them always says no"),
    ],
)
def test_two_reviewers_by_hand(
    cells: tuple[int, int, int, int], raw: float, kappa: float, alpha: float
) -> None:
    figures = agreement(two_by_two(*cells), seed="s")
    assert (figures.agree, figures.pairs) == (cells[0] + cells[3], sum(cells))
    assert figures.raw == pytest.approx(raw)
    assert figures.kappa == pytest.approx(kappa)
    assert figures.alpha == pytest.approx(alpha)


PUBLISHED = {
    "A": "*****34121133*3",
    "B": "1*213343*******",
    "C": "**21344*21133*4",
}
"""The example of the package's documentation: nominal 0.691, interval 0.811."""


def of_columns(rows: dict[str, str]) -> dict[str, dict[str, str]]:
    units = range(len(next(iter(rows.values()))))
    return {str(u): {p: said[u] for p, said in rows.items() if said[u] != "*"} for u in units}


def test_alpha_of_the_published_example_with_missing_values() -> None:
    figures = agreement(of_columns(PUBLISHED), seed="s")
    assert figures.alpha == pytest.approx(0.691358, abs=1e-6)
    # Ten units have two values; the two with three, 6 and 7, have three pairs each.
    assert (figures.tasks, figures.pairs) == (12, 10 + 2 * 3)
    assert figures.kappa is None
    assert figures.undefined["kappa"] == "kappa compares two reviewers, and 3 judged shared tasks"


def alpha_of_pairs(ratings: dict[str, dict[str, str]], order: str = "") -> float:
    """Krippendorff's alpha from all ordered pairs of values, as its definition reads."""
    coincidences: defaultdict[tuple[str, str], float] = defaultdict(float)
    for own in ratings.values():
        for x, y in permutations(own.values(), 2):
            coincidences[x, y] += 1 / (len(own) - 1)
    totals: defaultdict[str, float] = defaultdict(float)
    for (x, _), count in coincidences.items():
        totals[x] += count
    n = sum(totals.values())

    def distance(x: str, y: str) -> float:
        if not order:
            return float(x != y)
        low, high = sorted((order.index(x), order.index(y)))
        between = sum(totals[value] for value in order[low : high + 1])
        return float((between - (totals[x] + totals[y]) / 2) ** 2)

    observed = sum(count * distance(x, y) for (x, y), count in coincidences.items()) / n
    expected = sum(totals[x] * totals[y] * distance(x, y) for x in totals for y in totals)
    return 1 - observed / (expected / (n * (n - 1)))


several = st.dictionaries(
    st.text("0123456789", min_size=1, max_size=2),
    st.dictionaries(st.sampled_from("abcd"), st.sampled_from("0123"), min_size=1, max_size=4),
    min_size=2,
    max_size=12,
)


@settings(max_examples=40, deadline=None)
@given(several, st.sampled_from(["", "0123"]))
def test_alpha_is_that_of_its_definition(ratings: dict[str, dict[str, str]], order: str) -> None:
    shared = {task: own for task, own in ratings.items() if len(own) > 1}
    assume(len(shared) > 1 and len({v for own in shared.values() for v in own.values()}) > 1)
    figures = agreement(ratings, seed="s", order=order or None)
    assert figures.alpha == pytest.approx(alpha_of_pairs(shared, order), abs=1e-9)
    assert figures.alpha_interval is None or figures.alpha_interval.lower <= 1


def test_the_interval_is_that_of_tasks_drawn_again_one_by_one() -> None:
    """The multinomial of patterns against a plain bootstrap of the tasks themselves."""
    ratings = two_by_two(20, 5, 10, 15)
    tasks, random = list(ratings.values()), Random(7)
    kappas = sorted(_kappa(random.choices(tasks, k=50)) for _ in range(4_000))
    figures = agreement(ratings, seed="s")
    assert figures.kappa_interval is not None
    # Monte Carlo error of a 2.5 % quantile at 4,000 resamples is about 0.008 here.
    assert figures.kappa_interval.lower == pytest.approx(kappas[100], abs=0.03)
    assert figures.kappa_interval.upper == pytest.approx(kappas[3_900], abs=0.03)


def _kappa(tasks: list[dict[str, str]]) -> float:
    n = len(tasks)
    first, second = (Counter(task[p] for task in tasks) for p in ("ann", "bob"))
    observed = sum(task["ann"] == task["bob"] for task in tasks) / n
    chance = sum(first[v] * second[v] for v in ("yes", "no")) / n**2
    return (observed - chance) / (1 - chance)


def points(figures: Agreement) -> list[float | None]:
    return [figures.raw, figures.kappa, figures.alpha]


@settings(max_examples=40, deadline=None)
@given(several, st.permutations("abcd"), st.permutations("0123"))
def test_names_of_reviewers_values_and_order_of_tasks_change_nothing(
    ratings: dict[str, dict[str, str]], people: list[str], values: list[str]
) -> None:
    renamed = {
        f"x{task}": {people["abcd".index(p)]: values[int(v)] for p, v in own.items()}
        for task, own in reversed(ratings.items())
    }
    one, other = agreement(ratings, seed="s"), agreement(renamed, seed="s")
    assert points(other) == pytest.approx(points(one), nan_ok=False)
    assert (one.tasks, one.pairs, one.agree) == (other.tasks, other.pairs, other.agree)


@settings(max_examples=20, deadline=None)
@given(st.lists(st.sampled_from("xy"), min_size=2, max_size=9).filter(lambda v: len(set(v)) > 1))
def test_full_agreement_on_two_values_is_1(values: list[str]) -> None:
    figures = agreement(
        {str(i): {"ann": value, "bob": value} for i, value in enumerate(values)}, seed="s"
    )
    assert points(figures) == [1, 1, 1]
    assert figures.kappa_interval is None  # no resample differs, or many hold one value only
    assert figures.undefined["kappa_interval"]


@settings(max_examples=60, deadline=None)
@given(several)
def test_r22_no_figure_is_ever_nan_and_what_is_missing_has_its_reason(
    ratings: dict[str, dict[str, str]],
) -> None:
    figures = agreement(ratings, seed="s").model_dump()
    for name in ("raw", "raw_interval", *COEFFICIENTS):
        value = figures[name]
        assert (value is None) == bool(figures["undefined"].get(name))
        if isinstance(value, float):
            assert isfinite(value)


def test_r22_one_value_used_leaves_raw_agreement_and_no_coefficient() -> None:
    figures = agreement(two_by_two(0, 0, 0, 12), seed="s")
    assert (figures.agree, figures.pairs, figures.raw) == (12, 12, 1.0)
    assert points(figures) == [1.0, None, None]
    reason = "everyone said 'no' of every task: chance alone gives that too"
    assert figures.undefined == dict.fromkeys(COEFFICIENTS, reason)


def test_r23_without_a_shared_task_there_is_no_overlap() -> None:
    figures = agreement({"t1": {"ann": "yes"}, "t2": {"bob": "yes"}, "t3": {}}, seed="s")
    assert points(figures) == [None, None, None]
    assert set(figures.undefined.values()) == {NO_OVERLAP}
    assert figures.tasks == figures.pairs == 0


def test_r23_only_tasks_that_both_judged_count() -> None:
    shared = two_by_two(20, 5, 10, 15)
    alone = {f"u{i}": {"ann": "yes"} for i in range(30)}
    assert agreement({**alone, **shared}, seed="s") == agreement(shared, seed="s")


def test_one_shared_task_has_raw_agreement_only() -> None:
    figures = agreement({"t": {"ann": "yes", "bob": "no"}}, seed="s")
    assert points(figures) == [0.0, None, None]
    assert figures.undefined["alpha"] == "only one task was judged by two people"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        pytest.param("Aa", "BB", id="equal hashes in Java"),
        pytest.param("a", "a\0", id="a trailing NUL, which NumPy drops"),
        pytest.param("1", "1.0", id="equal numbers"),
        pytest.param("\u00e9", "e\u0301", id="composed and decomposed"),
        pytest.param("K", "k", id="case"),
    ],
)
def test_r24_distinct_values_are_never_merged(one: str, other: str) -> None:
    ratings = {
        "t1": {"ann": one, "bob": other},
        "t2": {"ann": other, "bob": one},
        "t3": {"ann": one, "bob": one},
        "t4": {"ann": other, "bob": other},
    }
    figures = agreement(ratings, seed="s")
    assert (figures.agree, figures.raw, figures.kappa) == (2, 0.5, 0.0)


def test_an_interval_is_refused_where_many_resamples_hold_one_value_only() -> None:
    # One yes in ten tasks: (9/10)^10 = 35 % of the resamples hold no yes at all.
    figures = agreement(two_by_two(1, 0, 0, 9), seed="s")
    assert figures.kappa == figures.alpha == 1
    assert figures.kappa_interval is None
    assert figures.undefined["kappa_interval"].startswith(("34%", "35%"))
