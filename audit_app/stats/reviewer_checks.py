"""How well reviewers find planted defects, and the defect rate corrected for it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from audit_app.domain.estimates import Interval
from audit_app.domain.planted import PlantKind
from audit_app.stats.bootstrap import Floats, percentile_interval, resampled_counts
from audit_app.stats.intervals import LEVEL, wilson_interval

LEAST_DIFFERENCE = 0.2
"""Recall less false-alarm rate below which the correction says more of its divisor than of keys."""

_TIE = 1e-9
"""Shares are ratios of counts: a difference of just the least one must not fall below it."""

MOST_LEFT_OUT = 0.05
"""Share of resamples without a corrected rate above which there is no interval."""

BOOTSTRAP = "bootstrap"
RESAMPLES = 10_000


class Judged(NamedTuple):
    """One judgement of one planted check.

    Attributes:
        task_id: The check.
        kind: What was done to its key.
        reviewer: Who judged.
        is_defective: Whether the judgement holds a confirmed finding that counts.
        is_cause_right: Whether such a finding names a cause of the family that is expected.
    """

    task_id: str
    kind: PlantKind
    reviewer: str
    is_defective: bool
    is_cause_right: bool = False


@dataclass(frozen=True)
class Share:
    """A share of judgements with its denominator.

    Attributes:
        count: Judgements that are so.
        of: Judgements looked at.
        interval: Wilson's interval; None where there is no judgement.
    """

    count: int
    of: int
    interval: Interval | None

    @property
    def rate(self) -> float | None:
        """The share itself; None where nothing is judged."""
        return self.count / self.of if self.of else None


@dataclass(frozen=True)
class CheckRates:
    """What judgements of planted checks come to.

    Attributes:
        recall: Damaged keys judged defective, of those judged.
        false_alarms: Keys left as they are judged defective, of those judged.
        cause_right: Found defects whose cause is of the expected family, of those found.
    """

    recall: Share
    false_alarms: Share
    cause_right: Share


@dataclass(frozen=True)
class CorrectedRate:
    """A defect rate corrected for what reviewers miss and for what they see where nothing is.

    Attributes:
        observed: The rate that is corrected, None where nothing is reviewed.
        recall: Share of the damaged checks that were found.
        false_alarm_rate: Share of the clean checks that were judged defective.
        rate: The corrected rate, in [0, 1]; None where it is not defined.
        interval: Its bootstrap interval; None where there is none.
        clipped: How the formula's value was brought into [0, 1], empty where it lay there.
        undefined: Figure (``rate``, ``interval``) → why it is not defined.
    """

    observed: float | None
    recall: float | None
    false_alarm_rate: float | None
    rate: float | None = None
    interval: Interval | None = None
    clipped: str = ""
    undefined: Mapping[str, str] = field(default_factory=dict)


def share_of(count: int, of: int) -> Share:
    """A share with Wilson's interval."""
    return Share(count, of, wilson_interval(count, of) if of else None)


def check_rates(judged: Iterable[Judged]) -> CheckRates:
    """Recall and false alarms of the given judgements, each judgement counted once."""
    rows = list(judged)
    damaged = [row for row in rows if row.kind is not PlantKind.CLEAN]
    clean = [row for row in rows if row.kind is PlantKind.CLEAN]
    found = [row for row in damaged if row.is_defective]
    return CheckRates(
        recall=share_of(len(found), len(damaged)),
        false_alarms=share_of(sum(row.is_defective for row in clean), len(clean)),
        cause_right=share_of(sum(row.is_cause_right for row in found), len(found)),
    )


