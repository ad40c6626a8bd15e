from __future__ import annotations

from collections.abc import Callable

import pytest

from audit_app.services.task_views import TaskView
from audit_app.ui.rendering import render_task
from audit_app.ui.rendering.text import ends, whole_texts
from tests.browser import desk_cases


def test_of_very_many_rows_the_first_and_last_are_shown_with_a_count() -> None:
    shown = ends(6_000, "turn", lambda place: f"<i>{place}</i>")
    assert shown.count("<i>") == 60
    assert shown.startswith("<i>0</i>")
    assert shown.endswith("<i>5999</i>")
    assert "5,940 turns left out here. Show all 6,000" in shown
    with whole_texts(whole=True):
        assert ends(6_000, "turn", lambda place: f"<i>{place}</i>").count("<i>") == 6_000
    assert ends(60, "turn", lambda place: ".") == "." * 60


@pytest.mark.parametrize(
    ("make", "words", "last"),
    [
        pytest.param(desk_cases.many_turns, "5,940 turns left out", "Event 3000", id="6,000 turns"),
        pytest.param(desk_cases.heavy, "fields left out", "field 3000", id="5 MB of metadata"),
    ],
)
def test_r48_a_huge_task_is_cut_with_counts_and_whole_on_demand(
    make: Callable[[], TaskView], words: str, last: str
) -> None:
    view = make()
    task = render_task(view)
    assert len(task.left) + len(task.right) < 250_000
    assert words in task.left
    assert last not in task.left
    whole = render_task(view, full=True)
    assert last in whole.left
    assert "left out here" not in whole.left
