"""What is estimated from a sample: rates, intervals, counts, and the rule's next step."""

from __future__ import annotations

from enum import StrEnum

from pydantic import Field

from audit_app.domain.record import Record


class Interval(Record):
    """An interval for a share, or for a coefficient.

    Attributes:
        name: Id of the method (``wilson``, ``clopper_pearson``, ``jeffreys``, ``korn_graubard``,
            ``bayes``, ``bootstrap``, …).
        lower: Lower end; of a share in [0, 1].
        upper: Upper end; of a share in [0, 1].
        level: Nominal coverage, for example 0.95.
    """

    name: str
    lower: float
    upper: float
    level: float = Field(gt=0, lt=1)


INTERVAL_NAMES = {
    "wilson": "Wilson",
    "clopper_pearson": "Clopper–Pearson",
    "jeffreys": "Jeffreys",
    "korn_graubard": "Korn–Graubard",
    "bayes": "Bayes",
}
"""Id of a method → how it is printed."""


class StandardError(Record):
    """A standard error of a weighted rate.

    Attributes:
        name: ``outer`` (over the top-level strata, without finite population correction),
            ``cells`` (over the strata, without it) or ``cells_corrected`` (over the strata, with
            it: tasks read of the tasks of the frame).
        value: Share.
    """

    name: str
    value: float = Field(ge=0)


class Estimand(StrEnum):
    """Which rate is meant."""

    SAMPLE = "sample"
    """Of the tasks read, each alike. It decides."""
    SCORE = "score_weighted"
    """Of the frame, strata by the plan's weights."""
    TASK = "task_weighted"
    """Of the frame, every task alike: strata by their number of tasks."""


class Counted(StrEnum):
    """Which tasks count as defective."""

    CONFIRMED = "confirmed"
    """A confirmed finding that counts."""
    POSSIBLE = "possible"
    """Confirmed, or disputed, uncertain or of unsure effect: the upper end of the band."""
    STRICT = "strict"
    """A confirmed finding of the strict severity or higher."""


class Estimate(Record):
    """One rate with what it is uncertain by.

    Attributes:
        estimand: Which rate.
        counted: Of which tasks.
        defective: Tasks that count, None where a severity is missing.
        reviewed: Tasks read.
        rate: The rate, None where not defined.
        intervals: ``wilson``, ``clopper_pearson`` and ``jeffreys`` of the sample's rate,
            ``korn_graubard`` and ``bayes`` of a weighted one.
        standard_errors: Of a weighted rate, under each name that is defined.
        effective_size: Tasks of the plain sample that would be as precise, n*, on which the
            intervals of a weighted rate rest.
        probability_at_least_threshold: Posterior probability that a weighted rate is at or above
            the threshold.
        undefined: Name of a figure → why it is not defined.
    """

    estimand: Estimand
    counted: Counted
    defective: int | None
    reviewed: int
    rate: float | None
    intervals: tuple[Interval, ...] = ()
    standard_errors: tuple[StandardError, ...] = ()
    effective_size: float | None = None
    probability_at_least_threshold: float | None = None
    undefined: dict[str, str] = Field(default_factory=dict)


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
        possible: Of those reviewed, defective or possibly so.
        strict: Of those reviewed, defective at the strict severity; None where one is not stated.
        interval: Wilson's, for ``rate``; None where it is not defined, and in a census.
    """

    stratum: str
    population: int
    weight: float
    sampled: int
    reviewed: int
    defective: int
    rate: float | None
    possible: int = 0
    strict: int | None = None
    interval: Interval | None = None


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
        threshold: Rate at or above which the scoring item has an issue.
        estimates: Every estimand under every way of counting.
        weights_coincide: Whether the score-weighted and the task-weighted rate are one and the
            same, as each stratum weighs by its number of tasks.
        warnings: What a reader of the rates must bear in mind, a sentence each.
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
    threshold: float
    estimates: tuple[Estimate, ...]
    weights_coincide: bool
    warnings: tuple[str, ...]

    def estimate(self, estimand: Estimand, counted: Counted = Counted.CONFIRMED) -> Estimate:
        """One of the estimates."""
        return next(e for e in self.estimates if (e.estimand, e.counted) == (estimand, counted))
