"""Commands that grade: score a whole benchmark, grade single cases."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from audit_app.cli.options import (
    emit,
    existing_workspace,
    json_option,
    percent,
    settings_of,
    workspace_options,
)
from audit_app.services.cases import grade_cases
from audit_app.services.context import open_services
from audit_app.services.scoring import Scores


def _progress_bar() -> Callable[[int, int], None]:
    """Writes how far it is to stderr, on one line of a terminal, else nothing."""
    is_terminal = sys.stderr.isatty()

    def show(done: int, total: int) -> None:
        if is_terminal:
            end = "\n" if done >= total else ""
            click.echo(f"\r{done:,} of {total:,} outputs graded{end}", err=True, nl=False)

    return show


@click.command()
@click.argument("benchmark")
@click.option("--rules", help="Rule version (default: the benchmark's own): v4 or 2024-08.")
@click.option(
    "--key-set",
    default="published",
    show_default=True,
    help="published, or an audit: its confirmed corrections are applied, other defects left out.",
)
@click.option("--workers", type=click.IntRange(1, 64), default=2, show_default=True)
@workspace_options
def score(
    benchmark: str,
    rules: str | None,
    key_set: str,
    workers: int,
    db: Path | None,
    person: str | None,
    as_json: bool,
) -> None:
    """Grade every output as the benchmark itself would; say where published grades differ."""
    with open_services(existing_workspace(settings_of(db, person))) as services:
        scores = services.scoring.score(
            benchmark, rules=rules, workers=workers, progress=_progress_bar()
        )
        reviewed = None
    data = _data(scores)
    if reviewed is not None:
        data["key_set"] = key_set
        data["reviewed"] = reviewed
    emit(data, _text(scores), as_json=as_json)


def _data(scores: Scores) -> dict[str, Any]:
    by_model: dict[str, list[dict[str, Any]]] = {m.model: [] for m in scores.models}
    for d in scores.disagreements:
        by_model[d.model].append(
            {
                "entry_id": d.entry_id,
                "trial": d.trial,
                "published": {"passed": d.published, "reason_code": d.published_code},
                "ours": {"passed": d.ours, "status": d.status, "reason_code": d.reason_code},
            }
        )
    return {
        "benchmark": scores.benchmark.name,
        "version": scores.benchmark.version,
        "rules": scores.run.rules,
        "key_set": "published",
        "simulators": scores.simulated,
        "models": [
            {
                "model": m.model,
                "passed": m.passed,
                "total": m.graded,
                "errors": m.errors,
                "not_graded": m.not_graded,
                "raises": m.raises,
                "published": m.published,
                "agree": m.agree,
                "disagree": by_model[m.model],
                "reading": dict(scores.run.readings[m.model]),
            }
            for m in scores.models
        ],
    }


def _text(scores: Scores) -> str:
    lines = [f"{'passed':>8} {'of':>8} {'score':>8}  {'agreement':>18}  model"]
    for m in scores.models:
        share = percent(m.passed / m.graded if m.graded else None)
        agreement = f"{m.agree} of {m.published}" if m.published else "no published grade"
        notes = [f"{m.errors} failed requests"] if m.errors else []
        notes += [f"{m.not_graded} not re-scorable here"] if m.not_graded else []
        notes += [f"{m.raises} stop the checker"] if m.raises else []
        note = f" ({', '.join(notes)})" if notes else ""
        lines.append(f"{m.passed:8} {m.graded:8} {share:>8}  {agreement:>18}  {m.model}{note}")
    if not scores.simulated and any(m.not_graded for m in scores.models):
        lines.append(
            "Multi-turn tasks keep their published verdict: run assay fetch bfcl-v4 first."
        )
    lines += [
        f"  {d.model} {d.entry_id}: published {_verdict(d.published, d.published_code)}, "
        f"here {_verdict(d.ours, d.reason_code)}"
        for d in scores.disagreements[:20]
    ]
    if len(scores.disagreements) > 20:
        lines.append(f"  … and {len(scores.disagreements) - 20} more (--json lists all)")
    return "\n".join(lines)


def _verdict(passed: bool, code: str) -> str:
    return "passed" if passed else f"failed ({code or 'no code'})"


@click.command()
@click.argument("cases", type=click.Path(path_type=Path))
@json_option
def grade(cases: Path, as_json: bool) -> int:
    """Grade a JSON-lines file of single cases, for trying a key from the command line."""
    graded = grade_cases(cases, settings_of(None, None).cache)
    data = {
        "cases": [
            {"case_id": r.case_id, "verdict": r.verdict, "reason_code": r.reason_code}
            for r in graded.results
        ],
        "agree": graded.agree,
        "disagree": list(graded.disagree),
        "skipped": list(graded.skipped),
        "rejected": [
            {"source": r.source, "line": r.line, "reason": r.reason} for r in graded.rejected
        ],
    }
    lines = [f"{r.case_id}: {r.verdict} ({r.reason_code})" for r in graded.results]
    lines.append(
        f"{graded.agree} agree, {len(graded.disagree)} differ, {len(graded.skipped)} skipped "
        f"(they need simulators: assay fetch bfcl-v4), {len(graded.rejected)} rejected"
    )
    lines += [f"  differs: {case}" for case in graded.disagree]
    emit(data, "\n".join(lines), as_json=as_json)
    return 1 if graded.disagree or graded.rejected else 0
