"""The outcome of a simulation in one sentence."""

from __future__ import annotations

from audit_app.scoring.grade import GradeStatus, Simulation
from audit_app.scoring.multi_turn_rules import EMPTY_TURN, RESPONSE_MISMATCH, STATE_MISMATCH
from audit_app.scoring.shown import alternatives, quoted


def sentence(simulation: Simulation) -> str:
    """Why the verdict is what it is, or why there is none; turns are counted from 1."""
    turn = (simulation.turn or 0) + 1
    match simulation.status:
        case GradeStatus.RAISES:
            return f"The benchmark's own checker would stop here: {simulation.note}."
        case GradeStatus.NOT_GRADED:
            return f"not re-scorable here: {simulation.note}; published verdict kept"
        case GradeStatus.ERROR:
            return f"The simulators gave no answer: {simulation.note}."
    match simulation.code:
        case code if code == EMPTY_TURN:
            return f"In turn {turn} the key has calls and the output has none."
        case code if code == STATE_MISMATCH:
            return (
                f"After turn {turn}, {simulation.where} is {quoted(simulation.given)} "
                f"where the key leads to {alternatives(simulation.expected)}."
            )
        case code if code == RESPONSE_MISMATCH:
            return (
                f"Up to turn {turn} no call of the output gave {missing(simulation)}, "
                f"which the key's calls of that turn give."
            )
    return "After every turn the state agrees, and every result of the key's calls was seen."


def missing(simulation: Simulation) -> str:
    """The missing results, the first ones in full."""
    shown = [quoted(result) for result in simulation.expected]
    rest = f" and {len(shown) - 2} more" if len(shown) > 2 else ""
    return " and ".join(shown[:2]) + rest
