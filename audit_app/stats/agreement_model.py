"""Agreement between reviewers as data: one row a question, every figure with its denominator.

What is not defined is None, and ``undefined`` of the same object says why. A coefficient of 1 is
full agreement, 0 what chance alone gives, below 0 less than that.
"""

from __future__ import annotations

from enum import StrEnum

from audit_app.domain.estimates import Interval
from audit_app.domain.record import Record

NO_OVERLAP = "no overlap: no task was judged by two people"


class Topic(StrEnum):
    """What kind of question a row of the table is about."""

    DEFECT = "defect"
    EFFECT = "effect"
    STALE = "stale"
    FAMILY = "cause_family"
    CAUSE = "cause"
    SEVERITY = "severity"


class Agreement(Record):
    """How far reviewers agree on one question, on the tasks that at least two of them judged.

    Attributes:
        tasks: Tasks judged by two or more.
        pairs: Pairs of judgements of one task: the denominator of ``raw``. With two reviewers
            that is ``tasks``.
        agree: Of those, pairs that say the same.
        raw: agree / pairs.
        raw_interval: Wilson where each task has two judgements, else by the bootstrap over tasks.
        kappa: Cohen's kappa; of exactly two reviewers.
        kappa_interval: By the bootstrap over tasks.
        alpha: Krippendorff's alpha.
        alpha_interval: By the bootstrap over tasks.
        undefined: Figure → why it is not defined.
    """

    tasks: int
    pairs: int
    agree: int
    raw: float | None
    raw_interval: Interval | None
    kappa: float | None
    kappa_interval: Interval | None
    alpha: float | None
    alpha_interval: Interval | None
    undefined: dict[str, str]


class AgreementRow(Record):
    """Agreement on one question.

    Attributes:
        id: ``defect``, ``FN``, ``FP``, ``stale``, a cause family or cause, or ``severity``.
        label: The question in words.
        topic: What kind of question it is.
        level: Level of measurement, ``nominal`` or ``ordinal``.
        figures: The agreement.
    """

    id: str
    label: str
    topic: Topic
    level: str
    figures: Agreement


class AgreementPair(Record):
    """Agreement of two of the reviewers on whether a task is defective."""

    first: str
    second: str
    figures: Agreement


class AgreementTable(Record):
    """Agreement of an audit's reviewers.

    Attributes:
        reviewers: Who judged a task that another judged too, by name.
        tasks: Tasks judged by two or more.
        rows: Defective yes or no first, then by effect, stale, family, cause, and severity.
        pairs: Each two of the reviewers, where there are more than two.
        undefined: Why there is no table; empty where there is one.
    """

    reviewers: tuple[str, ...]
    tasks: int
    rows: tuple[AgreementRow, ...]
    pairs: tuple[AgreementPair, ...] = ()
    undefined: str = ""

    @property
    def overall(self) -> Agreement | None:
        """Agreement on whether a task is defective; None where there is no table."""
        return self.rows[0].figures if self.rows else None
