"""The multi-turn check: both sets of calls run turn by turn, then state and results compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from audit_app.external.simulator_calls import CallRunner
from audit_app.scoring.multi_turn_rules import (
    EMPTY_TURN,
    RESPONSE_MISMATCH,
    STATE_MISMATCH,
    VALID,
    differing_attributes,
    is_empty_turn,
    missing_results,
)

_BEFORE, _SHOWN = 40, 400
_MOST_RESULTS = 20

MakeBackends = Callable[[], dict[str, object]]


class _Side:
    """One set of back-ends, made at its first call."""

    def __init__(self, label: str, make: MakeBackends) -> None:
        self._label, self._make = label, make
        self._runner: CallRunner | None = None
        self.backends: dict[str, object] = {}

    def run(self, calls: Sequence[str]) -> list[str]:
        if self._runner is None:
            self.backends = self._make()
            self._runner = CallRunner(self._label, self.backends)
        return [self._runner.run(call) for call in calls]


def check(
    turns: Sequence[Sequence[Sequence[str]]], key: Sequence[Sequence[str]], make: MakeBackends
) -> dict[str, Any]:
    """The fields of a `Simulation`: the first turn that fails decides.

    Raises:
        CallRefusedError: A call would need evaluation of code.
    """
    output_side, key_side = _Side("model", make), _Side("model_ground_truth", make)
    so_far: list[str] = []
    for index, (steps, calls) in enumerate(zip(turns, key, strict=True)):
        for step in steps:
            so_far += output_side.run(step)
        expected = key_side.run(calls)
        if not calls:
            continue
        if is_empty_turn(steps):
            return {"code": EMPTY_TURN, "turn": index, "expected": [_cut(r) for r in expected]}
        failure = _state_failure(output_side.backends, key_side.backends)
        failure = failure or _response_failure(so_far, expected)
        if failure:
            return {**failure, "turn": index}
    return {"code": VALID}


def replay(turns: Sequence[Sequence[Sequence[str]]], make: MakeBackends) -> list[str]:
    """Results of the last step, after all the steps before it.

    Raises:
        CallRefusedError: A call would need evaluation of code.
    """
    side, results = _Side("model", make), list[str]()
    for step in (step for steps in turns for step in steps):
        results = side.run(step)
    return results


def _state_failure(given: dict[str, object], expected: dict[str, object]) -> dict[str, Any] | None:
    for class_name, backend in expected.items():
        ours, theirs = vars(given[class_name]), vars(backend)
        names = differing_attributes(ours, theirs)
        if names:
            given_text, expected_text = _around_difference(ours[names[0]], theirs[names[0]])
            return {
                "code": STATE_MISMATCH,
                "where": f"{class_name}.{names[0]}",
                "given": given_text,
                "expected": [expected_text],
            }
    return None


def _response_failure(so_far: Sequence[str], expected: Sequence[str]) -> dict[str, Any] | None:
    missing = missing_results(expected, so_far)
    if not missing:
        return None
    return {
        "code": RESPONSE_MISMATCH,
        "where": "results",
        "given": [_cut(result) for result in so_far[-_MOST_RESULTS:]],
        "expected": [_cut(result) for result in missing[:_MOST_RESULTS]],
    }


def _around_difference(given: object, expected: object) -> tuple[str, str]:
    """Both values as text, from a little before the first difference on."""
    texts = [_text(given), _text(expected)]
    shorter = min(len(text) for text in texts)
    same = next((i for i in range(shorter) if texts[0][i] != texts[1][i]), shorter)
    start = max(0, same - _BEFORE)
    cut = [_cut(text[start:]) for text in texts]
    return (f"…{cut[0]}", f"…{cut[1]}") if start else (cut[0], cut[1])


def _text(value: object) -> str:
    try:
        return repr(value)
    except RecursionError:
        return f"a {type(value).__name__} that holds itself"


def _cut(text: str) -> str:
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return shown.encode("utf-8", "replace").decode()
