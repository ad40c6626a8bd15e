"""Sentences of a report that depend on where its figures come from."""

from __future__ import annotations

from audit_app.domain.estimates import INTERVAL_NAMES, Interval
from audit_app.domain.sampling import DrawKind
from audit_app.reporting.markup import code, md, percent
from audit_app.reporting.report import ErrorRow, Figures, Methodology, Report, Share, StratumRow

EFFECT_NAMES = {"FN": "false negative", "FP": "false positive"}

EFFECT_MEANINGS = {
    "FN": "a right answer can be marked wrong",
    "FP": "a wrong answer can be marked right",
}


def count_of(share: Share) -> str:
    """``24 of 50 (48.0 %)``, without the percentage where it is not defined."""
    shown = "" if share.share is None else f" ({percent(share.share)})"
    return f"{share.count} of {share.of}{shown}"


def tasks(number: int) -> str:
    """``1 task``, ``2 tasks``."""
    return f"{number} task" if number == 1 else f"{number} tasks"


def finding_sentence(report: Report) -> str:
    """The finding in one sentence, with its count, its denominator and its percentage."""
    figures, evidence = report.figures, report.methodology.evidence
    what = "a defect that can change a score"
    if not figures.reviewed:
        return (
            f"None of the {tasks(figures.sampled)} of the sample has been reviewed yet, "
            "so the share of defective tasks is not defined."
        )
    if evidence is DrawKind.CENSUS and figures.floor:
        if figures.is_complete:
            return f"In {count_of(figures.floor)} tasks, all there are, {what} was found."
        return (
            f"In at least {count_of(figures.floor)} tasks, {what} was found: a floor and not an "
            f"estimate, since {figures.reviewed} of {figures.sampled} tasks have been read so far."
        )
    drawn = "drawn at random" if evidence is DrawKind.RANDOM else "drawn outside Assay"
    if figures.is_complete:
        return f"In {count_of(figures.defective)} tasks {drawn}, {what} was found."
    have = "has" if figures.reviewed == 1 else "have"
    return (
        f"Of {tasks(figures.sampled)} {drawn}, {figures.reviewed} {have} been reviewed so far; "
        f"in {count_of(figures.defective)} of these, {what} was found."
    )


def evidence_sentence(method: Methodology) -> str:
    """Which evidence mode the figures rest on."""
    if method.evidence is DrawKind.CENSUS:
        return (
            "Evidence mode: census. Every task of the frame belongs to the sample, so a complete "
            "rate is exact and has no interval; an incomplete one is a floor."
        )
    if method.evidence is DrawKind.SUPPLIED:
        return (
            "Evidence mode: supplied draw. The sample was drawn outside Assay, cannot be redrawn, "
            "and is estimated as if it were random."
        )
    return (
        "Evidence mode: random sample, drawn without replacement within each stratum; the draw "
        "can be repeated from the reproducibility block."
    )


def sample_sentence(method: Methodology) -> str:
    """How many tasks were drawn, from how many, by which strata."""
    fields = " and ".join(code(name) for name in method.stratify_by)
    strata = f", stratified by {fields}" if fields else ", without strata"
    first, last = method.stages[0], method.stages[-1]
    text = f"The sample has {last} of the {tasks(method.population)} of the frame{strata}."
    if len(method.stages) > 1:
        text += f" It was drawn with {first} at first and widened to {last}, keeping the first"
        text += f" (reason given: {md(method.widen_reason)})." if method.widen_reason else "."
    return text


def population_sentence(method: Methodology) -> str:
    """What the benchmark and the frame hold."""
    text = (
        f"The benchmark has {tasks(method.benchmark_tasks)}, which feed "
        f"{method.benchmark_entries} scored entries; {method.population} of the "
        f"{tasks(method.benchmark_tasks)} are in the frame."
    )
    if method.outside:
        parts = ", ".join(f"{code(name)} ({tasks(n)})" for name, n in method.outside.items())
        text += f" Outside the frame, with weight 0: {parts}."
    return text


def allocation_sentence(rows: tuple[StratumRow, ...]) -> str:
    """Weight and number of draws of every stratum."""
    parts = [
        f"{row.sampled} from {code(row.stratum)} (weight {percent(row.weight)})"
        for row in rows
        if not row.merged
    ]
    return f"Allocation: {', '.join(parts)}."


def range_sentence(figures: Figures) -> str:
    """From which rate to which the strata run; empty where there are not two to compare."""
    low, high = figures.lowest, figures.highest
    if low is None or high is None:
        return ""
    ends = [
        f"{percent(row.defective.share or 0.0)} ({code(row.stratum)}, "
        f"{row.defective.count} of {row.defective.of})"
        for row in (low, high)
    ]
    return f"By stratum, the share of defective tasks runs from {ends[0]} to {ends[1]}."


def interval_text(interval: Interval) -> str:
    """Name and ends of an interval."""
    name = INTERVAL_NAMES.get(interval.name) or code(interval.name)
    return f"{name} {100 * interval.lower:.1f}–{percent(interval.upper)}"


def definition_sentences(method: Methodology) -> str:
    """What makes a task defective, and what is counted."""
    return (
        "A task is defective if a fully correct answer that follows the instructions can be "
        "marked wrong (false negative, FN), or a clearly wrong answer can be marked right (false "
        "positive, FP). It counts once, if it has at least one confirmed finding with effect FN or "
        f"FP whose severity is {method.min_severity} or higher or is not stated."
    )


def fragile_sentence(method: Methodology) -> str:
    """Whether doubtful tasks are among the count."""
    if method.min_severity <= 1:
        return (
            "The count includes fragile and doubtful tasks (severity 1, and severity not stated): "
            "a model can still pass such a task, but its answer key cannot be relied on."
        )
    return f"Fragile tasks (severity below {method.min_severity}) are not part of the count."


def category_text(row: ErrorRow) -> str:
    """The category with its group, where the two differ."""
    if row.category == row.group or not row.group:
        return md(row.category)
    return f"{md(row.category)} ({md(row.group)})"


def cause_text(row: ErrorRow) -> str:
    """Code and name of each cause; a dash where none was stated."""
    parts = [md(f"{cause.code} {cause.label}".strip()) for cause in row.causes]
    return "; ".join(parts) or "—"


def severity_text(row: ErrorRow) -> str:
    """The severity with its name; "not stated" where there is none."""
    if row.severity is None:
        return "not stated"
    label = md(row.severity_label)
    return f"{row.severity} {label}" if label and label != str(row.severity) else str(row.severity)
