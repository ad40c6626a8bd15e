from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.importers.bfcl import parse_bfcl
from audit_app.scoring.unwinnable import find_obstacle
from tests.unit.scoring.keys import V4, calls_task, tool, value_task


@pytest.mark.parametrize(
    ("task", "obstacle", "where"),
    [
        pytest.param(calls_task(tool("f", ("x",), x="integer"), key=[{"f": {"x": [1]}}]),
                     None, "", id="sound"),
        pytest.param(calls_task(tool("f", ("x",), x="integer"), key=[{"f": {"x": []}}]),
                     "no_accepted_value", "x", id="empty list"),
        pytest.param(calls_task(tool("f", x="integer"), key=[{"f": {"x": []}}]),
                     "no_accepted_value", "x", id="empty list, not required"),
        pytest.param(calls_task(tool("f", x="integer"), key=[{"f": {"x": [""]}}]),
                     None, "", id="only omission"),
        pytest.param(calls_task(tool("f", ("x",), x="integer"), key=[{"f": {}}]),
                     "required_not_in_key", "x", id="required, not in the key"),
        pytest.param(calls_task(tool("f"), key=[{"f": {"y": [1]}}]),
                     "not_in_schema", "y", id="not in the schema"),
        pytest.param(calls_task(tool("f"), key=[{"f": {"y": [1, ""]}}]),
                     None, "", id="not in the schema, omissible"),
        pytest.param(calls_task(tool("f", ("x",), x=("array", "float")),
                                key=[{"f": {"x": [["a", 1]]}}]),
                     "value_refused", "x", id="mixed list"),
        pytest.param(calls_task(tool("f", ("x",), x="number"), key=[{"f": {"x": [1]}}]),
                     "checker_stops", "key", id="type word"),
        pytest.param(calls_task(tool("f"), tool("g"), key=[{"h": {}}], category="multiple"),
                     "not_offered", "h", id="not offered"),
        pytest.param(calls_task(tool("f", x="integer"), category="parallel",
                                key=[{"f": {"x": [1, 2, ""]}}, {"f": {"x": [2]}}]),
                     None, "", id="some order passes"),
        pytest.param(value_task("bfcl-agentic", ["$49.99"]), "answer_refused", "key", id="sign"),
        pytest.param(value_task("bfcl-agentic", ["$49", "49"]), None, "", id="plain variant"),
        pytest.param(value_task("exact", ["a"]), None, "", id="text"),
        pytest.param(value_task("multiple_choice", "7th"), None, "", id="key of no use"),
    ],
)  # fmt: skip
def test_obstacle(task: Task, obstacle: Any, where: str) -> None:
    found = find_obstacle(task, task.key, V4)
    assert (found and found.obstacle) == obstacle
    assert (found.where if found else "") == where


def test_bfcl_keys_that_their_own_values_do_not_satisfy(bfcl_v4: Path) -> None:
    """The kinds are those of section 13, items 1 and 2, of the project's reading of BFCL."""
    tasks = [t for t in parse_bfcl(bfcl_v4).tasks if t.key_kind is not KeyKind.CALL_TURNS]
    found = [(t.category, find_obstacle(t, t.key, V4)) for t in tasks]
    assert Counter((category, o.obstacle.value) for category, o in found if o) == {
        ("simple_java", "value_refused"): 2,
        ("live_simple", "no_accepted_value"): 2,
        ("live_multiple", "no_accepted_value"): 1,
        ("live_multiple", "not_in_schema"): 1,
        ("live_multiple", "required_not_in_key"): 1,
    }
