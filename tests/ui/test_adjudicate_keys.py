from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from audit_app.domain.rubric import Taxonomy
from audit_app.errors import InputError
from audit_app.ui.adjudicate_keys import adjudicate_key_map

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    return Taxonomy.model_validate(
        tomllib.loads((ROOT / "rubric" / "taxonomy.toml").read_text("utf-8"))
    )


def test_r40_the_map_has_the_keys_of_the_strip(taxonomy: Taxonomy) -> None:
    labels = {binding.action: binding.label for binding in adjudicate_key_map(taxonomy)}
    wanted = {
        "take:1": "1", "take:9": "9", "own": "E", "send_back": "B", "skip": "Space", "undo": "U",
        "settle": "Ctrl+Enter", "previous": "←", "next": "→", "next_group": "M", "raw": "O",
        "toggle_key": "G", "help": "H", "leave": "Esc",
    }  # fmt: skip
    assert {action: labels.get(action) for action in wanted} == wanted


def test_r38_only_settle_and_leave_act_while_typing(taxonomy: Taxonomy) -> None:
    acting = {b.action for b in adjudicate_key_map(taxonomy) if b.while_typing}
    assert acting == {"settle", "leave"}


def test_r37_a_family_whose_letter_is_taken_is_refused(taxonomy: Taxonomy) -> None:
    first, *others = taxonomy.families
    clashing = first.model_copy(update={"letter": "I"})
    with pytest.raises(InputError, match="'accept_identical' and 'family:I'"):
        adjudicate_key_map(taxonomy.model_copy(update={"families": (clashing, *others)}))
