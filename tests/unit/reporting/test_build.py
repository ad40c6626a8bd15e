from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import pytest

from audit_app.domain.benchmark import Message, Task
from audit_app.domain.review import Effect, Finding, Review
from audit_app.domain.review_file import unguarded
from audit_app.domain.rubric import Outcome, Verdict
from audit_app.domain.sampling import Draw, DrawKind, Frame, Sample, Stratum
from audit_app.errors import InputError
from audit_app.reporting.build import build_report
from audit_app.reporting.defects import first_request
from audit_app.reporting.markdown import report_markdown
from audit_app.reporting.model import AuditRecord
from audit_app.reporting.render import FORMATS, render
from audit_app.sampling.standing import audit_status
from tests.unit.reporting.audits import audit, review, reviews, rubric, sample, task


def table_of(content: bytes) -> list[dict[str, str]]:
    rows = csv.DictReader(io.StringIO(content.decode(), newline=""))
    return [{name: unguarded(cell) for name, cell in row.items()} for row in rows]


def test_figures_recompute_from_the_sample_table() -> None:
    files = render(audit())
    figures = json.loads(files["report.json"])["figures"]
    rows = table_of(files["sample.csv"])
    read = [row for row in rows if row["reviewed"] == "1"]
    total = {
        name: sum(row[name] == "1" for row in read)
        for name in ("defective", "possible", "false_negative", "false_positive", "stale")
    }
    both = sum(row["false_negative"] == row["false_positive"] == "1" for row in read)
    assert (figures["sampled"], figures["reviewed"]) == (len(rows), len(read)) == (10, 9)
    assert figures["defective"]["count"] == total["defective"] == 3
    assert figures["defective"]["of"] == 9
    assert figures["defective"]["share"] == 3 / 9
    assert figures["possible"]["count"] == total["possible"] == 4
    assert figures["effects"] == {
        "fn": total["false_negative"],
        "fp": total["false_positive"],
        "both": both,
    }
    assert figures["stale"] == total["stale"] == 1
    assert any(row["strict"] == "" for row in read)
    assert figures["strict"] is None
    for stratum in figures["strata"]:
        name = stratum["stratum"]
        mine = [r for r in rows if name in ("", r["stratum"], r["outer_stratum"])]
        judged = [r for r in mine if r["reviewed"] == "1"]
        defective = sum(r["defective"] == "1" for r in judged)
        assert (stratum["sampled"], stratum["reviewed"]) == (len(mine), len(judged))
        assert (stratum["defective"]["count"], stratum["defective"]["of"]) == (
            defective,
            len(judged),
        )


def test_every_null_figure_has_its_reason() -> None:
    for record in (audit(), audit(judged=[])):
        figures = json.loads(render(record, ["json"])["report.json"])["figures"]
        for part in (figures, *figures["strata"], figures["defective"]):
            for name in ("share", "strict", "weighted_rate", "floor", "lowest", "highest"):
                if name in part and part[name] is None:
                    assert part["undefined"][name]


def test_tasks_of_the_sample_are_each_in_one_list() -> None:
    record = audit()
    report = build_report(record)
    lists = report.tasks
    ids = [row.task_id for row in report.errors] + list(lists.found_right)
    ids += [row.task_id for row in lists.not_counted] + list(lists.not_reviewed)
    assert sorted(ids) == sorted(record.sample.task_ids)
    assert lists.not_reviewed == ("chat_5",)
    assert [row.task_id for row in lists.not_counted] == ["chat_2", "web_0"]


def test_standing_reviews_are_all_in_the_review_file() -> None:
    record = audit()
    second = review(50, "chat_0").model_copy(update={"reviewer": "bob"})
    record = replace(record, standing_reviews=(*record.standing_reviews, second))
    rows = table_of(render(record, ["csv"])["reviews.csv"])
    assert [(r["task_id"], r["reviewer"]) for r in rows][:2] == [
        ("chat_0", "ada"),
        ("chat_0", "bob"),
    ]
    assert "bob (1 task)" in report_markdown(build_report(record))


def defects(notes: dict[str, tuple[int | None, str]]) -> list[Review]:
    return [
        review(n, task_id, Finding(effects=(Effect.FN,), severity=severity, note=note))
        for n, (task_id, (severity, note)) in enumerate(notes.items())
    ]


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        pytest.param(
            {f"chat_{i}": (3, "x" * (9 - i)) for i in range(6)} | {"web_0": (1, "x")},
            ["web_0", "chat_0", "chat_1", "chat_2", "chat_3"],
            id="each stratum first, then the longest, at most five",
        ),
        pytest.param(
            {"chat_0": (None, "xx"), "chat_1": (2, "x"), "memory_0": (0, "xxx")},
            ["chat_1", "chat_0"],
            id="no severity last, severity 0 is no defect",
        ),
        pytest.param(
            {"chat_0": (1, " "), "chat_1": (1, "x")}, ["chat_1"], id="no reason, not shown"
        ),
    ],
)
def test_representative_errors_by_rule(
    notes: dict[str, tuple[int | None, str]], expected: list[str]
) -> None:
    part = build_report(audit(judged=defects(notes))).representative
    assert part.chosen_by == "rule"
    assert [item.error.task_id for item in part.errors] == expected


def test_representative_errors_that_auditors_name_keep_their_order() -> None:
    record = audit(statements={"representative": "memory_0 chat_0 chat_4"})
    part = build_report(record).representative
    assert [item.error.task_id for item in part.errors] == ["memory_0", "chat_0"]
    assert part.not_defective == ("chat_4",)
    assert "so left out: `chat_4`" in report_markdown(build_report(record))


