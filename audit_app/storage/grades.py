"""Grades in the workspace: one run of the scorers over all outputs of a benchmark.

A run is begun, filled and finished; what was graded stays with its run, so an earlier grade remains
readable. A run that was cut short is taken up where it stopped. Reasons are not stored: they
follow from task, key and output, and are made again when somebody looks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

import msgspec

from audit_app.domain.benchmark import Output, OutputStatus, Task, encode
from audit_app.storage.workspace import Workspace


@dataclass(frozen=True)
class ScoreRun:
    """One run of the scorers.

    Attributes:
        key: Its key in this workspace.
        rules: Rule version it grades by.
        readings: Model → how its outputs are read (form, dots to underscores).
        version: Version of Assay.
        started_at: When it began.
        finished_at: When it was done, None while it is not.
    """

    key: int
    rules: str
    readings: Mapping[str, Mapping[str, object]]
    version: str
    started_at: datetime
    finished_at: datetime | None


class GradedRow(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is stored of one grade."""

    output: int
    status: str
    passed: bool
    reason_code: str


@dataclass(frozen=True)
class ModelTotals:
    """A model's grades in one run.

    Attributes:
        model: Its name.
        passed: Outputs that passed by the benchmark's rules, with the failed requests it graded.
        graded: Outputs with a verdict by them, with the failed requests it graded.
        errors: Failed requests: not answers, whatever the benchmark makes of them.
        not_graded: Outputs that cannot be graded here.
        raises: Outputs on which the benchmark's own checker would stop.
        agree: Verdicts that are the published ones.
        published: Outputs with a published verdict.
    """

    model: str
    passed: int
    graded: int
    errors: int
    not_graded: int
    raises: int
    agree: int
    published: int


@dataclass(frozen=True)
class Disagreement:
    """An output whose published grade is not ours."""

    model: str
    entry_id: str
    trial: int
    published: bool
    published_code: str
    ours: bool
    status: str
    reason_code: str


_FEW = 200
"""Outputs without a grade that are enough to see the form of all."""
_OF_MODEL = (
    "from models m cross join entries e on e.benchmark = m.benchmark "
    "join outputs o on o.entry = e.key and o.model = m.key "
    "where m.benchmark = ? and m.name = ? and o.status = 'answer'"
)
_PUBLISHED = (
    "case when o.status = 'error' then case o.reason_code when '' then null "
    "else o.reason_code = 'valid' end else o.passed end"
)
"""The benchmark's verdict: a failed request keeps it in its reason code, since it is no answer."""
_COUNTED = f"(g.status = 'graded' or (g.status = 'error' and ({_PUBLISHED}) is not null))"
"""Verdicts that are in a model's score: a failed request only where the benchmark graded it."""


_SHAPES = 200
"""Outputs that show what shape a model's outputs have, where no grade has to be reproduced."""


