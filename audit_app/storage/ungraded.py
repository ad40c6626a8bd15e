"""Outputs that a run has not graded, in chunks that workers read by themselves.

A chunk is bounded in outputs, whatever the shape of a benchmark: a task with many outputs is cut.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import msgspec

from audit_app.domain.benchmark import Task
from audit_app.storage.workspace import Workspace

_task_decoder = msgspec.json.Decoder(Task)


class Place(NamedTuple):
    """An output by the order in which outputs are graded: task by task."""

    task: int
    output: int


class Chunk(NamedTuple):
    """Outputs that are graded at a time.

    Attributes:
        first: The first one.
        last: The last one.
        outputs: How many there are.
    """

    first: Place
    last: Place
    outputs: int


class Ungraded(NamedTuple):
    """One output that has no grade yet.

    Attributes:
        task: Key of its task.
        key: Its own key.
        model: Name of the model.
        status: An `OutputStatus`.
        body: The raw output as JSON text.
        is_stored: Whether there is an output at all; a table of outcomes has none.
    """

    task: int
    key: int
    model: str
    status: str
    body: str
    is_stored: bool


class UngradedRepository:
    """Reads what one run of the scorers has still to grade."""

    def __init__(self, workspace: Workspace, benchmark: int, run: int) -> None:
        self._workspace, self._benchmark, self._run = workspace, benchmark, run

    def chunks(self, *, size: int) -> list[Chunk]:
        """All that is left, in chunks of at most ``size`` outputs."""
        chunks: list[Chunk] = []
        first = last = None
        held = 0
        for row in self._workspace.each(
            "select e.task, o.key from entries e join outputs o on o.entry = e.key "
            "where e.benchmark = ? and not exists "
            "(select 1 from grades g where g.run = ? and g.output = o.key) "
            "order by e.task, o.key",
            (self._benchmark, self._run),
        ):
            last = Place(*row)
            first = first or last
            held += 1
            if held == size:
                chunks.append(Chunk(first, last, held))
                first, held = None, 0
        if first is not None and last is not None:
            chunks.append(Chunk(first, last, held))
        return chunks

    def tasks(self, chunk: Chunk) -> dict[int, Task]:
        """The tasks of a chunk by their keys."""
        rows = self._workspace.rows(
            "select key, body from tasks where benchmark = ? and key between ? and ?",
            (self._benchmark, chunk.first.task, chunk.last.task),
        )
        with self._workspace.decoding():
            return {key: _task_decoder.decode(body) for key, body in rows}

    def outputs(self, chunk: Chunk) -> Iterator[Ungraded]:
        """The outputs of a chunk, task by task."""
        (first, start), (last, end) = chunk.first, chunk.last
        for row in self._workspace.each(
            "select t.key, o.key, m.name, o.status, o.body, "
            "o.body <> 'null' or s.format <> 'table' "
            "from tasks t join entries e on e.task = t.key join outputs o on o.entry = e.key "
            "join models m on m.key = o.model join output_sources s on s.key = o.source "
            "where t.benchmark = ? and t.key between ? and ? "
            "and (t.key > ? or o.key >= ?) and (t.key < ? or o.key <= ?) and not exists "
            "(select 1 from grades g where g.run = ? and g.output = o.key) order by t.key, o.key",
            (self._benchmark, first, last, first, start, last, end, self._run),
        ):
            yield Ungraded(*row)
