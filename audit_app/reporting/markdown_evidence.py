"""Evidence from live runs in the report: per finding its trials, under both keys."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from audit_app.domain.record import Json
from audit_app.reporting.evidence import (
    CASES_FILE,
    TRIALS_FILE,
    AnswerPart,
    EvidencedFinding,
    EvidencePart,
    KeyCounts,
    TrialsPart,
)
from audit_app.reporting.markup import code, md, md_block, table

_SHOWN = 300
"""Characters of an answer, a key or a field of a condition in Markdown."""

_MOST_ANSWERS = 10

_NOT_SENT = {
    "temperature": "not sent; the endpoint's own",
    "top_p": "not sent; the endpoint's own",
    "seed": "none sent",
    "top_logprobs": "not asked for",
    "system_prompt": "none of its own",
    "follow_up_text": "none",
    "extra": "none",
}
_VERDICTS = {
    "valid": "passed",
    "invalid": "failed",
    "raises": "stops the checker",
    "not_graded": "not graded",
}
_ERRORS = {
    "harness_error": "harness error",
    "connection_error": "connection error",
    "timeout": "timeout",
    "not_run": "not run",
    "raises": "the benchmark's checker stops",
    "not_graded": "not graded here",
}
_TRIAGE = {
    "solved": "every graded trial passes",
    "key_or_scorer": "never solved, every failure the same: look at key and scorer first",
    "hard": "never solved, and the failures differ: rather a hard task",
    "mixed": "solved sometimes: look at the scorer's steadiness and at errors first",
    "environment": "most trials ended without a grade: look at endpoint and harness first",
    "not_run": "no trial has ended",
}


def evidence_blocks(part: EvidencePart | None) -> Iterable[str]:
    """The section; nothing where no trials are attached."""
    if part is None:
        return
    yield "## Evidence from live runs"
    if part.findings:
        yield (
            "Trials show how a key grades answers that models really give, and how steadily. They "
            "do not show which answer is right: models that agree may share a mistake. Each piece "
            "of evidence therefore states a reason that does not rest on what the models say. "
            "Errors are no wrong answers and stand apart. The outputs can be graded again under "
            f"both keys with {code(f'assay grade {CASES_FILE}')}, and the trials counted again "
            f"with {code(f'assay trials {TRIALS_FILE}')}; both files lie beside this report."
        )
    for finding in part.findings:
        yield from _finding(finding)
    if part.left_out:
        one = part.left_out == 1
        yield (
            f"{part.left_out} further {'piece' if one else 'pieces'} of evidence "
            f"{'belongs' if one else 'belong'} to a finding that is in no settled judgement "
            "(changed or taken back since, or not settled), and "
            f"{'is' if one else 'are'} not shown."
        )


def _finding(finding: EvidencedFinding) -> Iterable[str]:
    cause = md(f"{finding.cause} {finding.cause_label}".strip()) if finding.cause else "not stated"
    severity = "not stated" if finding.severity is None else str(finding.severity)
    yield f"### {code(finding.task_id)}"
    yield (
        f"Finding {finding.position + 1} of {md(finding.reviewer)}: "
        f"{', '.join(finding.effects)} · cause: {cause} · severity: {severity} · "
        f"state: {finding.state.value}"
    )
    yield _standing(finding)
    for trials in finding.trials:
        yield from _trials(trials)


def _standing(finding: EvidencedFinding) -> str:
    if not finding.confirmed:
        why = (
            f"the finding is {finding.state.value}"
            if any(trials.shows_defect for trials in finding.trials)
            else "no trial was graded as the finding says an answer would be"
        )
        return f"**Not confirmed by live runs:** {why}."
    showing = [trials for trials in finding.trials if trials.shows_defect]
    answered = sum(len(answer.trials) for t in showing for answer in t.answers)
    if all(trials.proposed is None for trials in showing):
        return (
            "**Confirmed by live runs, on the reviewer's word:** no key was proposed by which the "
            "answers are graded the other way."
        )
    if answered > sum(trials.recorded for trials in showing):
        return "**Confirmed by live runs.**"
    return (
        "**Confirmed by live runs, as recorded:** the answers had been given before and were read "
        "from a record; none was fetched anew."
    )


def _trials(part: TrialsPart) -> Iterable[str]:
    yield (
        f"{md(part.model)} · {part.published.trials} of {part.planned} trials · condition "
        f"{code(part.condition_id[:12])} · job {code(part.job[:8])}{_when(part)}"
    )
    rows = [_counts("published", part.published)]
    if part.proposed is not None:
        rows.append(_counts("proposed", part.proposed))
    header = ("Key", "Passed", "Failed", "Without a verdict", "Hint")
    yield table(header, rows, right=(1, 2, 3))
    yield " ".join(_remarks(part))
    yield f"{len(part.answers)} distinct {'answer' if len(part.answers) == 1 else 'answers'}:"
    yield table(
        ("Trials", "Answer", "Published key", "Proposed key"),
        [_answer(answer) for answer in part.answers[:_MOST_ANSWERS]],
        right=(0,),
    )
    if len(part.answers) > _MOST_ANSWERS:
        yield f"{len(part.answers) - _MOST_ANSWERS} more stand in the files beside this report."
    yield (
        f"Independent reason, {md(part.attached_by)}, {part.attached_at.date().isoformat()}:\n\n"
        f"{md_block(part.reason)}"
    )
    yield "Condition:"
    yield table(("Field", "Value"), _condition(part.condition))


def _when(part: TrialsPart) -> str:
    if part.first_at is None or part.last_at is None:
        return ""
    first, last = part.first_at.date().isoformat(), part.last_at.date().isoformat()
    return f" · ended {first}" if first == last else f" · ended {first} to {last}"


def _counts(name: str, counts: KeyCounts) -> tuple[str, ...]:
    return (
        f"{name} {code(counts.key[:12], in_table=True)}",
        f"{counts.passed} of {counts.trials}",
        f"{counts.failed} of {counts.trials}",
        f"{sum(counts.errors.values())} of {counts.trials}",
        _TRIAGE.get(counts.triage, md(counts.triage)),
    )


def _remarks(part: TrialsPart) -> Iterable[str]:
    kinds = [f"{_ERRORS.get(kind, md(kind))} {n}" for kind, n in part.published.errors.items()]
    if kinds:
        yield f"Without a verdict under the published key: {', '.join(kinds)}."
    count = len(part.signatures)
    if count:
        failures = "failure" if count == 1 else "different failures"
        prints = ", ".join(code(signature[:12]) for signature in part.signatures[:_MOST_ANSWERS])
        yield f"Under the published key {count} {failures} ({prints})."
    if part.recorded:
        answered = sum(len(answer.trials) for answer in part.answers)
        yield f"{part.recorded} of {answered} answers had been given before."
    if part.proposed_key is not None:
        yield f"Proposed key: {code(_cut(part.proposed_key))}."
        if not part.key_stands:
            yield "The finding now proposes another key, or none."
    if part.carried:
        yield "Attached to an earlier wording of this finding, with the same effects and cause."
    if not part.shows_defect:
        yield "By themselves these trials do not show what the finding says."
    yield f"Graded by Assay {md(part.assay)} under the rules {code(part.rules)}."
    if part.differences:
        clauses = "; ".join(map(md, part.differences))
        yield f"**Graded again for this report, something differs:** {clauses}."


def _answer(answer: AnswerPart) -> tuple[str, ...]:
    text = _cut(answer.text)
    more = " (goes on)" if answer.is_cut and text == answer.text else ""
    proposed = "—" if answer.proposed is None else _verdict(answer.proposed, answer.proposed_code)
    return (
        str(len(answer.trials)),
        f"{code(text, in_table=True)}{more}",
        _verdict(answer.published, answer.published_code),
        proposed,
    )


def _verdict(verdict: str, reason: str | None) -> str:
    word = _VERDICTS.get(verdict, md(verdict))
    return word if verdict == "valid" or not reason else f"{word}: {md(reason)}"


def _condition(condition: Mapping[str, Json]) -> list[tuple[str, str]]:
    return [(code(name, in_table=True), _field(name, value)) for name, value in condition.items()]


def _field(name: str, value: Json) -> str:
    if value in (None, "", {}, []):
        return _NOT_SENT.get(name, "not stated")
    text = value if isinstance(value, str) else _plain(value)
    return md(_cut(text))


def _plain(value: Json) -> str:
    """A number or JSON value as text."""
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_plain(field)}" for name, field in value.items())
    return ", ".join(map(_plain, value)) if isinstance(value, list) else str(value)


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
