"""What the impact of defects is computed from, and what comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from pydantic import Field

from audit_app.domain.benchmark import Entry
from audit_app.domain.estimates import Interval
from audit_app.domain.record import Record

Grades = Mapping[str, Mapping[str, float | None]]
"""Model → entry id → share of its trials passed (with one trial 0 or 1, or a bool); None or
absent where there is no verdict (no output, a failed request, not to be graded)."""


class Weighting(StrEnum):
    """What a score gives weight to."""

    SCORE = "score"
    """Benchmark-score-weighted: each entry weighs what it earns in the overall score."""
    TASK = "task"
    """Task-weighted: each task weighs alike; in a sample, each stratum as in the frame."""


class Remedy(StrEnum):
    """What becomes of a defective task."""

    EXCLUDED = "excluded"
    """No corrected key exists: the task is taken out of the count."""
    CORRECTED = "corrected"
    """Outputs are graded again under the corrected key."""


@dataclass(frozen=True)
class ImpactTask:
    """A task that counts.

    Attributes:
        id: Its id.
        cell: What keeps its weight when one of its tasks drops out. In a sample the stratum; for
            a whole benchmark the tasks that share points of the overall score.
        entries: The scored entries its key feeds, at least one.
    """

    id: str
    cell: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True)
class StratumWeight:
    """What a stratum of a sampled frame weighs, whatever was drawn from it.

    Attributes:
        frame: Its share of the frame's weight.
        points: Sum of the entry weights of all its tasks in the frame, None where the benchmark
            defines no overall score.
    """

    frame: float
    points: float | None = None


@dataclass(frozen=True, kw_only=True)
class ImpactData:
    """One audit's defects and what every model got.

    Attributes:
        tasks: The whole benchmark, or the reviewed tasks of a sample.
        before: Grades under the published keys.
        after: Grades of the corrected tasks under their corrected keys.
        defects: Task id → remedy, for the confirmed defects among ``tasks``.
        strata: For a sample, cell → weight, for every stratum of the frame. None where ``tasks``
            are the whole benchmark and the figures are exact.
        unreviewed: Sampled tasks without a judgement; they are not among ``tasks``.
    """

    tasks: Sequence[ImpactTask]
    before: Grades
    after: Grades = field(default_factory=dict)
    defects: Mapping[str, Remedy] = field(default_factory=dict)
    strata: Mapping[str, StratumWeight] | None = None
    unreviewed: int = 0


class ScoreChange(Record):
    """A model's score after a remedy, beside its score before.

    Attributes:
        score: Share in [0, 1].
        shift: ``score`` less the score before.
        interval: For ``shift``; None for a whole benchmark.
        rank: From 1; ties share the better rank.
        entries: Entries the score rests on.
    """

    score: float | None
    shift: float | None
    interval: Interval | None = None
    rank: int | None
    entries: int


class ModelImpact(Record):
    """One model.

    Attributes:
        model: Its name.
        entries: Entries with a verdict, which all its scores rest on.
        missing: Entries without a verdict, left out.
        not_regraded: Entries with a verdict before but none under the corrected key, left out.
        before: Score under the published keys, share in [0, 1].
        rank_before: From 1; ties share the better rank.
        excluding: With every defective task taken out.
        correcting: With corrected keys where there are any, else taken out.
        undefined: Name of a figure → why it is not defined.
    """

    model: str
    entries: int
    missing: int
    not_regraded: int
    before: float | None
    rank_before: int | None
    excluding: ScoreChange
    correcting: ScoreChange
    undefined: dict[str, str] = Field(default_factory=dict)


class OrderChange(StrEnum):
    """What becomes of the order of two models."""

    KEPT = "kept"
    SWAPPED = "swapped"
    TIED = "tied"
    """One was ahead; now they have the same score."""
    UNTIED = "untied"
    """They had the same score; now one is ahead."""


class PairImpact(Record):
    """Two models.

    Attributes:
        ahead: The one with the higher score before; of a tie the first by name.
        behind: The other.
        gap_before: Score of ``ahead`` less that of ``behind``, at least 0.
        gap_after: The same after the remedy; negative where they swap.
        change: What becomes of their order.
        swap_share: Share of the resamples in which they swap; None for a whole benchmark.
    """

    ahead: str
    behind: str
    gap_before: float
    gap_after: float
    change: OrderChange
    swap_share: float | None = None


class RankingImpact(Record):
    """What a remedy does to the ranking.

    Attributes:
        pairs: All pairs of models with a score, in the order of the ranking before.
        swapped: How many of them swap.
        tau: Kendall's tau-b between the rankings before and after.
        undefined: Name of a figure → why it is not defined.
    """

    pairs: tuple[PairImpact, ...]
    swapped: int
    tau: float | None
    undefined: dict[str, str] = Field(default_factory=dict)


class Impact(Record):
    """What the confirmed defects do to the leaderboard, under one weighting.

    Attributes:
        weighting: What the scores give weight to.
        method: The same in words, with the sample if there is one.
        is_exact: Whether the whole benchmark was counted, so that there is no interval.
        tasks: Tasks counted: those that some model has a verdict on.
        ungraded: Tasks that no model has a verdict on, left out.
        unreviewed: Sampled tasks without a judgement, left out.
        defects: Confirmed defects among the tasks given, without a verdict or with.
        corrected: Of those, with a corrected key.
        excluded: Of those, without one.
        models: By score before, the highest first; models without a score last.
        excluding: Ranking with every defective task taken out.
        correcting: Ranking with corrected keys where there are any.
        resamples: Number of resamples; 0 for a whole benchmark.
        seed: Their seed.
        notes: What a reader must know besides.
        sentence: The finding in words.
        undefined: Name of a figure → why it is not defined.
    """

    weighting: Weighting
    method: str
    is_exact: bool
    tasks: int
    ungraded: int
    unreviewed: int
    defects: int
    corrected: int
    excluded: int
    models: tuple[ModelImpact, ...]
    excluding: RankingImpact
    correcting: RankingImpact
    resamples: int
    seed: str
    notes: tuple[str, ...]
    sentence: str
    undefined: dict[str, str] = Field(default_factory=dict)
