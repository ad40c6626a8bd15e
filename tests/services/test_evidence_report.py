"""A finding confirmed by trials: in the report, and graded and counted again from its files."""

from __future__ import annotations

import csv
import io
import json
import threading
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from pydantic import SecretStr

from audit_app.reporting.evidence import CASES_FILE, TRIALS_FILE
from audit_app.scoring.cases import STORED
from audit_app.services.cases import grade_cases
from audit_app.services.context import Services
from audit_app.services.live_plans import TrialAsk
from audit_app.services.trial_rows import TrialRow
from audit_app.services.trials import read_trial_files, report_trials
from tests.rerun.faulty_server import faulty_server
from tests.services.evidence_audits import (
    HOSTILE,
    REASON,
    Defect,
    recorded_job,
    save_finding,
    shop_with_finding,
)
from tests.services.planted_audits import NAME

EXPORTS = {"evidence.csv", CASES_FILE, TRIALS_FILE}


def attach(services: Services, defect: Defect, job: str, reason: str = REASON) -> None:
    review = services.evidence.own_review(NAME, defect.task_id)
    services.evidence.attach(NAME, defect.task_id, review.id, 0, job, None, reason)


@pytest.fixture
def defect(services: Services, tmp_path: Path) -> Defect:
    """A finding with five trials of one model and two of another, one of each an error."""
    found = shop_with_finding(services)
    answers = [found.right, found.right, HOSTILE, f"{found.right}\n"]
    first = recorded_job(services, tmp_path, {found.task_id: answers}, trials=5)
    second = recorded_job(
        services, tmp_path, {found.task_id: ["[]"]}, trials=2, model="recorded-two", seed=7
    )
    attach(services, found, first.id, f"{REASON} {HOSTILE}")
    attach(services, found, second.id)
    return found


def write(services: Services, folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in services.reports.write(NAME, folder)}


def test_report_shows_trials_condition_and_both_grades(services: Services, defect: Defect) -> None:
    files = services.reports.files(NAME)
    markdown = files["report.md"].decode()
    assert f"### `{defect.task_id}`" in markdown
    assert "**Confirmed by live runs, as recorded:**" in markdown
    assert "recorded-one · 5 of 5 trials" in markdown
    rows = [line for line in markdown.splitlines() if line.startswith(("| published", "| prop"))]
    assert [row.split("|")[2:5] for row in rows] == [
        [" 0 of 5 ", " 4 of 5 ", " 1 of 5 "],
        [" 3 of 5 ", " 1 of 5 ", " 1 of 5 "],
        [" 0 of 2 ", " 1 of 2 ", " 1 of 2 "],
        [" 0 of 2 ", " 1 of 2 ", " 1 of 2 "],
    ]
    assert "Without a verdict under the published key: not run 1." in markdown
    assert "| `hardware` | unknown |" in markdown
    assert "| `temperature` | not sent; the endpoint's own |" in markdown
    part = json.loads(files["report.json"])["evidence"]
    (finding,) = part["findings"]
    first, second = finding["trials"]
    assert finding["confirmed"]
    assert first["shows_defect"]
    assert not second["shows_defect"]
    assert first["published"]["errors"] == {"not_run": 1}
    assert first["condition"]["runtime"] == "unknown"
    assert {first["model"], second["model"]} == {"recorded-one", "recorded-two"}
    table = list(csv.DictReader(io.StringIO(files["evidence.csv"].decode())))
    assert [(r["published_failed"], r["proposed_passed"], r["errors"]) for r in _plain(table)] == [
        ("4", "3", "1"),
        ("1", "0", "1"),
    ]


