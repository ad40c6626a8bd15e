"""What is compared of the simulated back-ends after a turn: their state, and the calls' results.

Names, arguments and order of the calls play no part. Standard library only: the process that runs
the back-ends imports this too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

VALID = "valid"
INFERENCE_ERROR = "multi_turn:inference_error"
FORCE_TERMINATED = "multi_turn:force_terminated"
EMPTY_TURN = "multi_turn:empty_turn_model_response"
STATE_MISMATCH = "multi_turn:instance_state_mismatch"
RESPONSE_MISMATCH = "multi_turn:execution_response_mismatch"


def differing_attributes(given: Mapping[str, object], expected: Mapping[str, object]) -> list[str]:
    """Names of the public attributes of the key's back-end that the output's has otherwise.

    Attributes whose name begins with an underscore are private and not compared; those that only
    the output's back-end has are not looked at.

    Raises:
        AttributeError: The output's back-end lacks one; the benchmark's checker stops there.
    """
    names = [name for name in expected if not name.startswith("_")]
    for name in names:
        if name not in given:
            raise AttributeError(f"the output's back-end has no attribute {name!r}")
    return [name for name in names if given[name] != expected[name]]


def missing_results(expected: Sequence[str], so_far: Sequence[str]) -> list[str]:
    """Results of the key in one turn that are not among the output's results of all turns so far.

    Order is free; a result that the key has twice must be there twice. Results are compared as
    text, error texts too.
    """
    left, missing = list(so_far), []
    for result in expected:
        if result in left:
            left.remove(result)
        else:
            missing.append(result)
    return missing


def is_empty_turn(steps: Sequence[Sequence[str]]) -> bool:
    """Whether no step of a turn holds a call."""
    return not steps or (len(steps) == 1 and not steps[0])
