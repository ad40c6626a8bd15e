"""The estimates of a report: each rate with its count, intervals and standard errors; warnings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from audit_app.domain.estimates import Counted, Estimand, Estimate
from audit_app.reporting.markup import md, percent, table
from audit_app.reporting.report import Figures, Report
from audit_app.reporting.wording import interval_text

ESTIMAND_NAMES = {
    Estimand.SAMPLE: "Tasks read",
    Estimand.SCORE: "Frame, score-weighted",
    Estimand.TASK: "Frame, task-weighted",
}
ERROR_NAMES = {"outer": "outer strata", "cells": "strata", "cells_corrected": "strata, corrected"}
_SAME = "Frame, score- and task-weighted"
_NONE = "not defined"
_ERROR_BASIS = {
    "outer": "over the top-level strata (the parts of the score), what lies within each put "
    "together, without finite population correction",
    "cells": "over the strata of the table above, without it",
    "cells_corrected": "over these strata with the finite population correction, tasks read of "
    "the tasks (answer keys) of the frame",
}


def counted_name(counted: Counted, strict_severity: int) -> str:
    """What a way of counting is called in a table."""
    return {
        Counted.CONFIRMED: "confirmed",
        Counted.POSSIBLE: "with disputed, uncertain, unsure",
        Counted.STRICT: f"severity {strict_severity} and up",
    }[counted]


def estimand_name(estimate: Estimate, figures: Figures) -> str:
    """What is estimated, as a table calls it."""
    if figures.weights_coincide and estimate.estimand is Estimand.SCORE:
        return _SAME
    return ESTIMAND_NAMES[estimate.estimand]


def estimates_blocks(report: Report) -> Iterable[str]:
    """The table of estimates, what its columns rest on, and the warnings."""
    figures = report.figures
    if not figures.estimates:
        return
    shown = shown_estimates(figures)
    yield "### Estimates"
    yield _estimands_text(figures)
    yield _estimates_table(shown, report)
    yield _open_text(figures)
    yield " ".join(_basis(shown))
    yield _missing(shown, report)
    if figures.warnings:
        yield "Bear in mind:"
        yield "\n".join(f"- {md(warning)}" for warning in figures.warnings)


def shown_estimates(figures: Figures) -> tuple[Estimate, ...]:
    """The estimates, those that say the same as others left out.

    The task-weighted ones go where the weights coincide, the upper end of the band where nothing
    is open, and those of the frame where the count itself is not defined.
    """
    is_open = figures.possible.count != figures.defective.count
    return tuple(
        e
        for e in figures.estimates
        if not (figures.weights_coincide and e.estimand is Estimand.TASK)
        and not (e.counted is Counted.POSSIBLE and not is_open)
        and not (e.estimand is not Estimand.SAMPLE and e.defective is None)
    )


def _estimands_text(figures: Figures) -> str:
    decides = "The rate of the tasks read decides"
    if figures.threshold is not None:
        decides += f": {percent(figures.threshold)} or more is an issue"
    if figures.weights_coincide:
        return (
            f"{decides}. Each stratum weighs by its number of tasks, so that for the frame the "
            "score-weighted and the task-weighted rate are one and the same."
        )
    return (
        f"{decides}. For the frame there are two rates: score-weighted, with each stratum at its "
        "weight in the table above, and task-weighted, with every task of the frame alike."
    )


def _open_text(figures: Figures) -> str:
    if not figures.reviewed or figures.possible.count != figures.defective.count:
        return ""
    return (
        "No finding is disputed, uncertain or of unsure effect, so the confirmed rate is also the "
        "upper end of the band."
    )


def _estimates_table(shown: Iterable[Estimate], report: Report) -> str:
    figures = report.figures
    chance = "threshold" if figures.threshold is None else percent(figures.threshold)
    header = (
        *("Rate of", "Counted", "k of n", "Rate", "95 % intervals", "Standard error"),
        f"P(rate ≥ {chance})",
    )
    rows = [_cells(estimate, report) for estimate in shown]
    return table(header, rows, right=(2, 3, 6))


def _cells(estimate: Estimate, report: Report) -> tuple[str, ...]:
    errors = [f"{e.value:.4f} ({ERROR_NAMES[e.name]})" for e in estimate.standard_errors]
    chance = estimate.probability_at_least_threshold
    count = f"{estimate.defective} of {estimate.reviewed}"
    return (
        estimand_name(estimate, report.figures),
        counted_name(estimate.counted, report.methodology.strict_severity),
        _NONE if estimate.defective is None else count,
        _NONE if estimate.rate is None else percent(estimate.rate),
        ", ".join(map(interval_text, estimate.intervals)) or _NONE,
        ", ".join(errors) or ("—" if estimate.estimand is Estimand.SAMPLE else _NONE),
        "—" if chance is None else probability_text(chance),
    )


def probability_text(probability: float) -> str:
    """A probability as a percentage that never reads as certain."""
    if probability > 0.999:
        return "> 99.9 %"
    return "< 0.1 %" if probability < 0.001 else percent(probability)


def _basis(shown: Iterable[Estimate]) -> Iterator[str]:
    """What each column rests on, for those that are filled."""
    shown = tuple(shown)
    named = {interval.name for estimate in shown for interval in estimate.intervals}
    errors = {error.name for estimate in shown for error in estimate.standard_errors}
    if "wilson" in named:
        yield (
            "Wilson, Clopper–Pearson and Jeffreys rest on k of n as a plain random sample, without "
            "finite population correction."
        )
    if "korn_graubard" in named:
        yield (
            "Korn–Graubard, the interval to quote for the frame, is the Clopper–Pearson interval "
            f"of the plain sample that would be as precise ({_sizes(shown)}). Bayes is the "
            "posterior interval of that sample under the prior Beta(½, ½), and the last column its "
            "posterior probability."
        )
    if errors:
        parts = [f"{ERROR_NAMES[n]}: {words}" for n, words in _ERROR_BASIS.items() if n in errors]
        yield f"Standard errors. {'; '.join(parts)}."


def _sizes(shown: Iterable[Estimate]) -> str:
    """The effective sizes behind the confirmed rates."""
    weights = {Estimand.SCORE: "score", Estimand.TASK: "task"}
    return ", ".join(
        f"{e.effective_size:.1f} tasks for the {weights[e.estimand]}-weighted confirmed rate"
        for e in shown
        if e.effective_size is not None and e.counted is Counted.CONFIRMED
    )


def _missing(shown: Iterable[Estimate], report: Report) -> str:
    """Why rates, intervals or standard errors are not defined, each reason once."""
    whats = {
        "rate": "the rate",
        "intervals": "an interval",
        "standard_error_outer": "the standard error over the outer strata",
        "standard_error_cells": "the standard error over the strata",
    }
    reasons: dict[tuple[str, str], list[str]] = {}
    for estimate in shown:
        what = next((name for name in whats if name in estimate.undefined), None)
        if what is None or estimate.undefined[what].startswith("no stratum is divided"):
            continue
        counted = counted_name(estimate.counted, report.methodology.strict_severity)
        name = f"{estimand_name(estimate, report.figures)}, {counted}"
        reasons.setdefault((whats[what], estimate.undefined[what]), []).append(name)
    parts = [f"{what} ({'; '.join(on)}), because {md(why)}" for (what, why), on in reasons.items()]
    return f"Not defined: {'. '.join(parts)}." if parts else ""
