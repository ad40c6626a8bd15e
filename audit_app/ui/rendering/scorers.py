"""What a scorer does, in words that a reviewer can hold an output against."""

from __future__ import annotations

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.ui.rendering.text import literal, name

_BFCL = {
    KeyKind.NO_CALL: "passes when no call can be read, so prose, an empty list and broken call "
    "syntax all pass.",
    KeyKind.SOME_CALL: "passes when any call can be read; function and arguments are not looked "
    "at.",
    KeyKind.CALL_TURNS: "after each turn the state must equal the state after the key’s calls, "
    "and the results of the key’s calls must occur among the output’s results so far. Call names "
    "and their order are not compared; a turn without a key call is not checked.",
    KeyKind.TEXTS: "one of the texts must occur as whole words in the final message, compared "
    "without case and punctuation.",
}
_STRINGS = (
    " Strings are compared without case, spaces and <code>, . / - _ * ^</code>; every other value "
    "must be equal. An argument that the key does not list is refused."
)
_GENERAL = {
    KeyKind.CALLS: "compares the calls of an output with these.",
    KeyKind.NO_CALL: "passes when nothing is called.",
    KeyKind.SOME_CALL: "passes when anything is called.",
    KeyKind.CALL_TURNS: "compares each turn with the key’s calls.",
    KeyKind.TEXTS: "looks for one of these texts.",
    KeyKind.VALUE: "compares the output with the key.",
    KeyKind.MISSING: "has nothing to compare an output with.",
}


def scorer_rule(task: Task) -> str:
    """One sentence on how the scorer decides, as HTML."""
    label = f"Scorer {name(task.scorer)}" if task.scorer else "The scorer"
    if task.scorer.startswith("bfcl"):
        if task.key_kind is KeyKind.CALLS:
            return f"{label}, {_call_rule(task.category)}{_STRINGS}"
        if task.key_kind in _BFCL:
            return f"{label}: {literal(_BFCL[task.key_kind])}"
    return f"{label} {literal(_GENERAL[task.key_kind])}"


def _call_rule(category: str) -> str:
    if "parallel" in category:
        return (
            "rule parallel: as many calls as the key has, in any order, each with its exact name."
        )
    if "multiple" in category:
        return "rule multiple: one call with the exact name."
    if "simple" in category:
        return "rule simple: exactly one call, named as in the tool document."
    return "as many calls as the key has, each with its exact name."
