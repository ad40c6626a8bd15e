"""`assay report --check`: every figure of a report follows from the files beside it."""

from __future__ import annotations

import csv
import io
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from audit_app.reporting.figure_diff import json_differences, line_differences
from audit_app.reporting.figure_places import markdown_lines
from audit_app.services.report_check import check_report
from tests.cli.conftest import Assay
from tests.cli.report_audits import AUDITS, opened

FORMATS = ("md", "html", "json")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Name of an audit → the folder of its report, and beside it the audit as a folder."""
    folders = {}
    for name, make in AUDITS.items():
        place = tmp_path_factory.mktemp(name.replace(" ", "_"))
        with opened(place) as services:
            audit = make(services, place)
            lead = replace(services, person="op")
            folders[name] = lead.reports.write(audit, place / "out")[0].parent
            lead.transfers.export(audit, place / "audit")
    return folders


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("name", AUDITS)
def test_a_report_follows_from_its_exports(
    written: dict[str, Path], name: str, suffix: str
) -> None:
    check = check_report(written[name] / f"report.{suffix}")
    assert check.differs == ()
    assert check.made_with == check.checked_with


@pytest.fixture
def report(written: dict[str, Path], tmp_path: Path) -> Path:
    """A copy of the plain audit's report, to be changed."""
    folder = tmp_path / "report"
    shutil.copytree(written["plain"], folder)
    return folder


def test_the_command_needs_no_workspace(assay: Assay, report: Path) -> None:
    done = assay("report", "--check", report / "report.md", "--json")
    assert (done.status, done.json["differs"]) == (0, [])
    path = report / "report.md"
    text = path.read_text("utf-8")
    path.write_text(text.replace("40 have been reviewed", "41 have been reviewed"), "utf-8")
    done = assay("report", "--check", path, "--json")
    assert done.status == 1
    (found,) = done.json["differs"]
    assert "[…] have been reviewed so far" in found["figure"]
    assert (found["printed"], found["recomputed"]) == ("41", "40")
    assert "printed 41, recomputed 40" in assay("report", "--check", path).out
    assert not Path("assay.db").exists()


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(suffix=st.sampled_from(FORMATS), data=st.data())
def test_a_changed_digit_is_named(report: Path, suffix: str, data: st.DataObject) -> None:
    """Any single digit, wherever it stands."""
    path = report / f"report.{suffix}"
    text = path.read_text("utf-8")
    digits = [place for place, c in enumerate(text) if c.isascii() and c.isdigit()]
    place = data.draw(st.sampled_from(digits))
    other = data.draw(st.sampled_from(sorted(set("0123456789") - {text[place]})))
    changed = path.with_name(f"changed.{suffix}")
    changed.write_text(text[:place] + other + text[place + 1 :], "utf-8")
    found = check_report(changed).differs
    assert found
    assert all(d.printed != d.recomputed for d in found)


def _flipped(text: str, number: int) -> str:
    """The review file with one judgement turned round."""
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    row = rows[number % len(rows)]
    was_clean = row["judgement"] == "clean"
    row |= dict.fromkeys(
        ("effects", "cause", "causes", "severity", "state", "evidence", "proposed_key"), ""
    )
    row["judgement"] = "clean"
    if was_clean:
        row |= {"judgement": "defect", "effects": "FN FP", "cause": "K2", "severity": "3"}
        row["state"] = "confirmed"
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\r\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def _truly(audit: Path, reviews: Path, place: Path, name: str) -> Path:
    """The report of an audit in which the reviews are really so; its folder."""
    bare = place / f"bare{name}"
    shutil.copytree(audit, bare)
    manifest = json.loads((bare / "manifest.json").read_text("utf-8"))
    manifest["files"] = [f for f in manifest["files"] if f["name"] != "reviews.jsonl"]
    (bare / "manifest.json").write_text(json.dumps(manifest), "utf-8")
    with opened(place, f"{name}.db") as services:
        services.transfers.import_folder(bare)
        services.review_files.import_file("shop", reviews)
        return services.reports.write("shop", place / name)[0].parent


