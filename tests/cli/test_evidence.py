"""`assay evidence`, and the way of a finding from trials to a report that anyone can check."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_app.cli.options import settings_of
from audit_app.services.context import Services, open_services
from tests.cli.conftest import Assay
from tests.services.evidence_audits import REASON, Defect, recorded_job, shop_with_finding
from tests.services.planted_audits import NAME


@pytest.fixture
def shop(tmp_path: Path) -> tuple[Defect, str]:
    """A finding of ada, and a finished job of three trials of its task."""
    with open_services(settings_of(tmp_path / "assay.db", "ada")) as services:
        defect = shop_with_finding(services)
        return defect, _job(services, tmp_path, defect)


def _job(services: Services, folder: Path, defect: Defect) -> str:
    return recorded_job(services, folder, {defect.task_id: [defect.right] * 3}).id


def test_from_trials_to_a_report_that_anyone_can_check(
    assay: Assay, shop: tuple[Defect, str], tmp_path: Path
) -> None:
    defect, job = shop
    done = assay(
        "evidence", NAME, "--attach", job, "--task", defect.task_id, "--reason", REASON, "--json"
    )
    assert done.status == 0, done.err
    (row,) = done.json["evidence"]
    assert row["id"] == done.json["attached"]
    assert row["published"] == {"trials": 3, "passed": 0, "failed": 3, "errors": {}}
    assert row["proposed"] == {"trials": 3, "passed": 3, "failed": 0, "errors": {}}
    assert row["triage"] == "key_or_scorer"
    listed = assay("evidence", NAME)
    assert "published key 0 of 3 passed, 3 failed; proposed key 3 of 3 passed" in listed.out
    assert REASON in listed.out

    written = assay("report", NAME, "--out", tmp_path / "out", "--json").json["files"]
    files = {Path(path).name: path for path in written}
    assert "Confirmed by live runs" in Path(files["report.md"]).read_text(encoding="utf-8")
    graded = assay("grade", files["trials_cases.jsonl"], "--json")
    assert graded.status == 0
    assert (graded.json["agree"], graded.json["disagree"]) == (2, [])
    counted = assay("trials", files["trials.jsonl"], "--json")
    assert counted.status == 0
    (model,) = counted.json["models"]
    assert (model["tasks"], model["never"]) == (1, 1)
    assert assay("verify").status == 0


def test_another_key_can_be_tried(assay: Assay, shop: tuple[Defect, str], tmp_path: Path) -> None:
    defect, job = shop
    path = tmp_path / "key.json"
    path.write_text(defect.key.replace("[{", '[{"nothing.such": {}}, {', 1), encoding="utf-8")
    done = assay(
        *("evidence", NAME, "--attach", job, "--task", defect.task_id, "--reason", REASON),
        *("--proposed-key", path, "--json"),
    )
    assert done.json["evidence"][0]["proposed"]["passed"] == 0
    assert "do not show what the finding says" in assay("evidence", NAME).out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        pytest.param(["--reason", REASON], "go with --attach", id="reason alone"),
        pytest.param(["--attach", "12345678"], "needs --task", id="no task"),
        pytest.param(
            ["--attach", "12345678", "--task", "TASK", "--reason", REASON], "no job", id="no job"
        ),
        pytest.param(["--attach", "JOB", "--task", "TASK"], "0 characters", id="no reason"),
        pytest.param(
            ["--attach", "JOB", "--task", "nope", "--reason", REASON],
            "ada has no finding on nope",
            id="no finding",
        ),
        pytest.param(
            ["--attach", "JOB", "--task", "TASK", "--reason", REASON, "--finding", "2"],
            "has no finding 2",
            id="no second finding",
        ),
        pytest.param(
            ["--attach", "JOB", "--task", "TASK", "--reason", REASON, "--as", "grace"],
            "grace has no finding",
            id="somebody else",
        ),
    ],
)
def test_bad_input_is_one_sentence(
    assay: Assay, shop: tuple[Defect, str], arguments: list[str], words: str
) -> None:
    defect, job = shop
    given = [{"TASK": defect.task_id, "JOB": job}.get(a, a) for a in arguments]
    refused = assay("evidence", NAME, *given)
    assert refused.status == 2
    assert words in refused.err
    assert refused.err.count("\n") == 1
    assert assay("evidence", NAME, "--json").json["evidence"] == []


def test_an_audit_without_evidence_says_so(assay: Assay, shop: tuple[Defect, str]) -> None:
    assert assay("evidence", NAME).out == f"{NAME}: no trials are attached to a finding\n"
