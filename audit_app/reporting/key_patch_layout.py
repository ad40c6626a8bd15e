"""How the key files of benchmarks are laid out, and keys in the form that a layout stores."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from audit_app.domain.record import Json

_SUFFIX = re.compile(r"[_ ][0-9]+$")
"""What tells calls of one function apart in the layout of 2024: ``f_1``, rarely ``f 1``."""


@dataclass(frozen=True)
class KeyLayout:
    """Where a key stands in its file.

    Attributes:
        id_field: Field or column of the task's id.
        key_field: Field or column of the key.
        calls_in_one_object: Whether the calls of a key are the members of one object, whose
            names carry a number where a function is called more than once.
        reads_numbers: Whether that number is taken off again when the file is read.
    """

    id_field: str = "id"
    key_field: str = "key"
    calls_in_one_object: bool = False
    reads_numbers: bool = True


BFCL_V4 = KeyLayout(key_field="ground_truth")
"""``possible_answer/BFCL_v4_<category>.json``."""

BFCL_V1 = KeyLayout(key_field="ground_truth", calls_in_one_object=True)
"""``possible_answer/gorilla_openfunctions_v1_test_<category>.json``."""


def layout_of(
    format_name: str, rules: str, *, id_field: str = "", key_field: str = ""
) -> KeyLayout:
    """The layout of an imported benchmark.

    Args:
        format_name: The importer that read it.
        rules: Its rule version.
        id_field: For a table, the column of ids.
        key_field: For a table, the column of keys.
    """
    if format_name == "bfcl":
        return BFCL_V1 if rules == "2024-08" else BFCL_V4
    return KeyLayout(id_field=id_field or "id", key_field=key_field or "key")


def stored_form(layout: KeyLayout, stored: Json, key: Json) -> Json:
    """``key`` as the file would hold it.

    A function keeps the number that its name carries in the file; one that is new gets a number
    where its name is taken.

    Args:
        layout: The file's layout.
        stored: What the file holds now.
        key: The new key, in the form that tasks have it: a list of calls.
    """
    if not (layout.calls_in_one_object and isinstance(stored, dict) and _is_calls(key)):
        return key
    names = [next(iter(call)) for call in key]
    taken = _matched(list(stored), names)
    used = {name for name in taken if name is not None}
    new: dict[str, Json] = {}
    for name, held, call in zip(names, taken, key, strict=True):
        label = _free(name, used) if held is None else held
        used.add(label)
        new[label] = call[name]
    return new


def task_form(layout: KeyLayout, stored: Json, key: Json) -> Json:
    """``stored`` in the form that tasks have it, names as ``key`` has them where they agree."""
    if not (layout.calls_in_one_object and isinstance(stored, dict)):
        return stored
    names = [next(iter(call)) for call in key] if _is_calls(key) else []
    calls = []
    for position, (label, arguments) in enumerate(stored.items()):
        name = names[position] if position < len(names) else label
        is_numbered = layout.reads_numbers and _names(label, name)
        calls.append({name if is_numbered else label: arguments})
    return calls


def _is_calls(key: Json) -> bool:
    return isinstance(key, list) and all(isinstance(call, dict) and len(call) == 1 for call in key)


def _names(label: str, name: str) -> bool:
    return label == name or _SUFFIX.sub("", label) == name


def _matched(labels: Sequence[str], names: Sequence[str]) -> list[str | None]:
    """For each name the label that stands for it: the one at its place, else the next unused."""
    held: list[str | None] = [
        label if _names(label, name) else None for label, name in zip(labels, names, strict=False)
    ]
    held += [None] * (len(names) - len(held))
    free = [label for label in labels if label not in held]
    for position, name in enumerate(names):
        if held[position] is None:
            label = next((label for label in free if _names(label, name)), None)
            if label is not None:
                held[position] = label
                free.remove(label)
    return held


def _free(name: str, used: set[str]) -> str:
    if name not in used and not any(_names(label, name) for label in used):
        return name
    number = 1
    while f"{name}_{number}" in used:
        number += 1
    return f"{name}_{number}"
