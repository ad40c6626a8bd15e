"""Verdicts on outputs by model and entry: those of a finished run, or the published ones.

A verdict is None where there is none: a failed request is no answer, and what cannot be graded here
keeps its published grade if it has one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import msgspec

from audit_app.domain.benchmark import Entry, Output, OutputStatus
from audit_app.storage.workspace import Workspace

_VERDICT = (
    "case when ?1 is null then o.passed when g.status = 'graded' then g.passed "
    "when g.status = 'not_graded' then o.passed end"
)
_FROM = (
    "from tasks t join entries e on e.task = t.key join outputs o on o.entry = e.key "
    "join models m on m.key = o.model "
    "left join grades g on g.run = ?1 and g.output = o.key where t.benchmark = ?2"
)


class EntryShare(NamedTuple):
    """A model's result on one entry.

    Attributes:
        model: Its name.
        entry_id: The entry.
        share: Share of its trials with a verdict that passed; None where none has one.
    """

    model: str
    entry_id: str
    share: float | None


class FiledOutput(NamedTuple):
    """An output of one task with the verdict on it.

    Attributes:
        output: The output.
        is_stored: Whether there is an output at all; a table of outcomes has none.
        status: Status of its grade in the run, empty where it has none.
        passed: What the run says, whatever the status.
        reason_code: The run's reason code.
    """

    output: Output
    is_stored: bool
    status: str
    passed: bool
    reason_code: str

    @property
    def is_counted(self) -> bool:
        """Whether the model's score has it: a failed request only where the benchmark graded it."""
        is_graded_error = self.status == "error" and bool(self.output.reason_code)
        return self.status == "graded" or is_graded_error

    @property
    def verdict(self) -> bool | None:
        """The run's verdict; the published one where it cannot be graded here, else None."""
        if self.status == "graded":
            return self.passed
        return self.output.passed if self.status == "not_graded" else None


class VerdictRepository:
    """Reads verdicts of one benchmark version.

    Args:
        workspace: The workspace.
        benchmark: Key of the version.
        run: Key of the run whose grades are taken; None takes the published ones.
    """

    def __init__(self, workspace: Workspace, benchmark: int, run: int | None) -> None:
        self._workspace = workspace
        self._parameters = (run, benchmark)

    def entries(self) -> Iterator[tuple[str, Entry]]:
        """(task id, entry) of every scored entry, in the order of the import."""
        for task_id, id_, weight in self._workspace.each(
            "select t.id, e.id, e.weight from entries e join tasks t on t.key = e.task "
            "where e.benchmark = ? order by e.key",
            self._parameters[1:],
        ):
            yield task_id, Entry(id_, weight)

    def models(self) -> list[str]:
        """Models with an output, by name."""
        rows = self._workspace.rows(
            "select name from models where benchmark = ? order by name", self._parameters[1:]
        )
        return [row[0] for row in rows]

    def shares(self, task_ids: Iterable[str] | None = None) -> Iterator[EntryShare]:
        """Every model's result on every entry, of all tasks or of those that are named."""
        select = f"select m.name, e.id, avg({_VERDICT}) {_FROM}"
        if task_ids is None:
            yield from map(
                EntryShare._make,
                self._workspace.each(f"{select} group by m.key, e.key", self._parameters),
            )
            return
        for task_id in task_ids:
            rows = self._workspace.rows(
                f"{select} and t.id = ?3 group by m.key, e.key",
                (*self._parameters, task_id),
            )
            yield from map(EntryShare._make, rows)

    def failed_by_task(self, task_ids: Iterable[str]) -> dict[str, int]:
        """Task id → outputs that are failed requests, for those of the tasks that have one."""
        return self._counts("o.status = 'error'", task_ids)

    def late_by_task(self, task_ids: Iterable[str]) -> dict[str, int]:
        """Task id → outputs that the run has not graded, as they were imported after it."""
        return self._counts("?1 is not null and g.run is null", task_ids)

    def _counts(self, condition: str, task_ids: Iterable[str]) -> dict[str, int]:
        select = f"select count(*) {_FROM} and {condition} and t.id = ?3"
        counts = {t: self._workspace.rows(select, (*self._parameters, t))[0][0] for t in task_ids}
        return {task_id: count for task_id, count in counts.items() if count}

    def of_task(self, task_id: str) -> list[FiledOutput]:
        """All outputs for the entries of a task with their verdicts, by model."""
        rows = self._workspace.rows(
            "select e.id, m.name, o.trial, o.status, o.body, o.passed, o.reason_code, o.reason, "
            "g.status, g.passed, g.reason_code, "
            "o.body <> 'null' or (select s.format from output_sources s where s.key = o.source) "
            f"<> 'table' {_FROM} and t.id = ?3 order by m.name, e.key, o.trial",
            (*self._parameters, task_id),
        )
        with self._workspace.decoding():
            return [_filed(row) for row in rows]


def _filed(row: Sequence[object]) -> FiledOutput:
    entry, model, trial, status, body, passed, code, reason, graded, ours, our_code, stored = row
    output = Output(
        entry_id=str(entry),
        model=str(model),
        trial=int(str(trial)),
        status=OutputStatus(str(status)),
        body=msgspec.json.decode(str(body)),
        passed=None if passed is None else bool(passed),
        reason_code=str(code),
        reason=str(reason),
    )
    return FiledOutput(
        output,
        bool(stored),
        str(graded or ""),
        bool(ours),
        "" if our_code is None else str(our_code),
    )
