from __future__ import annotations

import pytest

from audit_app.domain.rubric import Rubric, SectionKind
from audit_app.domain.rubric_file import rubric_from_toml, taxonomy_from_toml
from audit_app.errors import InputError
from tests.unit.domain.conftest import RUBRIC_FOLDER

MINIMAL = """
id = "r"
version = "1"
title = { en = "R" }
source = { en = "ours" }
[sampling]
base = 50
widen_to = 100
widen_band = [0.15, 0.25]
census_at_or_below = 50
[outcomes]
in_progress = { en = "In progress" }
verified = { en = "Verified" }
flawed = { en = "Flawed" }
nei = { en = "NEI" }
[[sections]]
id = "grading"
number = "1"
kind = "all_must_pass"
label = { en = "Grading" }
statuses = [
  { id = "ok", passes = true, label = { en = "OK" } },
  { id = "bad", verdict = "flawed", label = { en = "Bad" } },
  { id = "not_reviewed", label = { en = "Not reviewed" } },
]
[[sections.items]]
id = "keys"
number = "1.1"
label = { en = "Keys" }
threshold = { metric = "defect_rate", value = 0.2, text = { en = "20 %" } }
[[sections]]
id = "extra"
number = "2"
kind = "advisory"
label = { en = "Extra" }
[[sections.items]]
id = "runs"
number = "2.1"
label = { en = "Runs" }
value = "integer"
value_status = "known"
statuses = [{ id = "known", label = { en = "K" } }, { id = "not_reviewed", label = { en = "N" } }]
"""


def test_epoch_rubric_has_the_contracted_ids(rubric: Rubric) -> None:
    grading = ["pass", "issue", "not_reviewed"]
    assert {i.id: [s.id for s in i.statuses] for i in rubric.items.values()} == {
        "access": ["full", "partial", "insufficient", "not_reviewed"],
        "scoring": grading,
        "consistency": grading,
        "elicitation": grading,
        "setup_bias": grading,
        "resources": [
            "sufficient",
            "constrained",
            "unreasonably_constrained",
            "unknown",
            "not_reviewed",
        ],
        "scaffold": ["shared", "mixed", "model_specific", "not_reviewed"],
        "contamination": ["reviewed", "not_reviewed"],
        "human": ["all_tasks", "representative", "poorly_done", "not_checked", "not_reviewed"],
        "range": ["estimated", "not_reviewed"],
        "runs": ["known", "unknown", "not_reviewed"],
        "construct": ["measures", "partly", "does_not", "not_reviewed"],
    }
    assert [s.kind for s in rubric.sections] == list(SectionKind)


def test_epoch_rubric_marks_every_example_as_ours_and_speaks_japanese(rubric: Rubric) -> None:
    examples = [example for item in rubric.items.values() for example in item.examples]
    assert examples
    assert all(example.ours for example in examples)
    labels = [s.label for s in rubric.sections]
    labels += [item.label for item in rubric.items.values()]
    labels += [status.label for item in rubric.items.values() for status in item.statuses]
    assert all(label.ja for label in labels)


def test_taxonomy_has_every_cause_by_family_key() -> None:
    text = (RUBRIC_FOLDER / "taxonomy.toml").read_text(encoding="utf-8")
    taxonomy = taxonomy_from_toml(text, source="taxonomy.toml")
    sizes = {f.key: (f.letter, len(f.causes)) for f in taxonomy.families}
    assert sizes == {
        "4": ("T", 5),
        "5": ("K", 6),
        "6": ("G", 6),
        "7": ("E", 5),
        "8": ("L", 3),
        "9": ("H", 4),
    }
    # A digit picks the member, so codes count up within their family.
    for family in taxonomy.families:
        numbered = [f"{family.letter}{n}" for n in range(1, len(family.causes) + 1)]
        assert [cause.code for cause in family.causes] == numbered
    causes = taxonomy.causes.values()
    assert all(c.label.ja and c.definition.en and c.example.en and c.usual_effect for c in causes)


