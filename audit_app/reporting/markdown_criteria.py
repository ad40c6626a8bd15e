"""Evaluation criteria: a table for each section of the rubric, and the trace of the verdict."""

from __future__ import annotations

from collections.abc import Iterable

from audit_app.domain.record import Json
from audit_app.domain.rubric import NOT_REVIEWED, SectionKind
from audit_app.reporting.markup import md, md_paragraphs, table
from audit_app.reporting.report import ItemPart, Report, SectionPart

_KINDS = {
    SectionKind.GATE: "A gate: each answer leads on or stops with a verdict.",
    SectionKind.ALL_MUST_PASS: "Every item must pass; one issue stops with a verdict.",
    SectionKind.ADVISORY: "Advisory: never changes the verdict.",
}


def criteria_blocks(report: Report) -> Iterable[str]:
    """The section with all answers, and the reasoning behind the verdict."""
    criteria = report.criteria
    yield "## Evaluation criteria"
    yield f"Rubric: {md(criteria.rubric)}. {md(criteria.source)}".strip()
    for section in criteria.sections:
        yield from _section(section)
    if criteria.access_note:
        yield "Access of the reviewers:"
        yield md_paragraphs(criteria.access_note)
    if criteria.not_reviewed:
        numbers = ", ".join(md(number) for number in criteria.not_reviewed)
        yield f"Not reviewed, and therefore not passed: {numbers}."
    yield "### How the verdict follows"
    yield _trace(report)


def _section(section: SectionPart) -> Iterable[str]:
    number = f"{md(section.number)}. " if section.number else ""
    yield f"### {number}{md(section.title)}"
    yield " ".join(part for part in (md(section.intro), _KINDS[section.kind]) if part)
    with_threshold = any(item.threshold for item in section.items)
    header = ["Item", "Status", "Notes"]
    if with_threshold:
        header.insert(1, "Default threshold for an issue")
    rows = [_cells(item, with_threshold=with_threshold) for item in section.items]
    yield table(header, rows)
    examples = [_examples(item) for item in section.items if item.examples]
    if examples:
        yield "\n".join(examples)


def _cells(item: ItemPart, *, with_threshold: bool) -> list[str]:
    cells = [md(f"{item.number} {item.question}".strip()), _status(item), md(item.note) or "—"]
    if with_threshold:
        cells.insert(1, md(item.threshold) or "—")
    return cells


def _status(item: ItemPart) -> str:
    label = md(item.status_label)
    value = _value(item.value)
    shown = f"{label}: {value}" if value else label
    if item.status == NOT_REVIEWED:
        return shown
    stop = f" \\[stop: {md(item.stops_with)}\\]" if item.stops_with else ""
    return f"**{shown}**{stop}"


def _value(value: Json) -> str:
    """A value as printed: text, number, or the two ends of a range."""
    if value is None:
        return ""
    if isinstance(value, list):
        floor, ceiling = ("—" if end is None else md(str(end)) for end in value)
        return f"floor {floor}, ceiling {ceiling}"
    return md(str(value))


def _examples(item: ItemPart) -> str:
    ours = " (reconstructed for Assay, not the source's wording)" if item.own_examples else ""
    texts = "; ".join(md(text.rstrip(".")) for text in item.examples)
    return f"- Examples for {md(item.number or item.question)}{ours}: {texts}."


def _trace(report: Report) -> str:
    verdict = report.verdict
    if not verdict.trace:
        return "Nothing has been answered yet."
    lines = [
        f"{number}. {md(text)}{' **This decides.**' if number - 1 == verdict.decided_by else ''}"
        for number, text in enumerate(verdict.trace, start=1)
    ]
    return "\n".join(lines)
