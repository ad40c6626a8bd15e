"""Trials attached to findings: refused without a reason, graded twice, never taken off."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.evidence import AnswerVerdict
from audit_app.domain.team import Mode, TeamSettings
from audit_app.domain.trials import TrialStatus
from audit_app.errors import ConflictError, InputError, NotFoundError
from audit_app.services.context import Services
from audit_app.services.evidence_part import evidence_part, settled_evidence
from tests.services.evidence_audits import (
    REASON,
    Defect,
    recorded_job,
    save_finding,
    shop_with_finding,
)
from tests.services.planted_audits import NAME, as_person, share
from tests.services.test_verification import tamper


@pytest.fixture
def defect(services: Services) -> Defect:
    return shop_with_finding(services)


def review_of(services: Services, defect: Defect) -> str:
    return services.evidence.own_review(NAME, defect.task_id).id


def test_both_grades_of_every_trial_are_kept(
    services: Services, defect: Defect, tmp_path: Path
) -> None:
    answers = [defect.right, f"{defect.right[:-1]} ]", "I cannot help.", defect.right]
    job = recorded_job(services, tmp_path, {defect.task_id: answers}, trials=5)
    got = services.evidence.attach(
        NAME, defect.task_id, review_of(services, defect), 0, job.id[:8], None, f"  {REASON} "
    )
    grades = got.grades
    assert (got.job, got.reason, got.proposed_key) == (job.id, REASON, defect.key)
    assert grades.published == (0, 4, {"not_run": 1})
    assert grades.proposed == (3, 1, {"not_run": 1})
    assert len(grades.runs) == job.trials
    assert grades.distinct == (3, 1)  # layout is no difference, and three outputs are stored
    assert [a.trials for a in grades.answers] == [(1, 4), (2,), (3,)]
    assert grades.errors == {TrialStatus.NOT_RUN: (5,)}
    assert grades.recorded == 4
    assert len(grades.signatures) == 2
    assert grades.triage == "hard"
    (row,) = services.evidence.evidence_of(NAME)
    assert row.evidence == got
    assert row.shows_defect
    assert not row.differences
    assert services.verify().problems == ()


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        pytest.param("the key is wrong", "16 characters", id="too short"),
        pytest.param(" " * 30 + "no", "2 characters", id="white space"),
        pytest.param("All the models agree on the same answer.", "by itself", id="agreement"),
        pytest.param("Every model gives this answer in 5 of 5 runs!!", "by itself", id="count"),
    ],
)
def test_agreement_alone_confirms_nothing(
    services: Services, defect: Defect, tmp_path: Path, reason: str, words: str
) -> None:
    job = recorded_job(services, tmp_path, {defect.task_id: [defect.right]})
    with pytest.raises(InputError, match=words) as refused:
        services.evidence.attach(
            NAME, defect.task_id, review_of(services, defect), 0, job.id, None, reason
        )
    assert "say what supports the finding" in str(refused.value)
    assert services.evidence.evidence_of(NAME) == []


def test_what_cannot_be_evidence_is_refused(
    services: Services, defect: Defect, tmp_path: Path
) -> None:
    task, review = defect.task_id, review_of(services, defect)
    attach = services.evidence.attach
    planned = recorded_job(services, tmp_path, {task: [defect.right]}, run=False)
    with pytest.raises(InputError, match="no finished trial"):
        attach(NAME, task, review, 0, planned.id, None, REASON)
    other = next(t for t in services.audits.view(NAME).sample.task_ids if t != task)
    empty = recorded_job(services, tmp_path, {other: ["[]"], task: []})
    with pytest.raises(InputError, match=r"none of the 1 trials .* has an answer"):
        attach(NAME, task, review, 0, empty.id, None, REASON)
    job = recorded_job(services, tmp_path, {task: [defect.right]})
    with pytest.raises(InputError, match="no finding 2"):
        attach(NAME, task, review, 1, job.id, None, REASON)
    with pytest.raises(NotFoundError, match="no job"):
        attach(NAME, task, review, 0, "no-such-job", None, REASON)
    with pytest.raises(InputError, match="JSON"):
        attach(NAME, task, review, 0, job.id, "{", REASON)
    published = services.live.graded(job.id, task).task.key
    with pytest.raises(InputError, match="is the published one"):
        attach(NAME, task, review, 0, job.id, str(published).replace("'", '"'), REASON)
    with pytest.raises(InputError, match="not one of grace"):
        as_person(services, "grace").evidence.attach(NAME, task, review, 0, job.id, None, REASON)
    save_finding(services, defect, severity=3)
    with pytest.raises(ConflictError, match="replaced"):
        attach(NAME, task, review, 0, job.id, None, REASON)
    assert services.evidence.evidence_of(NAME) == []


def test_a_job_of_another_version_is_refused(
    services: Services, defect: Defect, audit: str, tmp_path: Path
) -> None:
    task = services.audits.view(audit).sample.task_ids[0]
    job = recorded_job(services, tmp_path, {task: ["1"]}, audit=audit)
    with pytest.raises(InputError, match=r"harbour .* another benchmark version"):
        services.evidence.attach(
            NAME, defect.task_id, review_of(services, defect), 0, job.id, None, REASON
        )


def test_attaching_again_corrects_the_reason_and_a_repeated_send_changes_nothing(
    services: Services, defect: Defect, tmp_path: Path
) -> None:
    task, review = defect.task_id, review_of(services, defect)
    job = recorded_job(services, tmp_path, {task: [defect.right]})
    first = services.evidence.attach(NAME, task, review, 0, job.id, None, REASON)
    assert services.evidence.attach(NAME, task, review, 0, job.id, None, REASON) == first
    better = f"{REASON} See the manual, page 4."
    second = services.evidence.attach(NAME, task, review, 0, job.id, None, better)
    rows = services.evidence.evidence_of(NAME, task)
    assert [(r.evidence.id, r.is_replaced) for r in rows] == [(first.id, True), (second.id, False)]


@pytest.mark.parametrize(
    ("change", "stands"),
    [
        pytest.param({"severity": 3, "note": "other words"}, True, id="same claim"),
        pytest.param({"cause": "K3"}, False, id="another cause"),
        pytest.param({"effects": ["FP"]}, False, id="another effect"),
    ],
)
def test_a_revised_finding_keeps_its_evidence_while_it_claims_the_same(
    services: Services,
    defect: Defect,
    tmp_path: Path,
    change: dict[str, Any],
    stands: bool,
) -> None:
    task = defect.task_id
    job = recorded_job(services, tmp_path, {task: [defect.right]})
    services.evidence.attach(NAME, task, review_of(services, defect), 0, job.id, None, REASON)
    save_finding(services, defect, **change)
    (row,) = services.evidence.evidence_of(NAME)
    assert (row.place is not None) is stands
    assert row.is_carried is stands
    view = services.audits.view(NAME)
    found = settled_evidence(view, [row])
    assert (len(found.findings), found.left_out) == ((1, 0) if stands else (0, 1))
    part = evidence_part(view, found)
    assert part is not None
    assert all(trials.carried for finding in part.findings for trials in finding.trials)


def test_a_wrong_answer_that_passes_confirms_fp(
    services: Services, defect: Defect, tmp_path: Path
) -> None:
    task = defect.task_id
    review = save_finding(services, defect, effects=["FP"])
    accepted = services.live.graded(
        recorded_job(services, tmp_path, {task: [defect.right]}).id, task
    ).task.key
    ((name, arguments),) = accepted[0].items()
    words = ", ".join(f"{k}={v[0]!r}" for k, v in arguments.items() if v[0] != "")
    job = recorded_job(services, tmp_path, {task: [f"[{name}({words})]"]})
    got = services.evidence.attach(NAME, task, review, 0, job.id, None, REASON)
    assert got.grades.answers[0].published.verdict is AnswerVerdict.VALID
    (row,) = services.evidence.evidence_of(NAME)
    assert row.shows_defect is (
        got.grades.answers[0].proposed is not None
        and got.grades.answers[0].proposed.verdict is AnswerVerdict.INVALID
    )


def test_others_see_evidence_only_with_the_review(services: Services, tmp_path: Path) -> None:
    team = TeamSettings(reviewers=("ada", "grace", "kay"), reviews_per_task=2)
    defect = shop_with_finding(services, team)
    job = recorded_job(services, tmp_path, {defect.task_id: [defect.right]})
    services.evidence.attach(
        NAME, defect.task_id, review_of(services, defect), 0, job.id, None, REASON
    )
    assert len(services.evidence.evidence_of(NAME)) == 1
    grace = as_person(services, "grace").evidence
    assert grace.evidence_of(NAME) == []
    save_finding(services, defect, person="grace")
    assert len(as_person(services, "grace").evidence.evidence_of(NAME)) == 1


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        pytest.param("update trial_runs set output = '\"[]\"'", "answers are other", id="answer"),
        pytest.param("delete from trial_runs", "2 of its 2 trials are not stored", id="gone"),
        pytest.param(
            "update trial_evidence set grades = replace(grades, '\"invalid\"', '\"valid\"')",
            "other grades under the published key",
            id="grades",
        ),
        pytest.param(
            "update trial_evidence set reason = 'because'", "is not what was stored", id="reason"
        ),
    ],
)
def test_verify_tells_what_was_changed_past_assay(
    services: Services, defect: Defect, tmp_path: Path, sql: str, words: str
) -> None:
    answers = {defect.task_id: [defect.right, "[]"]}
    job = recorded_job(services, tmp_path, answers)
    services.evidence.attach(
        NAME, defect.task_id, review_of(services, defect), 0, job.id, None, REASON
    )
    assert services.verify().problems == ()
    tamper(services.workspace.path, sql)
    assert any(words in problem for problem in services.verify().problems)


def test_planted_checks_take_evidence_and_are_in_no_report(
    services: Services, tmp_path: Path
) -> None:
    """A person cannot tell a planted check by whether trials can be attached to it."""
    shop_with_finding(services)
    share(services, TeamSettings(planted_share=0.15))
    planted = services.planted(NAME).plant("a secret")
    check = next(p for p in planted if p.is_defective and isinstance(p.key, list))
    task = services.reviewing(NAME).task_view(check.task_id).task
    ((name, arguments),) = task.key[0].items()
    words = ", ".join(f"{k}={v[0]!r}" for k, v in arguments.items() if v[0] != "")
    answer = f"[{name}({words})]"
    as_is = Defect(check.task_id, '[{"other": {}}]', answer)
    review = save_finding(services, as_is)
    job = recorded_job(services, tmp_path, {check.task_id: [answer]})
    got = services.evidence.attach(NAME, check.task_id, review, 0, job.id, None, REASON)
    if len(task.key) == 1:
        assert got.grades.published.passed == 1  # under the key that is shown, not the published
    assert [r.evidence.task_id for r in services.evidence.evidence_of(NAME)] == [check.task_id]
    operator = replace(services, person="op")
    assert operator.evidence.evidence_of(NAME) == []
    assert not settled_evidence(
        operator.audits.view(NAME), services.evidence.evidence_of(NAME)
    ).rows
    assert services.verify().problems == ()


def test_evidence_of_the_reviews_stands_under_the_adjudicated_finding(
    services: Services, tmp_path: Path
) -> None:
    team = TeamSettings(
        mode=Mode.ADJUDICATED,
        reviewers=("ada", "grace"),
        adjudicators=("kay",),
        reviews_per_task=2,
    )
    defect = shop_with_finding(services, team)
    job = recorded_job(services, tmp_path, {defect.task_id: [defect.right]})
    review = review_of(services, defect)
    services.evidence.attach(NAME, defect.task_id, review, 0, job.id, None, REASON)
    other = save_finding(services, defect, person="grace", severity=3)
    kay = as_person(services, "kay")
    rows = kay.evidence.evidence_of(NAME)
    assert settled_evidence(kay.audits.view(NAME), rows).left_out == 1
    (ack,) = kay.adjudicating(NAME).apply(
        [
            {
                "id": services.clock.new_id(),
                "kind": "take",
                "task_id": defect.task_id,
                "basis": sorted([review, other]),
                "review_id": other,
            }
        ]
    )
    assert not ack.error
    found = settled_evidence(kay.audits.view(NAME), rows)
    assert list(found.findings) == [(defect.task_id, 0)]
    assert found.left_out == 0
