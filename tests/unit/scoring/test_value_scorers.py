from __future__ import annotations

from threading import Thread
from time import monotonic
from typing import Any

import pytest

from audit_app.scoring.grade import Decision, Grade, GradeStatus, ScoringSettings
from audit_app.scoring.registry import ScorerRegistry
from tests.unit.scoring.keys import V4, value_task

CHOICES = ["True, True", "False, False", "True, False"]


def grade(scorer: str, key: Any, output: Any, **options: Any) -> Grade:
    context = {"choices": options.pop("choices")} if "choices" in options else {}
    task = value_task(scorer, key, **context)
    return ScorerRegistry().grade(task, key, output, ScoringSettings(options=options))


@pytest.mark.parametrize(
    ("scorer", "key", "output", "passes"),
    [
        pytest.param("exact", "Lund", " Lund\n", True, id="exact: space around"),
        pytest.param("exact", "Lund", "lund", False, id="exact: case"),
        pytest.param("exact", ["Oslo", "Lund"], "Lund", True, id="exact: alternatives"),
        pytest.param("exact", 1, True, False, id="exact: true is not 1"),
        pytest.param("exact", "5", 5, True, id="exact: number as text"),
        pytest.param("normalised_text", "The Ash-tree!", "ashtree", True, id="text: punctuation"),
        pytest.param("normalised_text", "ﬁne", "fine", True, id="text: ligature"),
        pytest.param("normalised_text", "ash", "ashes", False, id="text: other word"),
        pytest.param("contains", "Lund", "In Lund.", True, id="contains"),
        pytest.param("contains", "Lund", "In LUND.", False, id="contains: case"),
        pytest.param("regex", r"\b\d{4}\b", "in 1987.", True, id="regex"),
        pytest.param("regex", r"^\d+$", "in 1987", False, id="regex: anchors"),
        pytest.param("json", {"a": [1, True]}, '```json\n{"a": [1.0, true]}\n```', True, id="json"),
        pytest.param("json", {"a": 1}, '{"a": true}', False, id="json: true is not 1"),
        pytest.param("json", [[1, 2]], "[2, 1]", False, id="json: order of a list"),
        pytest.param("list", ["a", "b"], "a, B", True, id="list: commas"),
        pytest.param("list", ["a", "b"], '["b", "a"]', False, id="list: order"),
        pytest.param("list", [["a"], ["b"]], "- b\n", True, id="list: alternatives"),
        pytest.param("set", ["a", "b"], '["b", "a", "a"]', True, id="set: order and repeats"),
        pytest.param("set", ["a", "b"], "a", False, id="set: one is missing"),
    ],
)
def test_rules(scorer: str, key: Any, output: Any, passes: bool) -> None:
    found = grade(scorer, key, output)
    assert found.status is GradeStatus.GRADED
    assert found.passed is passes
    assert found.reason_code == ("valid" if passes else f"{scorer}:not_equal")


@pytest.mark.parametrize(
    ("key", "output", "options", "passes"),
    [
        pytest.param(18, "So 16 + 2 = 18.", {}, True, id="last number"),
        pytest.param(16, "So 16 + 2 = 18.", {"which": "first"}, True, id="first number"),
        pytest.param("1,234.50", "1234.5", {}, True, id="thousands"),
        pytest.param(-4, "−4", {}, True, id="minus sign"),
        pytest.param("1e3", "1000", {}, True, id="exponent"),
        pytest.param(3.14, "3.1416", {}, False, id="no tolerance"),
        pytest.param(3.14, "3.1416", {"tolerance": 0.01}, True, id="absolute"),
        pytest.param(100, "101", {"relative": 0.02}, True, id="relative"),
        pytest.param("25%", "25 %", {}, True, id="percent"),
    ],
)
def test_numbers(key: Any, output: Any, options: dict[str, Any], passes: bool) -> None:
    assert grade("numeric", key, output, **options).passed is passes


@pytest.mark.parametrize(
    ("key", "output", "passes"),
    [
        pytest.param(1, "B", True, id="letter"),
        pytest.param("B", "(b)", True, id="letter in brackets"),
        pytest.param("1", "The answer is **B**.", True, id="stated"),
        pytest.param(1, "B. False, False", True, id="letter and words"),
        pytest.param("False, False", "false, false", True, id="words"),
        pytest.param(1, 1, True, id="place"),
        pytest.param(1, "I think A or B; the answer is A", False, id="last statement"),
        pytest.param(1, "E", False, id="letter of no choice"),
        pytest.param(1, "Apples are good", False, id="a word is no letter"),
    ],
)
def test_choices(key: Any, output: Any, passes: bool) -> None:
    assert grade("multiple_choice", key, output, choices=CHOICES).passed is passes


@pytest.mark.parametrize(
    ("key", "output", "passes"),
    [
        pytest.param(r"\frac{1}{2}", "0.5", True, id="fraction"),
        pytest.param("1/2", r"so $\boxed{\frac{2}{4}}$", True, id="boxed"),
        pytest.param(r"x^2+2x+1", "$(x+1)^2$", True, id="expression"),
        pytest.param("18", "A: 18", True, id="number in words"),
        pytest.param("18", "A: 19", False, id="other number"),
        pytest.param("18", "no number", False, id="nothing"),
        pytest.param("18", "$9^{9^{9^9}}$", False, id="tower of powers"),
        pytest.param("18", "$10^{99999999}$", False, id="huge power"),
        pytest.param("18", "$" + "{" * 900 + "$", False, id="nested"),
    ],
)
def test_mathematics(key: str, output: str, passes: bool) -> None:
    assert grade("math", key, output).passed is passes


def test_mathematics_works_in_another_thread() -> None:
    found: list[Grade] = []
    thread = Thread(target=lambda: found.append(grade("math", "1/2", "0.5")))
    thread.start()
    thread.join()
    assert found[0].passed


@pytest.mark.parametrize(
    ("scorer", "key", "output", "code", "status"),
    [
        pytest.param("numeric", 3, "none", "unreadable", GradeStatus.GRADED, id="no number"),
        pytest.param("numeric", "many", "3", "key_unusable", GradeStatus.NOT_GRADED, id="key"),
        pytest.param("regex", "(?=x)", "x", "key_unusable", GradeStatus.NOT_GRADED, id="look"),
        pytest.param("contains", "", "x", "key_unusable", GradeStatus.NOT_GRADED, id="empty"),
        pytest.param("json", {"a": 1}, "prose", "unreadable", GradeStatus.GRADED, id="no JSON"),
        pytest.param("exact", "x", None, "unreadable", GradeStatus.GRADED, id="nothing"),
    ],
)
def test_what_cannot_be_compared(
    scorer: str, key: Any, output: Any, code: str, status: GradeStatus
) -> None:
    found = grade(scorer, key, output)
    assert (found.passed, found.reason_code, found.status) == (False, f"{scorer}:{code}", status)


def test_a_pattern_cannot_hang() -> None:
    start = monotonic()
    assert not grade("regex", r"(a+)+$", "a" * 50_000 + "b").passed
    assert monotonic() - start < 5


def test_failure_lists_what_would_do() -> None:
    assert grade("exact", ["a", "b"], "c").decision == Decision("output", "c", ("a", "b"))


def test_every_scorer_survives_any_shape() -> None:
    registry = ScorerRegistry()
    shapes = [None, True, 7, 0.5, "", "x", [], [1], {}, {"a": [None]}, "\ud800", float("nan")]
    for name in registry.names:
        for key in shapes:
            prepared = registry.prepare(value_task(name, key), key, V4)
            for output in shapes:
                assert prepared.grade(output).reason
