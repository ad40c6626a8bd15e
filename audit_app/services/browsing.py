"""Looking at any task of a benchmark, in the sample or not; nothing here can be judged.

A task that stands in the viewer's own queue is named but not shown: its place is the review. So
nobody sees a key there before judging it, and a planted check, which stands in the queue under
another key than the published one, cannot be told from any other task of the queue.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from pathlib import Path

from audit_app.domain.benchmark import BenchmarkVersion, Task, encode
from audit_app.services.task_views import TaskView, group_outputs
from audit_app.services.view_grading import screen_grader
from audit_app.storage.audits import AuditRepository
from audit_app.storage.benchmarks import BenchmarkRepository, StoredBenchmark
from audit_app.storage.outputs import OutputRepository
from audit_app.storage.task_search import FoundTask, Outcome, TaskSearch
from audit_app.storage.workspace import Workspace

PAGE = 50
"""Tasks a page."""
_EXCERPT = 200


@dataclass(frozen=True)
class TaskQuery:
    """Which tasks are looked for.

    Attributes:
        text: Words, all of which must stand in id, prompt, tools or key, whatever their case.
        category: Only this category; empty for all.
        group: Only this group; empty for all.
    """

    text: str = ""
    category: str = ""
    group: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """The words of the text."""
        return tuple(self.text.split())


@dataclass(frozen=True)
class TaskRow:
    """One task of a list.

    Attributes:
        task_id: Its id.
        category: Its category.
        group: Its group.
        excerpt: The beginning of its prompt, on one line.
        outcome: How its outputs fared, None for a task of the viewer's queue.
        audit: The audit in whose queue it stands for the viewer, empty for none.
    """

    task_id: str
    category: str
    group: str
    excerpt: str
    outcome: Outcome | None
    audit: str = ""


@dataclass(frozen=True)
class TaskPage:
    """One page of the tasks that were found.

    Attributes:
        benchmark: The version they belong to.
        rows: The tasks, in the order of the import.
        found: How many tasks were found in all.
        page: Number of this page, from 1.
        pages: Number of pages, at least 1.
        categories: Category → number of tasks, over the whole benchmark.
        groups: Group → number of tasks, over the whole benchmark.
        is_scored: Whether the outputs were graded here; else published grades are counted.
    """

    benchmark: BenchmarkVersion
    rows: tuple[TaskRow, ...]
    found: int
    page: int
    pages: int
    categories: Mapping[str, int]
    groups: Mapping[str, int]
    is_scored: bool


@dataclass(frozen=True)
class OpenedTask:
    """One task, and its place among those that were found.

    Attributes:
        row: The task.
        view: What is shown of it, None for a task of the viewer's queue.
        position: Its number among those found, from 1; None where it is not among them.
        found: How many were found.
        previous: The one before it, empty for none.
        next: The one after it, empty for none.
        page: The page of the list on which it stands.
    """

    row: TaskRow
    view: TaskView | None
    position: int | None
    found: int
    previous: str = ""
    next: str = ""
    page: int = 1


def browsed_benchmark(
    workspace: Workspace, *, benchmark: str = "", audit: str = ""
) -> StoredBenchmark:
    """The version to look at: the one that is named, else the one that the audit is pinned to.

    Raises:
        NotFoundError: There is no such benchmark, or no such audit.
    """
    repository = BenchmarkRepository(workspace)
    if benchmark:
        return repository.find(benchmark)
    return repository.by_key(AuditRepository(workspace).find(audit).benchmark)


class BrowsingService:
    """Lists, finds and shows the tasks of one benchmark version.

    Args:
        workspace: The open workspace.
        benchmark: The version.
        queue_of: Audit → ids of the tasks in the viewer's queue.
        cache: Where fetched packages lie, for grading multi-turn tasks.
    """

    def __init__(
        self,
        workspace: Workspace,
        benchmark: StoredBenchmark,
        queue_of: Callable[[str], Collection[str]],
        cache: Path = Path(),
    ) -> None:
        self._workspace, self._cache = workspace, cache
        self._benchmark, self._queue_of = benchmark, queue_of
        self._repository = BenchmarkRepository(workspace)
        self._search = TaskSearch(workspace, benchmark.key)

    @cached_property
    def _queued(self) -> Mapping[str, str]:
        """Task id → the latest audit in whose queue it stands for the viewer."""
        audits = reversed(self._search.audits())
        return {task_id: audit for audit in audits for task_id in self._queue_of(audit)}

    def _found(self, query: TaskQuery) -> list[FoundTask]:
        return self._search.find(
            query.words, category=query.category, group=query.group, keys_hidden=self._queued
        )

    def tasks(self, query: TaskQuery, *, page: int = 1, size: int = PAGE) -> TaskPage:
        """One page of the tasks that the query finds; a page that is not there is the last one."""
        found = self._found(query)
        pages = max(1, ceil(len(found) / size))
        page = min(max(1, page), pages)
        shown = found[(page - 1) * size : page * size]
        ids = [task.task_id for task in shown]
        outcomes = self._search.outcomes(ids)
        bodies = self._repository.tasks(self._benchmark.key, ids)
        return TaskPage(
            benchmark=self._benchmark.version,
            rows=tuple(self._row(bodies[id_], outcomes.get(id_, Outcome())) for id_ in ids),
            found=len(found),
            page=page,
            pages=pages,
            categories=self._repository.counts(self._benchmark.key, "category"),
            groups=self._repository.counts(self._benchmark.key, "grp"),
            is_scored=self._search.is_scored(),
        )

    def _row(self, task: Task, outcome: Outcome | None = None) -> TaskRow:
        audit = self._queued.get(task.id, "")
        return TaskRow(
            task_id=task.id,
            category=task.category,
            group=task.group,
            excerpt=_excerpt(task),
            outcome=None if audit else outcome,
            audit=audit,
        )

    def open(self, task_id: str, query: TaskQuery) -> OpenedTask:
        """One task, with its neighbours among those that the query finds.

        Raises:
            NotFoundError: The benchmark has no such task.
        """
        task = self._repository.task(self._benchmark.key, task_id)
        row = self._row(task)
        opened = OpenedTask(
            row=row, view=None if row.audit else self._view(task), position=None, found=0
        )
        ids = [found.task_id for found in self._found(query)]
        if task_id not in ids:
            return replace(opened, found=len(ids))
        at = ids.index(task_id)
        return replace(
            opened,
            position=at + 1,
            found=len(ids),
            previous=ids[at - 1] if at else "",
            next=ids[at + 1] if at + 1 < len(ids) else "",
            page=at // PAGE + 1,
        )

    def _view(self, task: Task) -> TaskView:
        key = self._benchmark.key
        outputs = OutputRepository(self._workspace, key)
        grader = screen_grader(self._workspace, self._benchmark, self._cache)
        return TaskView(
            task=task,
            entries=self._repository.entries(key, task.id),
            documents=self._repository.documents(key, task.documents),
            groups=group_outputs(task, outputs.of_task(task.id), grader),
            simulated=any(source.simulated for source in outputs.sources()),
        )


def _excerpt(task: Task) -> str:
    """What the user says first, as much of it as one line can hold."""
    messages = [message for turn in task.turns for message in turn]
    said = [m for m in messages if m.role == "user"] or messages
    if not said:
        return ""
    content = said[0].content
    text = content if isinstance(content, str) else encode(content).decode()
    return " ".join(text[: 4 * _EXCERPT].split())[:_EXCERPT]
