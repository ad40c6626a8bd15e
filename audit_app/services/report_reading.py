"""Reads the inputs of a report back from the files beside it; needs no workspace."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from audit_app.domain.benchmark import Entry, Task
from audit_app.domain.evidence import Evidence
from audit_app.domain.record import Json
from audit_app.domain.review import Review, current_reviews
from audit_app.domain.sampling import DrawKind, Sample, SamplingPlan
from audit_app.errors import InputError
from audit_app.importers.reviews import read_reviews
from audit_app.importers.row_files import Line, read_rows
from audit_app.reporting.render import CHECKS
from audit_app.sampling.frame import build_frame
from audit_app.services.audits import AuditView
from audit_app.services.evidence_rows import AttachedEvidence, place_now
from audit_app.services.files import read_bytes
from audit_app.services.impact_part import ImpactInputs
from audit_app.services.planted_results import Scope
from audit_app.services.report_files import (
    ENTRIES,
    FRAME,
    GRADES,
    INPUTS,
    INPUTS_VERSION,
    REVIEWS,
    TASKS,
    TRIALS,
    VIEW,
    further_fields,
)
from audit_app.services.report_inputs import PlantedInputs, ReportInputs
from audit_app.services.report_rows import (
    EPOCH,
    check_of,
    draws_of,
    job_of,
    judged_of,
    last_replaced,
    share_of,
)
from audit_app.stats.impact_model import Weighting

T = TypeVar("T")


def read_inputs(folder: Path) -> ReportInputs:
    """The inputs of the report in a folder.

    Raises:
        InputError: A file is missing or holds what is none of its kind; the message names it.
    """
    return _Reading(folder).inputs()


@dataclass(frozen=True)
class _Reading:
    """One reading of one folder."""

    folder: Path

    def _content(self, name: str) -> bytes:
        path = self.folder / name
        if not path.exists():
            raise InputError(
                f"{path} is missing: the figures cannot be recomputed without it; write the report "
                "again with assay report, all formats"
            )
        return read_bytes(path)

    def _made(self, name: str, make: Callable[[], T]) -> T:
        """What ``make`` makes of a file; what is wrong with it in a sentence."""
        try:
            return make()
        except InputError as error:
            if str(self.folder) in str(error):
                raise
            raise InputError(f"{self.folder / name}: {error}") from error
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            reason = " ".join(str(error).split())[:200]
            raise InputError(f"{self.folder / name} cannot be read: {reason}") from error

    def _rows(self, name: str) -> Iterator[dict[str, Json]]:
        found = read_rows(self._content(name), name)
        if found.rejected:
            row = found.rejected[0]
            raise InputError(f"{self.folder / name}:{row.line}: {row.reason}")
        lines: Iterable[Line] = found.lines
        return (line.cells for line in lines)

    @cached_property
    def _document(self) -> dict[str, Any]:
        content = self._content(INPUTS)
        document = self._made(INPUTS, lambda: msgspec.json.decode(content, type=dict[str, Any]))
        if (version := document.get("schema_version")) != INPUTS_VERSION:
            raise InputError(
                f"{self.folder / INPUTS} has version {version!r}, and this version of Assay reads "
                f"{INPUTS_VERSION}"
            )
        return document

    def inputs(self) -> ReportInputs:
        """All of them."""
        document = self._document
        plan = self._made(
            INPUTS,
            lambda: SamplingPlan.model_validate(document["view"]["audit"]["plan"]),
        )
        values = self._made(FRAME, lambda: list(self._field_values(plan)))
        view = self._made(INPUTS, lambda: self._view(plan, values))
        tasks = self._made(TASKS, lambda: {task.id: task for task in self._tasks()})
        for task_id in view.sample.task_ids:
            if task_id not in tasks:
                raise InputError(f"{self.folder / TASKS} has no task {task_id!r} of the sample")
        return ReportInputs(
            view=view,
            viewer=self._of("viewer", str),
            field_values=values,
            tasks=tasks,
            statements=self._of("statements", dict),
            generated_on=self._made(INPUTS, lambda: date.fromisoformat(document["generated_on"])),
            versions=self._of("versions", dict),
            simulated=self._of("simulated", bool),
            impact=self._impact(dict(values)),
            planted=self._planted(),
            evidence=self._made(INPUTS, lambda: list(self._evidence(view, tasks))),
            cases=self._of("cases", dict),
        )

    def _of(self, member: str, kind: type[T]) -> T:
        value = self._document.get(member)
        if not isinstance(value, kind):
            raise InputError(f"{self.folder / INPUTS} has no {member!r} of the kind it should be")
        return value

    def _field_values(self, plan: SamplingPlan) -> Iterator[tuple[str, Mapping[str, str]]]:
        columns = {"category": "category", "group": "group"} | further_fields(plan)
        for cells in self._rows(FRAME):
            yield cells["task_id"], {name: cells[column] for column, name in columns.items()}

    def _view(self, plan: SamplingPlan, values: list[tuple[str, Mapping[str, str]]]) -> AuditView:
        frame = build_frame(plan, values)
        parts = {"frame": frame, "samples": self._samples(), "reviews": self._reviews()}
        return VIEW.validate_python({**self._document["view"], **parts})

    def _samples(self) -> tuple[Sample, ...]:
        rows = list(self._rows("sample.csv"))
        return tuple(
            Sample(
                stage=stage["stage"],
                kind=DrawKind(stage["kind"]),
                reason=stage["reason"],
                draws=draws_of(cells for cells in rows if int(cells["stage"]) <= stage["stage"]),
            )
            for stage in self._document["stages"]
        )

    def _reviews(self) -> tuple[Review, ...]:
        """The reviews that stand and those they replaced, in the order of saving."""
        names = [(r["task_id"], r["reviewer"]) for r in self._document["reviews"]]
        ids = {name: r["id"] for name, r in zip(names, self._document["reviews"], strict=True)}
        source = "reviews.csv"
        content = self._content(source)
        if not names and content.count(b"\n") <= 1:
            return REVIEWS.validate_python(self._document["replaced"])
        fresh = (f"{source} {number}" for number in range(1, 10**9))
        read = read_reviews(content, source=source, new_id=lambda: next(fresh), now=EPOCH)
        if read.rejected:
            row = read.rejected[0]
            raise InputError(f"{source}:{row.line}: {row.reason}")
        replaced = REVIEWS.validate_python(self._document["replaced"])
        before = {review.id: review for review in replaced}
        places = {name: place for place, name in enumerate(names)}
        standing = sorted(
            (review for review, _ in read.reviews),
            key=lambda r: places.get((r.task_id, r.reviewer), len(places)),
        )
        last = last_replaced(before.values())
        return (
            *replaced,
            *(
                review.model_copy(
                    update={
                        "id": ids.get((review.task_id, review.reviewer), review.id),
                        "supersedes": last.get((review.task_id, review.reviewer)),
                    }
                )
                for review in standing
            ),
        )

    def _tasks(self) -> Iterator[Task]:
        decoder = msgspec.json.Decoder(Task)
        for line in self._content(TASKS).splitlines():
            yield decoder.decode(line)

    def _impact(self, values: Mapping[str, Mapping[str, str]]) -> ImpactInputs | None:
        stated = self._document.get("impact")
        if stated is None:
            return None
        entries = self._made(ENTRIES, self._entries)
        models: list[str] = stated["models"]
        before = self._made(GRADES, lambda: self._grades("before", models))
        after = self._made(GRADES, lambda: self._grades("after", ()))
        return self._made(
            INPUTS,
            lambda: ImpactInputs(
                weighting=None if stated["weighting"] is None else Weighting(stated["weighting"]),
                seed=stated["seed"],
                basis=stated["basis"],
                has_run=stated["has_run"],
                entries=entries,
                categories={task_id: fields["category"] for task_id, fields in values.items()},
                before=before,
                after=after,
                graded=stated["graded"],
                failed=stated["failed"],
                late=stated["late"],
            ),
        )

    def _entries(self) -> dict[str, tuple[Entry, ...]]:
        entries: dict[str, list[Entry]] = {}
        for cells in self._rows(ENTRIES):
            entry = Entry(cells["entry_id"], share_of(cells["weight"]))
            entries.setdefault(cells["task_id"], []).append(entry)
        return {task_id: tuple(rows) for task_id, rows in entries.items()}

    def _grades(self, column: str, models: Iterable[str]) -> dict[str, dict[str, float | None]]:
        grades: dict[str, dict[str, float | None]] = {model: {} for model in models}
        for cells in self._rows(GRADES):
            share = share_of(cells[column])
            if share is not None:
                grades.setdefault(cells["model"], {})[cells["entry_id"]] = share
        return grades

    def _planted(self) -> PlantedInputs | None:
        stated = self._document.get("planted")
        if stated is None:
            return None
        scope = self._made(INPUTS, lambda: Scope(stated["scope"]))
        rows = [] if scope is Scope.NONE else list(self._rows(CHECKS))
        return self._made(
            CHECKS,
            lambda: PlantedInputs(
                planted=stated["planted"],
                scope=scope,
                hidden=stated["hidden"],
                checks=tuple({cells["task_id"]: check_of(cells) for cells in rows}.values()),
                judged=tuple(judged_of(cells) for cells in rows if cells["reviewer"]),
                settled=stated["settled"],
            ),
        )

    def _evidence(self, view: AuditView, tasks: Mapping[str, Task]) -> Iterator[AttachedEvidence]:
        reviews = {review.id: review for review in view.reviews}
        standing = {(r.task_id, r.reviewer): r for r in current_reviews(view.reviews)}
        for row in self._document["evidence"]:
            evidence = Evidence.model_validate(row["evidence"])
            review = reviews.get(evidence.review_id)
            if review is None or evidence.position >= len(review.findings):
                continue  # its finding is not there any more
            yield AttachedEvidence(
                evidence=evidence,
                review=review,
                place=place_now(evidence, review, standing.get((review.task_id, review.reviewer))),
                job=job_of(row["job"], evidence),
                trials=TRIALS.validate_python(row["trials"]),
                task=tasks[evidence.task_id],
                corrected=None,
                is_replaced=row["is_replaced"],
                differences=tuple(row["differences"]),
            )
