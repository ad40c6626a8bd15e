"""The dossier in a report: what stands beside the sample's figures, each with its own counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from audit_app.reporting.markup import code, link, md, md_paragraphs, percent, table
from audit_app.reporting.records import (
    AttemptRate,
    CarryPart,
    OutsidePart,
    RecordsPart,
    RootCausePart,
    ScalePart,
    TargetedPart,
)
from audit_app.reporting.wording import tasks

BESIDE_HEADING = "## Evidence beside the sample"
ROOT_CAUSES_HEADING = "## Root causes"
RESPONSES_HEADING = "## Responses of the developers, by finding"
HISTORY_HEADING = "## History of the verdict"


def notice_blocks(part: RecordsPart | None) -> Iterable[str]:
    """What a reader must know before the figures: a stop, another rubric, carried reviews."""
    if part is None:
        return
    if part.stop:
        yield f"**Stopped early.** {md(part.stop)}"
    if part.rubric_note:
        yield f"**The rubric file differs.** {md(part.rubric_note)}"
    for change in part.rubric_changes:
        yield (
            f"On {change.on.isoformat()} {md(change.by)} adopted the rubric's version "
            f"{code(change.version)} while the audit was under way: "
            f"{md('; '.join(change.differences))}. Reason given: {md(change.reason)}"
        )
    if part.carry is not None:
        yield from _carry(part.carry)


def records_blocks(part: RecordsPart | None) -> Iterable[str]:
    """Root causes, evidence beside the sample, and responses to findings."""
    if part is None:
        return
    if part.root_causes:
        yield ROOT_CAUSES_HEADING
        for cause in part.root_causes:
            yield from _root_cause(cause)
    if part.outside or part.targeted or part.scale or part.attempts:
        yield BESIDE_HEADING
        yield "None of this is part of the rate of the sample."
        yield from _attempts(part.attempts)
        yield from _scale(part.scale)
        yield from _outside(part.outside)
        yield from _targeted(part.targeted)
    if part.responses:
        yield RESPONSES_HEADING
        yield from _responses(part)


def history_blocks(part: RecordsPart | None) -> Iterable[str]:
    """Every change of the verdict."""
    if part is not None and part.history:
        yield HISTORY_HEADING
        yield from _history(part)


def _ids(task_ids: Sequence[str]) -> str:
    return ", ".join(code(task_id) for task_id in task_ids)


def _carry(part: CarryPart) -> Iterable[str]:
    yield (
        f"**Carried over.** This audit continues {code(part.audit)} of version "
        f"{code(part.version)}: {part.reviews} reviews of {tasks(len(part.tasks))} whose record "
        "did not change were carried over; the judgement of "
        f"{part.standing} of these still is the one carried over."
    )
    if part.rules_differ:
        yield (
            f"The grading rules differ: {code(part.rules or 'none')} there. What was carried over "
            "was judged under those."
        )
    for what, listed in (
        ("Changed since, to be looked at again", part.changed),
        ("Not reviewed there", part.fresh),
        ("Reviewed there and not in the sample here", part.left),
        ("Of the earlier sample, no longer in the benchmark", part.gone),
    ):
        if listed:
            yield f"{what}, {tasks(len(listed))}: {_ids(listed)}."


def _attempts(part: AttemptRate | None) -> Iterable[str]:
    if part is None:
        return
    yield "### Attempts, not tasks"
    yield f"{_attempt_sentence(part)} An attempt is one model on one scored entry."
    yield (
        f"This is not the task rate: {part.defective} of {part.tasks} reviewed tasks are "
        "defective, and a defective task misgrades some attempts and not others."
    )


def _attempt_sentence(part: AttemptRate) -> str:
    of = f"of {part.attempts} graded attempts at the {part.tasks} reviewed tasks"
    if not part.is_known:
        return (
            "Attempt rate: not defined, as no defective task has a corrected key; "
            f"{part.void} {of} were made at defective tasks."
        )
    text = f"{part.changed} {of} ({percent(part.least)}) get another result under corrected keys"
    if not part.void:
        return f"Attempt rate: {text}."
    return (
        f"Attempt rate: at least {text}; {part.void} more were made at defective tasks without a "
        f"corrected key, so it is at most {percent(part.most)}."
    )


def _scale(parts: Sequence[ScalePart]) -> Iterable[str]:
    if not parts:
        return
    yield "### Issues at scale"
    yield (
        "An issue that damages grading at scale may fail the scoring item at any rate; it rests on "
        "evidence of its own."
    )
    for part in parts:
        yield f"Stated on {part.on.isoformat()} by {md(part.by)}:"
        yield md_paragraphs(part.text)
        evidence = [link(address) for address in part.links]
        evidence += [f"root cause {md(part.root_cause)}"] if part.root_cause else []
        yield f"Evidence: {', '.join(evidence)}."


def _outside(parts: Sequence[OutsidePart]) -> Iterable[str]:
    if not parts:
        return
    yield "### Outside evidence"
    yield (
        "Audits by others, cited. Each gives a floor: defective tasks confirmed there, of all "
        "tasks of the benchmark. A floor has no interval and is no estimate, whatever the share of "
        "the tasks examined."
    )
    rows = [
        (
            link(part.source),
            str(part.examined),
            str(part.confirmed),
            str(part.of),
            f"at least {percent(part.floor)}",
            md(part.note),
            f"{md(part.by)}, {part.on.isoformat()}",
        )
        for part in parts
    ]
    header = ("Source", "Examined", "Defective", "Of all tasks", "Floor", "What", "Cited by")
    yield table(header, rows, right=(1, 2, 3))


def _targeted(part: TargetedPart | None) -> Iterable[str]:
    if part is None:
        return
    yield "### Targeted tasks, outside the sample"
    yield (
        f"Read on purpose, because something spoke against them: {part.judged} of "
        f"{tasks(part.targeted)} judged, {part.defective} of these defective. Suspects are no "
        "sample: no share of the benchmark follows from them."
    )
    if part.tasks:
        rows = [
            (code(task_id, in_table=True), md(words), md(reason))
            for task_id, words, reason in part.tasks
        ]
        yield table(("Task", "Judgement", "Why it was read"), rows)
    if part.now_sampled:
        yield (
            "Named as targeted, and in the sample since it was widened, where they count: "
            f"{_ids(part.now_sampled)}."
        )


def _root_cause(part: RootCausePart) -> Iterable[str]:
    yield f"### {md(part.title)}"
    cause = f" Cause: {md(part.cause)}." if part.cause else ""
    share = f" ({percent(part.defective / part.of_defective)})" if part.of_defective else ""
    yield (
        f"{part.defective} of {part.of_defective} defective tasks of the sample{share} come of "
        f"this one fault.{cause}"
    )
    yield md_paragraphs(part.description)
    if part.links:
        yield f"Evidence: {', '.join(link(address) for address in part.links)}."
    if part.tasks:
        rows = [
            (
                code(task.task_id, in_table=True),
                md(task.findings) or "no finding stands",
                ("yes" if task.is_defective else "no")
                + ("" if task.is_sampled else ", outside the sample"),
            )
            for task in part.tasks
        ]
        yield table(("Task", "Findings", "Counts as defective"), rows)


def _responses(part: RecordsPart) -> Iterable[str]:
    yield (
        "What the developers answered, finding by finding. An answer changes no count: a reviewer "
        "who agrees with a dispute says so in a review."
    )
    rows = [
        (
            code(response.task_id, in_table=True),
            f"{response.status} in {md(response.version)}" if response.version else response.status,
            response.on.isoformat(),
            link(response.link) if response.link else "—",
            md(response.text) or "—",
        )
        for response in part.responses
    ]
    yield table(("Task", "Response", "Date", "Link", "Text"), rows)


def _history(part: RecordsPart) -> Iterable[str]:
    rows = [
        (
            change.at.isoformat(timespec="minutes"),
            md(change.by),
            code(change.version, in_table=True),
            md(change.label),
            "not kept"
            if change.reviewed is None
            else f"{change.defective} of {change.reviewed} reviewed tasks",
            md(change.cause),
        )
        for change in part.history
    ]
    yield table(("When", "Who", "Benchmark version", "Verdict", "Defective then", "Because"), rows)
