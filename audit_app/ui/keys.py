"""The key map as the pages take it: of the settings' file, and as the browser reads it."""

from __future__ import annotations

from collections.abc import Sequence

from audit_app.domain.key_map import (
    FAMILY,
    Binding,
    key_map,
    read_key_file,
    refuse_clashes,
)
from audit_app.domain.rubric import Taxonomy
from audit_app.services.key_settings import read_keys
from audit_app.settings import read_settings

__all__ = [
    "FAMILY",
    "Binding",
    "as_data",
    "key_map",
    "page_keys",
    "read_key_file",
    "refuse_clashes",
]


def page_keys(taxonomy: Taxonomy) -> tuple[Binding, ...]:
    """Every binding of the review screen, with the keys that the settings' file gives.

    Raises:
        InputError: The file was changed since the app started and does not hold any more.
    """
    return key_map(taxonomy, read_keys(read_settings().keys))


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
