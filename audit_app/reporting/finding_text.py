"""A defective task as a text for the tracker of its maintainers."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from audit_app.domain.review import COUNTED_EFFECTS, Finding
from audit_app.reporting.finding_pages import FindingPage, json_lines
from audit_app.reporting.markup import code, fence, link, md, md_block, visible_lines
from audit_app.reporting.report import Report
from audit_app.reporting.wording import (
    EFFECT_MEANINGS,
    EFFECT_NAMES,
    category_text,
    severity_text,
)

_TITLES = {
    frozenset({"FN"}): "a right answer is marked wrong",
    frozenset({"FP"}): "a wrong answer is marked right",
    frozenset({"FN", "FP"}): "right answers are marked wrong, and wrong ones right",
}
_SHOWN_AS = {
    "FN": ("valid", "An answer that is right, and is marked wrong:"),
    "FP": ("invalid", "An answer that is wrong, and is marked right:"),
}
"""Effect → verdict of its answer under the proposed key, and words for the answer."""

LONGEST_CASES = 16_000
"""Characters of cases that stand in the text itself; trackers limit what a text may hold."""


def finding_text(page: FindingPage, report: Report) -> str:
    """The text, its first line a title; equal pages give equal texts."""
    blocks = [
        f"# Answer key of {code(page.error.task_id)}: {_TITLES[frozenset(page.error.effects)]}",
        _about(page, report),
        *_asked(page),
        *_accepted(page),
        *_wrong(page),
        *_proposed(page),
        *_reproduced(page, report),
        *_judged(page, report),
    ]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _about(page: FindingPage, report: Report) -> str:
    heading = report.heading
    rules = f" · grading rules {code(heading.rules)}" if heading.rules else ""
    return (
        f"{md(heading.benchmark)}, version {code(heading.version)}{rules} · task "
        f"{code(page.error.task_id)} · category {category_text(page.error)} · severity: "
        f"{severity_text(page.error)}"
    )


def _asked(page: FindingPage) -> Iterable[str]:
    yield "## What the task asks"
    yield md_block(page.asks) or "The task has no user message."


def _accepted(page: FindingPage) -> Iterable[str]:
    yield "## What the key accepts"
    yield fence(page.key, "json") if page.key_is_json else page.key


def _wrong(page: FindingPage) -> Iterable[str]:
    yield "## What is wrong"
    for number, finding in enumerate(page.findings, start=1):
        if len(page.findings) > 1:
            yield f"### Finding {number} of {len(page.findings)}"
        yield from _finding(page, finding)
    yield from _answers(page)


def _answers(page: FindingPage) -> Iterable[str]:
    """The answers that the cases are about, each once."""
    shown = {}
    for case in page.cases:
        for verdict, words in _SHOWN_AS.values():
            if case["key_name"] == "proposed" and case["expected"] == verdict:
                output = case["output"]
                shown[words] = output if isinstance(output, str) else json_lines(output)
    for words, answer in shown.items():
        yield words
        yield fence(visible_lines(answer))


def _finding(page: FindingPage, finding: Finding) -> Iterable[str]:
    effects = [effect.value for effect in finding.effects if effect in COUNTED_EFFECTS]
    causes = [f"{c} {page.causes[c]}".strip() for c in (finding.cause, *finding.causes) if c]
    yield "\n".join(
        [
            *(f"- {EFFECT_NAMES[e].capitalize()} ({e}): {EFFECT_MEANINGS[e]}" for e in effects),
            f"- Cause: {md('; '.join(causes)) or 'not stated'}",
        ]
    )
    yield md_block(finding.note) or "No reason is written down."
    if finding.evidence:
        yield "Evidence:"
        yield "\n".join(f"- {link(address)}" for address in finding.evidence)


def _proposed(page: FindingPage) -> Iterable[str]:
    proposal = page.proposal
    yield "## Proposed key"
    if proposal.reason:
        yield f"None: {md(proposal.reason)}."
        return
    yield "\n".join(f"- {md(change)}" for change in proposal.differences)
    if proposal.diff:
        yield fence(proposal.diff, "diff")
    else:
        yield md(proposal.text) if proposal.text.endswith(".") else fence(proposal.text, "json")


def _reproduced(page: FindingPage, report: Report) -> Iterable[str]:
    yield "## How to reproduce"
    if not page.cases:
        yield (
            "No ready case: no answer is known here that the published and the proposed key grade "
            "differently, without simulators and as this finding says."
        )
        return
    name, lines = page.case_file.rpartition("/")[2], case_lines(page)
    is_short = len(lines) <= LONGEST_CASES
    place = "Save the lines below" if is_short else "Take the attached file"
    yield (
        f"{place} as {code(name)} and run {code(f'assay grade {name}')}. Each line is one answer "
        "under one key, with the verdict that it gets today (valid passes, invalid fails):"
    )
    yield "\n".join(
        f"- {md(case['case_id'])}: {case['expected']}. {md(case['reason'])}" for case in page.cases
    )
    if report.reproducibility.simulated_outputs:
        yield "The models are simulated; their answers are not the words of real models."
    if is_short:
        yield fence(lines.rstrip("\n"), "json")


def attached_cases(page: FindingPage) -> str:
    """Its cases as JSON lines where they are too long for the text, else nothing."""
    lines = case_lines(page)
    return lines if len(lines) > LONGEST_CASES else ""


def case_lines(page: FindingPage) -> str:
    """Its cases as JSON lines."""
    return "".join(json_lines(case, width=sys.maxsize) + "\n" for case in page.cases)


def _judged(page: FindingPage, report: Report) -> Iterable[str]:
    yield "## Who judged it"
    yield "\n".join(
        f"- {md(judged.reviewer)}, {judged.moment}: {judged.judgement}"
        f"{' (the judgement that counts)' if judged.counts and len(page.judged) > 1 else ''}"
        for judged in page.judged
    )
    yield (
        f"Found in the audit {code(report.heading.audit)} ({report.heading.audit_id}), report of "
        f"{report.heading.generated_on.isoformat()}."
    )
