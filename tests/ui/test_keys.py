from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit_app.domain.chords import RESERVED, acts_while_typing, chord_label, parse_chord
from audit_app.domain.rubric import Taxonomy
from audit_app.errors import InputError
from audit_app.ui.keys import Binding, as_data, key_map, read_key_file, refuse_clashes

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    return Taxonomy.model_validate(
        tomllib.loads((ROOT / "rubric" / "taxonomy.toml").read_text("utf-8"))
    )


def test_r40_the_shipped_map_has_the_keys_of_the_design(taxonomy: Taxonomy) -> None:
    labels = {binding.action: binding.label for binding in key_map(taxonomy)}
    wanted = {
        "clean": "A", "defect": "X", "fn": "1", "fp": "2", "stale": "3", "skip": "Space",
        "second_look": "F", "undo": "U", "previous": "←", "next": "→", "save": "Ctrl+Enter",
        "draft": "Ctrl+S", "leave": "Esc", "help": "H", "next_group": "M", "toggle_key": "G",
        "raw": "O", "family:T": "4", "family:K": "5", "family:G": "6", "family:E": "7",
        "family:L": "8", "family:H": "9", "severity:0": "Shift+0", "severity:3": "Shift+3",
    }  # fmt: skip
    assert {action: labels.get(action) for action in wanted} == wanted


def test_every_label_is_that_of_its_first_chord(taxonomy: Taxonomy) -> None:
    for binding in key_map(taxonomy):
        assert binding.label == chord_label(binding.chords[0])


def test_r38_only_save_draft_and_leave_act_while_typing(taxonomy: Taxonomy) -> None:
    acting = {b.action for b in key_map(taxonomy) if b.while_typing}
    assert acting == {"save", "draft", "leave"}


@pytest.mark.parametrize(
    ("second", "words"),
    [
        pytest.param("a", "key A is given to both 'clean' and 'other'", id="taken"),
        pytest.param("Mod+c", "Ctrl+C of 'other' belongs to the browser", id="reserved"),
    ],
)
def test_r37_a_clash_is_refused_by_name(second: str, words: str) -> None:
    def binding(action: str, chord: str) -> Binding:
        return Binding(action, (chord,), "", "", "")

    with pytest.raises(InputError) as refused:
        refuse_clashes([binding("clean", "a"), binding("other", second)])
    assert words in str(refused.value)


def test_r37_a_family_key_that_is_taken_is_refused(taxonomy: Taxonomy) -> None:
    first, *others = taxonomy.families
    clashing = first.model_copy(update={"key": "1"})
    with pytest.raises(InputError, match="'fn' and 'family:"):
        key_map(taxonomy.model_copy(update={"families": (clashing, *others)}))


@pytest.mark.parametrize(
    ("written", "chord", "label"),
    [
        ("J", "j", "J"),
        ("shift+1", "Shift+Digit1", "Shift+1"),
        ("Ctrl + b", "Mod+b", "Ctrl+B"),
        ("Shift+Ctrl+K", "Mod+Shift+k", "Ctrl+Shift+K"),
        ("left", "ArrowLeft", "←"),
        ("PageDown", "PageDown", "PgDn"),
        ("F2", "F2", "F2"),
        ("space", "Space", "Space"),
    ],
)
def test_a_key_as_people_write_it(written: str, chord: str, label: str) -> None:
    assert parse_chord(written) == chord
    assert chord_label(chord) == label


@given(st.sampled_from("abdefghijklmnopqstuvwxyz0123456789"), st.booleans(), st.booleans())
def test_a_label_names_its_chord(key: str, shift: bool, mod: bool) -> None:
    chord = parse_chord("Ctrl+" * mod + "Shift+" * shift + key)
    assert parse_chord(chord_label(chord)) == chord
    assert acts_while_typing(chord) == mod


def test_r40_a_file_gives_actions_other_keys(taxonomy: Taxonomy) -> None:
    text = 'clean = "J"\nskip = ["Space", "PageDown"]\nsave = "F2"\njump = "W"\n"family:K" = "K"\n'
    bindings = {b.action: b for b in key_map(taxonomy, read_key_file(text, "keys.toml"))}
    assert (bindings["clean"].chords, bindings["clean"].label) == (("j",), "J")
    assert bindings["skip"].chords == ("Space", "PageDown")
    assert bindings["family:K"].label == "K"
    assert bindings["save"].chords == ("F2", "Mod+Enter")  # Ctrl+Enter always saves
    data = {row["action"]: row for row in as_data(tuple(bindings.values()))}
    assert data["clean"]["chords"] == ["j"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("clean = 'a\n", "keys.toml: this is not valid TOML", id="no TOML"),
        pytest.param("clean = 1", "keys.toml:1: the keys of 'clean' must be text", id="number"),
        pytest.param("\nclean = 'Hyper+Q'", "keys.toml:2: clean: 'Hyper+Q' is not a key", id="key"),
        pytest.param("skip = '?'", "keys.toml:1: skip: '?' is not a key", id="punctuation"),
        pytest.param("fly = 'w'", "keys.toml:1: there is no action 'fly'", id="unknown action"),
        pytest.param(
            "# mine\n\nclean = 'U'",
            "keys.toml:3: key U is given to both 'clean' and 'undo'",
            id="clash with a key that stays",
        ),
        pytest.param(
            "undo = 'b'\nclean = 'B'", "key B is given to both 'clean' and 'undo'", id="clash"
        ),
        pytest.param("skip = 'R'", "keys.toml:1: key R of 'skip' belongs", id="Streamlit's own"),
        pytest.param("skip = 'Ctrl+W'", "keys.toml:1: key Ctrl+W of 'skip' belongs", id="browser"),
        pytest.param("save = 's'", "keys.toml:1: 'save' acts while you type", id="plain save"),
        pytest.param(
            "fn = 'i'\nskip = '1'",
            "keys.toml:2: key 1 is given to both 'skip' and cause number 1",
            id="digit of a cause",
        ),
    ],
)
def test_r37_a_key_file_that_does_not_hold_is_refused(
    taxonomy: Taxonomy, text: str, words: str
) -> None:
    with pytest.raises(InputError) as refused:
        key_map(taxonomy, read_key_file(text, "keys.toml"))
    assert words in str(refused.value)


def test_r37_no_key_does_two_things_in_any_state(taxonomy: Taxonomy) -> None:
    chords = [chord for b in key_map(taxonomy) for chord in b.chords]
    assert len(set(chords)) == len(chords)
    assert not RESERVED & set(chords)
    digits = {f"Digit{n}" for n in range(1, 10)}
    on_digits = {b.action for b in key_map(taxonomy) if digits & set(b.chords)}
    assert all(a in ("fn", "fp", "stale") or a.startswith("family:") for a in on_digits)
