"""`assay verify`: proof that what is stored holds, by deriving it again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from audit_app.domain.review import Judgement, Review
from audit_app.domain.sampling import DrawKind, Sample
from audit_app.errors import AuditError
from audit_app.sampling.draw import draw_sample, widen_sample
from audit_app.services.audits import AuditService, AuditView
from audit_app.services.clock import Clock
from audit_app.services.evidence import EvidenceService
from audit_app.storage.benchmarks import BenchmarkRepository, StoredBenchmark
from audit_app.storage.planted import PlantedRepository
from audit_app.storage.reviews import ReviewRepository
from audit_app.storage.workspace import Workspace


@dataclass(frozen=True)
class Verification:
    """What was checked and what does not hold."""

    benchmarks: int
    audits: int
    problems: tuple[str, ...]


def verify(workspace: Workspace, clock: Clock, cache: Path = Path()) -> Verification:
    """Check the file, its seals, every benchmark's hashes, draw, chain of reviews and evidence.

    Args:
        workspace: The open workspace.
        clock: The time and fresh ids.
        cache: Where the simulators may lie with which trials of multi-turn tasks are graded again.
    """
    repository = BenchmarkRepository(workspace)
    audits = AuditService(workspace, clock, "")
    versions: list[StoredBenchmark] = []
    names: list[str] = []
    problems: list[str] = []
    try:
        problems += workspace.problems()
        versions = repository.versions()
        for stored in versions:
            what = f"benchmark {stored.version.name}"
            problems += _found(what, partial(repository.content_problems, stored.key))
        names = audits.names()
    except (AuditError, ValueError) as error:
        problems.append(f"the file cannot be read: {_brief(error)}")
    for name in names:
        problems += _found(f"audit {name}", partial(problems_of_audit, workspace, audits, name))
        evidence = EvidenceService(workspace, clock, "", cache)
        problems += _found(f"audit {name}: evidence", partial(evidence.problems, name))
    return Verification(len(versions), len(names), tuple(problems))


def _found(what: str, check: Callable[[], list[str]]) -> list[str]:
    """The problems that a check finds; that it cannot be made is one."""
    try:
        return check()
    except (AuditError, ValueError) as error:  # a stored value that is no value of its kind
        return [f"{what}: cannot be read: {_brief(error)}"]


def _brief(error: Exception) -> str:
    return " ".join(str(error).split())[:300]


def problems_of_audit(workspace: Workspace, audits: AuditService, name: str) -> list[str]:
    """What does not follow in one audit: frame, draws, tasks and chains of reviews."""
    view = audits.view(name)
    reviews = ReviewRepository(workspace, view.audit.id).all()  # those hidden from people too
    beside = {check.task_id for check in PlantedRepository(workspace, view.audit.id).all()}
    beside |= {task.task_id for task in view.dossier.targeted}
    return _audit_problems(view, reviews, beside)


def _audit_problems(view: AuditView, reviews: Sequence[Review], beside: set[str]) -> list[str]:
    name, found = view.audit.name, []
    if view.frame.digest != view.audit.frame_hash:
        found.append(f"audit {name}: the frame hash does not follow from the benchmark")
    found += [f"audit {name}: {text}" for text in _draw_problems(view)]
    queued = {task for sample in view.samples for task in sample.task_ids} | beside
    for review in reviews:
        if review.task_id not in queued:
            found.append(f"audit {name}: review of {review.task_id}, which is not in the sample")
    return found + [f"audit {name}: {text}" for text in _chain_problems(reviews)]


def _draw_problems(view: AuditView) -> list[str]:
    strata = view.frame.stratum_of()
    found = [
        f"sampled task {task} is not in the stratum {draw.stratum} of the frame"
        for sample in view.samples
        for draw in sample.draws
        for task in draw.task_ids
        if strata.get(task) != draw.stratum
    ]
    expected: Sample | None = None
    for sample in view.samples:
        if sample.kind is DrawKind.SUPPLIED:
            continue
        if sample.stage == 1:
            expected = draw_sample(view.audit.plan, view.frame)
        elif expected is not None:
            expected = widen_sample(view.audit.plan, view.frame, expected, reason=sample.reason)
        if expected is None or _drawn(expected) != _drawn(sample):
            found.append(f"the draw of stage {sample.stage} does not follow from plan and seed")
    return found


def _drawn(sample: Sample) -> dict[str, tuple[str, ...]]:
    return {draw.stratum: draw.task_ids for draw in sample.draws if draw.task_ids}


def _chain_problems(reviews: Sequence[Review]) -> list[str]:
    """Reviews that replace one of another task or reviewer, or leave two standing."""
    by_id = {review.id: review for review in reviews}
    superseded = {review.supersedes for review in reviews}
    found, standing = [], set()
    for review in reviews:
        before = by_id.get(review.supersedes or "")
        where = (review.task_id, review.reviewer)
        if review.supersedes and (before is None or (before.task_id, before.reviewer) != where):
            found.append(f"review {review.id} replaces one of another task or reviewer")
        if review.judgement is Judgement.WITHDRAWN and review.supersedes is None:
            found.append(f"review {review.id} takes back a judgement that is not there")
        if review.id not in superseded:
            if where in standing:
                found.append(f"two judgements of {review.task_id} by {review.reviewer} stand")
            standing.add(where)
    return found