class GradeRepository:
    """Reads and writes the grades of one benchmark version."""

    def __init__(self, workspace: Workspace, benchmark: int) -> None:
        self._workspace = workspace
        self._benchmark = benchmark

    def models(self) -> list[str]:
        """Models with an output, by name."""
        rows = self._workspace.rows(
            "select name from models where benchmark = ? order by name", (self._benchmark,)
        )
        return [row[0] for row in rows]

    def published(self, model: str, *, most: int) -> list[tuple[Task, Output]]:
        """Outputs of a model with a published grade, spread evenly over its tasks, at most so many.

        Where there is none, a few outputs without a grade.
        """
        ((answers, graded),) = self._workspace.rows(
            f"select count(*), count(o.passed) {_OF_MODEL}", (self._benchmark, model)
        )
        most = most if graded else min(most, _FEW)
        step = max(1, (graded or answers) // most)
        condition = "o.passed is not null" if graded else "1"
        tasks: dict[int, Task] = {}
        found = []
        rows = self._workspace.each(
            f"select o.key {_OF_MODEL} and {condition} order by e.key, o.trial",
            (self._benchmark, model),
        )
        for (key,) in islice(rows, 0, most * step, step):
            for task, *output in self._workspace.rows(
                "select e.task, e.id, o.trial, o.status, o.body, o.passed, o.reason_code "
                "from outputs o join entries e on e.key = o.entry where o.key = ?",
                (key,),
            ):
                if task not in tasks:
                    tasks[task] = self._task(task)
                found.append((tasks[task], _output(model, output)))
        return found

    def _task(self, key: int) -> Task:
        (row,) = self._workspace.rows("select body from tasks where key = ?", (key,))
        with self._workspace.decoding():
            return _task_decoder.decode(row[0])

    def unfinished(self, rules: str, version: str) -> ScoreRun | None:
        """The run of these rules that was cut short, None where there is none."""
        runs = self._runs("finished_at is null and rules = ? and version = ?", (rules, version))
        return runs[0] if runs else None

    def latest(self) -> ScoreRun | None:
        """The last run that was finished."""
        runs = self._runs("finished_at is not null", ())
        return runs[0] if runs else None

    def _runs(self, condition: str, parameters: tuple[object, ...]) -> list[ScoreRun]:
        rows = self._workspace.rows(
            "select key, rules, readings, version, started_at, finished_at from score_runs "
            f"where benchmark = ? and {condition} order by key desc",
            (self._benchmark, *parameters),
        )
        return [
            ScoreRun(
                key=r[0],
                rules=r[1],
                readings=msgspec.json.decode(r[2]),
                version=r[3],
                started_at=datetime.fromisoformat(r[4]),
                finished_at=None if r[5] is None else datetime.fromisoformat(r[5]),
            )
            for r in rows
        ]

    def begin(
        self,
        rules: str,
        readings: Mapping[str, Mapping[str, object]],
        version: str,
        *,
        at: datetime,
    ) -> ScoreRun:
        """A new run, with nothing graded yet."""
        with self._workspace.write():
            key = self._workspace.run(
                "insert into score_runs (benchmark, rules, readings, version, started_at) "
                "values (?, ?, ?, ?, ?)",
                (self._benchmark, rules, encode(readings).decode(), version, at.isoformat()),
            )
        return ScoreRun(key, rules, readings, version, at, None)

    def add(self, run: int, rows: Sequence[GradedRow]) -> None:
        """Store a batch of grades, or none of it; large ones cost less a grade than small ones."""
        with self._workspace.write():
            self._workspace.run_many(
                "insert into grades (run, output, status, passed, reason_code) "
                "values (?, ?, ?, ?, ?) on conflict do nothing",
                (
                    (run, r.output, r.status, int(r.passed), r.reason_code)
                    for r in sorted(rows, key=lambda row: row.output)
                ),
            )

    def finish(self, run: int, *, at: datetime) -> None:
        """Mark a run as done."""
        with self._workspace.write():
            self._workspace.run(
                "update score_runs set finished_at = ? where key = ?", (at.isoformat(), run)
            )

    def totals(self, run: int) -> list[ModelTotals]:
        """Every model's grades, by name."""
        rows = self._workspace.rows(
            "select m.name, "
            f"sum({_COUNTED} and g.passed), sum({_COUNTED}), "
            "sum(g.status = 'error'), sum(g.status = 'not_graded'), sum(g.status = 'raises'), "
            f"sum({_COUNTED} and g.passed = ({_PUBLISHED})), "
            f"sum(({_PUBLISHED}) is not null) "
            "from grades g join outputs o on o.key = g.output join models m on m.key = o.model "
            "where g.run = ? group by m.name order by m.name",
            (run,),
        )
        return [ModelTotals(*row) for row in rows]

    def disagreements(self, run: int) -> list[Disagreement]:
        """Outputs whose published grade is not ours, by model and entry."""
        rows = self._workspace.rows(
            f"select m.name, e.id, o.trial, ({_PUBLISHED}) as published, o.reason_code, g.passed, "
            "g.status, g.reason_code from grades g join outputs o on o.key = g.output "
            "join models m on m.key = o.model join entries e on e.key = o.entry "
            "where g.run = ? and published is not null and g.status <> 'not_graded' "
            "and (g.status = 'raises' or g.passed <> published) order by m.name, e.key, o.trial",
            (run,),
        )
        return [
            Disagreement(r[0], r[1], r[2], bool(r[3]), r[4], bool(r[5]), r[6], r[7]) for r in rows
        ]


_task_decoder = msgspec.json.Decoder(Task)


def _output(model: str, row: Sequence[object]) -> Output:
    entry_id, trial, status, body, passed, reason_code = row
    return Output(
        entry_id=str(entry_id),
        model=model,
        trial=int(str(trial)),
        status=OutputStatus(str(status)),
        body=msgspec.json.decode(str(body)),
        passed=None if passed is None else bool(passed),
        reason_code=str(reason_code),
    )
