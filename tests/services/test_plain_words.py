"""Bad or empty input through status, verdict and report: said plainly, no number invented."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from audit_app.domain.team import Mode
from audit_app.errors import InputError
from audit_app.services.context import Services
from audit_app.services.team import TeamChange
from tests.services.conftest import write_tasks
from tests.services.records import judge, sampled


def _report(services: Services, audit: str) -> str:
    return services.reports.files(audit)["report.md"].decode()


def _trace(services: Services, audit: str) -> str:
    return "\n".join(step.text for step in services.audits.view(audit).verdict.trace)


def test_nothing_reviewed(services: Services, audit: str) -> None:
    status = services.audits.view(audit).status
    assert (status.rate, status.strict_rate, status.weighted_rate) == (None, None, None)
    assert status.intervals == ()
    assert {"rate", "intervals", "weighted_rate"} <= set(status.undefined)
    services.rubrics.set(audit, "access", "full")
    services.rubrics.set(audit, "scoring", "pass")
    assert "before the numbers propose an answer" in _trace(services, audit)
    assert "the share of defective tasks is not defined" in _report(services, audit)
    compared = services.comparisons
    with pytest.raises(InputError, match="name at least two audits"):
        compared.compare([audit, audit])


def test_one_stratum_without_a_review(services: Services, audit: str) -> None:
    tasks = [t for t in sampled(services, audit) if t.startswith("ferry")]
    judge(services, audit, tasks, defective=tasks[:1])
    view = services.audits.view(audit)
    kiln = next(row for row in view.status.by_stratum if row.stratum == "kiln")
    assert (kiln.reviewed, kiln.rate, kiln.interval) == (0, None, None)
    assert view.status.weighted_rate is None
    assert "kiln" in view.status.undefined["weighted_rate"]
    assert "not defined" in _report(services, audit)


@pytest.mark.parametrize("share", [pytest.param(1, id="all"), pytest.param(0, id="none")])
def test_all_or_none_defective_keeps_an_interval(
    services: Services, audit: str, share: int
) -> None:
    """An interval of no width would claim to know the unread tasks."""
    tasks = sampled(services, audit)
    judge(services, audit, tasks, defective=tasks if share else [])
    view = services.audits.view(audit)
    assert view.status.rate == share
    assert all(i.upper - i.lower > 0.1 for i in view.status.intervals)
    assert view.status.next.value == ("issue" if share else "pass")
    assert f"{100 * share:.1f} %" in _report(services, audit)


def test_conflicting_reviews_that_nobody_settled_count_for_nothing(
    services: Services, audit: str
) -> None:
    tasks = sampled(services, audit)
    services.team(audit).change(TeamChange(mode=Mode.ADJUDICATED, reviews_per_task=2))
    judge(services, audit, tasks[:2], defective=tasks[:2])
    judge(replace(services, person="bo"), audit, tasks[:2])
    status = services.audits.view(audit).status
    assert (status.reviewed, status.defective, status.rate) == (0, 0, None)
    assert "not defined" in _report(services, audit)


def test_a_census_half_read_is_a_floor_and_decides_at_the_threshold(
    services: Services, tmp_path: Path
) -> None:
    """30 tasks, all in the sample; 6 confirmed are 20 % of all, whatever the rest holds."""
    path = write_tasks(tmp_path, {"dock": 30})
    services.benchmarks.import_tasks("table", path, name="dock")
    plan = services.audits.default_plan("dock")
    services.audits.create("census", "dock", services.audits.preview("dock", plan))
    tasks = sampled(services, "census")
    judge(services, "census", tasks[:5], defective=tasks[:5])
    assert services.audits.view("census").status.next.value == "review"
    judge(services, "census", tasks[5:6], defective=tasks[5:6])
    status = services.audits.view("census").status
    assert status.next.value == "issue"
    assert status.intervals == ()
    assert "At least 6 of all 30 tasks are defective (20.0 %), a floor" in status.next_text
    services.rubrics.set("census", "access", "full")
    services.rubrics.set("census", "scoring", "issue")
    assert "fails by the rate" in _trace(services, "census")
    report = _report(services, "census")
    assert "In at least 6 of 30 (20.0 %) tasks" in report
    assert "100.0 %" not in report.split("## Methodology")[0]  # 6 of the 6 that were read


def test_a_floor_is_not_set_against_a_rate_without_saying_so(
    services: Services, audit: str, tmp_path: Path
) -> None:
    judge(services, audit, sampled(services, audit))
    path = write_tasks(tmp_path, {"dock": 30})
    services.benchmarks.import_tasks("table", path, name="dock")
    plan = services.audits.default_plan("dock")
    services.audits.create("census", "dock", services.audits.preview("dock", plan))
    tasks = sampled(services, "census")
    judge(services, "census", tasks[:3], defective=tasks[:3])
    found = services.comparisons.compare([audit, "census"])
    rate, floor = found.audits
    assert (rate.rate, rate.floor, rate.figure) == (0.0, None, "0 of 10 = 0.0 %")
    assert (floor.rate, floor.floor, floor.intervals) == (None, 0.1, ())
    assert floor.figure == "at least 3 of 30 = 10.0 %"
    assert found.notes[0].startswith("A floor is no rate: census counts")
