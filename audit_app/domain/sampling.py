"""Sampling: plans, frames, strata, allocations and draws, as survey sampling names them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from hashlib import sha256
from typing import Self

from pydantic import Field, model_validator

from audit_app.domain.record import Record

ALGORITHM = "prn-sha256-1"
"""Names the way draws are made: permanent random numbers by SHA-256, version 1."""


class DrawKind(StrEnum):
    """Where a draw comes from."""

    RANDOM = "random"
    CENSUS = "census"
    SUPPLIED = "supplied"


class InnerStratum(Record):
    """A stratum inside an outer one.

    Attributes:
        id: The value of the plan's field, for example ``memory``.
        weight: Relative to its siblings; None weighs by number of tasks.
    """

    id: str
    weight: float | None = Field(default=None, ge=0, allow_inf_nan=False)


class PlannedStratum(Record):
    """A top-level stratum of a plan.

    Attributes:
        id: The value of the plan's field, or a name of its own where ``within`` is given.
        weight: Relative to the other top-level strata; 0 puts it outside the frame; None weighs
            by number of tasks (then no stratum of the plan may state a weight).
        within: Inner strata; empty where the stratum is not divided.
    """

    id: str
    weight: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    within: tuple[InnerStratum, ...] = ()


class SamplingPlan(Record):
    """How a sample is to be drawn; with the frame and the seed it determines the draw.

    Attributes:
        size: Tasks to draw at first (count, at least 1).
        widen_to: Tasks after widening (count), at least ``size``.
        census_at_or_below: Frames of at most this many tasks are read whole.
        seed: Text; same seed, same draw.
        stratify_by: Field whose values are the strata (``group``, ``category`` or a further
            field); a second field divides each stratum of the first. Empty: one stratum.
        strata: Weights and nesting; empty: each value is a stratum weighing by number of tasks.
        algorithm: The draw's algorithm version.
    """

    size: int = Field(ge=1)
    widen_to: int = Field(ge=1)
    census_at_or_below: int = Field(default=50, ge=0)
    seed: str = ""
    stratify_by: tuple[str, ...] = ("group",)
    strata: tuple[PlannedStratum, ...] = ()
    algorithm: str = ALGORITHM

    @model_validator(mode="after")
    def _is_coherent(self) -> Self:
        if self.widen_to < self.size:
            raise ValueError(f"widen_to {self.widen_to} is smaller than size {self.size}")
        if len(self.stratify_by) > 2:
            raise ValueError(f"at most two levels of strata, not {len(self.stratify_by)}")
        ids = [stratum.id for stratum in self.strata]
        leaves = [i.id for s in self.strata for i in s.within]
        for what, names in (("stratum", ids), ("inner stratum", leaves)):
            double = sorted({name for name in names if names.count(name) > 1})
            # The same inner value may stand in several outer strata when two fields divide.
            if double and not (what == "inner stratum" and len(self.stratify_by) == 2):
                raise ValueError(f"{what} {double[0]!r} stands twice in the plan")
        stated = [s.weight is not None for s in self.strata]
        if any(stated) and not all(stated):
            missing = next(s.id for s in self.strata if s.weight is None)
            raise ValueError(f"stratum {missing!r} has no weight although others have one")
        if any(stated) and not sum(s.weight or 0 for s in self.strata) > 0:
            raise ValueError("all weights are 0: nothing would be in the frame")
        if self.strata and not self.stratify_by:
            raise ValueError("strata are named, but stratify_by names no field")
        for stratum in self.strata:
            _require_coherent_weights(stratum)
        return self


def _require_coherent_weights(stratum: PlannedStratum) -> None:
    stated = [inner.weight for inner in stratum.within if inner.weight is not None]
    if stated and len(stated) < len(stratum.within):
        missing = next(inner.id for inner in stratum.within if inner.weight is None)
        raise ValueError(f"inner stratum {missing!r} has no weight although its siblings have one")
    if stated and not sum(stated) > 0:
        raise ValueError(f"all weights within {stratum.id!r} are 0; give {stratum.id!r} weight 0")


class Stratum(Record):
    """A cell of the frame.

    Attributes:
        id: Stable key: the field's value; ``outer/inner`` where two fields divide.
        outer: The top-level stratum it belongs to (itself where there is no nesting).
        population: Tasks in the cell, N_h (count).
        weight: Share of the frame's weight that falls on the cell, in [0, 1].
        outer_weight: Share of the frame's weight that falls on ``outer``.
    """

    id: str
    outer: str
    population: int = Field(ge=0)
    weight: float = Field(ge=0, le=1)
    outer_weight: float = Field(ge=0, le=1)


class Frame(Record):
    """The tasks that can be drawn, by stratum, and those that cannot.

    Attributes:
        strata: Cells in the order of the plan; weights sum to 1.
        members: Stratum id → task ids, sorted.
        outside: Field value → number of tasks of weight 0, listed as outside the frame.
    """

    strata: tuple[Stratum, ...]
    members: dict[str, tuple[str, ...]]
    outside: dict[str, int] = Field(default_factory=dict)

    @property
    def size(self) -> int:
        """Tasks in the frame, N."""
        return sum(stratum.population for stratum in self.strata)

    @property
    def digest(self) -> str:
        """SHA-256 over the sorted (stratum id, task id) pairs: the frame hash."""
        lines = sorted(f"{s}\x1f{t}\n" for s, tasks in self.members.items() for t in tasks)
        return sha256("".join(lines).encode()).hexdigest()

    def stratum_of(self) -> Mapping[str, str]:
        """Task id → stratum id."""
        return {task: s for s, tasks in self.members.items() for task in tasks}


class Draw(Record):
    """The sampled tasks of one stratum, in the order of the draw.

    Attributes:
        stratum: Its id.
        task_ids: Ordered; a widened draw begins with the ids of the first.
    """

    stratum: str
    task_ids: tuple[str, ...]


class Sample(Record):
    """All draws of an audit at one stage.

    Attributes:
        stage: 1 for the first draw, 2 for the widened one.
        kind: Where it comes from.
        draws: One a stratum, strata in the order of the plan.
        reason: Why it was widened, where a person gave a reason.
    """

    stage: int = Field(ge=1)
    kind: DrawKind
    draws: tuple[Draw, ...]
    reason: str = ""

    @property
    def task_ids(self) -> Sequence[str]:
        """All sampled ids, stratum by stratum."""
        return [task for draw in self.draws for task in draw.task_ids]

    @property
    def allocation(self) -> Mapping[str, int]:
        """Stratum id → n_h."""
        return {draw.stratum: len(draw.task_ids) for draw in self.draws}
