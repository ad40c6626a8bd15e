"""Reviews in and out as files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from audit_app.domain.review import Review, current_reviews
from audit_app.errors import InputError
from audit_app.importers.report import RejectedRow
from audit_app.importers.reviews import read_reviews
from audit_app.reporting.review_rows import reviews_csv, reviews_jsonl
from audit_app.services.audits import AuditService, AuditView
from audit_app.services.clock import Clock
from audit_app.services.files import read_bytes, write_whole
from audit_app.services.planted import PlantedService
from audit_app.storage.reviews import ReviewRepository
from audit_app.storage.workspace import Workspace


@dataclass(frozen=True)
class ReviewsImported:
    """What an import of reviews came to.

    Attributes:
        accepted: Reviews that stand now as the file has them (those that stood already included).
        rejected: Rows that could not be used.
    """

    accepted: int
    rejected: tuple[RejectedRow, ...]


class ReviewFileService:
    """Imports and exports the reviews of an audit."""

    def __init__(self, workspace: Workspace, clock: Clock, person: str) -> None:
        self._workspace = workspace
        self._audits = AuditService(workspace, clock, person)
        self._clock, self._person = clock, person

    def import_file(self, name: str, path: Path) -> ReviewsImported:
        """Append the reviews of a file; one that differs from what stands replaces it.

        Raises:
            InputError: The file cannot be read or no row was good.
        """
        view = self._audits.view(name)
        read = read_reviews(
            read_bytes(path),
            source=path.name,
            new_id=self._clock.new_id,
            now=self._clock.now(),
        )
        known = {*view.sample.task_ids, *(t.task.task_id for t in view.targeted)}
        rejected = list(read.rejected)
        reviews = ReviewRepository(self._workspace, view.audit.id)
        # Those hidden from this person too: else a second import of a file would conflict.
        standing = {(r.task_id, r.reviewer): r for r in current_reviews(reviews.all())}
        accepted, new = 0, []
        for review, line in read.reviews:
            reason = _refusal(review, view, known)
            if reason:
                rejected.append(RejectedRow(path.name, line, reason))
                continue
            accepted += 1
            before = standing.get((review.task_id, review.reviewer))
            if before is None or not _says_the_same(before, review):
                new.append(review.model_copy(update={"supersedes": before.id if before else None}))
        if not accepted:
            first = f"; first: line {rejected[0].line}: {rejected[0].reason}" if rejected else ""
            raise InputError(f"{path} holds no review that can be used{first}")
        reviews.add_all(new)
        return ReviewsImported(accepted, tuple(sorted(rejected, key=lambda row: row.line)))

    def export_file(self, name: str, path: Path) -> int:
        """Write the reviews that stand, as CSV or, for ``.jsonl``, as JSON lines; how many.

        Raises:
            InputError: The file cannot be written, or would tell planted checks from the sample to
                someone who still judges.
        """
        PlantedService(self._workspace, self._clock, self._person, name).require_open(
            "no export yet"
        )
        reviews = current_reviews(self._audits.view(name).reviews)
        text = reviews_jsonl(reviews) if _is_json_lines(path) else reviews_csv(reviews)
        write_whole({path: text.encode("utf-8")})
        return len(reviews)


def _is_json_lines(path: Path) -> bool:
    return path.suffix.lower() in (".jsonl", ".json", ".ndjson")


def _refusal(review: Review, view: AuditView, known_tasks: set[str]) -> str:
    if review.task_id not in known_tasks:
        return f"task {review.task_id!r} is not in the sample of {view.audit.name!r}"
    known: Mapping[str, object] = view.audit.taxonomy.causes
    for finding in review.findings:
        for code in (finding.cause, *finding.causes):
            if code is not None and code not in known:
                return f"there is no cause {code!r} in the taxonomy"
    return ""


def _says_the_same(before: Review, review: Review) -> bool:
    return (before.judgement, before.findings, before.note) == (
        review.judgement,
        review.findings,
        review.note,
    )
