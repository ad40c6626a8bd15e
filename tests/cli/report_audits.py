"""Audits of every kind, to be reported."""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import date
from pathlib import Path

from audit_app.domain.dossier_entries import ResponseStatus
from audit_app.domain.team import Mode, TeamSettings
from audit_app.services.context import Services, open_services
from audit_app.settings import Settings
from tests.services import evidence_audits, planted_audits, team_audits
from tests.services.conftest import SteppingClock

SHARED = TeamSettings(
    mode=Mode.WORST, reviews_per_task=2, reviewers=("ada", "bob"), planted_share=0.2
)


def opened(folder: Path, name: str = "assay.db") -> AbstractContextManager[Services]:
    clock = SteppingClock(source_date_epoch=1_790_000_000)
    place = Settings(db=folder / name, reviewer="ada", cache=folder / "cache")
    return open_services(place, clock=clock)


def _plain(services: Services, folder: Path) -> str:
    """Outputs with grades, 50 sampled tasks, 40 of them judged, some with a proposed key."""
    planted_audits.toolshop_audit(services, TeamSettings())
    services.scoring.score("toolshop")
    known = evidence_audits.defects()
    sampled = list(services.audits.view("shop").sample.task_ids)
    for defect in [known[t] for t in sampled if t in known][:4]:
        evidence_audits.save_finding(services, defect)
    done = set(services.audits.view("shop").settled)
    rest = [t for t in sampled[:40] if t not in done]
    planted_audits.judge(services, "ada", rest, rest[::5])
    services.rubrics.set("shop", "scoring", "issue", note="| 1 of <b>2</b>")
    services.rubrics.state("shop", "lead", "=1+1 `x` 50 \u202eabc")
    return "shop"


def _planted(services: Services, folder: Path) -> str:
    """Checks planted, two people, the worst judgement counts."""
    planted_audits.toolshop_audit(services, SHARED)
    replace(services, person="op").planted("shop").plant("seed")
    for person in SHARED.reviewers:
        desk = replace(services, person=person).reviewing("shop").desk()
        queue = [item.task_id for item in desk.queue]
        planted_audits.judge(services, person, queue, queue[person == "bob" :: 3])
    return "shop"


def _adjudicated(services: Services, folder: Path) -> str:
    """Two people and an adjudicator, who has settled what is identical."""
    team_audits.make_audit(services, folder)
    team_audits.judge_all(services)
    team_audits.as_person(services, "eve").adjudicating("shared").accept_identical()
    return "shared"


def _evidenced(services: Services, folder: Path) -> str:
    """Live trials attached to a finding."""
    defect = evidence_audits.shop_with_finding(services)
    answers = {defect.task_id: [defect.right] * 3 + ["nonsense"]}
    job = evidence_audits.recorded_job(services, folder, answers)
    review = services.evidence.own_review("shop", defect.task_id)
    services.evidence.attach(
        "shop", defect.task_id, review.id, 0, job.id, reason=evidence_audits.REASON
    )
    return "shop"


def _recorded(services: Services, folder: Path) -> str:
    """A dossier: outside evidence, root cause, issue at scale, response, early stop, a target."""
    planted_audits.toolshop_audit(services, TeamSettings())
    sampled = list(services.audits.view("shop").sample.task_ids)
    planted_audits.judge(services, "ada", sampled[:12], sampled[:8:2])
    dossiers, link = services.dossiers, "https://example.org/a"
    dossiers.cite("shop", source=link, examined=30, confirmed=7, of=249, note="their own pick")
    dossiers.add_root_cause("shop", "units", title="Units are mixed", cause="K1", links=[link])
    dossiers.link("shop", "units", sampled[:4:2])
    dossiers.state_scale_issue("shop", "All 249 keys", links=[link], root_cause="units")
    dossiers.respond("shop", sampled[0], ResponseStatus.ACCEPTED, on=date(2026, 11, 1))
    return "shop"


def _unread(services: Services, folder: Path) -> str:
    """Nothing is judged."""
    planted_audits.toolshop_audit(services, TeamSettings())
    return "shop"


AUDITS = {
    "plain": _plain,
    "planted": _planted,
    "adjudicated": _adjudicated,
    "evidence": _evidenced,
    "dossier": _recorded,
    "nothing read": _unread,
}
