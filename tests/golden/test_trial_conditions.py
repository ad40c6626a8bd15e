"""The golden cases of repeated trials that are about what may be put together, and about hints."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from audit_app.domain.repeat_runs import differing_fields
from audit_app.stats.triage import Triage, Trials, triage

_FILE = Path(__file__).parents[1] / "data" / "repeat_trials.json"
_CASES: dict[str, Any] = {
    case["id"]: case for case in json.loads(_FILE.read_text("utf-8"))["cases"]
}


def test_rows_under_another_follow_up_policy_are_not_joined() -> None:
    case = _CASES["condition_mismatch"]
    first, second = case["input"]["row1"], case["input"]["row2"]
    of_condition = ("model", "follow_up")
    differing = differing_fields(
        {name: first[name] for name in of_condition}, {name: second[name] for name in of_condition}
    )
    assert (not differing) is case["expect"]["joinable"]
    assert f"{differing[0]} differs" == case["expect"]["reason"]
    share = second["question_terminated"] / second["n_trials"]
    assert share == case["expect"]["question_terminated_share"]


def test_one_failure_again_and_again_asks_for_the_key() -> None:
    case = _CASES["systematic_failure"]
    given = case["input"]
    assert (given["per_task_successes"], given["distinct_failure_signatures"]) == ([0], 1)
    hint = triage({given["model"]: Trials(0, ("extra title",) * given["k"])})
    assert (hint.triage, len(hint.signatures)) == (Triage.KEY_OR_SCORER, 1)
