"""Single cases: one output against one key, as a line of a case file gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from audit_app.domain.benchmark import KeyKind, Task
from audit_app.domain.record import Json
from audit_app.errors import InputError
from audit_app.scoring.agentic import PreparedAgentic
from audit_app.scoring.ast_rules import STOPS, BfclAstScorer
from audit_app.scoring.decoding import Decoding
from audit_app.scoring.forms import OutputForm
from audit_app.scoring.grade import Grade, GradeStatus, ScoringSettings, Simulator
from audit_app.scoring.multi_turn import PreparedMultiTurn
from audit_app.scoring.multi_turn_rules import (
    RESPONSE_MISMATCH,
    STATE_MISMATCH,
    differing_attributes,
    missing_results,
)
from audit_app.scoring.registry import ScorerRegistry
from audit_app.scoring.relevance import PreparedRelevance

_STEP_FORMS = {"result_steps_prompt": OutputForm.PROMPT, "result_steps_fc": OutputForm.FC}
_RAW_FORMS = {"prompt": OutputForm.AUTO, "fc": OutputForm.FC}

STORED = "stored"
"""An output as the harness stored it, graded by the scorer that the case names."""

CONTEXT = ("initial_config", "involved_classes", "choices")
"""Members of a task's context that a scorer or simulator looks at."""


class CaseResult(msgspec.Struct, frozen=True):
    """What became of a case.

    Attributes:
        case_id: The case.
        verdict: ``valid``, ``invalid``, ``raises``, or ``skipped`` where a simulator is needed.
        reason_code: The benchmark's code; for ``raises`` the name of the exception.
        reason: One sentence.
        agrees: Whether verdict and code are the expected ones; None where none are stated.
    """

    case_id: str
    verdict: str
    reason_code: str
    reason: str
    agrees: bool | None = None


def grade_case(case: Mapping[str, Any], simulator: Simulator | None = None) -> CaseResult:
    """Grade one case.

    Args:
        case: At least ``case_id, category, output_kind, key, output``; for calls ``functions``
            and ``language`` too, for ``stored`` outputs ``task_id``, ``scorer`` and ``key_kind``.
            ``expected`` and ``error_type`` are compared where they stand.
        simulator: Runs multi-turn calls; without it cases that need it are skipped.

    Raises:
        InputError: A field is missing, or has a value that is not known.
    """
    for field in ("case_id", "category", "output_kind", "output"):
        if field not in case:
            raise InputError(f"the case {case.get('case_id', '')!r} has no {field}")
    grade = _grade(case, simulator)
    verdict = _verdict(grade)
    return CaseResult(
        case_id=str(case["case_id"]),
        verdict=verdict,
        reason_code=grade.reason_code,
        reason=grade.reason,
        agrees=_agrees(case, verdict, grade.reason_code),
    )


def _verdict(grade: Grade) -> str:
    if grade.status is GradeStatus.RAISES:
        return "raises"
    if grade.status is not GradeStatus.GRADED:
        return "skipped"
    return "valid" if grade.passed else "invalid"


def _agrees(case: Mapping[str, Any], verdict: str, code: str) -> bool | None:
    expected = case.get("expected")
    if expected is None or verdict == "skipped":
        return None
    error = case.get("error_type")
    return bool(verdict == expected and (error is None or verdict == "valid" or code == error))


def _grade(case: Mapping[str, Any], simulator: Simulator | None) -> Grade:
    kind, output, key = case["output_kind"], case["output"], case.get("key")
    if kind == "calls":
        prepared = BfclAstScorer().prepare(_task(case), key, _settings(case))
        return prepared.check(Decoding(output, output))
    if kind in _RAW_FORMS:
        return _grade_raw(case)
    if kind == STORED:
        return _grade_stored(case, simulator)
    if kind == "final_message":
        return PreparedAgentic(key).grade_message(output)
    if kind in _STEP_FORMS:
        return PreparedAgentic(key, _STEP_FORMS[kind]).grade(output)
    if kind == "decoded_turns_steps_calls":
        return PreparedMultiTurn(_task(case), key, simulator).grade_turns(output)
    if kind in ("state", "execution_results_so_far"):
        return _compared(kind, key, output)
    raise InputError(f"the case {case['case_id']!r} has the unknown output_kind {kind!r}")


def _grade_raw(case: Mapping[str, Any]) -> Grade:
    settings, category = _settings(case), case["category"]
    if "relevance" in category:
        wants_call = "irrelevance" not in category
        return PreparedRelevance(settings, wants_call=wants_call).grade(case["output"])
    return BfclAstScorer().grade(_task(case), case.get("key"), case["output"], settings)


def _grade_stored(case: Mapping[str, Any], simulator: Simulator | None) -> Grade:
    registry = ScorerRegistry(simulator)
    kind = case.get("key_kind")
    if kind not in list(KeyKind):
        raise InputError(f"the case {case['case_id']!r} has the unknown key_kind {kind!r}")
    if case.get("scorer") not in registry.names:
        raise InputError(
            f"the case {case['case_id']!r} has the unknown scorer {case.get('scorer')!r}"
        )
    task = msgspec.structs.replace(
        _task(case),
        id=str(case.get("task_id", case["case_id"])),
        scorer=case["scorer"],
        key_kind=KeyKind(kind),
    )
    return registry.grade(task, task.key, case["output"], _settings(case))


def _compared(kind: str, key: Json, output: Json) -> Grade:
    """The comparison of states or results alone, without running anything."""
    try:
        if kind == "state":
            places = [c for c in key if differing_attributes(output[c], key[c])]
            code = STATE_MISMATCH
        else:
            places, code = missing_results(key, output), RESPONSE_MISMATCH
    except STOPS as error:
        reason = f"The benchmark's own checker would stop here: {error}."
        return Grade(False, type(error).__name__, reason, status=GradeStatus.RAISES)
    if places:
        return Grade(False, code, f"These differ or are missing: {', '.join(map(str, places))}.")
    return Grade(True, "valid", "State or results agree.")


def _settings(case: Mapping[str, Any]) -> ScoringSettings:
    options = {
        name: case[name]
        for name in ("return_format", "tool_call_tag")
        if case.get(name) is not None
    }
    form = _RAW_FORMS.get(case["output_kind"], OutputForm.AUTO)
    return ScoringSettings(
        rules=case.get("rules") or "v4",
        dots_to_underscores=bool(case.get("name_dots_to_underscores")),
        options={"form": str(case.get("form") or form), **options},
    )


def _task(case: Mapping[str, Any]) -> Task:
    fields = {"language": case["language"]} if case.get("language") else {}
    context = {name: case[name] for name in CONTEXT if name in case}
    return Task(
        id=str(case["case_id"]),
        category=case["category"],
        group=str(case.get("group", "")),
        scorer="",
        turns=(),
        tools=tuple(case.get("functions") or ()),
        key_kind=KeyKind.CALLS,
        key=case.get("key"),
        fields=fields,
        context=context,
    )
