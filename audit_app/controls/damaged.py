"""What a damaged key is, and the judgement that it should find."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from audit_app.domain.planted import PlantKind
from audit_app.domain.record import Json
from audit_app.domain.review import Effect


class DamagedKey(NamedTuple):
    """A key with one known defect."""

    kind: PlantKind
    key: Json


class Expected(NamedTuple):
    """What a reviewer should say of a planted task.

    Attributes:
        cause: Cause code.
        effects: What the defect does to a score.
    """

    cause: str = ""
    effects: tuple[Effect, ...] = ()


EXPECTED: Mapping[PlantKind, Expected] = {
    PlantKind.CLEAN: Expected(),
    PlantKind.WRONG_VALUE: Expected("K1", (Effect.FN,)),
    PlantKind.WRONG_FUNCTION: Expected("K1", (Effect.FN,)),
    PlantKind.MISSING_ALTERNATIVE: Expected("K3", (Effect.FN,)),
    PlantKind.MISSING_CALL: Expected("K1", (Effect.FN, Effect.FP)),
    PlantKind.EXTRA_CALL: Expected("K1", (Effect.FN,)),
    PlantKind.OTHER_ANSWER: Expected("K1", (Effect.FN,)),
}
"""As the taxonomy has it: a key that is merely wrong counts as FN. FP stands beside it where a
plausible wrong answer passes: the one that leaves out the call which the key lost."""
