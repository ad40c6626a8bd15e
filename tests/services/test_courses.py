from __future__ import annotations

from pathlib import Path

import pytest

from audit_app.errors import InputError
from audit_app.services.context import Services
from audit_app.services.resources import resource
from audit_app.services.rubric_files import chosen_rubric
from tests.services.records import judge, sampled


def _own_rubric(folder: Path, *changes: tuple[str, str]) -> Path:
    text = resource("rubric", "minimal.toml").read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "own.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.fixture
def own(services: Services, audit: str, tmp_path: Path) -> str:
    """An audit by a rubric file of one's own, with 20 sampled tasks."""
    choice = chosen_rubric(str(_own_rubric(tmp_path)))
    plan = services.audits.view(audit).audit.plan.model_copy(update={"size": 20})
    preview = services.audits.preview("harbour", plan)
    services.audits.create("own", "harbour", preview, choice)
    return "own"


def test_an_early_stop_keeps_who_when_and_why(services: Services, audit: str) -> None:
    tasks = sampled(services, audit)
    judge(services, audit, tasks[:8], defective=tasks[:5])
    with pytest.raises(InputError, match="the text is empty"):
        services.courses.stop(audit, " ")
    view = services.courses.stop(audit, "the threshold is passed")
    assert "by ada, with 8 of 10 sampled tasks reviewed: the threshold is passed" in (
        view.grounds.stop
    )
    services.rubrics.set(audit, "access", "full")
    view = services.rubrics.set(audit, "scoring", "issue")
    assert (view.verdict.outcome.value, view.verdict.partial) == ("flawed", True)
    report = services.reports.files(audit)["report.md"].decode()
    assert "**Stopped early.**" in report
    assert "Not reviewed yet, 2 of 10 sampled tasks" in report
    assert "found right in 3 of 8 reviewed tasks" in report  # the unread are no passes
    with pytest.raises(InputError, match="is stopped already"):
        services.courses.stop(audit, "again")
    assert services.courses.resume(audit, "more time").grounds.stop == ""


def test_there_is_no_early_stop_with_everything_read(services: Services, audit: str) -> None:
    judge(services, audit, sampled(services, audit))
    with pytest.raises(InputError, match="there is nothing to stop"):
        services.courses.stop(audit, "done")
    with pytest.raises(InputError, match="is not stopped"):
        services.courses.resume(audit, "go on")


def test_the_small_rubric_goes_all_the_way(services: Services, own: str) -> None:
    """Only a gate and a threshold of 10 %: 2 of 20 are an issue, and nothing else is asked."""
    tasks = sampled(services, own)
    judge(services, own, tasks, defective=tasks[:2])
    view = services.audits.view(own)
    assert (view.status.threshold, view.status.next.value) == (0.10, "issue")
    services.rubrics.set(own, "keys_open", "yes")
    view = services.rubrics.set(own, "defects", "fail")
    assert (view.verdict.outcome.value, view.verdict.partial) == ("flawed", False)
    report = services.reports.files(own)["report.md"].decode()
    assert "**Verdict: Keys do not hold.**" in report
    assert "Reviewability" not in report


def test_a_rubric_file_changed_half_way_is_said_and_the_stored_one_stands(
    services: Services, own: str, tmp_path: Path
) -> None:
    tasks = sampled(services, own)
    judge(services, own, tasks, defective=tasks[:2])
    assert services.audits.view(own).rubric_note == ""
    _own_rubric(tmp_path, ("value = 0.10", "value = 0.20"), ("[0.10, 0.10]", "[0.20, 0.20]"))
    view = services.audits.view(own)
    assert (view.status.threshold, view.status.next.value) == (0.10, "issue")
    assert "own.toml has changed since: the threshold is 0.2 and was 0.1" in view.rubric_note
    assert str(tmp_path) not in view.rubric_note
    assert "**The rubric file differs.**" in services.reports.files(own)["report.md"].decode()
    with pytest.raises(InputError, match="the text is empty"):
        services.courses.adopt(own, None, "")
    view = services.courses.adopt(own, None, "agreed with the developers")
    assert (view.status.threshold, view.rubric_note) == (0.20, "")
    assert view.status.next.value == "pass"
    report = services.reports.files(own)["report.md"].decode()
    assert "Reason given: agreed with the developers" in report
    with pytest.raises(InputError, match="nothing to adopt"):
        services.courses.adopt(own, None, "again")
    assert services.verify().problems == ()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        pytest.param(("base = 20", "base = "), "is not valid TOML", id="broken"),
        pytest.param(('go = "keys"', 'go = "access"'), "a cycle", id="cycle"),
    ],
)
def test_a_rubric_file_that_broke_half_way_is_said(
    services: Services, own: str, tmp_path: Path, change: tuple[str, str], told: str
) -> None:
    _own_rubric(tmp_path, change)
    note = services.audits.view(own).rubric_note
    assert note.startswith("The rubric file own.toml cannot be compared with this audit: ")
    assert told in note
    (tmp_path / "own.toml").unlink()
    assert "cannot be read" in services.audits.view(own).rubric_note


def test_the_history_keeps_every_change_with_its_numbers(services: Services, audit: str) -> None:
    tasks = sampled(services, audit)
    judge(services, audit, tasks[:4], defective=tasks[:1])
    assert services.courses.history(audit) == ()
    services.rubrics.set(audit, "access", "insufficient")
    judge(services, audit, tasks[4:], defective=tasks[4:8])
    services.rubrics.set(audit, "scoring", "issue")  # changes nothing while the gate stops
    services.rubrics.set(audit, "access", "full")
    changes = services.courses.history(audit)
    assert [c.outcome.value for c in changes] == ["nei", "flawed"]
    numbers = [(c.numbers.reviewed, c.numbers.defective) for c in changes if c.numbers]
    assert numbers == [(4, 1), (10, 5)]
    assert {(c.by, c.version) for c in changes} == {
        ("ada", services.audits.view(audit).benchmark.version)
    }
    report = services.reports.files(audit)["report.md"].decode()
    assert "## History of the verdict" in report
    assert "1 of 4 reviewed tasks" in report
