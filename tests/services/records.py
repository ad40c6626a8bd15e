"""Reviews and versions for the tests of what stands beside the sample."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from audit_app.domain.review import Effect, Finding, Judgement, Review
from audit_app.services.context import Services
from audit_app.storage.reviews import ReviewRepository


def judge(
    services: Services, audit: str, tasks: Iterable[str], *, defective: Iterable[str] = ()
) -> None:
    """One review of each task by the person of the services."""
    bad = set(defective)
    repository = ReviewRepository(services.workspace, services.audits.view(audit).audit.id)
    for task_id in tasks:
        finding = Finding(effects=(Effect.FN,), cause="K3", severity=2, note="too narrow")
        repository.add(
            Review(
                id=services.clock.new_id(),
                task_id=task_id,
                reviewer=services.person,
                reviewed_at=services.clock.now(),
                judgement=Judgement.DEFECT if task_id in bad else Judgement.CLEAN,
                findings=(finding,) if task_id in bad else (),
            )
        )


def sampled(services: Services, audit: str) -> list[str]:
    """The sample in its order."""
    return list(services.audits.view(audit).sample.task_ids)


def outside(services: Services, audit: str) -> list[str]:
    """Tasks of the frame that are not in the sample."""
    view = services.audits.view(audit)
    drawn = set(view.sample.task_ids)
    return [t for tasks in view.frame.members.values() for t in tasks if t not in drawn]


def next_version(
    services: Services,
    folder: Path,
    *,
    changed: Iterable[str] = (),
    gone: Iterable[str] = (),
    fresh: int = 0,
) -> None:
    """Another version of the benchmark harbour: 60 tasks with other keys, fewer or more tasks."""
    other, left_out = set(changed), set(gone)
    rows = [
        {
            "id": f"{group}_{i}",
            "group": group,
            "category": group,
            "prompt": f"Do {i}.",
            "key": f"{i} now" if f"{group}_{i}" in other else str(i),
        }
        for group, count in (("ferry", 40 + fresh), ("kiln", 20))
        for i in range(count)
        if f"{group}_{i}" not in left_out
    ]
    path = folder / "next.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    services.benchmarks.import_tasks("table", path, name="harbour")
