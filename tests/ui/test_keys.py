from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from audit_app.domain.rubric import Taxonomy
from audit_app.errors import InputError
from audit_app.ui.keys import Binding, key_map, refuse_clashes

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    return Taxonomy.model_validate(
        tomllib.loads((ROOT / "rubric" / "taxonomy.toml").read_text("utf-8"))
    )


def test_the_shipped_map_has_the_keys_of_the_design(taxonomy: Taxonomy) -> None:
    labels = {binding.action: binding.label for binding in key_map(taxonomy)}
    wanted = {
        "clean": "A", "defect": "X", "fn": "1", "fp": "2", "stale": "3", "skip": "Space",
        "second_look": "F", "undo": "U", "previous": "←", "next": "→", "save": "Ctrl+Enter",
        "draft": "Ctrl+S", "leave": "Esc", "help": "H", "next_group": "M", "toggle_key": "G",
        "raw": "O", "family:T": "4", "family:K": "5", "family:G": "6", "family:E": "7",
        "family:L": "8", "family:H": "9",
    }  # fmt: skip
    assert {action: labels.get(action) for action in wanted} == wanted


def test_only_save_draft_and_leave_act_while_typing(taxonomy: Taxonomy) -> None:
    acting = {b.action for b in key_map(taxonomy) if b.while_typing}
    assert acting == {"save", "draft", "leave"}


@pytest.mark.parametrize(
    ("second", "words"),
    [
        pytest.param("a", "key 'a' is given to both 'clean' and 'other'", id="taken"),
        pytest.param("Mod+c", "belongs to the browser", id="reserved"),
    ],
)
def test_a_clash_is_refused_by_name(second: str, words: str) -> None:
    def binding(action: str, chord: str) -> Binding:
        return Binding(action, (chord,), "", "", "")

    with pytest.raises(InputError, match=words):
        refuse_clashes([binding("clean", "a"), binding("other", second)])


def test_a_family_key_that_is_taken_is_refused(taxonomy: Taxonomy) -> None:
    first, *others = taxonomy.families
    clashing = first.model_copy(update={"key": "1"})
    with pytest.raises(InputError, match="'fn' and 'family:"):
        key_map(taxonomy.model_copy(update={"families": (clashing, *others)}))