def census(judged: list[Review]) -> AuditRecord:
    """All four tasks of a frame without strata."""
    ids = tuple(f"t{i}" for i in range(4))
    frame = Frame(
        strata=(Stratum(id="all", outer="all", population=4, weight=1, outer_weight=1),),
        members={"all": ids},
    )
    whole = Sample(stage=1, kind=DrawKind.CENSUS, draws=(Draw(stratum="all", task_ids=ids),))
    settled = {r.task_id: r for r in judged}
    return replace(
        audit(),
        frame=frame,
        samples=(whole,),
        reviews=settled,
        standing_reviews=tuple(judged),
        tasks={task_id: task(task_id, "all") for task_id in ids},
        status=audit_status(frame, whole, settled, rubric()),
    )


DEFECT = Finding(effects=(Effect.FN,), severity=2)


@pytest.mark.parametrize(
    ("record", "says", "never"),
    [
        pytest.param(
            census([review(1, "t0", DEFECT), review(2, "t1")]),
            ["In at least 1 of 4 (25.0 %) tasks", "a floor and not an estimate"],
            ["Wilson", "Weighted to the frame by"],
            id="census in progress is a floor",
        ),
        pytest.param(
            census([review(i, f"t{i}", *[DEFECT] * (i < 1)) for i in range(4)]),
            ["In 1 of 4 (25.0 %) tasks, all there are", "Evidence mode: census"],
            ["Wilson", "floor and not"],
            id="complete census is exact",
        ),
        pytest.param(
            audit(kind=DrawKind.SUPPLIED),
            ["drawn outside Assay, cannot be redrawn", "9 have been reviewed so far"],
            ["The same frame, plan and seed", "drawn at random"],
            id="supplied draw",
        ),
        pytest.param(
            audit(judged=[]),
            ["is not defined", "Not reviewed yet, 10 of 10", "No defective task has been found"],
            ["| 0.0 %", "(0.0 %)", "None of 0", "nan"],
            id="nothing reviewed",
        ),
    ],
)
def test_evidence_mode_decides_the_words(
    record: AuditRecord, says: list[str], never: list[str]
) -> None:
    text = report_markdown(build_report(record))
    for words in says:
        assert words in text
    for words in never:
        assert words not in text


def test_verdict_in_progress_is_said() -> None:
    verdict = Verdict(
        outcome=Outcome.IN_PROGRESS, partial=False, trace=(), not_reviewed=("access", "scoring")
    )
    record = replace(audit(judged=[]), verdict=verdict, answers={})
    text = report_markdown(build_report(record))
    assert "**Verdict: in progress.**" in text
    assert text.count("| Not reviewed |") == 4
    assert "Not reviewed, and therefore not passed: 1.1, 2.1." in text
    assert "Pass" not in text


def test_statements_stand_where_they_belong() -> None:
    record = audit(
        statements={
            "original_link": "https://toy.example/",
            "developer_contact": "Written to on 2026-08-01.",
            "developer_response": "https://toy.example/answer",
            "access_note": "Tasks were shown privately.",
        }
    )
    text = report_markdown(build_report(record))
    assert "Original: [Toy calls](<https://toy.example/>)" in text
    assert "Written to on 2026-08-01." in text
    assert "(<https://toy.example/answer>)" in text
    assert "Tasks were shown privately." in text
    assert "No contact" not in text


def test_widened_sample_names_both_stages() -> None:
    wide = sample().model_copy(update={"stage": 2, "reason": "asked for"})
    first = Sample(
        stage=1, kind=DrawKind.RANDOM, draws=(Draw(stratum="chat", task_ids=("chat_0",)),)
    )
    record = audit(samples=(first, wide))
    rows = table_of(render(record, ["csv"])["sample.csv"])
    assert [row["stage"] for row in rows] == ["1", *["2"] * 9]
    text = report_markdown(build_report(record))
    assert "with 1 at first and widened to 10, keeping the first (reason given: asked for)." in text


def test_strict_rate_where_every_severity_is_stated() -> None:
    judged = [r for r in reviews() if r.task_id != "memory_0"]
    figures = build_report(audit(judged=judged)).figures
    # chat_0 has severity 1, chat_1 severity 3: one of the eight reviewed is strict.
    assert figures.strict is not None
    assert (figures.strict.count, figures.strict.of) == (1, 8)
    assert "severity 2 or higher): 1 of 8 (12.5 %)" in report_markdown(
        build_report(audit(judged=judged))
    )


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param("short", "short", id="text"),
        pytest.param([{"type": "text", "text": "a"}, {"text": "b"}], "a\nb", id="parts"),
        pytest.param({"a": 1}, '{"a":1}', id="other JSON"),
        pytest.param("word " * 100, ("word " * 63).rstrip() + "…", id="cut at a word"),
    ],
)
def test_first_request(content: object, expected: str) -> None:
    turns = ((Message("system", "s"),), (Message("user", content), Message("user", "later")))
    assert first_request(Task(id="t", category="c", group="g", scorer="s", turns=turns)) == expected


def test_formats() -> None:
    assert list(render(audit(), ["csv"])) == [
        "sample.csv",
        "findings.csv",
        "reviews.csv",
        "estimates.csv",
    ]
    assert FORMATS == ("md", "html", "json", "csv")
    with pytest.raises(InputError, match="no report format 'pdf'"):
        render(audit(), ["pdf"])
