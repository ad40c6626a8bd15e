"""Damaged keys: one known defect of each kind, well formed, winnable and seen in a grade."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest

from audit_app.controls.answer_damage import answer_damages
from audit_app.controls.call_damage import call_damages
from audit_app.controls.damage import damaged_key, own_answer
from audit_app.controls.damaged import EXPECTED, DamagedKey
from audit_app.controls.pool import KeyPool
from audit_app.controls.turn_damage import turn_damages
from audit_app.domain.benchmark import KeyKind, Message, Task
from audit_app.domain.planted import PlantKind
from audit_app.scoring.detection import usual_reading
from audit_app.scoring.grade import GradeStatus, ScoringSettings
from audit_app.scoring.key_shapes import key_fault
from audit_app.scoring.registry import ScorerRegistry
from audit_app.services.resources import bundled_taxonomy

SETTINGS = ScoringSettings()
TOOLS = (
    {
        "name": "ferry.next",
        "parameters": {
            "type": "dict",
            "properties": {
                "to": {"type": "string"},
                "day": {"type": "string"},
                "deck": {"type": "string", "enum": ["upper", "lower"]},
            },
            "required": ["to"],
        },
    },
    {
        "name": "ferry.book",
        "parameters": {
            "type": "dict",
            "properties": {"to": {"type": "string"}, "day": {"type": "string"}},
            "required": ["to", "day"],
        },
    },
    {
        "name": "kiln.fire",
        "parameters": {
            "type": "dict",
            "properties": {"cone": {"type": "integer"}},
            "required": ["cone"],
        },
    },
)
NEXT = {
    "ferry.next": {"to": ["Sula", "Isle of Sula"], "day": ["2026-05-01"], "deck": ["upper", ""]}
}
FIRE = {"kiln.fire": {"cone": [6]}}


def task(key: Any, *, scorer: str = "bfcl-ast", category: str = "mixed", **more: Any) -> Task:
    kind = more.pop("kind", KeyKind.CALLS)
    return Task(
        id=more.pop("id", "t1"),
        category=category,
        group=category,
        scorer=scorer,
        turns=((Message("user", "When is the boat?"),),),
        tools=TOOLS if kind is KeyKind.CALLS else (),
        key_kind=kind,
        key=key,
        **more,
    )


def verdicts(of: Task, answers: Sequence[Any]) -> Callable[[Any], list[bool | None]]:
    def grade(key: Any) -> list[bool | None]:
        shown = msgspec.structs.replace(of, key=key)
        grades = [
            ScorerRegistry().grade(shown, key, answer, usual_reading([answer]).settings(SETTINGS))
            for answer in answers
        ]
        return [g.passed if g.status is GradeStatus.GRADED else None for g in grades]

    return grade


def found(of: Task, answers: Sequence[Any], *, seed: str = "s", others: Sequence[Task] = ()) -> Any:
    pool = KeyPool([of, *others])
    return damaged_key(of, verdicts(of, answers), pool=pool, seed=seed, settings=SETTINGS)


def by_kind(damages: Any) -> dict[PlantKind, list[Any]]:
    kinds: dict[PlantKind, list[Any]] = {}
    for damaged in damages:
        assert isinstance(damaged, DamagedKey)
        kinds.setdefault(damaged.kind, []).append(damaged.key)
    return kinds


def test_every_kind_of_damage_to_a_key_of_calls() -> None:
    kinds = by_kind(call_damages(task([NEXT, FIRE]), KeyPool([]), "s"))
    assert set(kinds) == set(PlantKind) - {PlantKind.CLEAN, PlantKind.OTHER_ANSWER}
    # Places that can be wrong: the date, the deck's other option, the cone; names have no pool.
    assert len(kinds[PlantKind.WRONG_VALUE]) == 3
    wrong_decks = [k[0]["ferry.next"]["deck"] for k in kinds[PlantKind.WRONG_VALUE]]
    assert ["lower", ""] in wrong_decks
    # One of the two names, or the leave to omit the deck; a lone value is never taken out.
    assert len(kinds[PlantKind.MISSING_ALTERNATIVE]) == 3
    # Of the offered tools only the booking takes the same arguments in the same types.
    swapped = [{"ferry.book": {"to": ["Sula", "Isle of Sula"], "day": ["2026-05-01"]}}, FIRE]
    assert kinds[PlantKind.WRONG_FUNCTION] == [swapped]
    assert kinds[PlantKind.MISSING_CALL] == [[FIRE], [NEXT]]
    assert all(len(key) == 3 for key in kinds[PlantKind.EXTRA_CALL])


def test_a_key_of_one_call_neither_loses_nor_gains_one() -> None:
    kinds = by_kind(call_damages(task([NEXT]), KeyPool([]), "s"))
    assert PlantKind.MISSING_CALL not in kinds
    assert PlantKind.EXTRA_CALL not in kinds


def test_damage_inside_one_turn_leaves_the_others() -> None:
    key = [["cd(folder='docs')", "cat(file_name='plan2.txt')"], [], ["ls(a=True)"]]
    turns = task(key, kind=KeyKind.CALL_TURNS, scorer="bfcl-multi-turn")
    kinds = by_kind(turn_damages(turns, KeyPool([]), "s"))
    plan, listing = kinds[PlantKind.WRONG_VALUE]
    assert plan[0][1] in ("cat(file_name='plan1.txt')", "cat(file_name='plan3.txt')")
    assert (plan[0][0], plan[1:]) == (key[0][0], key[1:])
    assert listing == [key[0], [], ["ls(a=False)"]]
    assert kinds[PlantKind.MISSING_CALL] == [
        [["cat(file_name='plan2.txt')"], [], ["ls(a=True)"]],
        [["cd(folder='docs')"], [], ["ls(a=True)"]],
    ]
    assert all(key_fault(KeyKind.CALL_TURNS, k) == "" for keys in kinds.values() for k in keys)
    assert all(k[1] == [] for keys in kinds.values() for k in keys)


@pytest.mark.parametrize(
    ("key", "choices", "wrong"),
    [
        pytest.param("B", ["x", "y", "z"], ["A", "C"], id="letters"),
        pytest.param("(b)", ["x", "y"], ["(a)"], id="letters as they are written"),
        pytest.param(2, ["x", "y", "z"], [0, 1], id="places"),
        pytest.param("1", ["x", "y"], ["0"], id="places as text"),
        pytest.param("y", ["x", "y"], ["x"], id="words"),
        pytest.param(["B"], ["x", "y"], [["A"]], id="one alternative"),
        pytest.param("K", {"J": "x", "K": "y"}, ["J"], id="labels"),
        pytest.param(True, ["x", "y"], [], id="no option is named"),
    ],
)
def test_another_option_is_named_as_the_right_one_is(key: Any, choices: Any, wrong: Any) -> None:
    options = task(key, kind=KeyKind.VALUE, scorer="multiple_choice", context={"choices": choices})
    assert (
        by_kind(answer_damages(options, KeyPool([]), "s")).get(PlantKind.OTHER_ANSWER, []) == wrong
    )


def test_another_tasks_answer_has_the_same_look_and_shares_no_value() -> None:
    texts = task(["Harn"], kind=KeyKind.TEXTS, scorer="bfcl-agentic", id="a")
    others = [
        msgspec.structs.replace(texts, id=id_, key=key)
        for id_, key in {"b": ["Sula"], "c": ["harn", "Veyo"], "d": ["42"], "e": "Tarn"}.items()
    ]
    kinds = by_kind(answer_damages(texts, KeyPool([texts, *others]), "s"))
    assert kinds == {PlantKind.OTHER_ANSWER: [["Sula"]]}


ANSWERS = [
    '[ferry.next(to="Sula", day="2026-05-01"), kiln.fire(cone=6)]',
    '[kiln.fire(cone=6), ferry.next(to="Isle of Sula", day="2026-05-01", deck="upper")]',
    "[kiln.fire(cone=5)]",
]


@pytest.mark.parametrize("seed", [f"seed {n}" for n in range(12)])
def test_a_damaged_key_refuses_an_answer_that_was_right_and_can_be_satisfied(seed: str) -> None:
    calls = task([NEXT, FIRE])
    damaged = found(calls, ANSWERS, seed=seed)
    right = verdicts(calls, ANSWERS)
    assert right(calls.key) == [True, True, False]
    assert False in right(damaged.key)[:2]
    assert key_fault(KeyKind.CALLS, damaged.key) == ""
    own = own_answer(msgspec.structs.replace(calls, key=damaged.key))
    assert verdicts(calls, [own])(damaged.key) == [True]
    assert damaged == found(calls, ANSWERS, seed=seed)


def test_seeds_give_different_kinds() -> None:
    kinds = {found(task([NEXT, FIRE]), ANSWERS, seed=str(n)).kind for n in range(40)}
    assert len(kinds) == 5


def test_without_outputs_the_keys_own_answer_shows_the_damage() -> None:
    calls = task([FIRE])
    damaged = found(calls, [own_answer(calls)])
    assert damaged.kind is PlantKind.WRONG_VALUE
    assert verdicts(calls, [own_answer(calls)])(damaged.key) == [False]


@pytest.mark.parametrize(
    ("of", "answers"),
    [
        pytest.param(task([FIRE]), ["[kiln.fire(cone=5)]"], id="no answer passes"),
        pytest.param(task([{"kiln.fire": {"cone": [6]}}], category="simple"), [], id="no answer"),
        pytest.param(task(None, kind=KeyKind.NO_CALL, scorer="bfcl-irrelevance"), [""], id="label"),
        pytest.param(task("^a", kind=KeyKind.VALUE, scorer="regex"), ["ab"], id="a pattern"),
        pytest.param(task("yes", kind=KeyKind.VALUE, scorer="unknown"), ["yes"], id="no scorer"),
    ],
)
def test_keys_that_cannot_be_damaged_are_left_alone(of: Task, answers: list[Any]) -> None:
    assert found(of, answers) is None


def test_the_swap_of_a_function_that_no_grade_looks_at_is_not_taken() -> None:
    """With one tool offered, the benchmark's rule never looks at the key's function name."""
    simple = task([{"ferry.next": {"to": ["Sula"], "day": ["x"]}}], category="simple")
    kinds = by_kind(call_damages(simple, KeyPool([]), "s"))
    assert PlantKind.WRONG_FUNCTION in kinds
    assert found(simple, ['[ferry.next(to="Sula", day="x")]']) is None


def test_expectations_are_codes_of_the_taxonomy() -> None:
    known = bundled_taxonomy().causes
    assert set(EXPECTED) == set(PlantKind)
    assert all(e.cause in known and e.effects for k, e in EXPECTED.items() if k != PlantKind.CLEAN)
    assert not EXPECTED[PlantKind.CLEAN].cause