def corrected_rate(
    strata: Sequence[Sequence[bool]],
    damaged: Sequence[bool],
    clean: Sequence[bool],
    *,
    seed: str,
    resamples: int = RESAMPLES,
) -> CorrectedRate:
    """The defect rate that the observed one comes from, given how reviewers judge planted checks.

    The corrected rate is (p − f) / (r − f), for the observed rate p, recall r and false-alarm
    rate f, clipped to [0, 1]. The bootstrap draws tasks anew within their strata, and damaged and
    clean checks each among themselves; its interval holds the middle of the resampled rates. A
    resample with r − f below the least difference has no rate and is left out.

    Args:
        strata: For each stratum of the sample, whether each of its reviewed tasks is defective.
        damaged: For each judged check with a damaged key, whether it was judged defective.
        clean: For each judged check with the key left as it is, whether it was.
        seed: Text; same seed, same interval.
        resamples: Of the bootstrap.

    Source: Rogan and Gladen (1978), Estimating prevalence from the results of a screening test,
    American Journal of Epidemiology 107(1), 71–76, with sensitivity r and specificity 1 − f.
    """
    reviewed = [list(stratum) for stratum in strata if stratum]
    observed = _mean([flag for stratum in reviewed for flag in stratum])
    recall, alarms = _mean(damaged), _mean(clean)
    why = _refusal(observed, recall, alarms)
    if why or observed is None or recall is None or alarms is None:
        return CorrectedRate(
            observed, recall, alarms, undefined={"rate": why, "interval": why} if why else {}
        )
    raw = (observed - alarms) / (recall - alarms)
    interval, no_interval = _interval([*reviewed, list(damaged), list(clean)], seed, resamples)
    return CorrectedRate(
        observed,
        recall,
        alarms,
        rate=min(1.0, max(0.0, raw)),
        interval=interval,
        clipped=_clipped(raw),
        undefined={"interval": no_interval} if no_interval else {},
    )


def _mean(flags: Sequence[bool]) -> float | None:
    return sum(flags) / len(flags) if flags else None


def _refusal(observed: float | None, recall: float | None, alarms: float | None) -> str:
    if observed is None:
        return "no task of the sample is reviewed"
    if recall is None:
        return "no check with a damaged key is judged"
    if alarms is None:
        return "no check with a right key is judged"
    if recall - alarms < LEAST_DIFFERENCE - _TIE:
        return (
            f"recall less false-alarm rate is {recall:.3f} − {alarms:.3f} = {recall - alarms:.3f}, "
            f"below {LEAST_DIFFERENCE}: the judgements say too little about the keys"
        )
    return ""


def _clipped(raw: float) -> str:
    if raw < 0:
        return f"the formula gives {raw:.3f}: fewer tasks are judged defective than false alarms"
    if raw > 1:
        return f"the formula gives {raw:.3f}: more tasks are judged defective than recall allows"
    return ""


def _interval(
    groups: Sequence[Sequence[bool]], seed: str, resamples: int
) -> tuple[Interval | None, str]:
    """The interval, or why there is none; the last two groups are the checks."""
    replicates = np.concatenate(
        [
            _replicates(groups, counts)
            for counts in resampled_counts([len(g) for g in groups], seed=seed, resamples=resamples)
        ]
    )
    left_out = float(np.isnan(replicates).mean())
    if left_out > MOST_LEFT_OUT:
        return None, (
            f"in {left_out:.0%} of the resamples recall less false-alarm rate is below "
            f"{LEAST_DIFFERENCE}: there are too few checks for an interval"
        )
    found = percentile_interval(replicates, level=LEVEL)
    return found.model_copy(update={"name": BOOTSTRAP}), ""


def _replicates(groups: Sequence[Sequence[bool]], counts: Sequence[Floats]) -> Floats:
    shares = [
        drawn @ np.asarray(flags, dtype=np.float64) / drawn.sum(axis=1)
        for flags, drawn in zip(groups, counts, strict=True)
    ]
    *strata, recall, alarms = shares
    sizes = np.asarray([len(flags) for flags in groups[:-2]], dtype=np.float64)
    observed = np.stack(strata, axis=1) @ sizes / sizes.sum()
    difference = recall - alarms
    usable = difference >= LEAST_DIFFERENCE - _TIE
    divisor = np.where(usable, difference, 1.0)
    rates = np.clip((observed - alarms) / divisor, 0.0, 1.0)
    return np.where(usable, rates, np.nan)
