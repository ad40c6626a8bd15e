"""Several audits side by side: what each found, and on what evidence."""

from __future__ import annotations

from collections.abc import Sequence

from audit_app.domain.estimates import EffectCounts, Interval, StratumEstimate
from audit_app.domain.record import Record
from audit_app.domain.rubric import Outcome
from audit_app.domain.sampling import DrawKind
from audit_app.errors import InputError
from audit_app.services.audits import AuditService, AuditView
from audit_app.services.clock import Clock
from audit_app.services.planted import PlantedService
from audit_app.storage.workspace import Workspace

_MODES = {
    DrawKind.RANDOM: "random sample",
    DrawKind.SUPPLIED: "drawn outside Assay",
    DrawKind.CENSUS: "census",
}


class ComparedAudit(Record):
    """One audit of a comparison.

    Attributes:
        audit: Its name.
        benchmark: Benchmark.
        version: Its version.
        rubric: Id of the rubric that stands.
        rubric_version: Its version.
        threshold: Rate at or above which the scoring item has an issue.
        min_severity: Least severity that counts.
        verdict: The verdict.
        verdict_label: As printed.
        partial: Whether it is a partial review.
        evidence: Where the sample came from, in words.
        is_floor: Whether only a floor is known: a census that is not complete.
        population: Tasks in the frame.
        sampled: Tasks drawn.
        reviewed: Of those, reviewed.
        defective: Of the reviewed, defective.
        rate: defective / reviewed; None for a floor, and where nothing is reviewed.
        floor: defective / population, for a floor.
        intervals: For the rate.
        effects: Defective tasks by effect.
        strata: One row a stratum.
        reviewers: Who judged sampled tasks.
        outside: Floors of audits by others, cited as outside evidence.
        undefined: Name of a figure → why it is not defined.
    """

    audit: str
    benchmark: str
    version: str
    rubric: str
    rubric_version: str
    threshold: float
    min_severity: int
    verdict: Outcome
    verdict_label: str
    partial: bool
    evidence: str
    is_floor: bool
    population: int
    sampled: int
    reviewed: int
    defective: int
    rate: float | None
    floor: float | None
    intervals: tuple[Interval, ...]
    effects: EffectCounts
    strata: tuple[StratumEstimate, ...]
    reviewers: tuple[str, ...]
    outside: tuple[float, ...]
    undefined: dict[str, str]

    @property
    def figure(self) -> str:
        """The rate, or the floor named as one, with its counts."""
        if self.is_floor and self.floor is not None:
            return f"at least {self.defective} of {self.population} = {100 * self.floor:.1f} %"
        if self.rate is None:
            return "not defined: nothing is reviewed"
        return f"{self.defective} of {self.reviewed} = {100 * self.rate:.1f} %"


class Comparison(Record):
    """Several audits side by side.

    Attributes:
        audits: In the order in which they were asked for.
        notes: Why they can be compared only so far, a sentence each.
    """

    audits: tuple[ComparedAudit, ...]
    notes: tuple[str, ...]


class ComparisonService:
    """Puts audits side by side, as far as one person may see them."""

    def __init__(self, workspace: Workspace, clock: Clock, person: str) -> None:
        self._workspace, self._clock, self._person = workspace, clock, person
        self._views = AuditService(workspace, clock, person)

    def compare(self, names: Sequence[str]) -> Comparison:
        """The audits of those names.

        Raises:
            NotFoundError: There is no audit of a name.
            InputError: Fewer than two are named, or one would tell planted checks from the sample
                to somebody who still judges.
        """
        wanted = tuple(dict.fromkeys(names))
        if len(wanted) < 2:
            raise InputError("name at least two audits to compare")
        for name in wanted:
            PlantedService(self._workspace, self._clock, self._person, name).require_open(
                "no comparison yet"
            )
        audits = tuple(_compared(self._views.view(name)) for name in wanted)
        return Comparison(audits=audits, notes=comparison_notes(audits))


def _compared(view: AuditView) -> ComparedAudit:
    s, rubric = view.status, view.audit.rubric
    is_census = view.sample.kind is DrawKind.CENSUS
    is_floor = is_census and s.reviewed < s.sampled
    mode = _MODES[view.sample.kind]
    sampled = set(view.sample.task_ids)
    return ComparedAudit(
        audit=view.audit.name,
        benchmark=view.benchmark.name,
        version=view.benchmark.version,
        rubric=rubric.id,
        rubric_version=rubric.version,
        threshold=s.threshold,
        min_severity=rubric.counting.min_severity,
        verdict=view.verdict.outcome,
        verdict_label=rubric.outcomes[view.verdict.outcome].text(),
        partial=view.verdict.partial,
        evidence=f"{mode}, a floor" if is_floor else mode,
        is_floor=is_floor,
        population=view.frame.size,
        sampled=s.sampled,
        reviewed=s.reviewed,
        defective=s.defective,
        rate=None if is_floor else s.rate,
        floor=s.defective / view.frame.size if is_floor and view.frame.size else None,
        intervals=() if is_floor else s.intervals,
        effects=s.effects,
        strata=s.by_stratum,
        reviewers=tuple(sorted({r.reviewer for r in view.reviews if r.task_id in sampled})),
        outside=tuple(entry.body.floor for entry in view.dossier.outside),
        undefined=s.undefined
        | ({"rate": "a census that is not complete gives a floor"} if is_floor else {}),
    )


def comparison_notes(audits: Sequence[ComparedAudit]) -> tuple[str, ...]:
    """What keeps figures from being compared as they stand."""
    notes = []
    floors = [a.audit for a in audits if a.is_floor]
    if floors and len(floors) < len(audits):
        notes.append(
            f"A floor is no rate: {', '.join(floors)} counts defective tasks of all tasks, with "
            "some unread, so its figure can only grow and is not to be set against a rate."
        )
    if len({(a.threshold, a.min_severity) for a in audits}) > 1:
        notes.append(
            "The audits do not count alike: thresholds, or the least severity that counts, differ."
        )
    if len({(a.rubric, a.rubric_version) for a in audits}) > 1:
        notes.append("The verdicts follow from different rubrics.")
    unfinished = [a.audit for a in audits if a.reviewed < a.sampled and not a.is_floor]
    if unfinished:
        notes.append(
            f"Not every sampled task is reviewed in {', '.join(unfinished)}: the rate is that of "
            "the tasks read so far."
        )
    if any(a.outside for a in audits):
        notes.append("Outside evidence is a floor of its own and is in none of these rates.")
    return tuple(notes)
