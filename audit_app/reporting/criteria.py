"""The rubric of a report: every item with its answer; nobody's answer is "not reviewed"."""

from __future__ import annotations

from audit_app.domain.rubric import NOT_REVIEWED, Item, Section
from audit_app.reporting.model import AuditRecord
from audit_app.reporting.report import Criteria, ItemPart, SectionPart, VerdictPart


def build_criteria(record: AuditRecord) -> Criteria:
    """All sections with their answers."""
    items = record.rubric.items
    unanswered = [items[i].number or i for i in record.verdict.not_reviewed if i in items]
    return Criteria(
        rubric=record.rubric.title.text(),
        source=record.rubric.source.text(),
        access_note=record.statements.get("access_note", ""),
        sections=tuple(_section(record, section) for section in record.rubric.sections),
        not_reviewed=tuple(unanswered),
    )


def build_verdict(record: AuditRecord) -> VerdictPart:
    """The verdict with its trace."""
    verdict = record.verdict
    decides = [index for index, step in enumerate(verdict.trace) if step.decides]
    return VerdictPart(
        outcome=verdict.outcome,
        label=record.rubric.outcomes[verdict.outcome].text(),
        partial=verdict.partial,
        trace=tuple(step.text for step in verdict.trace),
        decided_by=decides[0] if decides else None,
    )


def _section(record: AuditRecord, section: Section) -> SectionPart:
    return SectionPart(
        id=section.id,
        number=section.number,
        title=section.label.text(),
        kind=section.kind,
        intro=section.intro.text(),
        items=tuple(_item(record, item) for item in section.items),
    )


def _item(record: AuditRecord, item: Item) -> ItemPart:
    answer = record.answers.get(item.id)
    status_id = answer.status if answer else NOT_REVIEWED
    status = item.status(status_id)
    return ItemPart(
        id=item.id,
        number=item.number,
        question=item.label.text(),
        threshold=item.threshold.text.text() if item.threshold else "",
        status=status_id,
        status_label=status.label.text() if status else status_id,
        stops_with=status.verdict.value if status and status.verdict else "",
        value=answer.value if answer else None,
        note=answer.note if answer else "",
        examples=tuple(example.text.text() for example in item.examples),
        own_examples=any(example.ours for example in item.examples),
    )
