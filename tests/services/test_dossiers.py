from __future__ import annotations

import sqlite3

import pytest

from audit_app.domain.dossier_entries import ResponseStatus
from audit_app.errors import InputError, NotFoundError
from audit_app.services.context import Services
from audit_app.settings import Settings
from tests.services.records import judge, outside, sampled

LINK = "https://example.org/audit"


def test_outside_evidence_never_enters_a_rate(services: Services, audit: str) -> None:
    """Rubric file 4, rule 3: a floor is cited beside the figures, which stay as they were."""
    tasks = sampled(services, audit)
    judge(services, audit, tasks, defective=tasks[:1])
    before = services.audits.view(audit).status
    services.dossiers.cite(
        audit, source=LINK, examined=30, confirmed=28, of=60, note="flagged by a model"
    )
    view = services.audits.view(audit)
    assert view.status == before
    assert "at least 28 of 60 tasks (46.7 %)" in view.grounds.outside[0]
    report = services.reports.files(audit)["report.md"].decode()
    assert "A floor has no interval and is no estimate" in report
    assert "| 30 | 28 | 60 | at least 46.7 % |" in report
    assert "93.3" not in report  # 28 of the 30 examined: a rate of suspects


def test_a_root_cause_is_linked_to_findings_only(services: Services, audit: str) -> None:
    tasks = sampled(services, audit)
    judge(services, audit, tasks, defective=tasks[:3])
    services.dossiers.add_root_cause(audit, "units", title="No unit is asked for", cause="T1")
    with pytest.raises(InputError, match="has no finding"):
        services.dossiers.link(audit, "units", [tasks[0], tasks[5]])
    assert services.audits.view(audit).dossier.linked == {"units": ()}
    services.dossiers.link(audit, "units", tasks[:2])
    services.dossiers.link(audit, "units", tasks[1:3])
    services.dossiers.link(audit, "units", tasks[:1], unlink=True)
    assert services.audits.view(audit).dossier.linked == {"units": tuple(tasks[1:3])}
    report = services.reports.files(audit)["report.md"].decode()
    assert "2 of 3 defective tasks of the sample (66.7 %) come of this one fault" in report
    with pytest.raises(NotFoundError, match="there is no root cause 'other'; there are: units"):
        services.dossiers.link(audit, "other", tasks[:1])
    with pytest.raises(NotFoundError, match="there is no cause 'Z9'"):
        services.dossiers.add_root_cause(audit, "k", title="t", cause="Z9")


def test_an_issue_at_scale_may_fail_scoring_at_any_rate(services: Services, audit: str) -> None:
    judge(services, audit, sampled(services, audit))
    services.dossiers.state_scale_issue(audit, "The grader drops answers", links=(LINK,))
    services.rubrics.set(audit, "access", "full")
    view = services.rubrics.set(audit, "scoring", "issue")
    assert view.verdict.outcome.value == "flawed"
    told = "\n".join(step.text for step in view.verdict.trace)
    assert "2.1 Scoring fails by an issue at scale, whatever the rate." in told
    entry = view.dossier.scale_issues[0]
    services.dossiers.withdraw(audit, entry.id, "it was fixed before the run")
    told = "\n".join(s.text for s in services.audits.view(audit).verdict.trace)
    assert "fails by neither limb" in told
    with pytest.raises(NotFoundError, match="there is no standing entry"):
        services.dossiers.withdraw(audit, entry.id, "again")


def test_a_response_is_shown_and_changes_no_count(services: Services, audit: str) -> None:
    tasks = sampled(services, audit)
    judge(services, audit, tasks, defective=tasks[:2])
    before = services.audits.view(audit).status
    services.dossiers.respond(audit, tasks[0], ResponseStatus.DISPUTED, text="Meant so | `x`")
    services.dossiers.respond(audit, tasks[0], ResponseStatus.FIXED, version="1.2", link=LINK)
    services.dossiers.respond(audit, tasks[1], ResponseStatus.DISPUTED, text="Meant so | `x`")
    assert services.audits.view(audit).status == before
    report = services.reports.files(audit)["report.md"].decode()
    assert "fixed in 1.2" in report
    assert r"| disputed | 2026-11-29 | — | Meant so \| \`x\` |" in report
    with pytest.raises(InputError, match="has no finding in 'first' to respond to"):
        services.dossiers.respond(audit, tasks[5], ResponseStatus.ACCEPTED)


def test_targeted_tasks_come_last_and_count_in_nothing(services: Services, audit: str) -> None:
    tasks, suspects = sampled(services, audit), outside(services, audit)[:2]
    judge(services, audit, tasks)
    before = services.audits.view(audit).status
    assert services.courses.target(audit, suspects, "every model fails them") == suspects
    assert services.courses.target(audit, suspects, "again") == []
    queue = services.reviewing(audit).desk().queue
    assert [item.task_id for item in queue] == [*tasks, *suspects]
    assert {item.stratum for item in queue[-2:]} == {"targeted (outside the sample)"}
    action = {
        "id": "00000000-0000-4000-8000-000000000001",
        "kind": "defect",
        "task_id": suspects[0],
        "findings": [{"effects": ["FN"], "severity": 3}],
    }
    assert [ack.error for ack in services.reviewing(audit).apply([action])] == [""]
    view = services.audits.view(audit)
    assert view.status == before
    assert set(view.settled) == set(tasks)
    assert [r.judgement is not None for r in view.targeted] == [True, False]
    files = services.reports.files(audit)
    assert "1 of 2 tasks judged, 1 of these defective" in files["report.md"].decode()
    assert f"\n{suspects[0]}," not in files["reviews.csv"].decode()
    assert services.verify().problems == ()


def test_a_task_of_the_sample_is_no_target(services: Services, audit: str) -> None:
    with pytest.raises(InputError, match="is in the sample: it is read there"):
        services.courses.target(audit, sampled(services, audit)[:1], "why")
    with pytest.raises(NotFoundError, match="there is no task 'nowhere'"):
        services.courses.target(audit, ["nowhere"], "why")
    with pytest.raises(InputError, match="say why it is read"):
        services.courses.target(audit, outside(services, audit)[:1], " ")


def test_a_target_that_the_wider_sample_holds_counts_there(services: Services, audit: str) -> None:
    services.courses.target(audit, outside(services, audit), "all of them")
    wide = services.audits.expand(audit, reason="to be sure")
    new = [r.task.task_id for r in wide.targeted if r.is_sampled]
    assert len(new) == len(wide.sample.task_ids) - 10
    ids = [item.task_id for item in services.reviewing(audit).desk().queue]
    assert len(ids) == len(set(ids)) == 60


def test_the_dossier_is_append_only_and_sealed(
    services: Services, settings: Settings, audit: str
) -> None:
    services.dossiers.cite(audit, source=LINK, examined=3, confirmed=1, of=60, note="a few")
    services.courses.target(audit, outside(services, audit)[:1], "why")
    raw = sqlite3.connect(settings.db)
    for table in ("dossier_records", "targeted_tasks"):
        for change in (f"update {table} set audit = audit", f"delete from {table}"):
            with pytest.raises(sqlite3.IntegrityError, match=f"{table} is append-only"):
                raw.execute(change)
    raw.executescript(
        "drop trigger dossier_records_no_update;"
        "update dossier_records set body = replace(body, '\"confirmed\":1', '\"confirmed\":2')"
    )
    raw.close()
    assert [p for p in services.verify().problems if "dossier_record" in p]
