"""Adjudication and agreement from the command line, on the 50 tasks of ``team_audits``."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from audit_app.services.context import open_services
from audit_app.settings import Settings
from tests.cli.conftest import Assay
from tests.services.team_audits import NAME, make_audit, said, sampled


def write_reviews(path: Path, tasks: list[str], people: tuple[str, ...] = ("ann", "bob")) -> None:
    """The reviews of ``team_audits`` as a file in the full form."""
    lines = []
    for position, task_id in enumerate(tasks):
        for person, finding in said(position):
            judgement = "defect" if finding else "clean"
            row = {"task_id": task_id, "reviewer": person, "judgement": judgement}
            row |= {"reviewed_at": "2026-11-29T12:00:00Z", **(finding or {})}
            if person in people:
                lines.append(json.dumps(row))
    path.write_text("\n".join(lines), encoding="utf-8")


@pytest.fixture
def tasks(assay: Assay, tmp_path: Path) -> list[str]:
    """Tasks of an audit that is to be reviewed by ann and bob and adjudicated by eve."""
    settings = Settings(db=tmp_path / "assay.db", reviewer="eve", cache=tmp_path)
    with open_services(settings) as services:
        make_audit(services, tmp_path)
        return sampled(services)


@pytest.fixture
def reviewed(assay: Assay, tasks: list[str], tmp_path: Path) -> Assay:
    write_reviews(tmp_path / "reviews.jsonl", tasks)
    assert assay("reviews", "import", NAME, tmp_path / "reviews.jsonl").status == 0
    return assay


def rows(agreement: Mapping[str, Any]) -> dict[str, Any]:
    return {row["id"]: row["figures"] for row in agreement["rows"]}


def test_two_reviewers_and_an_adjudicator_go_through_50_tasks(
    reviewed: Assay, tasks: list[str], tmp_path: Path
) -> None:
    """R18, R19, R21; the figures are derived in tests/services/test_adjudication.py."""
    assay = reviewed
    before = assay("adjudicate", NAME, "--as", "eve", "--json").json
    assert [case["task_id"] for case in before["open"]] == tasks[:5] + tasks[20:35]
    assert len(before["identical"]) == 30
    assert before["settled"] == 0
    status = assay("audit", "status", NAME, "--as", "eve", "--json").json
    assert status["awaiting"] == {"adjudication": 50, "reviews": 0}
    assert (status["sampled"], status["reviewed"]) == (50, 0)
    accepted = assay("adjudicate", NAME, "--as", "eve", "--accept-identical", "--json").json
    assert (accepted["accepted"], accepted["settled"]) == (30, 30)
    (tmp_path / "key.json").write_text('"25"')
    defect = ("--effects", "fn,FP", "--cause", "K1", "--severity", 3, "--note", "both ways")
    key = ("--proposed-key", tmp_path / "key.json", "--evidence", "https://example.org")
    decisions: dict[int, tuple[object, ...]] = {
        **dict.fromkeys(range(5), ("--take", "ann", "--reason", "the key was never right")),
        **dict.fromkeys(range(20, 25), ("--clean",)),
        **dict.fromkeys(range(25, 30), ("--take", "bob")),
        **dict.fromkeys(range(30, 35), defect + key),
    }
    for position, arguments in decisions.items():
        done = assay("adjudicate", NAME, "--as", "eve", "--task", tasks[position], *arguments)
        assert (done.status, done.err) == (0, "")
    after = assay("adjudicate", NAME, "--as", "eve", "--json").json
    assert (after["open"], after["settled"]) == ([], 50)
    assert after["agreement"] == before["agreement"]
    figures = rows(after["agreement"])
    assert figures["defect"]["raw"] == 0.7
    assert figures["defect"]["kappa"] == pytest.approx(0.4)
    assert figures["FP"]["kappa"] is None
    assert figures["FP"]["undefined"]["kappa"].startswith("everyone said 'no'")
    status = assay("audit", "status", NAME, "--as", "eve", "--json").json
    assert (status["reviewed"], status["defective"]) == (50, 30)
    assert status["effects"] == {"fn": 30, "fp": 5, "both": 5}
    assert status["awaiting"] == {"adjudication": 0, "reviews": 0}
    assert status["agreement"] == after["agreement"]
    shown = assay("audit", "status", NAME, "--as", "eve").out
    assert "agreement on defective: 35 of 50 = 70.0 %, kappa 0.40, alpha 0.40" in shown


def test_r21_agreement_is_in_every_format_of_the_report(
    reviewed: Assay, tasks: list[str], tmp_path: Path
) -> None:
    assay = reviewed
    assay("adjudicate", NAME, "--as", "eve", "--accept-identical")
    assay("adjudicate", NAME, "--as", "eve", "--task", tasks[0], "--take", "ann")
    back = ["--send-back", "bob", "--reason", "look at the unit"]
    assay("adjudicate", NAME, "--as", "eve", "--task", tasks[20], *back)
    written = assay("report", NAME, "--as", "eve", "--out", tmp_path / "out", "--json").json
    files = {Path(path).name: Path(path) for path in written["files"]}
    markdown = files["report.md"].read_text(encoding="utf-8")
    assert "Adjudicated: 31 of the 50 tasks of the sample, by eve (31 tasks): 30 " in markdown
    assert "Reviews sent back to their reviewer with a reason: 1, of which 1 without" in markdown
    assert "Adjudicator excluded" in markdown
    assert "| Defective (defect) | 50 | 35 of 50 | 70.0 % (56.2 to 80.9) | 0.40 (" in markdown
    part = json.loads(files["report.json"].read_text(encoding="utf-8"))["reviewers"]
    assert part["adjudicated"] == {"identical": 30, "took": 1, "own": 0}
    assert (part["send_backs"], part["unanswered"], part["hidden"]) == (1, 1, 0)
    with files["agreement.csv"].open(encoding="utf-8", newline="") as lines:
        table = {row["question"]: row for row in csv.DictReader(lines)}
    assert (table["defect"]["agree"], table["defect"]["pairs"]) == ("35", "50")
    assert float(table["defect"]["kappa"]) == pytest.approx(0.4)
    assert (table["FP"]["raw"], table["FP"]["kappa"]) == ("1.0", "")
    assert float(table["severity"]["alpha"]) < 0


def test_r23_without_a_shared_task_the_figure_is_no_overlap(
    assay: Assay, tasks: list[str], tmp_path: Path
) -> None:
    write_reviews(tmp_path / "reviews.jsonl", tasks, people=("ann",))
    assay("reviews", "import", NAME, tmp_path / "reviews.jsonl")
    status = assay("audit", "status", NAME, "--as", "eve", "--json").json
    assert status["agreement"] is None
    reason = "no overlap: no task was judged by two people"
    assert status["undefined"]["agreement"] == reason
    assert status["awaiting"] == {"adjudication": 0, "reviews": 50}
    assay("report", NAME, "--as", "eve", "--out", tmp_path / "out")
    markdown = (tmp_path / "out" / NAME / "report.md").read_text(encoding="utf-8")
    assert f"Agreement is not defined, {reason}." in markdown


def test_r17_a_report_says_what_it_leaves_out_and_names_nobody_else(
    assay: Assay, tasks: list[str], tmp_path: Path
) -> None:
    write_reviews(tmp_path / "reviews.jsonl", tasks, people=("ann",))
    assay("reviews", "import", NAME, tmp_path / "reviews.jsonl")
    assay("report", NAME, "--as", "bob", "--out", tmp_path / "out")
    markdown = (tmp_path / "out" / NAME / "report.md").read_text(encoding="utf-8")
    assert "50 judgements are left out of this report: bob has not yet judged those" in markdown
    assert re.search(r"\bann\b", markdown) is None
    shown = assay("adjudicate", NAME, "--as", "bob", "--json").json
    assert (shown["open"], shown["identical"], shown["hidden"]) == ([], [], 50)


def test_a_case_is_shown_side_by_side_and_undone(reviewed: Assay, tasks: list[str]) -> None:
    one = ("adjudicate", NAME, "--as", "eve", "--task", tasks[0])
    shown = reviewed(*one)
    assert "≠ cause\n    ann: K1\n    bob: K2" in shown.out
    assert reviewed(*one, "--json").json["differing"] == ["cause", "severity"]
    reviewed(*one, "--take", "bob")
    assert "settled by eve (took)" in reviewed(*one).out
    assert reviewed(*one, "--undo", "--json").json["settled"] == 0
    assert reviewed(*one, "--undo").err.endswith("has no adjudication to take back\n")


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(["--clean"], "--clean needs --task ID", id="no task"),
        pytest.param(["--task", "{0}", "--clean", "--undo"], "exclude each other", id="two ways"),
        pytest.param(["--task", "{0}", "--cause", "K1"], "give its --effects too", id="no effect"),
        pytest.param(["--task", "{0}", "--effects", "FX"], "'FX' is none of FN", id="effect"),
        pytest.param(["--task", "{0}", "--take", "zoe"], "there are: ann, bob", id="no reviewer"),
        pytest.param(["--task", "nope"], "there is no case 'nope'", id="no such task"),
        pytest.param(["--task", "{0}", "--send-back", "bob"], "say why", id="no reason"),
        pytest.param(
            ["--task", "{0}", "--effects", "FN", "--cause", "Q1"], "no cause 'Q1'", id="cause"
        ),
        pytest.param(
            ["--task", "{0}", "--effects", "FN", "--proposed-key", "no.json"], "no.json", id="file"
        ),
        pytest.param(["--task", "{0}", "--accept-identical"], "leave --task out", id="both"),
        pytest.param(["--task", "{0}", "--clean", "--as", "ann"], "ann judged it", id="own task"),
    ],
)
def test_bad_input_is_one_sentence_and_nothing_is_done(
    reviewed: Assay, tasks: list[str], arguments: list[str], says: str
) -> None:
    given = [part.format(tasks[0]) for part in arguments]
    person = [] if "--as" in given else ["--as", "eve"]
    shown = reviewed("adjudicate", NAME, *given, *person)
    assert (shown.status, shown.out, shown.err.count("\n")) == (2, "", 1)
    assert says in shown.err
    assert reviewed("adjudicate", NAME, "--as", "eve", "--json").json["settled"] == 0