@settings(
    max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(number=st.integers(0, 39))
def test_a_changed_review_names_every_figure_that_no_longer_follows(
    written: dict[str, Path], tmp_path_factory: pytest.TempPathFactory, number: int
) -> None:
    """What the check says differs from an audit in which the review is truly so in nothing."""
    place = tmp_path_factory.mktemp("flip")
    report, audit = place / "report", written["plain"].parents[1] / "audit"
    shutil.copytree(written["plain"], report)
    reviews = report / "reviews.csv"
    text = reviews.read_bytes().decode()
    reviews.write_bytes(_flipped(text, number).encode())
    truth = _truly(audit, reviews, place, "truth")
    printed, true = (json.loads((f / "report.json").read_text()) for f in (report, truth))
    expected = list(json_differences(printed, true))
    assert {"figures.defective.count", "figures.effects.fn"} <= {d.figure for d in expected}
    assert list(check_report(report / "report.json").differs) == expected
    printed, true = (markdown_lines((f / "report.md").read_text("utf-8")) for f in (report, truth))
    expected = list(line_differences(printed, true))
    assert list(check_report(report / "report.md").differs) == expected


def test_one_reviewer_less_changes_agreement(written: dict[str, Path], tmp_path: Path) -> None:
    folder = tmp_path / "report"
    shutil.copytree(written["adjudicated"], folder)
    settled = json.loads((folder / "report.json").read_text("utf-8"))["errors"][0]["task_id"]
    path = folder / "reviews.csv"
    lines = path.read_text("utf-8").split("\n")
    kept = [line for line in lines if not line.startswith(f"{settled},bob,")]
    path.write_text("\n".join(kept), "utf-8")
    figures = {d.figure for d in check_report(folder / "report.json").differs}
    assert "reviewers.agreement.tasks" in figures
    assert any(f.startswith("reviewers.agreement.rows[defect].figures.alpha") for f in figures)
    assert "figures.reviewed" in figures


MISSING = ("inputs.json", "frame.csv", "sample.csv", "reviews.csv", "grades.csv", "entries.csv")


@pytest.mark.parametrize("name", MISSING)
def test_a_missing_export_is_named(assay: Assay, report: Path, name: str) -> None:
    (report / name).unlink()
    done = assay("report", "--check", report / "report.md")
    assert done.status == 2
    assert f"{name} is missing: the figures cannot be recomputed without it" in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        pytest.param("inputs.json", "{", "inputs.json cannot be read", id="no JSON"),
        pytest.param("inputs.json", '{"schema_version": 9}', "has version 9", id="newer"),
        pytest.param("frame.csv", "task_id\r\nx\r\n", "frame.csv cannot be read", id="columns"),
        pytest.param("grades.csv", "model,entry_id,before,after\nm,e,x,\n", "grades", id="number"),
        pytest.param("sampled_tasks.jsonl", "", "has no task", id="no tasks"),
        pytest.param("reviews.csv", "a,b\n1,2\n", "reviews.csv", id="no reviews"),
    ],
)
def test_a_broken_export_is_named(
    assay: Assay, report: Path, name: str, content: str, said: str
) -> None:
    (report / name).write_text(content, "utf-8")
    done = assay("report", "--check", report / "report.md")
    assert done.status == 2
    assert said in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param(("--check", "gone.md"), "cannot be read", id="no file"),
        pytest.param(("--check", "x.pdf"), "is no report", id="another kind"),
        pytest.param(("shop", "--check", "x.md"), "no name of an audit", id="a name beside"),
        pytest.param((), "name the audit to report on", id="neither"),
    ],
)
def test_what_cannot_be_checked(assay: Assay, arguments: tuple[str, ...], said: str) -> None:
    done = assay("report", *arguments)
    assert done.status == 2
    assert said in done.err


def test_another_corrected_key_is_not_guessed(report: Path) -> None:
    """The exported grades are of one corrected key; what another would give is not known."""
    path = report / "inputs.json"
    inputs = json.loads(path.read_text("utf-8"))
    (task, *_), graded = inputs["impact"]["graded"], inputs["impact"]["graded"]
    graded[task] = "0" * 64
    path.write_text(json.dumps(inputs), "utf-8")
    *_, found = check_report(report / "report.md").differs
    assert found.figure == f"effect on the leaderboard, {task}"
    assert found.recomputed is None


def test_tasks_without_a_defect_are_not_given_away(report: Path) -> None:
    rows = map(json.loads, (report / "sampled_tasks.jsonl").read_text("utf-8").splitlines())
    whole = {row["id"] for row in rows if row["key_kind"] != "missing"}
    errors = json.loads((report / "report.json").read_text("utf-8"))["errors"]
    assert whole == {row["task_id"] for row in errors}
