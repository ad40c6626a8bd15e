"""The estimates of a report as a table, as CSV and as a chart before the draw."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from audit_app.domain.estimates import Counted, Estimand
from audit_app.domain.rubric import SamplingRule
from audit_app.domain.sampling import Draw, DrawKind, Frame, Sample, Stratum
from audit_app.reporting.build import build_report
from audit_app.reporting.estimates_csv import estimates_csv
from audit_app.reporting.markdown import report_markdown
from audit_app.reporting.markdown_estimates import probability_text
from audit_app.reporting.model import AuditRecord
from audit_app.reporting.operating_chart import operating_chart, operating_picture
from audit_app.sampling.characteristics import PlannedStratum, characteristics
from audit_app.sampling.standing import audit_status
from tests.unit.reporting.audits import audit, reviews, rubric

_RULE = SamplingRule(base=50, widen_to=100, widen_band=(0.15, 0.25), census_at_or_below=50)


def _section(record: AuditRecord) -> str:
    text = report_markdown(build_report(record))
    return text.split("### Estimates")[1].split("\n#")[0]


def test_r09_every_estimate_of_a_sample_is_printed_with_what_it_rests_on() -> None:
    section = _section(audit())
    for name in ("Tasks read | confirmed", "score-weighted | confirmed", "task-weighted | confirm"):
        assert name in section
    for words in ("with disputed, uncertain, unsure", "Korn–Graubard, the interval to quote",
                  "Standard errors.", "Bear in mind:"):  # fmt: skip
        assert words in section
    assert "severity 2 and up | not defined" in section
    assert "because a counted finding does not state its severity" in section


def _one_stratum(kind: DrawKind, ids: tuple[str, ...]) -> AuditRecord:
    """The toy audit with its tasks in one stratum that weighs by number of tasks."""
    record = audit()
    whole = Stratum(id="all", outer="all", population=len(ids), weight=1.0, outer_weight=1.0)
    frame = Frame(strata=(whole,), members={"all": ids})
    sample = Sample(stage=1, kind=kind, draws=(Draw(stratum="all", task_ids=ids),))
    settled = {review.task_id: review for review in reviews() if review.task_id in ids}
    return replace(
        record,
        frame=frame,
        samples=(sample,),
        reviews=settled,
        status=audit_status(frame, sample, settled, rubric()),
    )


def test_a_census_has_rates_and_no_interval() -> None:
    record = audit()
    read = tuple(task for task in record.sample.task_ids if task in record.reviews)
    section = _section(_one_stratum(DrawKind.CENSUS, read))
    assert "the score-weighted and the task-weighted rate are one and the same" in section
    assert "because every task is reviewed: the rate is exact" in section
    assert "Wilson" not in section


def test_r06_numbers_of_the_csv_are_those_of_the_status() -> None:
    status = audit().status
    rows = list(csv.DictReader(io.StringIO(estimates_csv(status.estimates), newline="")))
    confirmed = status.estimate(Estimand.SCORE)
    mine = {
        row["figure"]: row
        for row in rows
        if (row["estimand"], row["counted"]) == ("score_weighted", "confirmed")
    }
    assert float(mine["rate"]["value"]) == confirmed.rate
    for interval in confirmed.intervals:
        row = mine[interval.name]
        assert (float(row["lower"]), float(row["upper"])) == (interval.lower, interval.upper)
    for error in confirmed.standard_errors:
        assert float(mine[f"standard_error_{error.name}"]["value"]) == error.value
    strict = [row for row in rows if row["counted"] == Counted.STRICT.value]
    assert all(row["undefined"] and not row["value"] for row in strict)


@pytest.mark.parametrize(
    ("probability", "text"),
    [
        pytest.param(0.99995, "> 99.9 %", id="never certain"),
        pytest.param(0.0001, "< 0.1 %", id="never impossible"),
        pytest.param(0.514, "51.4 %", id="between"),
    ],
)
def test_probabilities_never_read_as_certain(probability: float, text: str) -> None:
    assert probability_text(probability) == text


def test_the_chart_says_in_words_what_it_draws() -> None:
    found = characteristics(_RULE, 0.2, (PlannedStratum(4_000, 1.0, 50, 100),))
    root = ElementTree.fromstring(operating_chart(found))
    names = {"{http://www.w3.org/2000/svg}" + tag for tag in ("title", "desc")}
    assert names <= {element.tag for element in root}
    labels = "".join(root.itertext())
    course = found.even[20]
    assert f"20 %: an issue in {100 * course.issue:.0f} %" in labels
    for words in ("True defect rate of the benchmark", "threshold 20 %", "Tasks read on average"):
        assert words in labels
    assert "prefers-color-scheme" in operating_picture(found)
