"""The reviews of one task side by side, field by field, as escaped HTML."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from audit_app.domain.adjudication import Adjudication, How
from audit_app.domain.review import Review
from audit_app.domain.rubric import Described, Taxonomy
from audit_app.domain.settling import CaseState, FieldRow
from audit_app.domain.team import SendBack
from audit_app.services.case_board import Case
from audit_app.services.judging import findings_words
from audit_app.ui.rendering.text import bounded, counted, link, literal

_NOTE = 12_000
"""Characters of one note that are sent at first; the rest comes when it is asked for."""
_HOW = {
    How.IDENTICAL: "the reviews said the same",
    How.TOOK: "one review taken",
    How.OWN: "an own judgement",
}


def comparison(case: Case, taxonomy: Taxonomy) -> str:
    """What the reviews say, one column each; differing rows carry a sign and a rule.

    Args:
        case: The task with its reviews.
        taxonomy: Names and definitions of what they say.
    """
    table = _table(case, taxonomy) if case.reviews else ""
    return (
        '<div class="ph"><h2>Reviews</h2><span class="meta">'
        f'{literal(comparison_summary(case))}</span><span class="sp"></span>'
        f'<span class="meta nw">{_how_submitted(case)}</span></div>'
        '<div class="scroll compare" tabindex="0" role="region" aria-label="Reviews">'
        f"{_status(case)}{table}{_definitions(case.rows, taxonomy)}</div>"
    )


def comparison_summary(case: Case) -> str:
    """How many fields differ, and which."""
    decisive = [row for row in case.rows if row.decides]
    differing = [row.name for row in decisive if not row.is_same]
    if len(case.reviews) < 2:
        return counted(len(case.reviews), "review")
    if not differing:
        return f"{counted(len(case.reviews), 'review')}, no difference"
    return f"{len(differing)} of {len(decisive)} fields differ: {', '.join(differing)}"


def refusal(clause: str) -> str:
    """Why the person may not settle the task, as a sentence; empty where there is no reason."""
    return f"Not yours to settle: {clause.rstrip('.')}." if clause else ""


def _how_submitted(case: Case) -> str:
    match len(case.reviews):
        case 0 | 1:
            return ""
        case 2:
            return "both submitted blind"
        case number:
            return f"all {number} submitted blind"


def _status(case: Case) -> str:
    """Sentences on where the case stands, above the table."""
    lines = [_sent_back(send_back) for send_back in case.send_backs]
    settled, last = case.item.settled, case.adjudication
    if settled is not None:
        lines.append(_settled_line(settled))
    elif last is not None:
        lines.append(
            f"Settled by <b><bdi>{literal(last.adjudicator)}</bdi></b> on {_when(last)} under "
            "other reviews than stand now, so it is open again."
        )
    if case.item.may_settle and not case.send_backs:
        lines.append(literal(refusal(case.item.may_settle)))
    if case.item.state is CaseState.WAITING:
        lines.append("Waiting: not all reviews of this task are in.")
    return "".join(f'<p class="status" dir="auto">{line}</p>' for line in lines)


def _sent_back(send_back: SendBack) -> str:
    return (
        f"Sent back to <b><bdi>{literal(send_back.reviewer)}</bdi></b> by "
        f"<bdi>{literal(send_back.sent_by)}</bdi> on {_time(send_back.sent_at)}, no answer yet: "
        f'<span class="said-why" dir="auto">{bounded(send_back.reason, _NOTE)}</span>'
    )


def _settled_line(settled: Adjudication) -> str:
    words = findings_words(settled.judgement, settled.findings)
    why = f': <span class="said-why" dir="auto">{bounded(settled.note, _NOTE)}</span>'
    return (
        f"Settled by <b><bdi>{literal(settled.adjudicator)}</bdi></b> on {_when(settled)}, "
        f"{_HOW[settled.how]}: <b>{literal(words)}</b>{why if settled.note else '.'}"
    )


def _when(settled: Adjudication) -> str:
    return _time(settled.adjudicated_at)


def _time(moment: datetime) -> str:
    return f"{moment.astimezone():%d %b %Y, %H:%M}"


def _table(case: Case, taxonomy: Taxonomy) -> str:
    heads = "".join(_head(number, review) for number, review in enumerate(case.reviews, 1))
    rows = "".join(_row(row, taxonomy) for row in case.rows)
    many = " many" if len(case.reviews) > 2 else ""
    return (
        f'<table class="grid cmp{many}"><thead><tr><th scope="col"><span class="sr">Field</span>'
        f'</th><th scope="col"><span class="sr">Same or not</span></th>{heads}</tr></thead>'
        f"<tbody>{rows}</tbody></table>"
    )


def _head(number: int, review: Review) -> str:
    seconds = "" if review.seconds is None else f", {review.seconds:.0f} s"
    return (
        f'<th scope="col"><b><kbd>{number}</kbd> <bdi>{literal(review.reviewer)}</bdi></b>'
        f"<br>{_time(review.reviewed_at)}{seconds}</th>"
    )


def _row(row: FieldRow, taxonomy: Taxonomy) -> str:
    name = row.name.rpartition(": ")[2]
    cells = "".join(f"<td>{_value(name, value, taxonomy)}</td>" for value in row.values)
    if not row.decides:
        mark = '<td class="m2"></td>'
        return f'<tr class="free"><th scope="row">{literal(row.name)}</th>{mark}{cells}</tr>'
    sign, word, style = ("=", "same", "") if row.is_same else ("≠", "differs", ' class="dis"')
    return (
        f'<tr{style}><th scope="row">{literal(row.name)}</th><td class="m2">'
        f'<span aria-hidden="true">{sign}</span><span class="sr">{word}</span></td>{cells}</tr>'
    )


def _value(name: str, value: str, taxonomy: Taxonomy) -> str:
    if not value:
        return '<span class="omit">none</span>'
    match name:
        case "links":
            return "<br>".join(link(address) for address in value.splitlines())
        case "note" | "remark":
            return _scrolled(value)
        case "proposed key":
            return _scrolled(value, "pre ")
        case "cause" | "further causes":
            return literal(", ".join(_cause(code, taxonomy) for code in value.split(", ")))
        case "severity":
            label = _label(taxonomy.severities, value).lower()
            return literal(f"{value} {label}".strip())
        case _:
            return literal(value)


def _scrolled(text: str, css: str = "") -> str:
    shown = bounded(text, _NOTE)
    return f'<div class="{css}cell-note" dir="auto" tabindex="0">{shown}</div>'


def _cause(code: str, taxonomy: Taxonomy) -> str:
    cause = taxonomy.causes.get(code)
    return code if cause is None else f"{code} {cause.label.text().lower()}"


def _label(items: Iterable[Described], id_: str) -> str:
    return next((item.label.text() for item in items if item.id == id_), "")


def _definitions(rows: Iterable[FieldRow], taxonomy: Taxonomy) -> str:
    """What the rubric says of each value in which the reviews differ."""
    said: dict[str, str] = {}
    for row in rows:
        if row.decides and not row.is_same:
            for value in row.values:
                said |= _meanings(row.name.rpartition(": ")[2], value, taxonomy)
    if not said:
        return ""
    terms = "".join(
        f"<dt>{literal(term)}</dt><dd>{literal(text)}</dd>" for term, text in said.items()
    )
    return f'<div class="rule"><b>In the rubric</b><dl>{terms}</dl></div>'


def _meanings(name: str, value: str, taxonomy: Taxonomy) -> dict[str, str]:
    parts = [part for part in value.split(", ") if part]
    match name:
        case "effects":
            return _described(taxonomy.effects, parts)
        case "severity":
            return {
                f"severity {severity}": text
                for severity, text in _described(taxonomy.severities, parts).items()
            }
        case "state":
            return _described(taxonomy.states, parts)
        case "cause" | "further causes":
            known = taxonomy.causes
            return {c: known[c].definition.text() for c in parts if c in known}
        case _:
            return {}


def _described(items: Iterable[Described], ids: Iterable[str]) -> dict[str, str]:
    texts = {item.id: item.definition.text() for item in items}
    return {id_: texts[id_] for id_ in ids if id_ in texts}
