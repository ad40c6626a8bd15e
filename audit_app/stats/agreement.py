"""How far reviewers agree on one question: raw agreement, Cohen's kappa, Krippendorff's alpha.

Only tasks that at least two people judged say anything. What is not defined has its reason; it is
never NaN, 0 or 1. Values are told apart as the strings they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from itertools import combinations
from typing import Literal, NamedTuple

import krippendorff
import numpy as np

from audit_app.domain.estimates import Interval
from audit_app.stats.agreement_model import NO_OVERLAP, Agreement
from audit_app.stats.bootstrap import RESAMPLES, Floats, percentile_interval
from audit_app.stats.intervals import wilson_interval

Ratings = Mapping[str, Mapping[str, str]]
"""Task id → reviewer → what he or she said; who did not judge a task is left out."""

BOOTSTRAP = "bootstrap"
"""Id of the interval."""

MAX_UNDEFINED_SHARE = 0.05
"""Most resamples without a figure for which an interval is still given: its two tails."""

_COEFFICIENTS = ("kappa", "kappa_interval", "alpha", "alpha_interval")


def agreement(
    ratings: Ratings,
    *,
    seed: str,
    order: Sequence[str] | None = None,
    no_overlap: str = NO_OVERLAP,
) -> Agreement:
    """The agreement of reviewers on one question.

    With a Cohen's kappa of n tasks, x_ij of them called i by the first and j by the second,
    kappa = (n Σ x_ii − Σ x_i· x_·i) / (n² − Σ x_i· x_·i). Alpha is 1 − D_o / D_e over the matrix of
    coincidences, nominal, or ordinal where ``order`` is given.

    Args:
        ratings: What each said of each task.
        seed: Text; same seed, same intervals.
        order: The values from low to high, for an ordinal question.
        no_overlap: Why there is nothing to compare, where no task was judged by two.

    Source: Cohen (1960), A coefficient of agreement for nominal scales, equation 1; Krippendorff
    (2011), Computing Krippendorff's alpha-reliability, sections B to D; intervals: Efron and
    Tibshirani (1993), section 13.3, resampling tasks.
    """
    shared = _Shared({task: own for task, own in ratings.items() if len(own) > 1}, order)
    if not shared.tasks:
        return _nothing(no_overlap)
    undefined = _why_undefined(shared)
    resampled = shared.resampled(seed)
    kappa = _coefficient("kappa", shared.kappa, shared.kappas, resampled, undefined)
    alpha = _coefficient("alpha", shared.alpha, shared.alphas, resampled, undefined)
    pairs, agree = int(shared.total(shared.pairs)), int(shared.total(shared.agreeing))
    return Agreement(
        tasks=shared.tasks,
        pairs=pairs,
        agree=agree,
        raw=agree / pairs,
        raw_interval=wilson_interval(agree, pairs)
        if pairs == shared.tasks
        else _interval("raw", shared.shares(resampled), undefined),
        kappa=kappa.value,
        kappa_interval=kappa.interval,
        alpha=alpha.value,
        alpha_interval=alpha.interval,
        undefined=undefined,
    )


class _Coefficient(NamedTuple):
    value: float | None
    interval: Interval | None


def _coefficient(
    name: str,
    estimate: Callable[[], float],
    replicate: Callable[[Floats], Floats],
    resampled: Floats,
    undefined: dict[str, str],
) -> _Coefficient:
    """The figure with its interval, unless ``undefined`` has a reason against it."""
    if name in undefined:
        return _Coefficient(None, None)
    return _Coefficient(estimate(), _interval(name, replicate(resampled), undefined))


def _nothing(reason: str) -> Agreement:
    return Agreement(
        tasks=0,
        pairs=0,
        agree=0,
        raw=None,
        raw_interval=None,
        kappa=None,
        kappa_interval=None,
        alpha=None,
        alpha_interval=None,
        undefined=dict.fromkeys(("raw", "raw_interval", *_COEFFICIENTS), reason),
    )


def _why_undefined(shared: _Shared) -> dict[str, str]:
    """Coefficient → why it is not defined."""
    if shared.tasks < 2:
        return dict.fromkeys(_COEFFICIENTS, "only one task was judged by two people")
    if len(shared.values) < 2:
        only = f"everyone said {shared.values[0]!r} of every task: chance alone gives that too"
        return dict.fromkeys(_COEFFICIENTS, only)
    if len(shared.reviewers) > 2:
        several = f"kappa compares two reviewers, and {len(shared.reviewers)} judged shared tasks"
        return dict.fromkeys(("kappa", "kappa_interval"), several)
    return {}


def _interval(name: str, replicates: Floats, undefined: dict[str, str]) -> Interval | None:
    """The interval; where there is none, ``undefined`` is given the reason."""
    defined = replicates[np.isfinite(replicates)]
    share = 1 - defined.size / replicates.size
    reason = ""
    if share > MAX_UNDEFINED_SHARE:
        reason = f"{share:.0%} of the resamples hold one value only, where it is not defined"
    elif np.ptp(defined) == 0:
        reason = "every resample gives the same figure, which says nothing of its uncertainty"
    if reason:
        undefined[f"{name}_interval"] = reason
        return None
    return percentile_interval(defined, name=BOOTSTRAP)


class _Shared:
    """Shared tasks as counts: tasks on which the same people said the same are one pattern.

    A resample of tasks is then a multinomial draw of patterns, whatever the number of tasks.

    Attributes:
        tasks: How many.
        reviewers: Who judged any of them.
        values: What was said, in order.
        sizes: Tasks of each pattern.
        pairs: Pairs of judgements in a task of each pattern.
        agreeing: Of those, pairs that say the same.
    """

    def __init__(self, ratings: Ratings, order: Sequence[str] | None) -> None:
        patterns = Counter(tuple(sorted(own.items())) for own in ratings.values())
        self._patterns = sorted(patterns)
        self._is_ordinal = order is not None
        self.tasks = len(ratings)
        self.reviewers = sorted({person for pattern in patterns for person, _ in pattern})
        said = {value for pattern in patterns for _, value in pattern}
        self.values = [v for v in order if v in said] if order is not None else sorted(said)
        self._index = {value: i for i, value in enumerate(self.values)}
        self.sizes = np.array([patterns[p] for p in self._patterns], dtype=np.float64)
        self.pairs = np.array([len(p) * (len(p) - 1) / 2 for p in self._patterns])
        self.agreeing = np.array(
            [sum(a == b for (_, a), (_, b) in combinations(p, 2)) for p in self._patterns],
            dtype=np.float64,
        )

    def total(self, of_pattern: Floats) -> float:
        """Sum over all tasks of what a task of each pattern has."""
        return float(self.sizes @ of_pattern)

    def resampled(self, seed: str) -> Floats:
        """Tasks of each pattern in each resample, shape (resamples, patterns)."""
        random = np.random.default_rng(int.from_bytes(sha256(seed.encode()).digest()))
        draws = random.multinomial(self.tasks, self.sizes / self.tasks, size=RESAMPLES)
        return draws.astype(np.float64)

    def shares(self, sizes: Floats) -> Floats:
        """Raw agreement of each row of pattern sizes."""
        return np.asarray((sizes @ self.agreeing) / (sizes @ self.pairs))

    def kappa(self) -> float:
        """Cohen's kappa."""
        return float(self.kappas(self.sizes[None])[0])

    def kappas(self, sizes: Floats) -> Floats:
        """Cohen's kappa of each row of pattern sizes, NaN where it is not defined."""
        table = self._tables(sizes, self._joint)
        n = table.sum(axis=(1, 2))
        both = np.trace(table, axis1=1, axis2=2)
        chance = (table.sum(axis=2) * table.sum(axis=1)).sum(axis=1)
        return _ratio(n * both - chance, n * n - chance)

    def alpha(self) -> float:
        """Krippendorff's alpha."""
        counts = np.repeat(self._counts, self.sizes.astype(np.int64), axis=0)
        level: Literal["ordinal", "nominal"] = "ordinal" if self._is_ordinal else "nominal"
        return float(krippendorff.alpha(value_counts=counts, level_of_measurement=level))

    def alphas(self, sizes: Floats) -> Floats:
        """Krippendorff's alpha of each row of pattern sizes, NaN where it is not defined."""
        observed = self._tables(sizes, self._coincidences)
        used = observed.sum(axis=2)
        distances = self._distances(used)
        n = used.sum(axis=1)
        disagreement = (n - 1) * (observed * distances).sum(axis=(1, 2))
        expected = (used[:, :, None] * used[:, None, :] * distances).sum(axis=(1, 2))
        return 1 - _ratio(disagreement, expected)

    def _tables(self, sizes: Floats, of_pattern: Floats) -> Floats:
        k = len(self.values)
        return np.asarray(sizes @ of_pattern).reshape(-1, k, k)

    def _distances(self, used: Floats) -> Floats:
        if not self._is_ordinal:
            return np.asarray(1 - np.eye(len(self.values)))[None]
        # Σ n_g for g = c…k, less (n_c + n_k) / 2, is the distance of the middles of the ranks.
        middles = used.cumsum(axis=1) - used / 2
        return np.asarray((middles[:, :, None] - middles[:, None, :]) ** 2)

    @cached_property
    def _joint(self) -> Floats:
        """What the first said, by what the second said; shape (patterns, values²)."""
        table = np.zeros((len(self._patterns), len(self.values) ** 2))
        for row, ((_, first), (_, second)) in zip(table, self._patterns, strict=True):
            row[self._index[first] * len(self.values) + self._index[second]] = 1
        return table

    @cached_property
    def _counts(self) -> Floats:
        """How many said each value, shape (patterns, values)."""
        table = np.zeros((len(self._patterns), len(self.values)))
        for row, pattern in zip(table, self._patterns, strict=True):
            for _, value in pattern:
                row[self._index[value]] += 1
        return table

    @cached_property
    def _coincidences(self) -> Floats:
        """Ordered pairs of values in a task of m judgements, each 1 / (m − 1)."""
        said = self._counts
        same = said[:, :, None] * np.eye(len(self.values))
        pairs = said[:, :, None] * said[:, None, :] - same
        return np.asarray(pairs / (said.sum(axis=1) - 1)[:, None, None]).reshape(len(said), -1)


def _ratio(numerators: Floats, denominators: Floats) -> Floats:
    ratios = np.full(numerators.shape, np.nan)
    np.divide(numerators, denominators, out=ratios, where=denominators != 0)
    return ratios
