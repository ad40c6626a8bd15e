from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from audit_app.domain.dossier import Dossier, Recorded
from audit_app.domain.dossier_entries import (
    AnyEntry,
    EarlyStop,
    Entry,
    OutsideEvidence,
    Response,
    RootCause,
    RootCauseLink,
    ScaleIssue,
    Withdrawal,
)
from audit_app.domain.grounds import grounds_of

WHEN = datetime(2026, 9, 3, tzinfo=UTC)
LINK = "https://example.org/audit"
CITED = OutsideEvidence(source=LINK, examined=138, confirmed=82, of=500, note="flagged tasks")


def dossier(*bodies: AnyEntry) -> Dossier:
    """Entries with the ids 0, 1, …."""
    return Dossier(tuple(Recorded(str(i), body, WHEN, "ada") for i, body in enumerate(bodies)))


@pytest.mark.parametrize(
    ("kind", "values", "told"),
    [
        pytest.param(
            OutsideEvidence,
            {"source": LINK, "examined": 9, "confirmed": 10, "of": 50, "note": "x"},
            "10 confirmed, 9 examined and 50 in all do not go together",
            id="more confirmed than examined",
        ),
        pytest.param(
            OutsideEvidence,
            {"source": LINK, "examined": 9, "confirmed": 1, "of": 5, "note": "x"},
            "do not go together",
            id="more examined than there are",
        ),
        pytest.param(
            OutsideEvidence,
            {"source": "javascript:x", "examined": 9, "confirmed": 1, "of": 9, "note": "x"},
            "is not a link that begins with https://",
            id="no link",
        ),
        pytest.param(
            OutsideEvidence,
            {"source": LINK, "examined": 9, "confirmed": 1, "of": 9, "note": " "},
            "the text is empty",
            id="no note",
        ),
        pytest.param(ScaleIssue, {"text": "all"}, "needs evidence of its own", id="no evidence"),
        pytest.param(RootCause, {"key": "A b", "title": "t"}, "pattern", id="key with a space"),
        pytest.param(
            Response,
            {"task_id": "t", "status": "fixed", "on": "2026-09-03"},
            "needs the version that brings it",
            id="fixed in no version",
        ),
        pytest.param(
            Response,
            {"task_id": "t", "status": "disputed", "on": "2026-09-03"},
            "needs a link or a text",
            id="disputed without a word",
        ),
        pytest.param(
            Response,
            {"task_id": "t", "status": "accepted", "version": "2", "on": "2026-09-03"},
            "a version goes with fixed only",
            id="accepted with a version",
        ),
    ],
)
def test_an_entry_that_says_too_little_is_refused(
    kind: type[Entry], values: dict[str, Any], told: str
) -> None:
    with pytest.raises(ValidationError, match=told):
        kind.model_validate(values)


def test_an_audit_by_others_gives_a_floor_of_the_whole() -> None:
    """82 of the 138 examined are 59.4 %, and of all 500 at least 16.4 %: no rate of either."""
    assert CITED.floor == pytest.approx(0.164)
    outside = grounds_of(dossier(CITED), 0.2).outside[0]
    assert "at least 82 of 500 tasks (16.4 %)" in outside
    assert "59.4" not in outside
    assert "below the threshold of 20 %" in outside


@given(of=st.integers(1, 2_000), data=st.data(), threshold=st.sampled_from([0.1, 0.15, 0.2, 0.25]))
def test_a_floor_is_set_against_the_threshold_exactly(
    of: int, data: st.DataObject, threshold: float
) -> None:
    confirmed = data.draw(st.integers(0, of))
    body = OutsideEvidence(source=LINK, examined=of, confirmed=confirmed, of=of, note="all")
    percent = round(100 * threshold)
    side = "at or above" if 100 * confirmed >= percent * of else "below"
    assert f"lies {side} the threshold" in grounds_of(dossier(body), threshold).outside[0]


def test_what_is_withdrawn_stands_no_more_and_is_kept() -> None:
    found = dossier(CITED, Withdrawal(entry="0", reason="counted twice"))
    assert found.outside == ()
    assert len(found.entries) == 2
    assert found.standing("0") is None


def test_of_one_key_the_latest_root_cause_stands_and_keeps_its_tasks() -> None:
    found = dossier(
        RootCause(key="k", title="first"),
        RootCauseLink(root_cause="k", task_id="a"),
        RootCauseLink(root_cause="k", task_id="b"),
        RootCauseLink(root_cause="gone", task_id="b"),
        RootCause(key="k", title="second"),
        RootCauseLink(root_cause="k", task_id="a", is_linked=False),
    )
    assert [e.body.title for e in found.root_causes.values()] == ["second"]
    assert found.linked == {"k": ("b",)}


def test_an_early_stop_says_who_when_and_why() -> None:
    stop = EarlyStop(reason="the threshold\nis passed", sampled=50, reviewed=40, defective=24)
    assert grounds_of(dossier(stop), 0.2).stop == (
        "Reviewing was stopped on 2026-09-03 by ada, with 40 of 50 sampled tasks reviewed: "
        "the threshold is passed."
    )
    taken_back = dossier(stop, Withdrawal(entry="0", reason="go on"))
    assert grounds_of(taken_back, 0.2).stop == ""
