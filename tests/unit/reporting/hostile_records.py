"""What an audit keeps besides its reviews, with a text of one's choice everywhere."""

from __future__ import annotations

from datetime import UTC, date, datetime

from audit_app.domain.rubric import Outcome
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
from tests.unit.reporting.audits import Text

DAY = date(2026, 9, 8)


def records(t: Text, link: str) -> RecordsPart:
    """Every kind of record, each link the one that is given."""
    ada, task = t("ada"), t("chat_0")
    change = RubricChange(
        on=DAY, by=ada, version=t("2"), reason=t("New limits."), differences=(t("20 % to 25 %"),)
    )
    carry = CarryPart(
        audit=t("earlier"),
        version=t("abc"),
        rules=t("v3"),
        rules_differ=True,
        reviews=2,
        tasks=(task,),
        standing=1,
        changed=(t("chat_1"),),
        fresh=(t("chat_2"),),
        left=(t("chat_3"),),
        gone=(t("chat_9"),),
    )
    outside = OutsidePart(
        source=link, examined=10, confirmed=5, of=63, floor=5 / 63, note=t("x"), by=ada, on=DAY
    )
    targeted = TargetedPart(
        targeted=2,
        judged=1,
        defective=1,
        tasks=((t("chat_20"), t("FN"), t("A model said so.")),),
        now_sampled=(task,),
    )
    linked = LinkedTask(task_id=task, findings=t("FN, K3"), is_defective=True, is_sampled=False)
    cause = RootCausePart(
        key=t("r1"),
        title=t("One verifier"),
        description=t("It restores files."),
        cause=t("G4"),
        links=(link,),
        tasks=(linked,),
        defective=1,
        of_defective=3,
    )
    scale = ScalePart(text=t("Every chat task."), links=(link,), root_cause=t("r1"), by=ada, on=DAY)
    response = ResponsePart(
        task_id=task, status="fixed", version=t("v2"), on=DAY, link=link, text=t("Thanks.")
    )
    history = HistoryPart(
        at=datetime(2026, 9, 8, 12, tzinfo=UTC),
        by=ada,
        version=t("abc"),
        outcome=Outcome.FLAWED,
        label=t("Flawed"),
        cause=t("2.1 has an issue"),
        reviewed=9,
        defective=3,
    )
    attempts = AttemptRate(attempts=30, tasks=9, defective=3, changed=4, regraded=8, void=2)
    return RecordsPart(
        stop=t("The threshold was passed."),
        rubric_note=t("Thresholds differ."),
        rubric_changes=(change,),
        carry=carry,
        outside=(outside,),
        targeted=targeted,
        root_causes=(cause,),
        scale=(scale,),
        attempts=attempts,
        responses=(response,),
        history=(history,),
    )
