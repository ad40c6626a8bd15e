from __future__ import annotations

import pytest

from tests.cli.conftest import Assay


@pytest.fixture
def demo(assay: Assay) -> Assay:
    assert assay("demo").status == 0
    return assay


def test_tasks_are_found_by_their_text_and_counted(demo: Assay) -> None:
    shown = demo("tasks", "toolshop", "--search", "PHASE moon", "--json").json
    assert (shown["tasks"], shown["grades"]) == (249, "published")
    assert shown["found"] == len(shown["rows"]) > 1
    for row in shown["rows"]:
        assert (row["right"] is None) == (row["in_your_queue"] == "toolshop")
    text = demo("tasks", "toolshop", "--category", "choose", "--limit", "3").out
    assert "70 of 249 tasks of toolshop found, the first 3 shown" in text


def test_a_wrong_name_is_said_with_what_there_is(demo: Assay) -> None:
    refused = demo("tasks", "toolshop", "--category", "chose")
    assert (refused.status, refused.err.count("\n")) == (2, 1)
    assert "there are: single, choose" in refused.err
    assert "no benchmark 'x'" in demo("tasks", "x").err
