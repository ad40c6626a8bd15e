"""What is estimated from a sample: rates, intervals, counts, and the rule's next step."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from audit_app.domain.record import Record


class Interval(Record):
    """An interval for a share.

    Attributes:
        name: Id of the method (``wilson``, ``clopper_pearson``, ``jeffreys``).
        lower: Lower end, share in [0, 1].
        upper: Upper end, share in [0, 1].
        level: Nominal coverage, for example 0.95.
    """

    name: str
    lower: float
    upper: float
    level: float = Field(gt=0, lt=1)


class StratumEstimate(Record):
    """Counts of one stratum.

    Attributes:
        stratum: Its id.
        population: Tasks in the frame, N_h.
        weight: Share of the frame's weight.
        sampled: Tasks drawn, n_h.
        reviewed: Of those, judged.
        defective: Of those, defective.
        rate: defective / reviewed, None where nothing is reviewed.
    """

    stratum: str
    population: int
    weight: float
    sampled: int
    reviewed: int
    defective: int
    rate: float | None


class EffectCounts(Record):
    """Defective tasks by effect; ``fn`` and ``fp`` each include ``both``."""

    fn: int = 0
    fp: int = 0
    both: int = 0


class NextStep(StrEnum):
    """What the sequential rule asks for."""

    REVIEW = "review"
    """Tasks of the sample are still unread."""
    WIDEN = "widen"
    """The rate lies in the band: draw the wider sample."""
    ISSUE = "issue"
    """The threshold is reached: the scoring item has an issue."""
    PASS = "pass"
    """The rate is below the threshold."""


class Status(Record):
    """Where an audit stands.

    Attributes:
        sampled: Tasks drawn.
        reviewed: Of those, judged.
        defective: Of those, defective (severity 1 and up, or not stated).
        possible: Defective, or disputed, uncertain or unsure: the upper end of the band.
        strict: Defective at severity 2 and up; None where a severity is not stated.
        rate: defective / reviewed, None where nothing is reviewed.
        strict_rate: strict / reviewed, None where not defined.
        weighted_rate: Rate weighted to the frame, None unless every stratum has a review.
        intervals: For ``rate``; empty where it is not defined, or a census is complete.
        by_stratum: One row a stratum, in the order of the plan.
        by_outer: The same, merged by top-level stratum, where there is nesting.
        effects: Defective tasks by effect.
        stale: Tasks with a counted finding of cause K2.
        next: What the rule asks for.
        next_text: The same in a sentence, with its numbers.
        undefined: Name of a figure → why it is not defined.
    """

    sampled: int
    reviewed: int
    defective: int
    possible: int
    strict: int | None
    rate: float | None
    strict_rate: float | None
    weighted_rate: float | None
    intervals: tuple[Interval, ...]
    by_stratum: tuple[StratumEstimate, ...]
    by_outer: tuple[StratumEstimate, ...]
    effects: EffectCounts
    stale: int
    next: NextStep
    next_text: str
    undefined: dict[str, str]
