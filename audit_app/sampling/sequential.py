"""The sequential rule: read a sample, widen it once inside a band of rates, then decide.

Rates are compared as fractions, so that 12 of 48 lies exactly on a band end of 25 %.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from audit_app.domain.estimates import NextStep
from audit_app.domain.rubric import SamplingRule


@dataclass(frozen=True)
class _Decision:
    """What is decided once every task of the sample is read.

    Attributes:
        rule: The band, and whether its ends belong to it.
        threshold: Rate at or above which there is an issue.
        wider: Tasks of the wider sample, None where there is none to be had.
    """

    rule: SamplingRule
    threshold: float
    wider: int | None

    def step(self, rate: Fraction) -> NextStep:
        """What a final rate leads to."""
        if self.wider is not None and self._in_band(rate):
            return NextStep.WIDEN
        return NextStep.ISSUE if rate >= _exact(self.threshold) else NextStep.PASS

    def _in_band(self, rate: Fraction) -> bool:
        lower, upper = map(_exact, self.rule.widen_band)
        return lower <= rate <= upper if self.rule.band_inclusive else lower < rate < upper

    @property
    def band_text(self) -> str:
        lower, upper = (f"{100 * end:g}" for end in self.rule.widen_band)
        return f"{lower}–{upper} %{'' if self.rule.band_inclusive else ' (ends excluded)'}"

    def reason(self, step: NextStep) -> str:
        """Why a rate leads to ``step``, as the end of a sentence."""
        if step is NextStep.WIDEN:
            return f"inside the band of {self.band_text}: widen the sample to {self.wider} tasks"
        outside = f"outside the band of {self.band_text} and " if self.wider is not None else ""
        limit = f"the threshold of {100 * self.threshold:g} %"
        if step is NextStep.ISSUE:
            return f"{outside}at or above {limit}: an issue"
        return f"{outside}below {limit}: no issue by the numbers"


def next_step(
    rule: SamplingRule,
    threshold: float,
    *,
    frame_size: int,
    stage: int,
    sampled: int,
    reviewed: int,
    defective: int,
) -> tuple[NextStep, str]:
    """What the rule asks for, and the sentence that says so with its numbers.

    Args:
        rule: Sizes and band of the rubric.
        threshold: Rate (share) at or above which the scoring item has an issue; inside the band
            or on its ends.
        frame_size: Tasks that could be drawn, N.
        stage: 1 for the first draw, 2 for the widened one.
        sampled: Tasks drawn.
        reviewed: Of those, judged.
        defective: Of those, defective.

    Returns:
        ``REVIEW`` while tasks are unread, even where the outcome is certain already (the
        sentence then says so); otherwise what the rate leads to. A census is an issue as soon as
        its floor, defective tasks of all tasks, reaches the threshold. There is no widening of a
        census, of a frame that is used up, or a second time.

    Raises:
        ValueError: The counts contradict each other, or the threshold lies outside the band.
    """
    if not 0 <= defective <= reviewed <= sampled <= frame_size:
        raise ValueError(f"{defective} defective, {reviewed} read, {sampled} of {frame_size} drawn")
    if not rule.widen_band[0] <= threshold <= rule.widen_band[1]:
        raise ValueError(f"threshold {threshold} lies outside the band {rule.widen_band}")
    if sampled == 0:
        return NextStep.REVIEW, "No task is sampled yet."
    wider = min(rule.widen_to, frame_size)
    final = stage > 1 or frame_size <= rule.census_at_or_below or sampled >= wider
    decision = _Decision(rule, threshold, None if final else wider)
    if reviewed < sampled == frame_size and Fraction(defective, sampled) >= _exact(threshold):
        return NextStep.ISSUE, _floor_text(threshold, sampled, reviewed, defective)
    if reviewed < sampled:
        return NextStep.REVIEW, _unread_text(decision, sampled, reviewed, defective)
    rate = Fraction(defective, sampled)
    step = decision.step(rate)
    counts = f"{defective} of {sampled} reviewed tasks are defective ({_percent(rate)})"
    return step, f"{counts}, {decision.reason(step)}."


def outcome_of(
    rule: SamplingRule, threshold: float, defective: int, read: int, *, wider: int | None
) -> NextStep:
    """What a sample that is read whole leads to.

    Args:
        rule: The band.
        threshold: Rate at or above which there is an issue.
        defective: Defective tasks.
        read: Tasks read, at least one.
        wider: Tasks of the wider sample, None where there is none to be had.
    """
    return _Decision(rule, threshold, wider).step(Fraction(defective, read))


def _unread_text(decision: _Decision, sampled: int, reviewed: int, defective: int) -> str:
    unread = sampled - reviewed
    text = (
        f"{reviewed} of {sampled} sampled tasks are reviewed, {defective} of them defective; "
        f"{unread} {'is' if unread == 1 else 'are'} still to be read."
    )
    least, most = Fraction(defective, sampled), Fraction(defective + unread, sampled)
    step = decision.step(least)
    # Steps only grow with the rate (pass, widen, issue), so equal ends decide all between.
    if step is not decision.step(most):
        return text
    ends = f"the rate will be from {_percent(least)} to {_percent(most)}"
    return f"{text} The outcome is certain already: {ends}, {decision.reason(step)}."


def _floor_text(threshold: float, sampled: int, reviewed: int, defective: int) -> str:
    return (
        f"At least {defective} of all {sampled} tasks are defective "
        f"({_percent(Fraction(defective, sampled))}), a floor with {sampled - reviewed} tasks "
        f"unread: at or above the threshold of {100 * threshold:g} %, an issue whatever the rest "
        "holds."
    )


def _exact(share: float) -> Fraction:
    """The decimal that was written, not the double nearest to it."""
    return Fraction(str(share))


def _percent(share: Fraction) -> str:
    return f"{100 * float(share):.1f} %"
