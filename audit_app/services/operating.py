"""What can be known before a sample is drawn: how the rule behaves, how many tasks to read."""

from __future__ import annotations

from typing import NamedTuple

from audit_app.domain.rubric import Rubric
from audit_app.domain.sampling import DrawKind
from audit_app.errors import InputError
from audit_app.sampling.allocation import allocate
from audit_app.sampling.characteristics import Characteristics, characteristics, planned_strata
from audit_app.sampling.planning import MOST, tasks_for_decision, tasks_for_half_width
from audit_app.services.audits import Preview
from audit_app.services.resources import bundled_rubric

LEVEL = 0.95
"""Coverage of the interval whose half-width is planned."""


class SizeForWidth(NamedTuple):
    """How many tasks an interval of a given half-width takes; None where none is enough."""

    half_width: float
    expected_rate: float
    frame_size: int
    tasks: int | None

    def sentence(self) -> str:
        """The same in words."""
        aim = (
            f"a {100 * LEVEL:.0f} % Wilson interval of ± {_percent(self.half_width)} at a rate of "
            f"{_percent(self.expected_rate)}"
        )
        if self.tasks is None:
            return f"No number up to {MOST} is enough for {aim}."
        if self.tasks >= self.frame_size:
            return f"For {aim} read the whole frame, {self.frame_size} tasks."
        return f"For {aim} read {self.tasks} of the {self.frame_size} tasks."


class SizeForDecision(NamedTuple):
    """How many tasks keep a wrong decision rare; None where no number up to 20,000 does."""

    threshold: float
    margin: float
    error: float
    frame_size: int
    tasks: int | None

    def sentence(self) -> str:
        """The same in words."""
        low, high = _percent(self.threshold - self.margin), _percent(self.threshold + self.margin)
        aim = (
            f"to decide wrongly in at most {_percent(self.error)} of samples where the true rate "
            f"is {low} or {high}"
        )
        if self.tasks is None or self.tasks >= self.frame_size:
            return f"Read the whole frame, {self.frame_size} tasks, {aim}."
        return f"Read {self.tasks} tasks at once {aim}."


def operating_characteristics(preview: Preview) -> Characteristics:
    """What the bundled rubric's rule does with a plan, by true rate.

    Raises:
        InputError: The sample is the whole frame, so that nothing is left to chance.
    """
    rubric, frame, first = bundled_rubric(), preview.frame, preview.sample.allocation
    drawn = len(preview.sample.task_ids)
    if preview.sample.kind is DrawKind.CENSUS or drawn >= frame.size:
        raise InputError(
            f"all {frame.size} tasks of the frame are read, so the true rate decides and nothing "
            "is left to chance"
        )
    wider = first
    if drawn < min(rubric.sampling.widen_to, frame.size):
        wider = allocate(frame, min(preview.plan.widen_to, frame.size), floor=dict(first))
    strata = planned_strata(frame, first, wider)
    return characteristics(rubric.sampling, _threshold(rubric), strata)


def size_for_width(preview: Preview, *, half_width: float, expected_rate: float) -> SizeForWidth:
    """How many tasks of the frame to read for an interval of a half-width.

    Raises:
        InputError: A number is no share.
    """
    if not (0 < half_width < 1 and 0 <= expected_rate <= 1):
        raise InputError(
            f"a half-width of {half_width:g} at a rate of {expected_rate:g} cannot be planned: "
            "give shares, the half-width between 0 and 1, the rate from 0 to 1"
        )
    size = preview.frame.size
    tasks = tasks_for_half_width(half_width, rate=expected_rate, frame_size=size, level=LEVEL)
    return SizeForWidth(half_width, expected_rate, size, tasks)


def size_for_decision(preview: Preview, *, margin: float, error: float) -> SizeForDecision:
    """How many tasks of the frame to read so that a wrong decision is rare.

    Raises:
        InputError: A number is no share, or threshold ± margin leaves 0 to 1.
    """
    threshold = _threshold(bundled_rubric())
    if not (0 < margin <= min(threshold, 1 - threshold) and 0 < error < 1):
        raise InputError(
            f"a margin of {margin:g} with an error of {error:g} cannot be planned: the margin is "
            f"above 0 and at most {min(threshold, 1 - threshold):g}, the error between 0 and 1"
        )
    tasks = tasks_for_decision(threshold, margin=margin, error=error)
    return SizeForDecision(threshold, margin, error, preview.frame.size, tasks)


def _threshold(rubric: Rubric) -> float:
    item = rubric.scoring_item
    if item is None or item.threshold is None or item.threshold.value is None:
        raise InputError(f"rubric {rubric.id!r} has no threshold for the defect rate")
    return item.threshold.value


def _percent(share: float) -> str:
    return f"{100 * share:g} %"
