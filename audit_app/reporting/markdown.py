"""The report as Markdown, in the layout of a published benchmark review."""

from __future__ import annotations

import json
from collections.abc import Iterable

from audit_app.domain.rubric import Outcome
from audit_app.domain.sampling import DrawKind
from audit_app.reporting.markdown_criteria import criteria_blocks
from audit_app.reporting.markdown_errors import errors_blocks, representative_blocks
from audit_app.reporting.markdown_evidence import evidence_blocks
from audit_app.reporting.markdown_impact import impact_blocks
from audit_app.reporting.markdown_method import methodology_blocks
from audit_app.reporting.markdown_planted import planted_blocks
from audit_app.reporting.markdown_records import history_blocks, notice_blocks, records_blocks
from audit_app.reporting.markdown_reviewers import hidden_warning, reviewers_blocks
from audit_app.reporting.markup import code, fence, link, md, md_paragraphs, table
from audit_app.reporting.report import Disclaimer, Report, Reproducibility
from audit_app.reporting.wording import finding_sentence


def report_markdown(report: Report) -> str:
    """The whole report; equal reports give equal text."""
    blocks = [*heading_blocks(report), *summary_blocks(report), *body_blocks(report)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def body_blocks(report: Report) -> list[str]:
    """All sections; the first block of each is its heading ``## …``, some blocks are empty."""
    return [
        *methodology_blocks(report),
        *reviewers_blocks(report.reviewers),
        *representative_blocks(report),
        *errors_blocks(report),
        *evidence_blocks(report.evidence),
        *records_blocks(report.records),
        *impact_blocks(report),
        *planted_blocks(report.planted),
        *criteria_blocks(report),
        *history_blocks(report.records),
        *_disclaimer(report),
        *_reproducibility(report.reproducibility),
    ]


def heading_blocks(report: Report) -> Iterable[str]:
    """What is reviewed: the title with its version and link."""
    heading = report.heading
    yield "Benchmark review"
    yield f"# {md(heading.benchmark)}"
    rules = f" · grading rules {code(heading.rules)}" if heading.rules else ""
    yield (
        f"Version {code(heading.version)}{rules} · audit {code(heading.audit)} · "
        f"report of {heading.generated_on.isoformat()}"
    )
    if heading.original_link:
        yield f"Original: {link(heading.original_link, heading.benchmark)}"


def summary_blocks(report: Report) -> Iterable[str]:
    """What it measures, what was found, and the verdict."""
    yield hidden_warning(report.reviewers)
    yield md_paragraphs(report.heading.lead)
    yield finding_sentence(report)
    yield _verdict_line(report)
    yield from notice_blocks(report.records)


def _verdict_line(report: Report) -> str:
    verdict = report.verdict
    if verdict.outcome is Outcome.IN_PROGRESS:
        return (
            "**Verdict: in progress.** The answers to the rubric do not settle a verdict yet; "
            "what is not reviewed is no pass."
        )
    partial = " This is a partial review." if verdict.partial else ""
    return f"**Verdict: {md(verdict.label)}.**{partial}"


def _disclaimer(report: Report) -> Iterable[str]:
    yield "## Disclaimer"
    yield " ".join(_partial_lines(report)) or "All sampled tasks and all rubric items are reviewed."
    disclaimer = report.disclaimer
    yield md_paragraphs(disclaimer.developer_contact) or (
        "No contact with the developers is recorded."
    )
    yield _response(disclaimer)


def _partial_lines(report: Report) -> Iterable[str]:
    figures, disclaimer = report.figures, report.disclaimer
    if disclaimer.sample_incomplete or disclaimer.rubric_incomplete:
        yield "This is a partial review."
    if disclaimer.rubric_incomplete:
        yield (
            "A verdict was reached before every item of the rubric was reviewed, so further "
            "issues may exist that are not listed here."
        )
    if disclaimer.sample_incomplete:
        yield f"Of {figures.sampled} sampled tasks, {figures.reviewed} are reviewed."
    open_items = report.criteria.not_reviewed
    if open_items and not disclaimer.rubric_incomplete:
        yield f"Not reviewed: {', '.join(md(number) for number in open_items)}."


def _response(disclaimer: Disclaimer) -> str:
    text = disclaimer.developer_response.strip()
    if not text:
        return "No response of the developers is recorded."
    if text.startswith(("https://", "http://")) and len(text.split()) == 1:
        return f"Response of the developers: {link(text)}"
    return f"Response of the developers:\n\n{md_paragraphs(text)}"


def _reproducibility(block: Reproducibility) -> Iterable[str]:
    yield "## Reproducibility"
    seed = code(block.seed, in_table=True) if block.seed else "none"
    rows = [
        ("Benchmark content hash (SHA-256)", code(block.benchmark_hash, in_table=True)),
        ("Imported from", f"{md(block.benchmark_source)} (format {md(block.benchmark_format)})"),
        ("Audit set up", f"{block.audit_created_at.isoformat()} by {md(block.audit_created_by)}"),
        ("Frame hash (SHA-256)", code(block.frame_hash, in_table=True)),
        ("Seed", "none: supplied draw" if block.evidence is DrawKind.SUPPLIED else seed),
        ("Draw algorithm", _algorithm(block)),
        ("Rubric", md(f"{block.rubric_id}, version {block.rubric_version}")),
        ("Taxonomy", md(f"{block.taxonomy_id}, version {block.taxonomy_version}")),
        *((f"Version of {md(name)}", md(number)) for name, number in block.versions.items()),
    ]
    yield table(("What", "Value"), rows)
    supplied = block.evidence is DrawKind.SUPPLIED
    yield "Plan (strata and weights; the draw was made elsewhere):" if supplied else "Plan:"
    yield fence(_plan_text(block), "json")
    yield _redraw_sentence(block)
    if block.simulated_outputs:
        yield (
            "The model outputs shown to the reviewers are simulated; they are not the words of "
            "real models."
        )
    yield (
        "The files beside this report (sample.csv, findings.csv, reviews.csv, inputs.json and "
        "others) hold everything that the figures above are counted from: assay report --check "
        "with the name of this file makes each of them again and names any that differs."
    )


def _algorithm(block: Reproducibility) -> str:
    if block.evidence is DrawKind.SUPPLIED:
        return "drawn outside Assay, cannot be redrawn"
    if block.evidence is DrawKind.CENSUS:
        return f"census, ordered by {code(block.algorithm, in_table=True)}"
    return code(block.algorithm, in_table=True)


def _redraw_sentence(block: Reproducibility) -> str:
    if block.evidence is DrawKind.SUPPLIED:
        return (
            "The sample was drawn outside Assay and cannot be redrawn; its ids are in sample.csv."
        )
    return (
        "The same frame, plan and seed give the same draw: each task has the number "
        "SHA-256(seed, 0x1F, task id), and in each stratum the smallest numbers are drawn, "
        "in ascending order."
    )


def _plan_text(block: Reproducibility) -> str:
    """The plan as JSON in which every character that cannot be seen is escaped."""
    text = json.dumps(block.plan, ensure_ascii=False, indent=2, sort_keys=True)
    return "".join(c if c.isprintable() or c == "\n" else json.dumps(c)[1:-1] for c in text)
