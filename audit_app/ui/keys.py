"""The key map of the review screen: one table, sent to the browser, refused at start if it clashes.

Chords are written as the browser names them: a lower-case letter for a plain key, the physical
``code`` for digits and named keys, with ``Shift+`` or ``Mod+`` (Ctrl, or Cmd on a Mac) in front.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from audit_app.domain.rubric import Taxonomy
from audit_app.errors import InputError

RESERVED = frozenset({"r", "c", "Mod+r", "Mod+c", "Mod+v", "Mod+x", "Mod+a", "Mod+z", "Mod+w"})
"""Keys of the browser or of Streamlit itself, which no action may take."""

FAMILY = "family:"
"""Actions that choose a cause family begin with this, then its letter."""


@dataclass(frozen=True)
class Binding:
    """One action and its keys.

    Attributes:
        action: What is done.
        chords: The keys, each of which does it.
        label: What a control shows.
        text: What it does, for the help.
        group: Heading under which the help lists it.
        while_typing: Whether it also acts while a text field has the focus.
    """

    action: str
    chords: tuple[str, ...]
    label: str
    text: str
    group: str
    while_typing: bool = False


_JUDGE, _DEFECT, _MOVE, _LOOK = "Judge", "Defect form", "Move", "Look"

_BINDINGS = (
    Binding("clean", ("a",), "A", "Clean: saves and goes on", _JUDGE),
    Binding("defect", ("x",), "X", "Defect: opens, hides or shows the form", _JUDGE),
    Binding("fn", ("Digit1",), "1", "FN, a right answer can be marked wrong", _JUDGE),
    Binding("fp", ("Digit2",), "2", "FP, a wrong answer can be marked right", _JUDGE),
    Binding("stale", ("Digit3",), "3", "Stale key: cause K2, and FN unless FP is chosen", _JUDGE),
    Binding("save", ("Mod+Enter",), "Ctrl+Enter", "Save and go on", _JUDGE, True),
    Binding("draft", ("Mod+s",), "Ctrl+S", "Save the draft and stay", _JUDGE, True),
    Binding("skip", ("Space",), "Space", "Skip: leaves the task open and goes on", _JUDGE),
    Binding("second_look", ("f",), "F", "Second look: mark to come back, or unmark", _JUDGE),
    Binding("undo", ("u",), "U", "Undo your last judgement or skip and return to it", _JUDGE),
    Binding("severity:0", ("Shift+Digit0",), "Shift+0", "Severity 0", _DEFECT),
    Binding("severity:1", ("Shift+Digit1",), "Shift+1", "Severity 1", _DEFECT),
    Binding("severity:2", ("Shift+Digit2",), "Shift+2", "Severity 2, the default", _DEFECT),
    Binding("severity:3", ("Shift+Digit3",), "Shift+3", "Severity 3", _DEFECT),
    Binding("previous", ("ArrowLeft",), "←", "Previous task", _MOVE),
    Binding("next", ("ArrowRight",), "→", "Next task", _MOVE),
    Binding("next_group", ("m",), "M", "Next group of outputs", _LOOK),
    Binding("raw", ("o",), "O", "Show or hide raw outputs", _LOOK),
    Binding("toggle_key", ("g",), "G", "Show or hide the key", _LOOK),
    Binding("help", ("h",), "H", "This help", _LOOK),
    Binding("leave", ("Escape",), "Esc", "Leave a text field, close the help", _LOOK, True),
)


def key_map(taxonomy: Taxonomy) -> tuple[Binding, ...]:
    """Every binding, the cause families of ``taxonomy`` included.

    Raises:
        InputError: Two actions share a key, or a key belongs to the browser.
    """
    families = tuple(
        Binding(
            f"{FAMILY}{family.letter}",
            (f"Digit{family.key}" if family.key.isdigit() else family.key.lower(),),
            family.key.upper(),
            f"Cause family {family.label.text()}, then the number of the cause",
            _DEFECT,
        )
        for family in taxonomy.families
    )
    bindings = (*_BINDINGS, *families)
    refuse_clashes(bindings)
    _refuse_long_families(taxonomy)
    return bindings


def refuse_clashes(bindings: Iterable[Binding]) -> None:
    """Refuse a map in which one key would do two things.

    Raises:
        InputError: Names the key and both actions.
    """
    taken: dict[str, str] = {}
    for binding in bindings:
        for chord in binding.chords:
            if chord in RESERVED:
                raise InputError(
                    f"key {chord!r} of {binding.action!r} belongs to the browser; choose another"
                )
            if chord in taken:
                raise InputError(
                    f"key {chord!r} is given to both {taken[chord]!r} and {binding.action!r}"
                )
            taken[chord] = binding.action


def _refuse_long_families(taxonomy: Taxonomy) -> None:
    for family in taxonomy.families:
        if len(family.causes) > 9:
            raise InputError(
                f"cause family {family.letter!r} has {len(family.causes)} causes; one digit can "
                "choose among at most 9"
            )


def as_data(bindings: Sequence[Binding]) -> list[dict[str, object]]:
    """The table as the browser takes it."""
    return [
        {
            "action": binding.action,
            "chords": list(binding.chords),
            "label": binding.label,
            "text": binding.text,
            "group": binding.group,
            "typing": binding.while_typing,
        }
        for binding in bindings
    ]
