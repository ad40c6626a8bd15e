"""Simulated coverage of the intervals for a stratified sample; writes docs/coverage.csv and .svg.

Run it with ``python -m tests.bench.coverage``. Samples are drawn without replacement from a frame
like that of BFCL v4 under the published allocation, with 50 and with 100 tasks, and with 50 that
the sequential rule widens to 100, for true rates from 2 % to 60 % and four ways in which the rate
differs between strata; 10,000 samples each.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from audit_app.domain.estimates import Interval, NextStep
from audit_app.sampling.sequential import outcome_of
from audit_app.services.resources import bundled_rubric
from audit_app.stats.design import Cell, EffectiveSample, effective_sample
from audit_app.stats.intervals import (
    LEVEL,
    clopper_pearson_interval,
    jeffreys_interval,
    wilson_interval,
)
from audit_app.stats.stratified_intervals import bayes_interval, korn_graubard_interval
from tests.bench.coverage_chart import coverage_chart

DOCS = Path(__file__).resolve().parents[2] / "docs"
REPEATS = 10_000
RATES = tuple(p / 100 for p in (2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 20, 22, 25, 30, 35, 40, 48, 60))
POPULATIONS = np.array([1150, 1351, 1124, 800, 155, 100])
WEIGHTS = {
    "score_weighted": np.array([0.1, 0.1, 0.1, 0.3, 0.2, 0.2]),
    "task_weighted": POPULATIONS / POPULATIONS.sum(),
}
DESIGNS = ("50", "100", "50 or 100")
"""Tasks read; the last is the sequential rule's."""
PATTERNS = {
    "even": np.ones(6),
    "published": np.array([0.2, 0.4, 0.4, 8 / 15, 0.7, 0.4]),
    "steep": np.array([0.1, 0.1, 0.2, 1.0, 2.2, 1.5]),
    "reversed": np.array([2.2, 1.5, 1.0, 0.2, 0.1, 0.1]),
}
"""Rate of each stratum relative to the others."""

Counts = NDArray[np.int64]
Shares = NDArray[np.float64]
Ends = tuple[float, float]
Plain = Callable[[int, int], Interval]
Designed = Callable[[EffectiveSample], Interval]
_PLAIN: dict[str, Plain] = {
    "wilson": wilson_interval,
    "clopper_pearson": clopper_pearson_interval,
    "jeffreys": jeffreys_interval,
}
_DESIGNED: dict[str, Designed] = {"korn_graubard": korn_graubard_interval, "bayes": bayes_interval}


class Row(NamedTuple):
    """Coverage of one method in one situation; the sample's rate is taken for the score's."""

    read: str
    estimand: str
    pattern: str
    rate: float
    method: str
    coverage: float
    mean_width: float


def _truth(rate: float, pattern: Shares, weights: Shares) -> Counts:
    """Defective tasks of each stratum, so that the weighted rate is about ``rate``."""
    shares = np.clip(pattern * rate / float(weights @ pattern), 0, 0.98)
    for _ in range(20):  # what was clipped is put on the other strata
        shares = np.clip(shares * rate / float(weights @ shares), 0, 0.98)
    return np.round(POPULATIONS * shares).astype(np.int64)


@cache
def _plain(name: str, defective: int, read: int) -> Ends:
    interval = _PLAIN[name](defective, read)
    return interval.lower, interval.upper


def _intervals(counts: Sequence[int], sizes: Sequence[int], estimand: str) -> dict[str, Ends]:
    found: dict[str, Ends] = {}
    if estimand == "score_weighted":
        found = {name: _plain(name, sum(counts), sum(sizes)) for name in _PLAIN}
    cells = [
        Cell(w, p, n, c)
        for w, p, n, c in zip(
            WEIGHTS[estimand].tolist(), POPULATIONS.tolist(), sizes, counts, strict=True
        )
    ]
    sample = effective_sample(cells, level=LEVEL)
    if sample is None:
        return found
    designed = {name: method(sample) for name, method in _DESIGNED.items()}
    return found | {name: (i.lower, i.upper) for name, i in designed.items()}


