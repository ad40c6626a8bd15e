"""Planted checks: tasks of known outcome mixed into reviewers' queues to measure the reviewers."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from audit_app.domain.record import Json, Record
from audit_app.domain.review import Effect


class PlantKind(StrEnum):
    """What was done to the key of a planted task."""

    CLEAN = "clean"
    """Nothing: a task whose key is taken to be right."""
    WRONG_VALUE = "wrong_value"
    WRONG_FUNCTION = "wrong_function"
    MISSING_ALTERNATIVE = "missing_alternative"
    MISSING_CALL = "missing_call"
    EXTRA_CALL = "extra_call"
    OTHER_ANSWER = "other_answer"


class PlantedTask(Record):
    """One planted check of an audit; never part of its sample, nor of any estimate.

    Attributes:
        id: UUID.
        task_id: A task of the benchmark outside the sample.
        stratum: The stratum under which it stands in the queue.
        kind: What was done to its key.
        cause: Cause code that a reviewer should name, empty for a clean one.
        effects: What the planted defect does to a score, empty for a clean one.
        key: The key as reviewers see it.
        basis: Why the published key is taken to be right.
        planted_at: When.
        planted_by: By whom.
    """

    id: str
    task_id: str
    stratum: str
    kind: PlantKind
    cause: str = ""
    effects: tuple[Effect, ...] = ()
    key: Json
    basis: str
    planted_at: datetime
    planted_by: str

    @property
    def is_defective(self) -> bool:
        """Whether a reviewer should find a defect."""
        return self.kind is not PlantKind.CLEAN