def _plain(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    return [{**row, "errors": row["published_errors"]} for row in rows]


def test_anyone_can_grade_and_count_the_trials_again(
    services: Services, defect: Defect, tmp_path: Path
) -> None:
    write(services, tmp_path)
    cases = grade_cases(tmp_path / NAME / CASES_FILE, tmp_path)
    assert (cases.disagree, cases.skipped, cases.rejected) == ([], [], [])
    assert cases.agree == len(cases.results) == 2 * 4  # four outputs, each under both keys
    passed = {r.case_id: r.verdict for r in cases.results if r.verdict == "valid"}
    assert all("proposed" in name for name in passed)
    assert sorted(name.split(" / ")[2] for name in passed) == ["trial 1-2", "trial 4"]

    rows = report_trials(read_trial_files([tmp_path / NAME / TRIALS_FILE])).rows
    jobs = [summary.job.id for summary in services.live.jobs(audit=NAME)]
    live = services.live.reliability(jobs)
    assert [_figures(row) for row in rows] == [_figures(row) for row in live]


def _figures(row: TrialRow) -> tuple[object, ...]:
    noted = {task: sorted(signatures) for task, signatures in row.signatures.items()}
    return row.model, row.counts, row.bounds, row.tallies, row.outcomes, noted


def test_a_changed_expectation_is_found(services: Services, defect: Defect, tmp_path: Path) -> None:
    write(services, tmp_path)
    path = tmp_path / NAME / CASES_FILE
    text = path.read_text(encoding="utf-8").replace('"expected":"valid"', '"expected":"invalid"')
    path.write_text(text, encoding="utf-8")
    assert len(grade_cases(path, tmp_path).disagree) == 2


def test_hostile_texts_are_inert(services: Services, defect: Defect) -> None:
    markdown = services.reports.files(NAME)["report.md"].decode()
    parser = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    tokens = parser.parse(markdown)
    inline = [child for token in tokens for child in token.children or []]
    assert "javascript" not in str([c.attrs for c in inline if c.type == "link_open"])
    assert not [t for t in [*tokens, *inline] if t.type.startswith("html")]
    assert "\u202e" not in markdown
    assert len([t for t in tokens if t.type == "heading_open" and t.tag == "h1"]) == 1


def test_no_key_of_an_endpoint_is_in_any_file(services: Services) -> None:
    """The server answers with the header that it got, once in the text and once in an id."""
    defect = shop_with_finding(services)
    secret = "sk-quite/secret+key"
    with faulty_server() as server:
        ask = TrialAsk(endpoint=server.url("echo"), model="echo", trials=2)
        key = SecretStr(secret)
        job = services.live.create(services.live.plan([defect.task_id], ask, audit=NAME, key=key))
        services.live.run(job.id, cancel=threading.Event(), key=key)
    attach(services, defect, job.id)
    files = services.reports.files(NAME)
    assert files.keys() >= EXPORTS
    assert b"you sent" in files[CASES_FILE]
    for name, content in files.items():
        assert b"quite" not in content, name
        assert b"authorization" not in content.lower(), name


def test_no_folder_of_this_machine_is_in_any_file(services: Services, defect: Defect) -> None:
    everything = b"".join(services.reports.files(NAME).values())
    assert b"recorded:answers-" in everything
    assert str(services.workspace.path.parent).encode() not in everything


def test_without_evidence_nothing_is_added(services: Services) -> None:
    shop_with_finding(services)
    files = services.reports.files(NAME)
    assert not EXPORTS & files.keys()
    assert b"live runs" not in files["report.md"]
    assert "evidence" not in json.loads(files["report.json"])


def test_a_finding_that_is_not_confirmed_is_not_called_so(
    services: Services, defect: Defect
) -> None:
    save_finding(services, defect, state="uncertain")
    markdown = services.reports.files(NAME)["report.md"].decode()
    assert "**Not confirmed by live runs:** the finding is uncertain." in markdown
    assert "**Confirmed by live runs" not in markdown
    assert "Attached to an earlier wording" in markdown


def test_a_withdrawn_finding_leaves_a_count(services: Services, defect: Defect) -> None:
    save_finding(services, defect, cause="K3")
    files = services.reports.files(NAME)
    assert "2 further pieces of evidence belong to a finding" in files["report.md"].decode()
    assert {CASES_FILE, TRIALS_FILE}.isdisjoint(files)


def test_scorers_of_tables_are_carried_too(services: Services, audit: str, tmp_path: Path) -> None:
    """Exact match, choices and the like: whatever graded the trials grades the export."""
    task = services.audits.view(audit).sample.task_ids[0]
    defect = Defect(task, '["7", "seven"]', "seven")
    finding = {"effects": ["FN"], "cause": "K1", "severity": 2, "proposed_key": defect.key}
    (ack,) = services.reviewing(audit).apply(
        [{"id": services.clock.new_id(), "task_id": task, "kind": "defect", "findings": [finding]}]
    )
    assert not ack.error
    job = recorded_job(services, tmp_path, {task: ["seven", " 7 ", "8"]}, audit=audit)
    review = services.evidence.own_review(audit, task)
    services.evidence.attach(audit, task, review.id, 0, job.id, None, REASON)
    services.reports.write(audit, tmp_path)
    path = tmp_path / audit / CASES_FILE
    assert {json.loads(line)["output_kind"] for line in path.read_text().splitlines()} == {STORED}
    cases = grade_cases(path, tmp_path)
    assert (cases.agree, cases.disagree, cases.skipped) == (6, [], [])
