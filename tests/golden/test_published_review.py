"""The published review of BFCL v4, from its list of flags to the figures that were printed."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from itertools import count

import pytest

from audit_app.domain.sampling import Draw, DrawKind, Frame, Sample, SamplingPlan, Stratum
from audit_app.importers.reviews import read_reviews
from audit_app.reporting.build import build_report
from audit_app.reporting.markdown import report_markdown
from audit_app.reporting.model import AuditRecord
from audit_app.sampling.standing import audit_status
from audit_app.services.resources import resource
from tests.unit.reporting.audits import START, audit, task

# Group → (outer stratum, weight, its weight, tasks): weights as the review states them.
STRATA = {
    "non_live_ast": ("non_live_ast", 0.1, 0.1, 1150),
    "live_ast": ("live_ast", 0.1, 0.1, 1351),
    "irrelevance": ("irrelevance", 0.1, 0.1, 1124),
    "multi_turn": ("multi_turn", 0.3, 0.3, 800),
    "memory": ("agentic", 0.2, 0.4, 155),
    "web_search": ("agentic", 0.2, 0.4, 100),
}


@pytest.fixture(scope="module")
def published() -> AuditRecord:
    path = resource("samples", "bfcl_v4_review", "reviews.csv")
    text = path.read_text(encoding="utf-8")
    group_of = {row["id"]: row["category"] for row in csv.DictReader(io.StringIO(text))}
    numbers = count()
    read = read_reviews(text, source=path.name, new_id=lambda: str(next(numbers)), now=START)
    settled = {review.task_id: review for review, _ in read.reviews}
    drawn = {name: tuple(t for t, g in group_of.items() if g == name) for name in STRATA}
    sample = Sample(
        stage=1,
        kind=DrawKind.SUPPLIED,
        draws=tuple(Draw(stratum=name, task_ids=ids) for name, ids in drawn.items()),
    )
    frame = Frame(
        strata=tuple(
            Stratum(id=name, outer=outer, population=n, weight=weight, outer_weight=whole)
            for name, (outer, weight, whole, n) in STRATA.items()
        ),
        members=drawn,
    )
    record = audit()
    return replace(
        record,
        plan=SamplingPlan(size=50, widen_to=100),
        frame=frame,
        samples=(sample,),
        reviews=settled,
        standing_reviews=tuple(settled.values()),
        tasks={task_id: task(task_id, group) for task_id, group in group_of.items()},
        status=audit_status(frame, sample, settled, record.rubric),
    )


def test_published_figures_come_out(published: AuditRecord) -> None:
    report = build_report(published)
    figures = report.figures
    assert (figures.defective.count, figures.defective.of) == (24, 50)
    rates = {
        row.stratum: round(100 * row.defective.share, 1)
        for row in figures.strata
        if row.defective.share is not None
    }
    assert rates == {
        "non_live_ast": 20.0,
        "live_ast": 40.0,
        "irrelevance": 40.0,
        "multi_turn": 53.3,
        "memory": 70.0,
        "web_search": 40.0,
        "agentic": 55.0,
        "": 48.0,
    }
    assert (figures.effects.fn, figures.effects.fp, figures.effects.both) == (22, 6, 4)
    assert figures.stale == 1
    assert figures.weighted_rate == pytest.approx(0.48)
    assert figures.strict is None
    assert "severity" in figures.undefined["strict"]
    assert len(report.errors) == 24
    assert len(report.tasks.found_right) == 26
    assert {cause.code for row in report.errors for cause in row.causes} == {"K2"}


def test_published_review_reads_as_published(published: AuditRecord) -> None:
    text = report_markdown(build_report(published))
    for line in (
        "In 24 of 50 (48.0 %) tasks drawn outside Assay, a defect that can change a score",
        "runs from 20.0 % (`non_live_ast`, 1 of 5) to 70.0 % (`memory`, 7 of 10)",
        "drawn outside Assay, cannot be redrawn",
        "Wilson 34.8–61.5 %, Clopper–Pearson 33.7–62.6 %, Jeffreys 34.6–61.6 %",
        "| **agentic, together** | 40.0 % | 255 | 20 | 20 | 11 of 20 | 55.0 % |",
        "| Frame, score-weighted | confirmed | 24 of 50 | 48.0 % | Korn–Graubard 33.6–62.6 %, ",
        "| 0.0727 (outer strata), 0.0721 (strata), 0.0707 (strata, corrected) | > 99.9 % |",
        "| Frame, task-weighted | confirmed | 24 of 50 | 38.4 % | Korn–Graubard 18.2–62.0 %, ",
        "outer strata: over the top-level strata (the parts of the score)",
        "- The threshold of 20.0 % lies inside Korn–Graubard 18.2–62.0 % (task-weighted).",
        "The answer key was found right in 26 of 50 reviewed tasks",
        "| FN, FP | — | not stated |",
    ):
        assert line in text
