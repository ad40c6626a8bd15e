"""What ``assay plan`` says beyond the draw: the rule's behaviour, and how many tasks to read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from audit_app.errors import InputError
from audit_app.sampling.characteristics import Characteristics
from audit_app.services.audits import Preview
from audit_app.services.context import Services
from audit_app.services.operating import (
    operating_characteristics,
    size_for_decision,
    size_for_width,
)
from audit_app.services.plans import PlanFlags, preview_of

_SHOWN = (0.05, 0.10, 0.15, 0.18, 0.20, 0.22, 0.25, 0.30, 0.48)
"""True rates of the printed table; the document has every whole percent."""
_WORST_RATE, _USUAL_ERROR = 0.5, 0.05


def planning_options(function: Any) -> Any:
    """The options that ask what can be known before the draw."""
    for option in reversed(
        (
            click.option(
                "--characteristics", is_flag=True, help="What the rule does, by true defect rate."
            ),
            click.option(
                "--half-width", type=float, help="How many tasks for an interval of ± this share."
            ),
            click.option(
                "--expected-rate", type=float, help="Rate it is planned for (default: 0.5, worst)."
            ),
            click.option(
                "--margin",
                type=float,
                help="How many tasks to decide rightly this far from the threshold.",
            ),
            click.option(
                "--error", type=float, help="Chance allowed for a wrong decision (default: 0.05)."
            ),
        )
    ):
        function = option(function)
    return function


def planning_preview(services: Services, options: Mapping[str, Any]) -> Preview:
    """What would be drawn; where only planning is asked for, by the benchmark's own plan."""
    flags = PlanFlags.of(options)
    asks = options["characteristics"] or options["half_width"] or options["margin"]
    if asks and flags == PlanFlags():
        benchmark = options["benchmark"]
        return services.audits.preview(benchmark, services.audits.default_plan(benchmark))
    return preview_of(services.audits, options["benchmark"], flags)


def planning(preview: Preview, options: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """What was asked for, as members of the JSON document and as lines of text.

    Raises:
        InputError: A number is out of range or stands without the one it belongs to, or nothing
            is left to chance.
    """
    data: dict[str, Any] = {}
    lines: list[str] = []
    for needs, given in (("half_width", "expected_rate"), ("margin", "error")):
        if options[given] is not None and options[needs] is None:
            words = needs.replace("_", "-"), given.replace("_", "-")
            raise InputError(f"--{words[1]} belongs to --{words[0]}: give that too")
    if options["half_width"] is not None:
        rate = options["expected_rate"]
        width = size_for_width(
            preview,
            half_width=options["half_width"],
            expected_rate=_WORST_RATE if rate is None else rate,
        )
        data["for_half_width"] = width._asdict()
        lines.append(width.sentence())
    if options["margin"] is not None:
        error = options["error"]
        decision = size_for_decision(
            preview, margin=options["margin"], error=_USUAL_ERROR if error is None else error
        )
        data["for_decision"] = decision._asdict()
        lines.append(decision.sentence())
    if options["characteristics"]:
        found = operating_characteristics(preview)
        data["characteristics"] = _characteristics_data(found)
        lines += _characteristics_text(found)
    return data, lines


def _characteristics_data(found: Characteristics) -> dict[str, Any]:
    courses = ("plain", "even", "uneven")
    return {
        **{k: v for k, v in found._asdict().items() if k not in courses},
        **{name: [course._asdict() for course in getattr(found, name)] for name in courses},
        "reading": found.reading(),
    }


def _characteristics_text(found: Characteristics) -> list[str]:
    lines = [
        "",
        f"{'true rate':>9} {'issue at ' + str(found.first):>13} {'widen':>8} "
        f"{'pass at ' + str(found.first):>13} {'issue in the end':>17} {'tasks read':>11}",
    ]
    lines += [
        f"{c.rate:9.2f} {c.issue_first:13.4f} {c.widen:8.4f} {c.pass_first:13.4f} "
        f"{c.issue:17.4f} {c.mean_read:11.1f}"
        for c in found.even
        if round(c.rate, 2) in _SHOWN
    ]
    return [*lines, f"Exact for this plan with one rate in every stratum. {found.reading()}"]
