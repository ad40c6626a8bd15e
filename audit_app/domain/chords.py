"""Keys as people write them and as the browser names them.

A chord is a lower-case letter for a plain key, the physical ``code`` for a digit, the name of any
other key, with ``Shift+`` or ``Mod+`` (Ctrl, or Cmd on a Mac) in front: ``a``, ``Shift+Digit1``,
``Mod+Enter``.
"""

from __future__ import annotations

from audit_app.errors import InputError

_NAMED = {
    "space": "Space",
    "enter": "Enter",
    "tab": "Tab",
    "esc": "Escape",
    "escape": "Escape",
    "left": "ArrowLeft",
    "right": "ArrowRight",
    "up": "ArrowUp",
    "down": "ArrowDown",
    "pageup": "PageUp",
    "pagedown": "PageDown",
    "home": "Home",
    "end": "End",
    "insert": "Insert",
    "delete": "Delete",
    "backspace": "Backspace",
    **{f"f{number}": f"F{number}" for number in range(1, 13)},
}
_LABELS = {
    "Mod": "Ctrl",
    "Escape": "Esc",
    "ArrowLeft": "←",
    "ArrowRight": "→",
    "ArrowUp": "↑",
    "ArrowDown": "↓",
    "PageUp": "PgUp",
    "PageDown": "PgDn",
}
_MODIFIERS = {"ctrl": "Mod", "cmd": "Mod", "mod": "Mod", "shift": "Shift"}

RESERVED = frozenset(
    {"r", "c", "Tab", "Shift+Tab", "Mod+Tab", "Enter", "Shift+Enter", "F5", "F11", "F12"}
    | {f"Mod+{letter}" for letter in "racvxyzwtnql"}
    | {f"Mod+Shift+{letter}" for letter in "rtnwqzijc"}
    | {f"Mod+Digit{number}" for number in range(10)}
)
"""Keys of the browser, of the focused control or of Streamlit itself, which no action may take."""

_EDITING = frozenset(
    {"ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "Backspace", "Delete"}
)


def parse_chord(text: str) -> str:
    """The chord that ``text`` names: ``A``, ``Shift+1``, ``Ctrl+B``, ``Space``, ``Left``, ``F2``.

    Raises:
        InputError: It names no key, or a character that keyboards have in different places.
    """
    *before, last = text.strip().split("+")
    modifiers = [_MODIFIERS.get(part.strip().lower(), "") for part in before]
    key = last.strip()
    if len(key) == 1 and key.isascii() and key.isalnum():
        name = f"Digit{key}" if key.isdigit() else key.lower()
    else:
        name = _NAMED.get(key.lower(), "")
    if not name or not all(modifiers) or len(set(modifiers)) != len(modifiers):
        raise InputError(
            f"{text[:40]!r} is not a key; write a letter, a digit, Space, Esc, Left, Right, Up, "
            "Down, PageUp, PageDown, Home, End or F1 to F12, with Shift+ or Ctrl+ in front"
        )
    return "+".join([part for part in ("Mod", "Shift") if part in modifiers] + [name])


def chord_label(chord: str) -> str:
    """What a control shows for a chord: ``Ctrl+Enter``, ``Shift+1``, ``←``."""
    parts = [_LABELS.get(part, part.removeprefix("Digit")) for part in chord.split("+")]
    return "+".join([*parts[:-1], parts[-1].upper() if len(parts[-1]) == 1 else parts[-1]])


def acts_while_typing(chord: str) -> bool:
    """Whether the chord can act in a text field without getting in the way of writing."""
    *modifiers, name = chord.split("+")
    is_function = name[:1] == "F" and name[1:].isdigit()
    return name == "Escape" or is_function or ("Mod" in modifiers and name not in _EDITING)
