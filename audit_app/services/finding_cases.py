"""Answers that show a defect, as cases that `assay grade` reads: one under each key.

Only answers of which both keys, graded here, say what the finding says are given. Tasks that need
simulators have none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from audit_app.domain.benchmark import KeyKind, OutputStatus, Task, encode
from audit_app.domain.record import Json
from audit_app.domain.review import COUNTED_EFFECTS, Effect
from audit_app.errors import InputError
from audit_app.scoring.cases import CONTEXT, STORED, CaseResult, grade_case
from audit_app.scoring.key_edits import OMITTED
from audit_app.scoring.rules import RULE_SETS, V4
from audit_app.services.audits import AuditView
from audit_app.services.corrections import Correction
from audit_app.services.task_grading import MULTI_TURN
from audit_app.storage.grades import GradeRepository
from audit_app.storage.verdicts import FiledOutput, VerdictRepository
from audit_app.storage.workspace import Workspace

MOST_TRIED = 12
"""Distinct answers of a task that are tried: the most frequent ones."""

_WANTED = {Effect.FN: ("invalid", "valid"), Effect.FP: ("valid", "invalid")}
"""Effect → verdict under the published key, and under the proposed one."""

Readings = Mapping[str, Mapping[str, object]]
"""Model → how its outputs are read, as the last score run has it."""


def ready_cases(
    workspace: Workspace, view: AuditView, found: Mapping[str, Correction]
) -> dict[str, list[dict[str, Json]]]:
    """Task id → its cases, for every defective task of an audit's sample that has any.

    Args:
        workspace: The workspace.
        view: The audit as it stands.
        found: What the findings that count ask for, by task.
    """
    benchmark = view.audit.benchmark
    run = GradeRepository(workspace, benchmark).latest()
    verdicts = VerdictRepository(workspace, benchmark, run.key if run else None)
    maker = CaseMaker(view.benchmark.rules, run.readings if run else {}, verdicts.of_task)
    cases = {task_id: maker.cases(correction) for task_id, correction in found.items()}
    return {task_id: rows for task_id, rows in cases.items() if rows}


class _Answer(NamedTuple):
    """An answer with where it comes from and how it is read."""

    body: Json
    source: str
    form: str = "auto"
    dots: bool = False


class CaseMaker:
    """Makes the cases of one benchmark.

    Args:
        rules: Its rule version; the current one where Assay knows no such version.
        readings: How each model's outputs are read.
        outputs: Task id → its outputs.
    """

    def __init__(
        self, rules: str, readings: Readings, outputs: Callable[[str], Sequence[FiledOutput]]
    ) -> None:
        self._rules = rules if rules in RULE_SETS else V4.version
        self._readings, self._outputs = readings, outputs

    def cases(self, correction: Correction) -> list[dict[str, Json]]:
        """For each effect of the findings an answer under both keys, where one is known."""
        task, corrected = correction.task, correction.corrected
        if corrected is None or task.scorer == MULTI_TURN:
            return []
        effects = {effect for f in correction.findings for effect in f.effects} & COUNTED_EFFECTS
        found: list[dict[str, Json]] = []
        for effect in sorted(effects):
            found += self._shown(effect, task, corrected)
        return found

    def _shown(self, effect: Effect, task: Task, corrected: Task) -> list[dict[str, Json]]:
        accepting = corrected if effect is Effect.FN else task
        answers = [*self._stored(effect, task), *_own_answers(accepting)]
        for answer in answers[:MOST_TRIED]:
            pair = [
                self._case(effect, name, asked, answer, wanted)
                for (name, asked), wanted in zip(
                    (("published", task), ("proposed", corrected)), _WANTED[effect], strict=True
                )
            ]
            if all(case is not None for case in pair):
                return [case for case in pair if case is not None]
        return []

    def _stored(self, effect: Effect, task: Task) -> Iterator[_Answer]:
        """Outputs with the verdict that the effect asks for, the most frequent first."""
        passes = effect is Effect.FP
        filed = [
            f
            for f in self._outputs(task.id)
            if f.is_stored
            and f.output.status is OutputStatus.ANSWER
            and f.verdict in (None, passes)
        ]
        bodies = Counter(encode(f.output.body) for f in filed)
        first = {encode(f.output.body): f for f in reversed(filed)}
        for body, _ in bodies.most_common(MOST_TRIED - 1):
            output = first[body].output
            how = self._readings.get(output.model, {})
            form, dots = str(how.get("form", "auto")), bool(how.get("dots_to_underscores"))
            yield _Answer(output.body, f"answer of {output.model}", form, dots)

    def _case(
        self, effect: Effect, name: str, task: Task, answer: _Answer, wanted: str
    ) -> dict[str, Json] | None:
        """The case, None where its verdict is not the one that is wanted."""
        case = self._unmarked(effect, name, task, answer)
        try:
            result = grade_case(case)
        except InputError:
            return None
        return _marked(case, result) if result.verdict == wanted else None

    def _unmarked(self, effect: Effect, name: str, task: Task, answer: _Answer) -> dict[str, Json]:
        language = task.fields.get("language")
        return {
            "case_id": f"{task.id} / {effect} / {answer.source} / {name} key",
            "group": task.group,
            "category": task.category,
            "output_kind": STORED,
            "task_id": task.id,
            "scorer": task.scorer,
            "key_kind": task.key_kind.value,
            **({"language": language} if language else {}),
            "functions": list(task.tools),
            **{member: task.context[member] for member in CONTEXT if member in task.context},
            "key_name": name,
            "key": task.key,
            "form": answer.form,
            "name_dots_to_underscores": answer.dots,
            "rules": self._rules,
            "output": answer.body,
        }


def _marked(case: dict[str, Json], result: CaseResult) -> dict[str, Json]:
    code = None if result.verdict == "valid" else result.reason_code
    return {**case, "expected": result.verdict, "error_type": code, "reason": result.reason}


def _own_answers(task: Task) -> Iterable[_Answer]:
    """Answers read off a key: its first accepted values."""
    source = "answer made from the key"
    match task.key_kind:
        case KeyKind.CALLS if task.fields.get("language", "python").casefold() == "python":
            return [_Answer(_calls(task.key), source)]
        case KeyKind.TEXTS:
            return [_Answer(text, source) for text in task.key[:1]]
        case KeyKind.VALUE:
            values = task.key if isinstance(task.key, list) else [task.key]
            return [_Answer(v if isinstance(v, str) else str(v), source) for v in values[:1]]
    return []


def _calls(key: Json) -> list[Json]:
    return [
        {name: {a: v for a, v in _first(arguments) if v != OMITTED}}
        for call in key
        for name, arguments in call.items()
    ]


def _first(arguments: Mapping[str, list[Json]]) -> Iterator[tuple[str, Json]]:
    for argument, values in arguments.items():
        yield argument, _plain(next(iter(values), OMITTED))


def _plain(value: Json) -> Json:
    """A key's value as a call has it: fields of an object by their first accepted value."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(v) for name, v in _first(value) if v != OMITTED}
    return value
