"""Importer ``promptfoo``: results as ``promptfoo eval -o results.json`` writes them (2 and 3).

A test case is a task, and each prompt it was asked in a scored line of its own where there are
several. Providers are the models; a repetition is a trial. A request or a grader that failed is
an error, not a wrong answer. The key is the value of the assertion that states the answer most
plainly; all assertions are kept with the task.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from audit_app.domain.benchmark import Entry, KeyKind, Output, OutputStatus, Task
from audit_app.domain.record import Json
from audit_app.importers.bodies import checked_body
from audit_app.importers.content import ShapeError
from audit_app.importers.log_ids import LogIds
from audit_app.importers.log_values import prompt_turns, short_fields, shown
from audit_app.importers.promptfoo_results import Result, read_results
from audit_app.importers.report import ParsedBenchmark, ParsedOutputs, RejectedRow

_SCORERS = {
    "equals": "exact",
    "contains": "contains",
    "icontains": "contains",
    "starts-with": "contains",
    "contains-any": "contains",
    "icontains-any": "contains",
    "contains-all": "contains",
    "icontains-all": "contains",
    "regex": "regex",
    "is-json": "json",
    "contains-json": "json",
}
"""Assertion types that state the answer, the plainest first → the scorer nearest to them."""
_ERROR = 2
_SUITE = "promptfoo"


def parse_promptfoo_tasks(path: Path) -> ParsedBenchmark:
    """The test cases of a results file.

    Raises:
        InputError: It is no results file that is known.
    """
    parsed = ParsedBenchmark()
    results = read_results(path, parsed.rejected)
    prompts, ids = _prompts(results), LogIds([_SUITE])
    tests: dict[str, dict[str, Result]] = {}
    for result in results:
        tests.setdefault(result.test_id, {}).setdefault(result.prompt, result)
    for test_id, asked in tests.items():
        first = next(iter(asked.values()))
        try:
            parsed.tasks.append(_task(first, [result.raw_prompt for result in asked.values()]))
        except ShapeError as error:
            parsed.rejected.append(RejectedRow(path.name, 0, f"{first.where}: {error}"))
            continue
        parsed.entries += [
            (test_id, Entry(ids.entry(_SUITE, test_id, prompts[prompt], prompts)))
            for prompt in asked
        ]
    return parsed


def _task(result: Result, raw_prompts: list[Json]) -> Task:
    case = result.test_case
    assertions = [a for a in _list(case.get("assert")) if isinstance(a, dict)]
    kind, key = _key(assertions)
    context: dict[str, Json] = {"vars": result.vars}
    if assertions:
        context["assert"] = assertions
    if len(raw_prompts) > 1:
        context["prompts"] = raw_prompts
    if isinstance(description := case.get("description"), str) and description:
        context["description"] = description
    metadata = case.get("metadata")
    return Task(
        id=result.test_id,
        category="all",
        group="all",
        scorer=_SCORERS.get(kind, "published"),
        turns=prompt_turns(result.raw_prompt),
        key_kind=KeyKind.MISSING if key is None else KeyKind.VALUE,
        key=key,
        fields=short_fields(metadata) if isinstance(metadata, dict) else {},
        context=context,
    )


def _key(assertions: list[dict[str, Any]]) -> tuple[str, Json]:
    """Type and value of the assertion that states the answer most plainly."""
    valued = [a for a in assertions if a.get("value") is not None]
    for kind in _SCORERS:
        for assertion in valued:
            if assertion.get("type") == kind:
                return kind, assertion["value"]
    return ("", valued[0]["value"]) if valued else ("", None)


def parse_promptfoo_outputs(path: Path, entries: Collection[str] | None) -> ParsedOutputs:
    """The outputs of a results file.

    Raises:
        InputError: It is no results file that is known.
    """
    parsed = ParsedOutputs(iter(()))
    results = read_results(path, parsed.rejected)
    parsed.outputs = _outputs(path.name, results, entries, parsed.rejected)
    return parsed


def _outputs(
    name: str, results: list[Result], entries: Collection[str] | None, rejected: list[RejectedRow]
) -> Iterator[Output]:
    prompts, ids = _prompts(results), LogIds([_SUITE], entries)
    trials: dict[tuple[str, str, str], int] = {}
    for result in results:
        prompt = prompts[result.prompt]
        key = result.test_id, result.prompt, result.provider
        trials[key] = trials.get(key, 0) + 1
        entry_id = ids.entry(_SUITE, result.test_id, prompt, prompts)
        try:
            yield _output(entry_id, result, trials[key])
        except ShapeError as error:
            rejected.append(RejectedRow(name, 0, f"{result.where}: {error}"))


def _output(entry_id: str, result: Result, trial: int) -> Output:
    grading = result.grading
    metadata = grading.get("metadata")
    grader_failed = isinstance(metadata, dict) and bool(metadata.get("graderError"))
    failed = result.failure == _ERROR or grader_failed or _is_old_error(result)
    components = [c for c in _list(grading.get("componentResults")) if isinstance(c, dict)]
    reason = grading.get("reason") if grading.get("reason") else result.error
    code = "grader_error" if grader_failed else "error" if failed else _failing(components)
    return Output(
        entry_id=entry_id,
        model=result.provider,
        body=checked_body(result.output),
        trial=trial,
        status=OutputStatus.ERROR if failed else OutputStatus.ANSWER,
        passed=None if failed else result.success,
        reason_code=code,
        reason=shown(result.error if failed and result.error else reason) if reason else "",
    )


def _is_old_error(result: Result) -> bool:
    """Whether an older file, which says no kind of failure, means a failed request."""
    return result.failure is None and bool(result.error) and result.output is None


def _failing(components: list[dict[str, Any]]) -> str:
    """The type of the first assertion that failed."""
    for component in components:
        assertion = component.get("assertion")
        if component.get("pass") is False and isinstance(assertion, dict):
            kind = assertion.get("type")
            return kind if isinstance(kind, str) else ""
    return ""


def _prompts(results: list[Result]) -> dict[str, str]:
    """Prompt → its number in the order of the file, as text."""
    found = dict.fromkeys(result.prompt for result in results)
    return {prompt: str(number) for number, prompt in enumerate(found, start=1)}


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
