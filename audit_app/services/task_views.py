"""View models of the review screen: one task with its key, and its outputs grouped by answer."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from audit_app.domain.benchmark import Entry, KeyKind, Output, OutputStatus, Task
from audit_app.domain.record import Json
from audit_app.scoring.agentic import NO_MESSAGE
from audit_app.scoring.ast_rules import DECODER_FAILED, WRONG_FORMAT, PreparedCalls
from audit_app.scoring.decoding import has_call_shape
from audit_app.scoring.grade import Grade, GradeStatus
from audit_app.scoring.multi_turn_rules import INFERENCE_ERROR
from audit_app.services.answer_diff import AnswerDiff, Mark
from audit_app.services.body_grading import NOTHING_STORED
from audit_app.services.call_diff import CallComparison, Deciding, compare_calls
from audit_app.services.key_layout import key_layout
from audit_app.services.key_offers import KeyOffer, key_offers
from audit_app.services.task_grading import GradedAnswer, TaskGrader
from audit_app.services.text_diff import compare_call_count, compare_texts, compare_values
from audit_app.services.turn_diff import compare_turns, turn_marks, turns_in_words

_UNREAD = (DECODER_FAILED, WRONG_FORMAT, INFERENCE_ERROR, "agentic:inference_error")


class Verdict(StrEnum):
    """What a group of outputs is, in one word."""

    PASS = "pass"
    FAIL = "fail"
    NOT_PARSED = "not parsed"
    """Nothing could be read from the answer; the benchmark counts it as a fail."""
    ERROR = "error"
    """The request failed: not an answer, never counted as a wrong one."""
    STOPPED = "checker stops"
    """The benchmark's own checker would stop with an exception."""
    KEPT_PASS = "published pass"
    """Not re-scorable here: the published verdict is kept."""
    KEPT_FAIL = "published fail"
    NO_GRADE = "no grade"


@dataclass(frozen=True)
class Published:
    """The grade that was published with an output."""

    passed: bool
    code: str = ""
    reason: str = ""


@dataclass(frozen=True)
class RawOutput:
    """One output as it came.

    Attributes:
        model: Who said it.
        entry_id: For which entry.
        trial: In which trial.
        text: The raw output; indented JSON where the source gave a structure.
        published: Its published grade, None where none was published.
    """

    model: str
    entry_id: str
    trial: int
    text: str
    published: Published | None = None


@dataclass(frozen=True)
class OutputGroup:
    """Outputs that give the same answer and get the same grade.

    Attributes:
        answer: The answer they share: what it was read as, else its text.
        status: Whether it is an answer at all.
        grade: Our faithful grade, None for failed requests.
        raw: Every output of the group, by model.
        summary: The answer on one line, where it is too long to be shown whole.
        turns: For each turn of the key, how it compares.
        diff: The answer beside the nearest accepted one.
        deciding: The call and argument at which the verdict fell.
        offers: Edits of the key that would let this answer pass, or may.
    """

    answer: Json
    status: OutputStatus
    grade: Grade | None
    raw: tuple[RawOutput, ...]
    summary: str = ""
    turns: tuple[Mark, ...] = ()
    diff: AnswerDiff | None = None
    deciding: Deciding | None = None
    offers: tuple[KeyOffer, ...] = ()

    @property
    def models(self) -> tuple[str, ...]:
        """Distinct models of the group, sorted."""
        return tuple(sorted({raw.model for raw in self.raw}))

    @property
    def verdict(self) -> Verdict:
        """The word it carries."""
        if self.grade is None:
            return Verdict.ERROR
        match self.grade.status:
            case GradeStatus.ERROR:
                return Verdict.ERROR
            case GradeStatus.RAISES:
                return Verdict.STOPPED
            case GradeStatus.NOT_GRADED:
                kept = {raw.published.passed for raw in self.raw if raw.published}
                if len(kept) != 1:
                    return Verdict.NO_GRADE
                return Verdict.KEPT_PASS if True in kept else Verdict.KEPT_FAIL
        if self.grade.reason_code in _UNREAD:
            return Verdict.NOT_PARSED
        return Verdict.PASS if self.grade.passed else Verdict.FAIL

    @property
    def differing(self) -> tuple[RawOutput, ...]:
        """Outputs whose published grade is not ours; none where there is no grade of ours."""
        grade = self.grade
        if grade is None or grade.status is not GradeStatus.GRADED:
            return ()
        return tuple(r for r in self.raw if r.published and r.published.passed != grade.passed)


@dataclass(frozen=True)
class TaskView:
    """All that a reviewer sees of one task.

    Attributes:
        task: The task with its key.
        entries: The scored entries its key feeds.
        documents: Shared documents it rests on: document id → body.
        groups: Its outputs by answer, most models first.
        stratum: The stratum it was drawn from, empty outside the sample.
        simulated: Whether the outputs are said to be simulated.
    """

    task: Task
    entries: tuple[Entry, ...]
    documents: Mapping[str, Json]
    groups: tuple[OutputGroup, ...]
    stratum: str = ""
    simulated: bool = False

    @property
    def models(self) -> int:
        """Number of distinct models with an output."""
        return len({raw.model for group in self.groups for raw in group.raw})

    @property
    def outputs(self) -> int:
        """Number of outputs: one a model, entry and trial."""
        return sum(len(group.raw) for group in self.groups)

    @property
    def key_text(self) -> str:
        """The key as JSON over a few lines: what a proposed key starts from."""
        return key_layout(self.task.key)


