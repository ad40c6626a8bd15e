"""The key map of the review screen: one table, sent to the browser, refused at start if it clashes.

A file may give actions other keys (see docs/settings.md). No key does two things in any state: with
the help open only help and leave act, and once a cause family is chosen the plain digits choose
its causes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from audit_app.domain.chords import RESERVED, acts_while_typing, chord_label, parse_chord
from audit_app.domain.rubric import Taxonomy
from audit_app.domain.toml_file import parse_toml
from audit_app.errors import InputError

FAMILY = "family:"
"""Actions that choose a cause family begin with this, then its letter."""

_JUDGE, _DEFECT, _MOVE, _LOOK = "Judge", "Defect form", "Move", "Look"
_CAUSE_DIGITS = frozenset(f"Digit{number}" for number in range(1, 10))
_ALSO_DIGITS = frozenset({"fn", "fp", "stale"})
"""Actions that may have a plain digit: like the families, they wait until a cause is chosen."""


@dataclass(frozen=True)
class Binding:
    """One action and its keys.

    Attributes:
        action: What is done.
        chords: The keys, each of which does it.
        label: What a control shows.
        text: What it does, for the help.
        group: Heading under which the help lists it.
        while_typing: Whether it also acts while a text field has the focus; its own keys then
            stay, whatever a file adds.
    """

    action: str
    chords: tuple[str, ...]
    label: str
    text: str
    group: str
    while_typing: bool = False


@dataclass(frozen=True)
class KeyOverrides:
    """Keys that a file gives to actions.

    Attributes:
        source: Name of the file, for messages.
        chords: Action → its keys.
        lines: Action → line of the file.
    """

    source: str = ""
    chords: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)

    def where(self, *actions: str) -> str:
        """File and line at which one of the actions stands, to begin a message with."""
        line = next((self.lines[action] for action in actions if action in self.lines), None)
        return "" if line is None else f"{self.source}:{line}: "


_BINDINGS = (
    Binding("clean", ("a",), "A", "Clean: saves and goes on", _JUDGE),
    Binding("defect", ("x",), "X", "Defect: opens, hides or shows the form", _JUDGE),
    Binding("fn", ("Digit1",), "1", "FN, a right answer can be marked wrong", _JUDGE),
    Binding("fp", ("Digit2",), "2", "FP, a wrong answer can be marked right", _JUDGE),
    Binding("stale", ("Digit3",), "3", "Stale key: cause K2, and FN unless FP is chosen", _JUDGE),
    Binding("note", ("n",), "N", "Write the note", _JUDGE),
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
    Binding("jump", ("j",), "J", "Jump to a task by its id", _MOVE),
    Binding("filter", ("q",), "Q", "Filter: which tasks you move among", _MOVE),
    Binding("clear_filter", ("Shift+q",), "Shift+Q", "Clear the filter", _MOVE),
    Binding("auto", ("p",), "P", "Auto-advance: a saved judgement goes on, or stays", _MOVE),
    Binding("next_group", ("m",), "M", "Next group of outputs", _LOOK),
    Binding("raw", ("o",), "O", "Show or hide raw outputs", _LOOK),
    Binding("toggle_key", ("g",), "G", "Show or hide the key", _LOOK),
    Binding("rendered", ("v",), "V", "Show prompts as Markdown, or as they are written", _LOOK),
    Binding("confirm", ("l",), "L", "Confirm live: to the live trials of this task", _LOOK),
    Binding("guide", ("d",), "D", "Definitions with examples", _LOOK),
    Binding("help", ("h",), "H", "All keys", _LOOK),
    Binding("leave", ("Escape",), "Esc", "Leave a text field, close the help", _LOOK, True),
)


def read_key_file(text: str, source: str) -> KeyOverrides:
    """Keys that a TOML file gives to actions: ``clean = "J"``, ``skip = ["Space", "PageDown"]``.

    Raises:
        InputError: The file cannot be read, or names something that is no key.
    """
    chords, lines = {}, {}
    for action, given in parse_toml(text, source=source).items():
        line = lines[action] = _line_of(action, text)
        listed = given if isinstance(given, list) else [given]
        if not listed or not all(isinstance(key, str) for key in listed):
            raise InputError(
                f"{source}:{line}: the keys of {action!r} must be text in quotes, or a list of it"
            )
        try:
            chords[action] = tuple(dict.fromkeys(map(parse_chord, listed)))
        except InputError as error:
            raise InputError(f"{source}:{line}: {action}: {error}") from error
    return KeyOverrides(source, chords, lines)


def _line_of(action: str, text: str) -> int:
    """1-based line on which the key of that name is given a value; 1 where it is not seen."""
    given = re.compile(rf"\s*[\"']?{re.escape(action)}[\"']?\s*[=.]")
    tables = re.compile(rf"\s*\[+\s*[\"']?{re.escape(action)}\b")
    for number, line in enumerate(text.splitlines(), 1):
        if given.match(line) or tables.match(line):
            return number
    return 1


def key_map(taxonomy: Taxonomy, overrides: KeyOverrides | None = None) -> tuple[Binding, ...]:
    """Every binding, the cause families of ``taxonomy`` included.

    Args:
        taxonomy: Its families have keys of their own.
        overrides: Keys that a file gives to actions instead.

    Raises:
        InputError: An action is unknown, two share a key, or a key belongs to the browser.
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
    given = overrides or KeyOverrides()
    bindings = (*_BINDINGS, *families)
    _refuse_unknown(bindings, given)
    bindings = tuple(_with_keys(binding, given) for binding in bindings)
    refuse_clashes(bindings, given)
    _refuse_cause_digits(bindings, given)
    _refuse_long_families(taxonomy)
    return bindings


