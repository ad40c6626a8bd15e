from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from audit_app.domain.team import Mode
from audit_app.errors import ConflictError, InputError
from audit_app.services.context import Services
from audit_app.services.team import TeamChange
from audit_app.storage.reviews import ReviewRepository
from tests.services.records import judge, next_version, sampled


def test_reviews_of_unchanged_tasks_are_carried_over(
    services: Services, audit: str, tmp_path: Path
) -> None:
    tasks = sampled(services, audit)
    judge(services, audit, tasks[:9], defective=tasks[:4])
    changed, gone = tasks[0], tasks[8]
    next_version(services, tmp_path, changed=[changed], gone=[gone])
    view = services.carrying.carry(audit, to="harbour", as_="second")
    carry = view.dossier.carry
    assert carry is not None
    body = carry.body
    assert view.benchmark.version != services.audits.view(audit).benchmark.version
    assert body.changed == (changed,)
    assert body.gone == (gone,)
    assert set(body.tasks) == set(tasks[1:8])
    assert set(view.settled) == set(tasks[1:8])
    assert (view.status.reviewed, view.status.defective) == (7, 3)
    old = {r.id: r for r in services.audits.view(audit).reviews}
    for review in view.reviews:
        origin = old[body.reviews[review.id]]
        assert review.id != origin.id
        same = {"task_id", "reviewer", "reviewed_at", "judgement", "findings", "note"}
        assert review.model_dump(include=same) == origin.model_dump(include=same)
    assert view.verdict.outcome.value == "in_progress"  # a new version starts a new review
    assert services.verify().problems == ()
    report = services.reports.files("second")["report.md"].decode()
    assert "**Carried over.** This audit continues `first`" in report
    assert f"Changed since, to be looked at again, 1 task: `{changed}`" in report


def test_membership_follows_the_plan_and_the_seed(
    services: Services, audit: str, tmp_path: Path
) -> None:
    """Permanent random numbers: the sample is that of a fresh draw, and most of it stays."""
    services.audits.expand(audit, reason="wide")
    before = set(sampled(services, audit))
    next_version(services, tmp_path, fresh=6)
    view = services.carrying.carry(audit, to="harbour", as_="second")
    assert [s.stage for s in view.samples] == [1, 2]
    assert len(view.sample.task_ids) == 20
    fresh = services.audits.preview("harbour", view.audit.plan).sample
    assert view.samples[0].draws == fresh.draws
    assert len(before & set(view.sample.task_ids)) >= 14


def test_adjudications_and_the_team_come_along(
    services: Services, audit: str, tmp_path: Path
) -> None:
    tasks = sampled(services, audit)
    services.team(audit).change(TeamChange(mode=Mode.ADJUDICATED, reviews_per_task=2))
    judge(services, audit, tasks[:3], defective=tasks[:1])
    judge(replace(services, person="bo"), audit, tasks[:3], defective=tasks[:1])
    replace(services, person="cy").adjudicating(audit).accept_identical()
    next_version(services, tmp_path, changed=[tasks[1]])
    before = services.audits.view(audit)
    assert set(before.settled) == set(tasks[:3])
    view = services.carrying.carry(audit, to="harbour", as_="second")
    assert view.team == before.team
    expected = {task for task in before.settled if task != tasks[1]}
    assert set(view.settled) == expected


def test_a_failed_carry_leaves_nothing(
    services: Services, audit: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(services, audit, sampled(services, audit))
    with pytest.raises(InputError, match="already; import the new version first"):
        services.carrying.carry(audit, to="harbour", as_="second")
    next_version(services, tmp_path, fresh=1)
    with pytest.raises(ConflictError, match="there is an audit 'first' already"):
        services.carrying.carry(audit, to="harbour", as_="first")

    def full(*_: object) -> None:
        raise ConflictError("the disk is full")

    monkeypatch.setattr(ReviewRepository, "add_all", full)
    with pytest.raises(ConflictError):
        services.carrying.carry(audit, to="harbour", as_="second")
    assert services.audits.names() == ["first"]


def test_a_version_without_a_sampled_task_is_refused(
    services: Services, audit: str, tmp_path: Path
) -> None:
    gone = sampled(services, audit)
    next_version(services, tmp_path, gone=gone)
    with pytest.raises(InputError, match="has none of the 10 sampled tasks of 'first'"):
        services.carrying.carry(audit, to="harbour", as_="second")


def test_the_history_reaches_back_over_versions(
    services: Services, audit: str, tmp_path: Path
) -> None:
    judge(services, audit, sampled(services, audit))
    services.rubrics.set(audit, "access", "insufficient")
    next_version(services, tmp_path, fresh=1)
    services.carrying.carry(audit, to="harbour", as_="second")
    services.rubrics.set("second", "access", "insufficient")
    assert [c.audit for c in services.courses.history("second")] == ["first", "second"]
    assert len({c.version for c in services.courses.history("second")}) == 2
