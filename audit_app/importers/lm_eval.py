"""Importer ``lm-eval``: samples files of lm-evaluation-harness, one JSON line a (doc, filter).

A document of a suite is one task whatever the number of its filters, and each filter is a scored
line of its own. The body of an output is the response as the model gave it; what a filter took
from it, and the figures of the metrics, stand in the reason. Of a multiple choice the body is the
pick: the index where the target is an index, else the text of the choice.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from audit_app.domain.benchmark import Entry, KeyKind, Output, Task, encode
from audit_app.importers.content import ShapeError
from audit_app.importers.lm_eval_files import (
    SampleFile,
    filters_of,
    model_of,
    read_samples,
    sample_files,
)
from audit_app.importers.lm_eval_sample import Sample
from audit_app.importers.log_files import open_logs
from audit_app.importers.log_ids import LogIds
from audit_app.importers.log_values import prompt_turns
from audit_app.importers.report import ParsedBenchmark, ParsedOutputs, RejectedRow
from audit_app.importers.source import Source


@dataclass
class _Doc:
    """One document, met under one or several filters."""

    task: Task
    suite: str
    sample: str
    where: str
    prints: bytes
    filters: dict[str, None] = field(default_factory=dict)


def parse_lm_eval_tasks(path: Path) -> ParsedBenchmark:
    """Tasks of one samples file or of all in a folder; several models share their tasks.

    Raises:
        InputError: There is no samples file.
    """
    parsed = ParsedBenchmark()
    docs: dict[tuple[str, str], _Doc] = {}
    with open_logs(path) as source:
        files = sample_files(source, path)
        ids = LogIds([file.suite for file in files])
        for file in files:
            for line, sample in read_samples(source, file, parsed.rejected):
                try:
                    _add(docs, ids, file, line, sample)
                except ShapeError as error:
                    parsed.rejected.append(RejectedRow(file.name, line, str(error)))
    suites: dict[str, dict[str, None]] = {}
    for doc in docs.values():
        suites.setdefault(doc.suite, {}).update(doc.filters)
    for doc in docs.values():
        parsed.tasks.append(doc.task)
        parsed.entries += [
            (doc.task.id, Entry(ids.entry(doc.suite, doc.sample, name, suites[doc.suite])))
            for name in doc.filters
        ]
    return parsed


def _add(
    docs: dict[tuple[str, str], _Doc], ids: LogIds, file: SampleFile, line: int, sample: Sample
) -> None:
    key, prints = (file.suite, sample.id), encode([sample.doc, sample.target])
    known = docs.get(key)
    if known is None:
        task = _task(ids.task(file.suite, sample.id), file.suite, sample)
        known = docs[key] = _Doc(task, file.suite, sample.id, f"{file.name}:{line}", prints)
    elif known.prints != prints:
        raise ShapeError(f"document {sample.id!r} differs from the one in {known.where}")
    known.filters[sample.filter] = None


def _task(task_id: str, suite: str, sample: Sample) -> Task:
    choices = sample.choices()
    context = {"doc": sample.doc}
    if choices is not None:
        context["choices"] = choices
    if (requests := sample.further_requests()) is not None:
        context["requests"] = requests
    return Task(
        id=task_id,
        category=suite,
        group=suite,
        scorer="published" if choices is None else "multiple_choice",
        turns=prompt_turns(sample.prompt()),
        key_kind=KeyKind.MISSING if sample.target is None else KeyKind.VALUE,
        key=sample.target,
        context=context,
    )


def parse_lm_eval_outputs(path: Path, entries: Collection[str] | None) -> ParsedOutputs:
    """Outputs of one samples file or of all in a folder, read while they are asked for.

    Raises:
        InputError: There is no samples file.
    """
    with open_logs(path) as source:
        files = sample_files(source, path)
    parsed = ParsedOutputs(iter(()))
    parsed.outputs = _outputs(path, files, entries, parsed.rejected)
    return parsed


def _outputs(
    path: Path,
    files: list[SampleFile],
    entries: Collection[str] | None,
    rejected: list[RejectedRow],
) -> Iterator[Output]:
    ids = LogIds([file.suite for file in files], entries)
    with open_logs(path) as source:
        filters: dict[str, dict[str, None]] = {}
        for file in files:
            filters.setdefault(file.suite, {}).update(filters_of(source, file))
        for file in files:
            yield from _of_file(source, path, file, ids, filters[file.suite], rejected)


def _of_file(
    source: Source,
    path: Path,
    file: SampleFile,
    ids: LogIds,
    filters: dict[str, None],
    rejected: list[RejectedRow],
) -> Iterator[Output]:
    seen: dict[tuple[str, str], int] = {}
    model = model_of(source, path, file, rejected)
    for line, sample in read_samples(source, file, rejected):
        try:
            pair = (sample.id, sample.filter)
            if first := seen.get(pair):
                again = f"{sample.id!r} under filter {sample.filter!r}"
                raise ShapeError(f"a second output for {again}; the first is in line {first}")
            outputs = sample.outputs(
                ids.entry(file.suite, sample.id, sample.filter, filters), model
            )
        except ShapeError as error:
            rejected.append(RejectedRow(file.name, line, str(error)))
            continue
        seen[pair] = line
        yield from outputs