def group_outputs(
    task: Task, outputs: Iterable[Output], grader: TaskGrader | None = None
) -> tuple[OutputGroup, ...]:
    """Fold equal answers with equal grades into groups, most models first.

    Of as many, failed requests come last.

    Args:
        task: The task; its own key is what is graded by.
        outputs: Its outputs.
        grader: Grades them; by default with nothing known of their models.
    """
    graded = map(_without_body, (grader or TaskGrader()).grade(task, task.key, list(outputs)))
    spelled = _names_as_written(task.tools)
    groups: dict[tuple[object, ...], list[GradedAnswer]] = {}
    for answer in graded:
        groups.setdefault(_group_key(answer, spelled), []).append(answer)
    folded = [_group(task, members) for members in groups.values()]
    return tuple(sorted(folded, key=_rank))


def _rank(group: OutputGroup) -> tuple[int, int, bool, str]:
    is_error = group.verdict is Verdict.ERROR
    return -len(group.models), -len(group.raw), is_error, str(group.answer)


def _without_body(answer: GradedAnswer) -> GradedAnswer:
    """As it is, but for an output of which only the outcome was imported."""
    if answer.grade is None or answer.output.body is not None:
        return answer
    return answer._replace(grade=NOTHING_STORED)


def _names_as_written(tools: Sequence[Json]) -> dict[str, str]:
    """Names of functions with underscores for dots → their names."""
    names = [str(tool["name"]) for tool in tools if isinstance(tool, dict) and "name" in tool]
    return {name.replace(".", "_"): name for name in names if "." in name}


def _group_key(answer: GradedAnswer, spelled: Mapping[str, str]) -> tuple[object, ...]:
    output, grade = answer.output, answer.grade
    if grade is None:
        return (OutputStatus.ERROR, _plain(output.body))
    decision = grade.decision
    kept = output.passed if grade.status is GradeStatus.NOT_GRADED else None
    said = output.body if grade.decoded is None else grade.decoded
    if answer.dots_to_underscores and isinstance(said, list) and has_call_shape(said):
        said = [{spelled.get(n, n): v for n, v in call.items()} for call in said]
    return (
        _plain(said),
        *(grade.status, grade.passed, grade.reason_code, kept),
        None if decision is None else decision.where,
    )


def _plain(answer: Json) -> str:
    """Text that equal answers share: neither white space nor the order of members matters."""
    if isinstance(answer, str):
        return " ".join(answer.split())
    try:
        return json.dumps(answer, sort_keys=True)
    except RecursionError:
        return repr(type(answer))


def _group(task: Task, members: Sequence[GradedAnswer]) -> OutputGroup:
    first = members[0]
    output, grade = first.output, first.grade
    compared = None if grade is None else _compared(task, first, grade)
    deciding = compared.deciding if compared else None
    in_turns = task.key_kind is KeyKind.CALL_TURNS and grade is not None
    summary = ""
    if grade is not None and isinstance(grade.decoded, list) and in_turns:
        summary = turns_in_words(task.key, grade)
    elif grade is not None and grade.reason_code == NO_MESSAGE:
        summary = "No final message"
    return OutputGroup(
        answer=output.body if grade is None or grade.decoded is None else grade.decoded,
        status=output.status,
        grade=grade,
        raw=tuple(
            sorted((_raw(m.output) for m in members), key=lambda r: (r.model, r.entry_id, r.trial))
        ),
        summary=summary,
        turns=turn_marks(task.key, grade) if in_turns and grade else (),
        diff=compared.diff if compared else None,
        deciding=deciding,
        offers=key_offers(task, grade, deciding) if grade is not None else (),
    )


def _compared(task: Task, answer: GradedAnswer, grade: Grade) -> CallComparison | None:
    """The answer beside the key, in the way of its kind."""
    diff: AnswerDiff | None = None
    match task.key_kind:
        case KeyKind.CALLS if isinstance(answer.prepared, PreparedCalls):
            return compare_calls(answer.prepared, grade)
        case KeyKind.CALL_TURNS:
            diff = compare_turns(task.key, grade)
        case KeyKind.TEXTS:
            diff = compare_texts(task.key, grade)
        case KeyKind.NO_CALL | KeyKind.SOME_CALL if grade.status is GradeStatus.GRADED:
            diff = compare_call_count(grade, wants_call=task.key_kind is KeyKind.SOME_CALL)
        case KeyKind.VALUE:
            diff = compare_values(grade)
    return None if diff is None else CallComparison(diff, None)


def answer_calls(group: OutputGroup) -> Sequence[Mapping[str, Json]] | None:
    """The answer as calls; None where it was not read as calls."""
    is_read = group.grade is not None and group.grade.decoded is not None
    if is_read and isinstance(group.answer, list) and has_call_shape(group.answer):
        return [call for call in group.answer if isinstance(call, dict)]
    return None


def _raw(output: Output) -> RawOutput:
    body = output.body
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False, indent=1)
    return RawOutput(output.model, output.entry_id, output.trial, text, _published(output))


def _published(output: Output) -> Published | None:
    if output.passed is not None:
        return Published(output.passed, output.reason_code, output.reason)
    if output.status is OutputStatus.ERROR and output.reason_code:
        # What the benchmark made of a failed request stands in its code.
        return Published(output.reason_code == "valid", output.reason_code, output.reason)
    return None
