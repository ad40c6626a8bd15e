"""Importer ``inspect``: Inspect AI logs, ``.eval`` or ``.json``, one or a folder of them.

A sample is a task, an epoch a trial, and each scorer a scored line of its own where a log has
several. Score letters: C passed, I and N (no answer) failed; P (partial) and values between
pass and fail are kept in words, with no grade.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath

from audit_app.domain.benchmark import Entry, KeyKind, Output, OutputStatus, Task, encode
from audit_app.domain.record import Json
from audit_app.errors import RowRejectedError
from audit_app.importers.bodies import checked_body
from audit_app.importers.content import ShapeError
from audit_app.importers.inspect_archive import Log, Sample, open_log
from audit_app.importers.log_files import log_names, open_logs
from audit_app.importers.log_ids import LogIds
from audit_app.importers.log_values import binary, prompt_turns, short_fields, shown
from audit_app.importers.report import ParsedBenchmark, ParsedOutputs, RejectedRow
from audit_app.importers.source import Source
from audit_app.importers.table_tasks import row_id

_WHAT = "Inspect log (.eval or .json)"
_LISTINGS = frozenset({"logs.json", "listing.json", "eval-set.json"})
"""Files beside the logs that list them."""
_CODE_LIMIT = 200
_LETTERS = {"C": True, "I": False, "N": False, "P": None}
_WORDS = {"yes": True, "true": True, "no": False, "false": False, "1": True, "0": False}


def parse_inspect_tasks(path: Path) -> ParsedBenchmark:
    """Tasks of a log, or of all logs in a folder; several models and epochs share their tasks.

    Raises:
        InputError: There is no log.
    """
    parsed = ParsedBenchmark()
    known: dict[str, tuple[bytes, str]] = {}
    with open_logs(path) as source:
        suites = _suites(source, log_names(source, path, _is_log, _WHAT), parsed.rejected)
        ids = LogIds(suites.values())
        for name, suite in suites.items():
            for log, where, sample in _samples(source, name, parsed.rejected):
                try:
                    _add(parsed, known, ids, log, where, sample)
                except ShapeError as error:
                    parsed.rejected.append(RejectedRow(where, 0, f"{suite}: {error}"))
    return parsed


def _add(
    parsed: ParsedBenchmark,
    known: dict[str, tuple[bytes, str]],
    ids: LogIds,
    log: Log,
    where: str,
    sample: Sample,
) -> None:
    suite, sample_id = log.header.eval.task, row_id(sample.id)
    task = _task(ids.task(suite, sample_id), suite, sample)
    prints = encode([sample.input, sample.choices, sample.target])
    if task.id not in known:
        known[task.id] = prints, where
        rules = log.rules or [""]
        parsed.tasks.append(task)
        parsed.entries += [
            (task.id, Entry(ids.entry(suite, sample_id, rule, rules))) for rule in rules
        ]
    elif known[task.id][0] != prints:
        raise ShapeError(f"sample {sample_id!r} differs from the one in {known[task.id][1]}")


def _task(task_id: str, suite: str, sample: Sample) -> Task:
    metadata = sample.metadata or {}
    context: dict[str, Json] = {}
    if sample.choices:
        context["choices"] = sample.choices
    if metadata:
        context["metadata"] = metadata
    has_key = sample.target not in (None, "", [])
    return Task(
        id=task_id,
        category=suite,
        group=suite,
        scorer="published",
        turns=prompt_turns(sample.input),
        key_kind=KeyKind.VALUE if has_key else KeyKind.MISSING,
        key=sample.target if has_key else None,
        fields=short_fields(metadata),
        context=context,
    )


def parse_inspect_outputs(path: Path, entries: Collection[str] | None) -> ParsedOutputs:
    """Outputs of a log, or of all logs in a folder, read while they are asked for.

    Raises:
        InputError: There is no log.
    """
    with open_logs(path) as source:
        names = log_names(source, path, _is_log, _WHAT)
    parsed = ParsedOutputs(iter(()))
    parsed.outputs = _outputs(path, names, entries, parsed.rejected)
    return parsed


def _outputs(
    path: Path, names: list[str], entries: Collection[str] | None, rejected: list[RejectedRow]
) -> Iterator[Output]:
    with open_logs(path) as source:
        suites = _suites(source, names, rejected)
        ids = LogIds(suites.values(), entries)
        for name in suites:
            seen: dict[tuple[str, int], str] = {}
            for log, where, sample in _samples(source, name, rejected):
                try:
                    pair = row_id(sample.id), sample.epoch
                    if first := seen.get(pair):
                        raise ShapeError(f"{pair[0]!r} in epoch {pair[1]} stands in {first} too")
                    outputs = _of_sample(log, sample, pair[0], ids)
                except ShapeError as error:
                    rejected.append(RejectedRow(where, 0, str(error)))
                    continue
                seen[pair] = where
                yield from outputs


def _of_sample(log: Log, sample: Sample, sample_id: str, ids: LogIds) -> list[Output]:
    """One output a scorer; of a failed sample too, without a grade."""
    suite, rules = log.header.eval.task, log.rules or [""]
    failed = sample.error is not None
    body = checked_body(_completion(sample))
    if sample.epoch < 1:
        raise ShapeError(f"the epoch {sample.epoch} is not a whole number from 1")
    outputs = []
    for rule in rules:
        passed, code, reason = _grade((sample.scores or {}).get(rule))
        if failed:
            passed, code, reason = None, "error", _error_text(sample.error)
        elif sample.limit is not None:
            reason = "; ".join(part for part in (reason, "a limit ended the sample") if part)
        outputs.append(
            Output(
                entry_id=ids.entry(suite, sample_id, rule, rules),
                model=log.header.eval.model,
                body=body,
                trial=sample.epoch,
                status=OutputStatus.ERROR if failed else OutputStatus.ANSWER,
                passed=passed,
                reason_code=code,
                reason=reason,
            )
        )
    return outputs


def _grade(score: Json) -> tuple[bool | None, str, str]:
    """Published grade, code and reason of a score; the code is a value that is no plain grade."""
    if not isinstance(score, dict) or "value" not in score:
        return None, "", ""
    value, explanation = score["value"], score.get("explanation")
    reason = shown(explanation) if explanation else ""
    if (answer := score.get("answer")) is not None:
        reason = "; ".join(part for part in (f"answer {shown(answer)!r}", reason) if part)
    if isinstance(value, str):
        if value in _LETTERS:
            return _LETTERS[value], "" if value in "CI" else value, reason
        passed = _WORDS.get(value.lower())
    else:
        passed = binary(value)
    return passed, "" if passed is not None else shown(value)[:_CODE_LIMIT], reason


def _completion(sample: Sample) -> Json:
    """The final text; the message itself where it only calls tools."""
    output = sample.output
    if not isinstance(output, dict):
        return None
    text = output.get("completion")
    choices = output.get("choices")
    first = choices[0] if isinstance(choices, list) and choices else None
    message = first.get("message") if isinstance(first, dict) else None
    if text or not isinstance(message, dict):
        return text
    if calls := message.get("tool_calls"):
        return {"content": message.get("content"), "tool_calls": calls}
    return message.get("content") or text


def _error_text(error: Json) -> str:
    return shown(error.get("message", error) if isinstance(error, dict) else error)


def _is_log(name: str) -> bool:
    file = PurePosixPath(name)
    return file.suffix in (".eval", ".json") and file.name not in _LISTINGS


def _suites(source: Source, names: list[str], rejected: list[RejectedRow]) -> dict[str, str]:
    """Log → the task it evaluated, for the logs that can be opened."""
    suites = {}
    for name in names:
        try:
            with open_log(source, name) as log:
                suites[name] = log.header.eval.task
        except RowRejectedError as error:
            rejected.append(RejectedRow.of(error))
    return suites


def _samples(
    source: Source, name: str, rejected: list[RejectedRow]
) -> Iterator[tuple[Log, str, Sample]]:
    """(log, where, sample) of every sample that can be read."""
    with open_log(source, name) as log:
        for where, sample in log.samples():
            if isinstance(sample, RowRejectedError):
                rejected.append(RejectedRow.of(sample))
            else:
                yield log, where, sample
