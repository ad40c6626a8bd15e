"""Sharing an audit from the command line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Assay

NEW = ("audit", "new", "shared", "--benchmark", "harbour")


@pytest.fixture
def audit(assay: Assay, tmp_path: Path) -> list[str]:
    """A census of eight tasks, named ``shared``; their ids."""
    rows = [{"id": f"t{n}", "prompt": f"Do {n}.", "key": str(n)} for n in range(8)]
    path = tmp_path / "tasks.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    assert assay("import", "table", path, "--benchmark", "harbour").status == 0
    made = assay(*NEW, "--size", 8, "--seed", "s", "--json")
    return [task for draw in made.json["draw"] for task in draw["task_ids"]]


def review(assay: Assay, folder: Path, person: str, tasks: list[str], judgement: str) -> None:
    """Store reviews of somebody, as an import does."""
    path = folder / f"{person}.csv"
    effects = "FN" if judgement == "defect" else ""
    lines = [f"{task},{person},{judgement},{effects}" for task in tasks]
    path.write_text("\n".join(["task_id,reviewer,judgement,effects", *lines]), encoding="utf-8")
    assert assay("reviews", "import", "shared", path).status == 0


def by_person(data: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["reviewer"]: row for row in data["people"]}


def test_the_team_is_shown_and_set_and_what_follows_is_said(
    assay: Assay, audit: list[str], tmp_path: Path
) -> None:
    assert "nobody has begun" in assay("audit", "team", "shared").out
    review(assay, tmp_path, "ada", audit[:3], "clean")
    two = assay("audit", "team", "shared", "--reviews-per-task", 2, "--mode", "worst_wins")
    assert "3 tasks that had all reviews are open again" in two.out
    assert "nobody sees other people's reviews" in two.out
    assert "a task counts by its worst review" in two.out
    named = assay("audit", "team", "shared", "--reviewer", "bob", "--reviewer", "cy", "--json")
    assert named.json["team"]["reviewers"] == ["bob", "cy"]
    assert named.json["consequences"] == [
        "ada is no longer among the reviewers; 3 reviews stand, and everything is visible to them."
    ]
    people = by_person(named.json)
    assert (people["ada"]["done"], people["ada"]["is_reviewer"]) == (3, False)
    assert (people["bob"]["done"], people["bob"]["left"]) == (0, 8)
    review(assay, tmp_path, "bob", audit[:1], "clean")
    one = assay("audit", "team", "shared", "--reviews-per-task", 1, "--mode", "single")
    assert "every review is kept; 1 task with more of them get no further one" in one.out
    free = assay("audit", "team", "shared", "--anyone-reviews", "--json")
    assert free.json["team"]["reviewers"] == []


def test_the_standing_of_people_tells_nothing_of_what_they_judged(
    assay: Assay, audit: list[str], tmp_path: Path
) -> None:
    assay("audit", "team", "shared", "--reviews-per-task", 2)
    shown = []
    for judgement in ("clean", "defect"):
        review(assay, tmp_path, "bob", audit[:4], judgement)
        shown.append([assay("audit", "team", "shared", *flag).out for flag in ((), ("--json",))])
    assert shown[0] == shown[1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(["--mode", "worst_wins"], "needs at least two reviews", id="mode alone"),
        pytest.param(["--reviews-per-task", 0], "reviews_per_task", id="no reviews"),
        pytest.param(["--reviews-per-task", 99], "reviews_per_task", id="too many reviews"),
        pytest.param(["--lease-minutes", 0], "lease_minutes", id="no lease"),
        pytest.param(["--planted", 0.5], "share of planted checks is 0.5", id="too many planted"),
        pytest.param(
            ["--reviews-per-task", 2, "--reviewer", "ada"], "need as many reviewers", id="too few"
        ),
        pytest.param(["--reviewer", " "], "cannot name a person", id="no name"),
        pytest.param(["--reviewer", "a\u202eb"], "cannot name a person", id="unprintable name"),
        pytest.param(["--reviewer", "a", "--anyone-reviews"], "give one of them", id="both"),
    ],
)
def test_settings_that_do_not_hold_are_refused_in_one_line(
    assay: Assay, audit: list[str], arguments: list[object], says: str
) -> None:
    before = assay("audit", "team", "shared", "--json").json["team"]
    refused = assay("audit", "team", "shared", *arguments)
    assert refused.status == 2
    assert says in refused.err
    assert refused.err.count("\n") == 1
    assert assay("audit", "team", "shared", "--json").json["team"] == before


def test_tasks_are_assigned_one_by_one_evenly_and_taken_back(
    assay: Assay, audit: list[str]
) -> None:
    people = ["--reviewer", "bob", "--reviewer", "cy", "--reviewer", "dee"]
    assay("audit", "team", "shared", *people, "--reviews-per-task", 2)
    one = assay("audit", "assign", "shared", "--task", audit[0], "--reviewer", "bob")
    assert "1 assignment made" in one.out
    assert "1 of the assigned tasks can never have their 2 reviews" in one.out
    evenly = assay("audit", "assign", "shared", "--evenly", "--seed", "s", "--json").json
    assert (evenly["changed"], evenly["short_handed"]) == (15, 0)
    assert sorted(row["assigned"] for row in evenly["people"]) == [5, 5, 6]
    again = assay("audit", "assign", "shared", "--evenly", "--seed", "s", "--json").json
    assert again["changed"] == 0
    task = ["--task", audit[0], "--reviewer", "bob"]
    assert "1 assignment taken back" in assay("audit", "assign", "shared", *task, "--take-back").out
    rest = assay("audit", "assign", "shared", "--evenly", "--take-back", "--json").json
    assert rest["changed"] == 15


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param([], "say which tasks", id="nothing said"),
        pytest.param(["--task", "t1"], "say to whom", id="no reviewer"),
        pytest.param(["--task", "zz", "--reviewer", "bob"], "'zz' is not in this", id="outside"),
        pytest.param(["--task", "t1", "--reviewer", "eve"], "not among the reviewers", id="eve"),
        pytest.param(["--task", "t1", "--evenly"], "say which tasks", id="both"),
        pytest.param(["--task", "t1", "--reviewer", "bob", "--seed", "s"], "--evenly", id="seed"),
        pytest.param(["--evenly", "--reviewer", "bob"], "need as many reviewers", id="too few"),
    ],
)
def test_assignments_that_make_no_sense_are_refused(
    assay: Assay, audit: list[str], arguments: list[str], says: str
) -> None:
    people = ["--reviewer", "bob", "--reviewer", "cy"]
    assay("audit", "team", "shared", *people, "--reviews-per-task", 2)
    refused = assay("audit", "assign", "shared", *arguments)
    assert refused.status == 2
    assert says in refused.err
    assert assay("audit", "team", "shared", "--json").json["people"][0]["assigned"] == 0


def test_r20_a_review_is_sent_back_with_a_reason_and_only_once(
    assay: Assay, audit: list[str], tmp_path: Path
) -> None:
    review(assay, tmp_path, "bob", audit[:1], "clean")
    back = ["audit", "send-back", "shared", audit[0], "--reviewer", "bob", "--reason"]
    assert "needs" not in assay(*back, "the units differ").err
    again = assay(*back, "once more")
    assert (again.status, "sent back already" in again.err) == (2, True)
    assert by_person(assay("audit", "team", "shared", "--json").json)["bob"]["returned"] == 1
    nobody = assay("audit", "send-back", "shared", audit[1], "--reviewer", "bob", "--reason", "x")
    assert (nobody.status, "no review of" in nobody.err) == (2, True)
    empty = assay(*back, " ")
    assert (empty.status, "reason" in empty.err) == (2, True)
