"""What is stated beside the numbers: issues at scale, audits by others, an early stop.

None of it changes a count, and none of it changes a verdict by itself: a person's answers do.
"""

from __future__ import annotations

from dataclasses import dataclass

from audit_app.domain.dossier import Dossier
from audit_app.domain.estimates import NextStep, Status


@dataclass(frozen=True)
class Grounds:
    """Grounds of an answer besides the rate.

    Attributes:
        scale: Issues at scale, in the words of those who stated them.
        outside: What audits by others come to, a sentence each.
        stop: That reviewing was stopped early, by whom and why; empty where it was not.
    """

    scale: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    stop: str = ""

    @property
    def scale_sentences(self) -> tuple[str, ...]:
        """The issues at scale, a sentence each."""
        return tuple(f"An issue at scale is stated: {_ended(text)}" for text in self.scale)

    def limb(self, item: str, status: Status) -> str:
        """Which limb of its threshold an item fails by: the rate, an issue at scale, or both.

        Args:
            item: The item as it is named.
            status: Where the sample stands.
        """
        by_rate = status.next is NextStep.ISSUE
        if by_rate and self.scale:
            return f"{item} fails by both limbs: by the rate, and by an issue at scale."
        if by_rate:
            return f"{item} fails by the rate."
        if self.scale:
            return f"{item} fails by an issue at scale, whatever the rate."
        return (
            f"Warning: {item} fails by neither limb: the numbers find no issue so far, and no "
            "issue at scale is stated with its evidence."
        )


def grounds_of(dossier: Dossier, threshold: float | None) -> Grounds:
    """The grounds that a dossier holds.

    Args:
        dossier: What is recorded.
        threshold: Rate at or above which the scoring item has an issue.
    """
    stop = dossier.stop
    return Grounds(
        scale=tuple(_one_line(entry.body.text) for entry in dossier.scale_issues),
        outside=tuple(
            _outside(entry.body.source, entry.body.confirmed, entry.body.of, threshold)
            for entry in dossier.outside
        ),
        stop=""
        if stop is None
        else f"Reviewing was stopped on {stop.at.date().isoformat()} by {stop.by}, with "
        f"{stop.body.reviewed} of {stop.body.sampled} sampled tasks reviewed: "
        f"{_ended(_one_line(stop.body.reason))}",
    )


def _outside(source: str, confirmed: int, of: int, threshold: float | None) -> str:
    floor = f"{confirmed} of {of} tasks ({100 * confirmed / of:.1f} %)"
    text = f"Outside evidence, {source}: at least {floor} are defective, a floor and no rate"
    if threshold is None:
        return f"{text}."
    # Counts are compared, so that 20 of 100 lies exactly on 20 %.
    side = "at or above" if confirmed >= round(threshold * of, 9) else "below"
    return f"{text}; by itself it lies {side} the threshold of {100 * threshold:g} %."


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?", "。")) else f"{sentence}."


def _one_line(text: str) -> str:
    return " ".join(text.split())
