"""Tasks outside the sample that are read on purpose, and what was judged of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from audit_app.domain.dossier import Dossier, TargetedTask
from audit_app.domain.review import Review
from audit_app.domain.sampling import Draw, DrawKind, Sample
from audit_app.domain.settling import settle
from audit_app.domain.team import TeamSettings
from audit_app.services.seen_work import seen_work
from audit_app.storage.standing import TARGETED
from audit_app.storage.workspace import Workspace


@dataclass(frozen=True)
class TargetedRead:
    """One targeted task.

    Attributes:
        task: It, with who named it and why.
        judgement: The judgement that stands, None while there is none.
        is_sampled: Whether the sample holds it by now, so that it is no longer outside.
    """

    task: TargetedTask
    judgement: Review | None
    is_sampled: bool = False


def targeted_reads(
    workspace: Workspace,
    audit_id: str,
    samples: Iterable[Sample],
    dossier: Dossier,
    *,
    team: TeamSettings,
    viewer: str,
    min_severity: int,
) -> tuple[TargetedRead, ...]:
    """What stands of the targeted tasks, as far as a viewer may see it; in no estimate.

    Args:
        workspace: The open workspace.
        audit_id: UUID of the audit.
        samples: Every stage of the sample.
        dossier: What is recorded, with the targeted tasks.
        team: How the audit is shared.
        viewer: Who looks.
        min_severity: Least severity that counts.
    """
    if not dossier.targeted:
        return ()
    sampled = {task for sample in samples for task in sample.task_ids}
    outside = tuple(t.task_id for t in dossier.targeted if t.task_id not in sampled)
    draw = Draw(stratum=TARGETED, task_ids=outside)
    listed = Sample(stage=1, kind=DrawKind.SUPPLIED, draws=(draw,))
    seen = seen_work(workspace, audit_id, (listed,), team=team, viewer=viewer)
    settled = settle(
        team, seen.reviews, seen.adjudications, seen.send_backs, min_severity=min_severity
    )
    return tuple(
        TargetedRead(task, settled.get(task.task_id), task.task_id in sampled)
        for task in dossier.targeted
    )