def _refuse_unknown(bindings: Iterable[Binding], given: KeyOverrides) -> None:
    known = [binding.action for binding in bindings]
    for action in given.chords:
        if action not in known:
            raise InputError(
                f"{given.where(action)}there is no action {action[:40]!r}; there are: "
                f"{', '.join(known)}"
            )


def _with_keys(binding: Binding, given: KeyOverrides) -> Binding:
    chords = given.chords.get(binding.action)
    if chords is None:
        return binding
    if binding.while_typing:
        plain = next((chord for chord in chords if not acts_while_typing(chord)), None)
        if plain is not None:
            raise InputError(
                f"{given.where(binding.action)}{binding.action!r} acts while you type, so its key "
                f"cannot be {chord_label(plain)}; choose one with Ctrl, or F1 to F10"
            )
        chords = tuple(dict.fromkeys((*chords, *binding.chords)))
    return replace(binding, chords=chords, label=chord_label(chords[0]))


def refuse_clashes(bindings: Iterable[Binding], given: KeyOverrides | None = None) -> None:
    """Refuse a map in which one key would do two things in some state.

    Raises:
        InputError: Names the key and both actions.
    """
    given = given or KeyOverrides()
    taken: dict[str, str] = {}
    for binding in bindings:
        for chord in binding.chords:
            label, where = chord_label(chord), given.where(binding.action)
            if chord in RESERVED:
                raise InputError(
                    f"{where}key {label} of {binding.action!r} belongs to the browser or to the "
                    "focused control; choose another"
                )
            if chord in taken:
                where = given.where(binding.action, taken[chord])
                raise InputError(
                    f"{where}key {label} is given to both {taken[chord]!r} and {binding.action!r}"
                )
            taken[chord] = binding.action


def _refuse_cause_digits(bindings: Iterable[Binding], given: KeyOverrides) -> None:
    """Refuse a plain digit for what must act while a cause family waits for its number."""
    for binding in bindings:
        if binding.action in _ALSO_DIGITS or binding.action.startswith(FAMILY):
            continue
        for chord in _CAUSE_DIGITS.intersection(binding.chords):
            label = chord_label(chord)
            raise InputError(
                f"{given.where(binding.action)}key {label} is given to both {binding.action!r} and "
                f"cause number {label}, which it chooses once a cause family is open"
            )


def _refuse_long_families(taxonomy: Taxonomy) -> None:
    for family in taxonomy.families:
        if len(family.causes) > 9:
            raise InputError(
                f"cause family {family.letter!r} has {len(family.causes)} causes; one digit can "
                "choose among at most 9"
            )
