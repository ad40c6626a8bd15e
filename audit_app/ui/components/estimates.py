"""The defect rate of an audit: by stratum, by estimand, with intervals and what to bear in mind."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from audit_app.domain.estimates import INTERVAL_NAMES, Counted, Estimand, Estimate, Interval, Status
from audit_app.reporting.markdown_estimates import probability_text
from audit_app.reporting.wording import interval_text
from audit_app.ui.components.blocks import percent, rate_bar, table, text
from audit_app.ui.components.notices import notice
from audit_app.ui.labels import stratum_label

_OPEN = "With open findings"
"""Disputed, uncertain or of unsure effect."""


def defect_rate_block(status: Status, *, strict_severity: int) -> None:
    """Both tables, the counts by effect, what is not defined and the warnings."""
    st.html('<h2 class="h">Defect rate</h2>' + _strata_table(status))
    st.html('<h2 class="h">Estimates</h2>' + _estimates_table(status, strict_severity))
    undefined = _undefined_words(status.undefined)
    parts = [
        f'<p class="say">FN {status.effects.fn}, FP {status.effects.fp}, both '
        f"{status.effects.both}, stale {status.stale}. {text(status.next_text)}</p>",
        f'<p class="meta">{text("; ".join(map(interval_text, status.intervals)))}</p>',
        f'<p class="meta">{"Not defined: " + text(undefined) if undefined else ""}</p>',
    ]
    st.html("".join(parts))
    for warning in status.warnings:
        notice("mind", warning)


def _strata_table(status: Status) -> str:
    rows: list[tuple[object, ...]] = [
        (
            stratum_label(row.stratum),
            f"{row.defective} of {row.reviewed}",
            percent(row.rate),
            _ends(row.interval),
            rate_bar(row.rate, threshold=status.threshold),
        )
        for row in status.by_stratum
    ]
    wilson = next(iter(status.intervals), None)
    rows.append(
        (
            "All",
            f"{status.defective} of {status.reviewed}",
            percent(status.rate),
            _ends(wilson),
            rate_bar(status.rate, threshold=status.threshold),
        )
    )
    headers = ["Stratum", "Defective", "Rate", "Wilson 95 %", ""]
    return table(headers, rows, numeric=(1, 2, 3), total=True, caption="Defect rate by stratum")


def _estimates_table(status: Status, strict_severity: int) -> str:
    names = {
        (Estimand.SAMPLE, Counted.CONFIRMED): "Tasks read: decides",
        (Estimand.SCORE, Counted.CONFIRMED): "Score-weighted",
        (Estimand.TASK, Counted.CONFIRMED): "Task-weighted",
        (Estimand.SAMPLE, Counted.POSSIBLE): _OPEN,
        (Estimand.SAMPLE, Counted.STRICT): f"Severity {strict_severity} and up",
    }
    if status.weights_coincide:
        del names[Estimand.TASK, Counted.CONFIRMED]
        names[Estimand.SCORE, Counted.CONFIRMED] = "Score- and task-weighted"
    headers = ["Rate", "", "95 % interval", f"P(≥ {100 * status.threshold:g} %)"]
    rows = [_cells(name, status.estimate(*key)) for key, name in names.items()]
    return table(headers, rows, numeric=(1, 2, 3), caption="Rates under each way of counting")


def _cells(name: str, estimate: Estimate) -> tuple[object, ...]:
    """The interval is the one to quote: Wilson's, or Korn and Graubard's for the frame."""
    interval = next(iter(estimate.intervals), None)
    chance = estimate.probability_at_least_threshold
    method = f" {INTERVAL_NAMES[interval.name]}" if interval else ""
    return (
        name,
        percent(estimate.rate),
        f"{_ends(interval)}{method}",
        "—" if chance is None else probability_text(chance),
    )


def _ends(interval: Interval | None) -> str:
    return "—" if interval is None else f"{100 * interval.lower:.1f}–{100 * interval.upper:.1f}"


def _undefined_words(undefined: Mapping[str, str]) -> str:
    """What is not defined, reason by reason."""
    by_reason: dict[str, list[str]] = {}
    for name, reason in undefined.items():
        by_reason.setdefault(reason, []).append(name.replace("_", " "))
    return "; ".join(f"{', '.join(names)} ({reason})" for reason, names in by_reason.items())