def test_items_take_the_statuses_of_their_section() -> None:
    rubric = rubric_from_toml("\ufeff" + MINIMAL.replace("\n", "\r\n"), source="r.toml")
    assert [s.id for s in rubric.items["keys"].statuses] == ["ok", "bad", "not_reviewed"]
    assert rubric.sampling.band_inclusive


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        pytest.param('id = "r"', "id = ", "this is not valid TOML", id="not TOML"),
        pytest.param('id = "r"', "", "id: is missing", id="no id"),
        pytest.param("base = 50", "base = '50'", "sampling.base: must be a whole", id="text"),
        pytest.param("base = 50", "base = 2026-01-01", "2026-01-01 must be text", id="date"),
        pytest.param("[0.15, 0.25]", "[0.25, 0.15]", "not two shares in order", id="band"),
        pytest.param("[0.15, 0.25]", "[nan, 0.25]", "not two shares in order", id="band of nan"),
        pytest.param('nei = { en = "NEI" }', "", "no label for the outcome 'nei'", id="outcome"),
        pytest.param('"all_must_pass"', '"most"', "sections.grading.kind: ", id="unknown kind"),
        pytest.param('verdict = "flawed"', 'verdict = "bad"', "bad.verdict: ", id="verdict"),
        pytest.param('"flawed"', '"verified"', "can stop with flawed or nei only", id="stop"),
        pytest.param("passes = true", "passes = false", "no status of it passes", id="no pass"),
        pytest.param(', verdict = "flawed"', "", "no status of it stops", id="no stop"),
        pytest.param(
            "passes = true", 'passes = true, verdict = "nei"', "cannot both pass", id="both"
        ),
        pytest.param('"not_reviewed"', '"later"', "has no status 'not_reviewed'", id="no default"),
        pytest.param('"ok"', '"bad"', "lists a status twice", id="status twice"),
        pytest.param('id = "runs"', 'id = "keys"', "'keys' stands twice", id="item twice"),
        pytest.param('"extra"', '"grading"', "'grading' stands twice", id="section twice"),
        pytest.param('value_status = "known"', "", "names no value_status", id="value only"),
        pytest.param('value = "integer"', "", "takes no value", id="value_status only"),
        pytest.param('"known"\n', '"all"\n', "unknown status 'all'", id="unknown value_status"),
        pytest.param("value = 0.2", "value = 0.3", "outside the widen_band", id="threshold"),
        pytest.param("value = 0.2,", "", "has no value", id="threshold without value"),
        pytest.param("value = 0.2", "value = nan", "threshold.value: ", id="threshold of nan"),
        pytest.param('"defect_rate"', '"x"', "'x' is not 'defect_rate'", id="metric"),
        pytest.param('"defect_rate"', '""', "one item must have the metric", id="no metric"),
        pytest.param(
            '{ id = "known",', '{ id = "known", passes = true,', "never changes", id="advisory"
        ),
        pytest.param('number = "2"', 'number = "2"\ncolour = 1', "colour: is not", id="stray key"),
    ],
)
def test_a_bad_rubric_is_refused_in_one_sentence(old: str, new: str, told: str) -> None:
    assert old in MINIMAL
    with pytest.raises(InputError) as refusal:
        rubric_from_toml(MINIMAL.replace(old, new), source="r.toml")
    message = str(refusal.value)
    assert message.startswith("r.toml: ")
    assert told in message
    assert "\n" not in message


GATE = """[[sections]]
id = "gate"
number = "0"
kind = "gate"
label = { en = "Gate" }
[[sections.items]]
id = "open"
number = "0.1"
label = { en = "Open" }
statuses = [
  { id = "yes", go = "TARGET", label = { en = "Yes" } },
  { id = "not_reviewed", label = { en = "N" } },
]
[[sections]]
id = "grading\""""


@pytest.mark.parametrize(
    ("target", "told"),
    [
        pytest.param("gate", "go leads from section 'gate' back to 'gate', a cycle", id="cycle"),
        pytest.param("later", "go names no section 'later'; there are: gate, grad", id="nowhere"),
        pytest.param("extra", "", id="a later section"),
    ],
)
def test_a_gate_leads_forward_or_the_file_is_refused(target: str, told: str) -> None:
    text = MINIMAL.replace('[[sections]]\nid = "grading"', GATE.replace("TARGET", target))
    if told:
        with pytest.raises(InputError, match=told) as refusal:
            rubric_from_toml(text, source="r.toml")
        assert str(refusal.value).startswith("r.toml: status 'yes' of item 'open': ")
    else:
        assert rubric_from_toml(text, source="r.toml").items["open"].statuses[0].go == target


def test_go_in_a_section_that_is_no_gate_is_refused() -> None:
    text = MINIMAL.replace("passes = true", 'passes = true, go = "extra"')
    with pytest.raises(InputError, match="only an answer of a gate can go to a section"):
        rubric_from_toml(text, source="r.toml")


def test_the_small_rubric_has_a_gate_and_a_threshold_only() -> None:
    text = (RUBRIC_FOLDER / "minimal.toml").read_text(encoding="utf-8")
    small = rubric_from_toml(text, source="minimal.toml")
    assert [s.kind for s in small.sections] == [SectionKind.GATE, SectionKind.ALL_MUST_PASS]
    assert list(small.items) == ["keys_open", "defects"]
    assert small.scoring_item is small.items["defects"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        pytest.param('code = "T2"', 'code = "T1"', "cause 'T1' stands twice", id="cause twice"),
        pytest.param('code = "T2"', 'code = "X2"', "does not begin with", id="other family"),
        pytest.param('key = "5"', 'key = "4"', "key '4' stands twice", id="key twice"),
        pytest.param('id = "FP"', 'id = "fp"', "effects must be FN, FP", id="effect"),
        pytest.param('id = "rejected"', 'id = "refused"', "states must be flagged", id="state"),
        pytest.param('id = "3"', 'id = "4"', "severities must be 0, 1, 2, 3", id="severity"),
    ],
)
def test_a_bad_taxonomy_is_refused(old: str, new: str, told: str) -> None:
    text = (RUBRIC_FOLDER / "taxonomy.toml").read_text(encoding="utf-8")
    assert old in text
    with pytest.raises(InputError, match=told):
        taxonomy_from_toml(text.replace(old, new), source="taxonomy.toml")
