from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from markdown_it import MarkdownIt

from audit_app.domain.rubric import Outcome
from audit_app.reporting.markdown_records import history_blocks, notice_blocks, records_blocks
from audit_app.reporting.records import (
    AttemptRate,
    CarryPart,
    HistoryPart,
    LinkedTask,
    OutsidePart,
    RecordsPart,
    ResponsePart,
    RootCausePart,
    RubricChange,
    ScalePart,
    TargetedPart,
)

HOSTILE = "<script>alert(1)</script>|`x`\n# h ![i](http://e.example/i) \u202e[l](javascript:x)"
DAY = date(2026, 9, 3)


def attempts(changed: int, regraded: int, void: int) -> AttemptRate:
    return AttemptRate(
        attempts=200, tasks=50, defective=24, changed=changed, regraded=regraded, void=void
    )


def hostile() -> RecordsPart:
    """Every text of another's hand is an attack."""
    h, ids = HOSTILE, (HOSTILE,)
    return RecordsPart(
        stop=h,
        rubric_note=h,
        rubric_changes=(RubricChange(on=DAY, by=h, version=h, reason=h, differences=(h,)),),
        carry=CarryPart(
            audit=h,
            version=h,
            rules=h,
            rules_differ=True,
            reviews=1,
            tasks=ids,
            standing=1,
            changed=ids,
            fresh=ids,
            left=ids,
            gone=ids,
        ),
        outside=(
            OutsidePart(source=h, examined=3, confirmed=1, of=9, floor=1 / 9, note=h, by=h, on=DAY),
        ),
        targeted=TargetedPart(
            targeted=1, judged=0, defective=0, tasks=((h, h, h),), now_sampled=ids
        ),
        root_causes=(
            RootCausePart(
                key=h,
                title=h,
                description=h,
                cause=h,
                links=ids,
                tasks=(LinkedTask(task_id=h, findings=h, is_defective=True, is_sampled=False),),
                defective=1,
                of_defective=0,
            ),
        ),
        scale=(ScalePart(text=h, links=ids, root_cause=h, by=h, on=DAY),),
        attempts=attempts(1, 2, 0),
        responses=(ResponsePart(task_id=h, status="fixed", version=h, on=DAY, link=h, text=h),),
        history=(
            HistoryPart(
                at=datetime(2026, 9, 3, tzinfo=UTC),
                by=h,
                version=h,
                outcome=Outcome.FLAWED,
                label=h,
                cause=h,
                reviewed=None,
                defective=None,
            ),
        ),
    )


def test_foreign_texts_are_inert() -> None:
    part = hostile()
    blocks = [*notice_blocks(part), *records_blocks(part), *history_blocks(part)]
    html = MarkdownIt("commonmark").enable("table").render("\n\n".join(b for b in blocks if b))
    for live in ("<script", "<img", 'href="javascript', "<h1", "\u202e"):
        assert live not in html
    assert html.count("<table>") == 5


@pytest.mark.parametrize(
    ("rate", "told"),
    [
        pytest.param(
            attempts(30, 40, 0),
            "30 of 200 graded attempts at the 50 reviewed tasks (15.0 %) get another result",
            id="all regraded",
        ),
        pytest.param(attempts(30, 40, 10), "at least 30 of 200", id="some without a key"),
        pytest.param(attempts(30, 40, 10), "so it is at most 20.0 %", id="upper end"),
        pytest.param(attempts(0, 0, 10), "not defined, as no defective task has", id="no key"),
        pytest.param(attempts(0, 0, 0), "0 of 200", id="nothing to correct"),
    ],
)
def test_the_attempt_rate_names_its_denominator_and_is_no_task_rate(
    rate: AttemptRate, told: str
) -> None:
    text = "\n".join(records_blocks(RecordsPart(attempts=rate)))
    assert told in text
    assert "24 of 50 reviewed tasks are defective" in text


def test_nothing_recorded_says_nothing() -> None:
    assert [*notice_blocks(None), *records_blocks(None), *history_blocks(None)] == []
    empty = RecordsPart()
    assert [*notice_blocks(empty), *records_blocks(empty), *history_blocks(empty)] == []
