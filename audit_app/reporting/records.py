"""What a report says of the dossier: evidence besides the sample, root causes, responses, history.

All of it stands beside the sample's figures and is in none of them.
"""

from __future__ import annotations

from datetime import date, datetime

from audit_app.domain.record import Record
from audit_app.domain.rubric import Outcome


class AttemptRate(Record):
    """Attempts whose result changes under corrected keys.

    An attempt is one model's graded result on one scored entry, its trials taken together.

    Attributes:
        attempts: Attempts at the reviewed tasks: the denominator.
        tasks: Reviewed tasks.
        defective: Of those, defective.
        changed: Attempts whose share of passed trials changes under the corrected key.
        regraded: Attempts at defective tasks that were graded under a corrected key.
        void: Attempts at defective tasks without one: what they should have got is not known.
    """

    attempts: int
    tasks: int
    defective: int
    changed: int
    regraded: int
    void: int

    @property
    def is_known(self) -> bool:
        """Whether anything was graded under a corrected key, or nothing had to be."""
        return self.regraded > 0 or self.void == 0

    @property
    def least(self) -> float:
        """Changed of all attempts, a share."""
        return self.changed / self.attempts

    @property
    def most(self) -> float:
        """The same if every attempt without a corrected key changed too."""
        return (self.changed + self.void) / self.attempts


class OutsidePart(Record):
    """An audit by others.

    Attributes:
        source: Link to it.
        examined: Tasks examined there.
        confirmed: Of those, defective.
        of: Tasks of the benchmark in all.
        floor: confirmed / of, a share.
        note: What was examined.
        by: Who cited it.
        on: When.
    """

    source: str
    examined: int
    confirmed: int
    of: int
    floor: float
    note: str
    by: str
    on: date


class TargetedPart(Record):
    """Tasks outside the sample, read on purpose.

    Attributes:
        targeted: Tasks named.
        judged: Of those, with a judgement that stands.
        defective: Of the judged, defective.
        tasks: (task id, what was found, why it was read), one each.
        now_sampled: Tasks that the sample holds by now; they count there and not here.
    """

    targeted: int
    judged: int
    defective: int
    tasks: tuple[tuple[str, str, str], ...]
    now_sampled: tuple[str, ...]


class LinkedTask(Record):
    """A task of a root cause.

    Attributes:
        task_id: Its id.
        findings: Its findings in a few words; empty where none stands.
        is_defective: Whether it counts as defective.
        is_sampled: Whether it belongs to the sample.
    """

    task_id: str
    findings: str
    is_defective: bool
    is_sampled: bool


class RootCausePart(Record):
    """One shared fault with its tasks.

    Attributes:
        key: By which it is asked for.
        title: In a few words.
        description: What is at fault.
        cause: Code and name of its cause, or empty.
        links: Where it can be seen.
        tasks: Its tasks.
        defective: Of its sampled tasks, those that count as defective.
        of_defective: Defective tasks of the sample: the denominator.
    """

    key: str
    title: str
    description: str
    cause: str
    links: tuple[str, ...]
    tasks: tuple[LinkedTask, ...]
    defective: int
    of_defective: int


class ScalePart(Record):
    """An issue at scale.

    Attributes:
        text: What damages grading.
        links: Its evidence.
        root_cause: Title of the root cause that it rests on, or empty.
        by: Who stated it.
        on: When.
    """

    text: str
    links: tuple[str, ...]
    root_cause: str
    by: str
    on: date


class ResponsePart(Record):
    """What the developers answered to the findings on a task."""

    task_id: str
    status: str
    version: str
    on: date
    link: str
    text: str


class RubricChange(Record):
    """That another state of the rubric was adopted."""

    on: date
    by: str
    version: str
    reason: str
    differences: tuple[str, ...]


class CarryPart(Record):
    """From where reviews were carried over.

    Attributes:
        audit: The earlier audit.
        version: Its version of the benchmark.
        rules: Grading rules there.
        rules_differ: Whether they differ from the ones here.
        reviews: Reviews carried over.
        tasks: Tasks with carried reviews.
        standing: Of those, tasks whose carried review still stands.
        changed: Tasks whose record differs: to be looked at again.
        fresh: Sampled tasks that were not reviewed there.
        left: Tasks reviewed there that are not in the sample here.
        gone: Tasks of the earlier sample that the benchmark no longer has.
    """

    audit: str
    version: str
    rules: str
    rules_differ: bool
    reviews: int
    tasks: tuple[str, ...]
    standing: int
    changed: tuple[str, ...]
    fresh: tuple[str, ...]
    left: tuple[str, ...]
    gone: tuple[str, ...]


class HistoryPart(Record):
    """One change of the verdict.

    Attributes:
        at: When.
        by: Who.
        version: Version of the benchmark.
        outcome: The verdict from then on.
        label: As printed.
        cause: What changed it.
        reviewed: Tasks reviewed then, None where it was not kept.
        defective: Of those, defective.
    """

    at: datetime
    by: str
    version: str
    outcome: Outcome
    label: str
    cause: str
    reviewed: int | None
    defective: int | None


class RecordsPart(Record):
    """Everything of the dossier that a report shows.

    Attributes:
        stop: That reviewing was stopped early, in a sentence; empty where it was not.
        rubric_note: That the rubric's file differs from the rubric that stands, or empty.
        rubric_changes: States of the rubric that were adopted.
        carry: From where reviews were carried over, or None.
        outside: Audits by others.
        targeted: Tasks read on purpose, or None.
        root_causes: Shared faults.
        scale: Issues at scale.
        attempts: The attempt rate, None without graded attempts.
        responses: Of the developers, by task.
        history: Changes of the verdict.
    """

    stop: str = ""
    rubric_note: str = ""
    rubric_changes: tuple[RubricChange, ...] = ()
    carry: CarryPart | None = None
    outside: tuple[OutsidePart, ...] = ()
    targeted: TargetedPart | None = None
    root_causes: tuple[RootCausePart, ...] = ()
    scale: tuple[ScalePart, ...] = ()
    attempts: AttemptRate | None = None
    responses: tuple[ResponsePart, ...] = ()
    history: tuple[HistoryPart, ...] = ()