def _samples(
    design: str, defective: Counts, repeats: int, random: np.random.Generator
) -> Iterator[tuple[list[int], list[int], int]]:
    """(Defective and read tasks of each stratum, number of such samples)."""
    first = np.round(WEIGHTS["score_weighted"] * int(design.split()[0])).astype(np.int64)
    drawn = random.hypergeometric(defective, POPULATIONS - defective, first, (repeats, 6))
    wide = np.zeros(repeats, dtype=bool)
    if design == DESIGNS[-1]:
        rule, read = bundled_rubric().sampling, int(first.sum())
        widens = [
            outcome_of(rule, 0.20, k, read, wider=2 * read) is NextStep.WIDEN
            for k in range(read + 1)
        ]
        wide = np.array(widens)[drawn.sum(axis=1)]
        left = defective - drawn[wide]
        more = random.hypergeometric(left, POPULATIONS - first - left, first)
        drawn[wide] += more
    for chosen, sizes in ((~wide, first), (wide, 2 * first)):
        if chosen.any():
            vectors, times = np.unique(drawn[chosen], axis=0, return_counts=True)
            for vector, count in zip(vectors.tolist(), times.tolist(), strict=True):
                yield vector, sizes.tolist(), count


def simulate(
    design: str, estimand: str, pattern: str, rate: float, *, repeats: int = REPEATS, seed: int = 0
) -> Iterator[Row]:
    """Coverage of every method over ``repeats`` samples."""
    weights = WEIGHTS[estimand]
    defective = _truth(rate, PATTERNS[pattern], weights)
    true = float(weights @ (defective / POPULATIONS))
    place = [DESIGNS.index(design), len(estimand), round(1000 * rate), len(pattern)]
    random = np.random.default_rng([seed, *place])
    held: dict[str, float] = {}
    width: dict[str, float] = {}
    for counts, sizes, times in _samples(design, defective, repeats, random):
        for name, (lower, upper) in _intervals(counts, sizes, estimand).items():
            held[name] = held.get(name, 0) + times * (lower - 1e-12 <= true <= upper + 1e-12)
            width[name] = width.get(name, 0) + times * (upper - lower)
    for name in held:
        mean_width = width[name] / repeats
        yield Row(design, estimand, pattern, rate, name, held[name] / repeats, mean_width)


def rows(*, repeats: int = REPEATS) -> list[Row]:
    """Every situation."""
    return [
        row
        for design in DESIGNS
        for estimand in WEIGHTS
        for pattern in PATTERNS
        for rate in RATES
        for row in simulate(design, estimand, pattern, rate, repeats=repeats)
    ]


def summary(found: Sequence[Row]) -> Iterator[str]:
    """The lines of the table in docs/methods.md: lowest and mean coverage."""
    kinds = dict.fromkeys((r.method, r.estimand) for r in found)
    for method, estimand in kinds:
        cells = []
        for design in DESIGNS:
            mine = [
                r for r in found if (r.method, r.estimand, r.read) == (method, estimand, design)
            ]
            worst = min(mine, key=lambda row: row.coverage)
            mean = float(np.mean([row.coverage for row in mine]))
            cells.append(f"{100 * worst.coverage:.1f} at {100 * worst.rate:g} % ({worst.pattern})")
            cells.append(f"{100 * mean:.1f}")
        yield f"| {method} | {estimand} | {' | '.join(cells)} |"


def main() -> None:
    """Write the table and the chart, and say the lowest coverage of each method."""
    found = rows()
    with (DOCS / "coverage.csv").open("w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(Row._fields)
        writer.writerows(
            (*row[:5], f"{row.coverage:.4f}", f"{row.mean_width:.4f}") for row in found
        )
    (DOCS / "coverage.svg").write_text(coverage_chart(found), encoding="utf-8")
    print("\n".join(summary(found)))  # noqa: T201


if __name__ == "__main__":
    main()
