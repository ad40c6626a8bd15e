from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from pathlib import Path

import pytest

from audit_app.domain.adjudication import Adjudication, How
from audit_app.domain.estimates import Interval
from audit_app.domain.review import Effect, Finding, Judgement, Review
from audit_app.domain.rubric import Taxonomy
from audit_app.domain.settling import CaseState, compare_fields
from audit_app.domain.team import SendBack
from audit_app.services.case_board import Case, CaseItem
from audit_app.stats.agreement_model import Agreement, AgreementRow, AgreementTable, Topic
from audit_app.ui.rendering.agreement import agreement_panel
from audit_app.ui.rendering.comparison import comparison, comparison_summary
from audit_app.ui.rendering.text import whole_texts
from tests.browser.desk_cases import HOSTILE, RTL, SPOOF
from tests.ui.rendering.markup import Markup, text_of

ROOT = Path(__file__).resolve().parents[3]
NOW = datetime(2026, 11, 30, tzinfo=UTC)
TABLE = ["table", "thead", "tbody", "tr", "th", "td", "br", "kbd"]
OWN_TAGS = frozenset([*TABLE, "div", "h2", "span", "p", "b", "bdi", "a", "dl", "dt", "dd"])


@pytest.fixture(scope="module")
def taxonomy() -> Taxonomy:
    return Taxonomy.model_validate(
        tomllib.loads((ROOT / "rubric" / "taxonomy.toml").read_text("utf-8"))
    )


def review(who: str, *findings: Finding, note: str = "") -> Review:
    return Review(
        id=who,
        task_id="t",
        reviewer=who,
        reviewed_at=NOW,
        judgement=Judgement.DEFECT if findings else Judgement.CLEAN,
        findings=findings,
        note=note,
    )


def case(
    *reviews: Review,
    may_settle: str = "",
    settled: Adjudication | None = None,
    send_backs: tuple[SendBack, ...] = (),
) -> Case:
    item = CaseItem("t", "s", CaseState.DIFFERS, (), (), may_settle, settled)
    basis = tuple(sorted(r.id for r in reviews))
    return Case(item, reviews, compare_fields(reviews), send_backs, settled, basis)


def test_differing_fields_have_a_sign_a_word_and_their_definitions(taxonomy: Taxonomy) -> None:
    first = Finding(effects=(Effect.FN,), cause="K2", severity=2, note="no date")
    second = Finding(effects=(Effect.FN, Effect.FP), cause="K2", severity=3)
    two = case(review("ada", first), review("ben", second))
    html = comparison(two, taxonomy)
    assert comparison_summary(two) == "2 of 5 fields differ: effects, severity"
    assert html.count('class="dis"') == html.count("≠") == html.count(">differs<") == 2
    shown = text_of(html)
    for words in ("K2 stale key", "2 material", "3 fatal", "FN, FP", "no date", "both submitted"):
        assert words in shown
    assert "severity 3No right answer can pass" in shown
    assert "K2The recorded answer" not in shown  # not in question


def test_equal_reviews_have_no_difference(taxonomy: Taxonomy) -> None:
    same = case(review("ada"), review("ben", note="checked twice"), review("cy"))
    html = comparison(same, taxonomy)
    assert "3 reviews, no difference" in text_of(html)
    assert "all 3 submitted blind" in text_of(html)
    assert "≠" not in html


def test_hostile_reviews_add_no_tag_and_no_attribute(taxonomy: Taxonomy) -> None:
    finding = Finding(
        effects=(Effect.FN,),
        cause="<i>K9</i>",
        note=HOSTILE + SPOOF + RTL,
        evidence=("https://example.org/a?b=<c>&d='1'",),
        proposed_key='"<u>x</u>"',
    )
    settled = Adjudication(
        id="x",
        task_id="t",
        adjudicator=HOSTILE,
        adjudicated_at=NOW,
        judgement=Judgement.DEFECT,
        findings=(finding,),
        note=HOSTILE,
        how=How.OWN,
    )
    returned = SendBack(
        id="s", task_id="t", reviewer=HOSTILE, review_id="r", reason=HOSTILE, sent_at=NOW,
        sent_by=HOSTILE,
    )  # fmt: skip
    hostile = case(
        review(HOSTILE, finding),
        review(SPOOF, note=HOSTILE),
        may_settle=HOSTILE,
        settled=settled,
        send_backs=(returned,),
    )
    seen = Markup(comparison(hostile, taxonomy))
    assert seen.tags <= OWN_TAGS
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    links = [value for name, value in seen.attributes if name in ("href", "src", "style")]
    assert links == ["https://example.org/a?b=<c>&d='1'"]
    assert seen.text.count(HOSTILE) >= 6


def test_a_long_note_is_sent_whole_when_it_is_asked_for(taxonomy: Taxonomy) -> None:
    long = case(review("ada", note="x" * 100_000 + "END"), review("ben"))
    assert "Show all 100,003 characters" in text_of(comparison(long, taxonomy))
    with whole_texts(whole=True):
        assert "x" * 100_000 + "END" in comparison(long, taxonomy)


def figures(**changes: object) -> Agreement:
    interval = Interval(name="bootstrap", lower=-0.05, upper=1.0, level=0.95)
    values: dict[str, object] = {
        "tasks": 50, "pairs": 50, "agree": 47, "raw": 0.94, "raw_interval": None, "kappa": 0.876,
        "kappa_interval": interval, "alpha": -0.1, "alpha_interval": interval, "undefined": {},
    }  # fmt: skip
    return Agreement.model_validate(values | changes)


def test_r21_r22_agreement_by_row_and_what_is_not_defined_says_why() -> None:
    why = {"kappa": "one category used", "alpha": "one category used"}
    undefined = figures(kappa=None, kappa_interval=None, alpha=None, alpha_interval=None)
    rows = (
        AgreementRow(
            id="defect", label="Defective", topic=Topic.DEFECT, level="nominal", figures=figures()
        ),
        AgreementRow(
            id="G5",
            label="<b>Cause</b>",
            topic=Topic.CAUSE,
            level="nominal",
            figures=undefined.model_copy(update={"undefined": why}),
        ),
    )
    html = agreement_panel(AgreementTable(reviewers=("ada", "ben"), tasks=50, rows=rows))
    shown = text_of(html)
    assert "two reviewers, 50 tasks judged by two or more, adjudicator excluded" in shown
    assert "47 of 50" in shown
    assert "0.88 −0.05 to 1.00" in shown
    assert "−0.10" in shown
    assert "cause G5 <b>cause</b>" in shown
    assert shown.count("Not defined: one category used.") == 1
    assert "nan" not in shown.lower()


def test_r23_no_overlap_is_said_and_has_no_figure() -> None:
    table = AgreementTable(
        reviewers=(), tasks=0, rows=(), undefined="no overlap: nobody shares one"
    )
    shown = text_of(agreement_panel(table))
    assert "Not defined: no overlap: nobody shares one." in shown
    assert "1.0" not in shown
