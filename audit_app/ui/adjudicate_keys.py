"""The key map of the Adjudicate page; as on the review screen a clash is refused at start.

Digits take reviews here, so the fields of an own judgement have letters; the cause families are
on their own letters with Shift.
"""

from __future__ import annotations

from audit_app.domain.rubric import Taxonomy
from audit_app.ui.keys import FAMILY, Binding, refuse_clashes

MAX_REVIEWS = 9
_NTH = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")
_SETTLE, _OWN, _MOVE, _LOOK = "Settle", "Own judgement", "Move", "Look"

_TAKES = tuple(
    Binding(f"take:{n}", (f"Digit{n}",), str(n), f"Take the {_NTH[n - 1]} review", _SETTLE)
    for n in range(1, MAX_REVIEWS + 1)
)
_SEVERITIES = tuple(
    Binding(f"severity:{n}", (f"Shift+Digit{n}",), f"Shift+{n}", f"Severity {n}", _OWN)
    for n in range(4)
)
_BINDINGS = (
    *_TAKES,
    Binding("own", ("e",), "E", "Write an own judgement; hides or shows its form", _SETTLE),
    Binding("send_back", ("b",), "B", "Send one review back with a reason", _SETTLE),
    Binding("settle", ("Mod+Enter",), "Ctrl+Enter", "Settle, or send back; go on", _SETTLE, True),
    Binding("skip", ("Space",), "Space", "Skip: leaves the task unsettled and goes on", _SETTLE),
    Binding("undo", ("u",), "U", "Undo your judgement on screen, else your last one", _SETTLE),
    Binding("accept_identical", ("Shift+i",), "Shift+I", "Accept all identical reviews", _SETTLE),
    Binding("own_clean", ("a",), "A", "Own judgement: clean", _OWN),
    Binding("own_defect", ("x",), "X", "Own judgement: defect", _OWN),
    Binding("fn", ("n",), "N", "FN, a right answer can be marked wrong", _OWN),
    Binding("fp", ("p",), "P", "FP, a wrong answer can be marked right", _OWN),
    Binding("stale", ("s",), "S", "Stale key: cause K2, and FN unless FP is chosen", _OWN),
    *_SEVERITIES,
    Binding("previous", ("ArrowLeft",), "←", "Previous case", _MOVE),
    Binding("next", ("ArrowRight",), "→", "Next case", _MOVE),
    Binding("overview", ("v",), "V", "Overview: what is left, agreement, planted checks", _MOVE),
    Binding("next_group", ("m",), "M", "Next group of outputs", _LOOK),
    Binding("raw", ("o",), "O", "Show or hide raw outputs", _LOOK),
    Binding("toggle_key", ("g",), "G", "Show or hide the key", _LOOK),
    Binding("help", ("h",), "H", "This help", _LOOK),
    Binding("leave", ("Escape",), "Esc", "Leave a text field, close the help", _LOOK, True),
)


def adjudicate_key_map(taxonomy: Taxonomy) -> tuple[Binding, ...]:
    """Every binding, the cause families of ``taxonomy`` included.

    Raises:
        InputError: Two actions share a key, or a key belongs to the browser.
    """
    families = tuple(
        Binding(
            f"{FAMILY}{family.letter}",
            (f"Shift+{family.letter.lower()}",),
            f"⇧{family.letter.upper()}",
            f"Cause family {family.label.text()} (Shift and letter), then its number",
            _OWN,
        )
        for family in taxonomy.families
    )
    bindings = (*_BINDINGS, *families)
    refuse_clashes(bindings)
    return bindings
