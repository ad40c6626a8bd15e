"""Commands that grade: score a whole benchmark, grade single cases."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from audit_app.cli.options import (
    brief,
    emit,
    existing_workspace,
    json_option,
    percent,
    settings_of,
    workspace_options,
)
from audit_app.cli.progress import progress_bar
from audit_app.services.cases import grade_cases
from audit_app.services.context import open_services
from audit_app.services.reviewed_scores import ReviewedScores
from audit_app.services.scoring import Scores

PUBLISHED = "published"
"""The key set of the benchmark itself."""


@click.command()
@click.argument("benchmark")
@click.option("--rules", help="Rule version (default: the benchmark's own): v4 or 2024-08.")
@click.option(
    "--key-set",
    default=PUBLISHED,
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
        # A mistyped audit is found before half a million outputs are graded.
        audit = None if key_set == PUBLISHED else services.scoring.audit_of(benchmark, key_set)
        scores = services.scoring.score(
            benchmark, rules=rules, workers=workers, progress=progress_bar("outputs graded")
        )
        reviewed = None if audit is None else services.scoring.reviewed(scores, audit)
    data = _data(scores)
    if reviewed is not None:
        _add_reviewed(data, reviewed)
    emit(data, _text(scores) + _reviewed_text(reviewed), as_json=as_json)


def _add_reviewed(data: dict[str, Any], reviewed: ReviewedScores) -> None:
    """Put the verdicts under the reviewed keys beside the faithful ones."""
    data["key_set"] = reviewed.audit
    data["corrected"] = list(reviewed.corrected)
    data["left_out"] = [{"task_id": t, "reason": r} for t, r in reviewed.left_out.items()]
    for row in data["models"]:
        m = reviewed.models[row["model"]]
        row["faithful"] = {"passed": row["passed"], "total": row["total"]}
        row["reviewed"] = {
            "passed": m.passed,
            "total": m.total,
            "left_out": m.left_out,
            "not_regraded": m.not_regraded,
        }
        row |= {"passed": m.passed, "total": m.total}


def _reviewed_text(reviewed: ReviewedScores | None) -> str:
    if reviewed is None:
        return ""
    lines = [
        f"\nUnder the keys of audit {reviewed.audit}: {len(reviewed.corrected)} tasks corrected, "
        f"{len(reviewed.left_out)} left out"
    ]
    for m in reviewed.models.values():
        share = percent(m.passed / m.total if m.total else None)
        notes = f"{m.left_out} left out"
        notes += f", {m.not_regraded} not regraded" if m.not_regraded else ""
        lines.append(f"{m.passed:8} {m.total:8} {share:>8}  {m.model} ({notes})")
    return "\n".join(lines)


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
        "key_set": PUBLISHED,
        "simulators": scores.simulated,
        "unwinnable": [
            {
                "task_id": task,
                "obstacle": u.obstacle.value,
                "where": u.where,
                "reason": brief(u.reason),
            }
            for task, u in scores.unwinnable.items()
        ],
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
    if scores.unwinnable:
        lines.append(f"{len(scores.unwinnable)} keys that no output can satisfy:")
        shown = list(scores.unwinnable.items())[:20]
        lines += [brief(f"  {task}: {u.reason}") for task, u in shown]
        lines += [f"  … and {len(scores.unwinnable) - 20} more"] * (len(scores.unwinnable) > 20)
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
        "(they need the simulators, assay fetch bfcl-v4, or hold what is not run here), "
        f"{len(graded.rejected)} rejected"
    )
    lines += [f"  differs: {case}" for case in graded.disagree]
    emit(data, "\n".join(lines), as_json=as_json)
    return 1 if graded.disagree or graded.rejected else 0
