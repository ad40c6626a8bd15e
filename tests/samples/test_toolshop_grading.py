"""The generator's grader follows the leaderboard's rules; expectations are read off those rules."""

from __future__ import annotations

import pytest

from samples.toolshop.grading import grade, standardise
from samples.toolshop.source import CallKey, Category, Property, Tool

BOOK = Tool(
    name="inn.book",
    description="Books rooms.",
    properties={
        "town": Property(type="string", description="Town."),
        "rooms": Property(type="integer", description="How many."),
        "price": Property(type="float", description="Most to pay.", default=0.0),
        "dogs": Property(type="boolean", description="Whether dogs come.", default=False),
        "views": Property(type="array", items={"type": "string"}, description="Wanted views."),
    },
    required=["town", "rooms"],
)
KEY: CallKey = {
    "inn.book": {
        "town": ["St. Odran", "Saint Odran"],
        "rooms": [2],
        "price": [80.0, ""],
        "dogs": [True],
        "views": [["sea", "hill"], ""],
    }
}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param('inn.book(town="St. Odran", rooms=2, dogs=True)', "valid", id="omits"),
        pytest.param('[inn.book(town="ST ODRAN", rooms=2, dogs=True)]', "valid", id="case"),
        pytest.param('inn.book(town="St. Odran", rooms=2, price=80, dogs=True)', "valid", id="int"),
        pytest.param(
            'inn.book(town="St. Odran", rooms=2, dogs=True, views=["Sea", "Hill"])',
            "valid",
            id="items compared without case",
        ),
        pytest.param(
            'inn.book(town="St. Odran", rooms=2, dogs=True, views=["hill", "sea"])',
            "value_error:list/tuple",
            id="list order counts",
        ),
        pytest.param(
            'inn.book(town="St. Odran", rooms=2, dogs=True, views=[1])',
            "value_error:list/tuple",
            id="omission marker hides the item type",
        ),
        pytest.param(
            'inn.book(town="Odran", rooms=2, dogs=True)', "value_error:string", id="other text"
        ),
        pytest.param(
            'inn.book(town="St. Odran", rooms=3, dogs=True)', "value_error:others", id="number"
        ),
        pytest.param(
            'inn.book(town="St. Odran", rooms="2", dogs=True)', "type_error:simple", id="as text"
        ),
        pytest.param(
            'inn.book(town="St. Odran", rooms=True, dogs=True)', "type_error:simple", id="bool"
        ),
        pytest.param(
            'inn.book(town="St. Odran", rooms=2.0, dogs=True)', "type_error:simple", id="no float"
        ),
        pytest.param(
            "inn.book(rooms=2, dogs=True)",
            "simple_function_checker:missing_required",
            id="required",
        ),
        pytest.param(
            'inn.book(town="St. Odran", rooms=2)',
            "simple_function_checker:missing_optional",
            id="not omissible",
        ),
        pytest.param(
            'inn.book(town="St. Odran", rooms=2, dogs=True, late=True)',
            "simple_function_checker:unexpected_param",
            id="unknown argument",
        ),
        pytest.param(
            'inn_book(town="St. Odran", rooms=2, dogs=True)',
            "simple_function_checker:wrong_func_name",
            id="name",
        ),
        pytest.param("[]", "simple_function_checker:wrong_count", id="no call"),
        pytest.param("I would book two rooms.", "ast_decoder:decoder_failed", id="prose"),
        pytest.param("```python\ninn.book()\n```", "ast_decoder:decoder_failed", id="fenced"),
    ],
)
def test_one_call(text: str, code: str) -> None:
    result = grade(text, category=Category.SINGLE, tools={"inn.book": BOOK}, key=[KEY])
    assert result.code == code
    assert result.passed == (code == "valid")


def test_text_is_compared_when_the_key_holds_another_type_than_the_schema() -> None:
    key: CallKey = {"inn.book": KEY["inn.book"] | {"rooms": ["2"]}}
    texts = [f'inn.book(town="St. Odran", rooms={rooms}, dogs=True)' for rooms in ("2", '"2"')]
    grades = [
        grade(text, category=Category.SINGLE, tools={"inn.book": BOOK}, key=[key]) for text in texts
    ]
    assert [g.code for g in grades] == ["value_error:others", "valid"]


def test_expected_calls_take_the_first_fit_and_keep_it() -> None:
    wide: CallKey = {"inn.book": KEY["inn.book"] | {"rooms": [1, 2]}}
    narrow: CallKey = {"inn.book": KEY["inn.book"] | {"rooms": [1]}}
    one, two = (f'inn.book(town="St. Odran", rooms={n}, dogs=True)' for n in (1, 2))
    tools = {"inn.book": BOOK}
    codes = [
        grade(f"[{calls}]", category=Category.PARALLEL, tools=tools, key=[wide, narrow]).code
        for calls in (f"{two}, {one}", f"{one}, {two}", one)
    ]
    rule = "parallel_function_checker_no_order"
    assert codes == ["valid", f"{rule}:cannot_find_match", f"{rule}:wrong_count"]


@pytest.mark.parametrize(
    ("text", "passed"),
    [
        pytest.param("No tool fits.", True, id="prose abstains"),
        pytest.param("[]", True, id="empty list abstains"),
        pytest.param("[inn.book()]", False, id="a call is a call"),
    ],
)
def test_no_call(text: str, passed: bool) -> None:
    result = grade(text, category=Category.NO_CALL, tools={"inn.book": BOOK}, key=None)
    assert result.passed is passed


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        pytest.param("St. Odran", "stodran", id="space and full stop"),
        pytest.param("-1.5", "15", id="sign and decimal point vanish"),
        pytest.param("it's 07:45!", 'it"s07:45!', id="quotes turned, other marks kept"),
    ],
)
def test_standardised_text(text: str, plain: str) -> None:
    assert standardise(text) == plain


def test_items_of_another_type_are_refused_as_such() -> None:
    key: CallKey = {"inn.book": KEY["inn.book"] | {"views": [["sea"]]}}
    text = 'inn.book(town="St. Odran", rooms=2, dogs=True, views=[1])'
    result = grade(text, category=Category.CHOOSE, tools={"inn.book": BOOK}, key=[key])
    assert result.code == "type_error:nested"
