"""Reviewers in the report: the mode, what was settled and how, and how far they agree."""

from __future__ import annotations

from collections.abc import Iterable

from audit_app.domain.adjudication import How
from audit_app.domain.estimates import Interval
from audit_app.domain.team import Mode
from audit_app.reporting.markup import md, percent, table
from audit_app.reporting.reviewers import ReviewersPart
from audit_app.reporting.wording import tasks
from audit_app.stats.agreement_model import Agreement, AgreementRow

LATEST_COUNTS = "Where several people judged a task, the latest judgement counts."

_RULES = {
    Mode.SINGLE: LATEST_COUNTS,
    Mode.ADJUDICATED: "An adjudicator, who reviewed none of the task, settles which counts.",
    Mode.WORST: "The review that finds the worst defect counts, once a task has all its reviews.",
}
_HOW = {
    How.IDENTICAL: "accepted because the reviews said the same",
    How.TOOK: "taken over from one of the reviews",
    How.OWN: "judged anew by the adjudicator",
}


AGREEMENT_HEADING = "### Agreement"
"""Above the table of agreement."""


def hidden_warning(part: ReviewersPart | None) -> str:
    """What the report leaves out for the sake of its reader; empty where it is whole."""
    if part is None or not part.hidden:
        return ""
    one = part.hidden == 1
    what = "1 judgement is" if one else f"{part.hidden} judgements are"
    which = "that task" if one else "those tasks"
    return (
        f"**{what} left out of this report: {md(part.viewer)} has not yet judged {which}.** "
        "Its figures are not those of the whole audit."
    )


def reviewers_blocks(part: ReviewersPart | None) -> Iterable[str]:
    """The section; nothing where one person judges each task."""
    if part is None:
        return
    yield "## Reviewers"
    yield f"Reviews asked for of each task: {part.reviews_per_task}. {_RULES[part.mode]}"
    yield _adjudicated(part)
    if part.send_backs:
        yield (
            f"Reviews sent back to their reviewer with a reason: {part.send_backs}, of which "
            f"{part.unanswered} without an answer yet. The first verdict stays on record."
        )
    yield from _agreement(part)


def _adjudicated(part: ReviewersPart) -> str:
    total = sum(part.adjudicated.values())
    if not total:
        none = f"None of the {tasks(part.sampled)} of the sample is adjudicated yet."
        return none if part.mode is Mode.ADJUDICATED else ""
    hows = ", ".join(f"{n} {_HOW[how]}" for how, n in part.adjudicated.items() if n)
    people = ", ".join(f"{md(name)} ({tasks(n)})" for name, n in part.adjudicators.items())
    return f"Adjudicated: {total} of the {tasks(part.sampled)} of the sample, by {people}: {hows}."


def _agreement(part: ReviewersPart) -> Iterable[str]:
    yield AGREEMENT_HEADING
    agreed = part.agreement
    if agreed.undefined:
        yield f"Agreement is not defined, {md(agreed.undefined)}."
        return
    yield (
        f"On the {tasks(agreed.tasks)} of the sample that at least two of "
        f"{', '.join(map(md, agreed.reviewers))} judged. Adjudicator excluded: no adjudication is "
        "part of a figure, and no planted check. Only findings that count are compared."
    )
    header = ("Question", "Tasks", "Agree", "Raw", "Cohen's kappa", "Krippendorff's alpha")
    yield table(header, map(_row, agreed.rows), right=range(1, 6))
    if agreed.pairs:
        yield "Each two of the reviewers, on whether a task is defective:"
        rows = [
            (f"{md(pair.first)} and {md(pair.second)}", *_cells(pair.figures))
            for pair in agreed.pairs
        ]
        yield table(("Reviewers", *header[1:]), rows, right=range(1, 6))
    yield (
        "In brackets 95 % intervals: Wilson for raw agreement of two, else percentiles of a "
        "bootstrap over tasks. Alpha is nominal, of severity ordinal."
    )
    lines = [*_undefined(agreed.rows, ""), *_undefined(agreed.rows, "_interval")]
    yield "\n".join(f"- {line}" for line in lines)


def _row(row: AgreementRow) -> tuple[str, ...]:
    name = row.label if row.id == row.label else f"{row.label} ({row.id})"
    return (md(name), *_cells(row.figures))


def _cells(figures: Agreement) -> tuple[str, ...]:
    raw = "not defined" if figures.raw is None else percent(figures.raw)
    return (
        str(figures.tasks),
        f"{figures.agree} of {figures.pairs}",
        raw + _interval(figures.raw_interval, 100, 1),
        _coefficient(figures.kappa) + _interval(figures.kappa_interval, 1, 2),
        _coefficient(figures.alpha) + _interval(figures.alpha_interval, 1, 2),
    )


def _coefficient(value: float | None) -> str:
    return "not defined" if value is None else f"{value:.2f}"


def _interval(interval: Interval | None, scale: int, digits: int) -> str:
    if interval is None:
        return ""
    lower, upper = (f"{scale * end:.{digits}f}" for end in (interval.lower, interval.upper))
    return f" ({lower} to {upper})"


def _undefined(rows: Iterable[AgreementRow], kind: str) -> Iterable[str]:
    """Why coefficients, or the intervals of those that are defined, are not: each reason once."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        figures = row.figures
        for name in ("kappa", "alpha"):
            reason = figures.undefined.get(name + kind)
            if reason and not (kind and name in figures.undefined):
                reasons.setdefault(reason, []).append(f"{name} of {md(row.id)}")
    what = "No interval" if kind else "Not defined"
    for reason, names in reasons.items():
        yield f"{what}: {', '.join(names)}; {md(reason)}."
