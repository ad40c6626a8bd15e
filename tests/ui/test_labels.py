from __future__ import annotations

import pytest

from audit_app.ui.labels import stratum_label, stratum_labels


@pytest.mark.parametrize(
    ("stratum", "label"),
    [
        pytest.param("live_ast", "Live AST", id="group"),
        pytest.param("agentic/memory", "Agentic / Memory", id="two levels"),
        pytest.param("multi_turn/multi_turn_base", "Multi-turn / multi_turn_base", id="category"),
        pytest.param("<i>cat</i>", "<i>cat</i>", id="a slash of its own"),
        pytest.param("http://a/b", "http://a/b", id="address"),
        pytest.param("", "", id="empty"),
    ],
)
def test_only_the_groups_of_bfcl_are_renamed(stratum: str, label: str) -> None:
    assert stratum_label(stratum) == label
    assert stratum_labels([stratum]) == ({} if label == stratum else {stratum: label})
