"""The section of live evidence: hostile texts keep its structure, words fit what was seen."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from audit_app.domain.conditions import Condition, EndpointKind
from audit_app.domain.review import FindingState
from audit_app.reporting.evidence import (
    AnswerPart,
    EvidencedFinding,
    EvidencePart,
    KeyCounts,
    TrialsPart,
)
from audit_app.reporting.evidence_csv import evidence_csv
from audit_app.reporting.markdown_evidence import evidence_blocks
from tests.unit.reporting.audits import Text
from tests.unit.reporting.reading import inner, structure
from tests.unit.reporting.test_markup import ATTACKS

MOMENT = datetime(2026, 11, 29, 12, tzinfo=UTC)


def plain(text: str) -> str:
    return text


def trials(t: Text = plain, **over: Any) -> TrialsPart:
    condition = Condition(
        model=t("m")[:500], endpoint=t("http://e.example")[:500], provider=EndpointKind.OPENAI
    )
    answer = AnswerPart(
        text=t("four"),
        is_cut=False,
        trials=(1, 2, 3),
        published="invalid",
        published_code=t("exact:not_equal"),
        signature="f" * 64,
        proposed="valid",
        proposed_code="valid",
    )
    errors = {"timeout": 1}
    fields: dict[str, Any] = {
        "id": "e-1",
        "reason": t("The timetable says so."),
        "attached_at": MOMENT,
        "attached_by": t("ada"),
        "shows_defect": True,
        "carried": False,
        "job": "job-1",
        "model": condition.model,
        "condition_id": condition.digest,
        "condition": condition.model_dump(mode="json"),
        "planned": 5,
        "recorded": 0,
        "first_at": MOMENT,
        "last_at": MOMENT,
        "assay": "1",
        "rules": t("v4"),
        "published": KeyCounts(
            key="a" * 64, trials=4, passed=0, failed=3, errors=errors, triage="key_or_scorer"
        ),
        "proposed": KeyCounts(
            key="b" * 64, trials=4, passed=3, failed=0, errors=errors, triage="solved"
        ),
        "proposed_key": t('"four"'),
        "key_stands": True,
        "answers": (answer,),
        "signatures": ("f" * 64,),
        "differences": (t("the answers are other ones"),),
    }
    return TrialsPart(**fields | over)


def part(t: Text = plain, *, confirmed: bool = True, **over: Any) -> EvidencePart:
    finding = EvidencedFinding(
        task_id=t("task"),
        category=t("chat"),
        reviewer=t("ada"),
        position=0,
        effects=("FN",),
        cause=t("K1"),
        cause_label=t("Wrong key"),
        severity=2,
        state=FindingState.CONFIRMED,
        confirmed=confirmed,
        trials=(trials(t, **over),),
    )
    return EvidencePart(findings=(finding,), left_out=1)


def text(found: EvidencePart | None) -> str:
    return "\n\n".join(block for block in evidence_blocks(found) if block)


@pytest.mark.parametrize("attack", ATTACKS)
def test_hostile_texts_keep_the_structure(attack: str) -> None:
    attacked = text(part(lambda given: f"{attack}{given}{attack}"))
    assert structure(attacked) == structure(text(part()))
    for kind in ("strong_open", "link_open", "em_open", "image", "html_inline"):
        counts = [sum(c.type == kind for c in inner(t)) for t in (attacked, text(part()))]
        assert counts[0] == counts[1], kind


@pytest.mark.parametrize(
    ("over", "words"),
    [
        pytest.param({}, "**Confirmed by live runs.**", id="fresh"),
        pytest.param({"recorded": 3}, "**Confirmed by live runs, as recorded:**", id="recorded"),
        pytest.param({"recorded": 2}, "**Confirmed by live runs.**", id="partly recorded"),
        pytest.param(
            {"proposed": None, "proposed_key": None}, "on the reviewer's word:**", id="no key"
        ),
        pytest.param(
            {"confirmed": False, "shows_defect": False},
            "**Not confirmed by live runs:** no trial was graded as the finding says",
            id="shows nothing",
        ),
        pytest.param({"key_stands": False}, "The finding now proposes another key", id="key"),
        pytest.param({"carried": True}, "an earlier wording of this finding", id="carried"),
    ],
)
def test_words_fit_what_was_seen(over: dict[str, Any], words: str) -> None:
    said = text(part(**over))
    assert words in said
    assert said.count("onfirmed by live runs") == 1


def test_every_count_has_its_denominator_and_errors_stand_apart() -> None:
    said = text(part())
    assert "| 0 of 4 | 3 of 4 | 1 of 4 |" in said
    assert "| 3 of 4 | 0 of 4 | 1 of 4 |" in said
    assert "4 of 5 trials" in said
    assert "Without a verdict under the published key: timeout 1." in said
    assert "1 further piece of evidence belongs to a finding that is in no settled" in said


def test_every_field_of_the_condition_is_said_and_unknown_is_a_word() -> None:
    said = text(part())
    for name in Condition.model_fields:
        assert f"| `{name}` | " in said
    assert "| `runtime` | unknown |" in said


def test_a_cell_runs_nothing_in_a_spreadsheet() -> None:
    row = evidence_csv(part(reason="=cmd()"))
    assert ",=cmd()" not in row


def test_without_evidence_there_is_no_section() -> None:
    assert text(None) == ""
