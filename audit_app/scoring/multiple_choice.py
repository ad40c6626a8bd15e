"""The chosen option, however it is named: letter, place or words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import ascii_uppercase

from audit_app.domain.record import Json
from audit_app.scoring.value_scorer import Comparison, KeyUnusableError, UnreadableError

_LETTER = re.compile(r"\(?([A-Za-z])\)?[.):]?")
_LEADING = re.compile(r"\(?([A-Z])[.):](?:\s|$)")
_STATED = re.compile(r"(?i:answer|choice|option)(?i:\s+is)?\s*:?\s*\**\(?([A-Z])\)?(?![A-Za-z])")


def multiple_choice(output: Json, accepted: Json, given: Comparison) -> bool:
    """Whether the output names the accepted option.

    An option is named by its letter (``B``, ``(b)``, ``B. …``, ``The answer is B``), by its place
    from 0 (a number, or digits that are no option's words), or by its words. The task's choices
    may be missing: then letters and places are compared as they are.

    Raises:
        UnreadableError: The output names no option.
        KeyUnusableError: The accepted value names none.
    """
    choices = _choices(given.context.get("choices"))
    expected = _place(accepted, choices)
    if expected is None:
        raise KeyUnusableError(f"{accepted!r} names no option")
    chosen = _place(output, choices)
    if chosen is None:
        raise UnreadableError("the output names no option")
    return chosen == expected


def _choices(value: Json) -> Sequence[str]:
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list):
        return ()
    return [str(choice).strip().casefold() for choice in value]


def _place(value: Json, choices: Sequence[str]) -> int | None:
    """Place of the option that a value names, from 0; None where it names none."""
    if isinstance(value, bool) or value is None or isinstance(value, list | dict):
        return None
    last = len(choices) or len(ascii_uppercase)
    if isinstance(value, int):
        return value if 0 <= value < last else None
    text = str(value).strip()
    words = text.casefold()
    if words in choices:
        return choices.index(words)
    if text.isdecimal() and len(text) < 4:
        return int(text) if int(text) < last else None
    place = _lettered(text)
    return place if place is not None and place < last else None


def _lettered(text: str) -> int | None:
    alone = _LETTER.fullmatch(text)
    if alone is None:
        stated = _STATED.findall(text)
        leading = _LEADING.match(text)
        letter = stated[-1] if stated else leading[1] if leading else ""
    else:
        letter = alone[1]
    return ascii_uppercase.index(letter.upper()) if letter else None
