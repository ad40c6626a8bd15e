"""A few real BFCL tasks with the invented results beside them, for looking at the desk."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from audit_app.domain.benchmark import Entry, Output, OutputStatus, Task
from audit_app.importers.bfcl import parse_bfcl
from audit_app.services.task_views import TaskView, group_outputs

WANTED = (
    "live_multiple_209-91-3",
    "multi_turn_miss_param_143",
    "irrelevance_228",
    "memory_60-student-0",
    "web_search_54",
    "multi_turn_miss_func_59",
    "multi_turn_long_context_166",
    "live_irrelevance_558-171-0",
    "parallel_multiple_70",
    "simple_java_12",
    "live_relevance_3-3-0",
)


def sample_views(folder: Path) -> list[TaskView]:
    """Views of the tasks above, and of one of each scenario and category besides."""
    parsed = parse_bfcl(folder)
    tasks = {task.id: task for task in parsed.tasks}
    memory = [task for task in tasks if task.startswith("memory_")][::31]
    chosen = [tasks[task] for task in (*WANTED, *memory) if task in tasks]
    entries: dict[str, list[Entry]] = {}
    for task_id, entry in parsed.entries:
        entries.setdefault(task_id, []).append(entry)
    documents = {document.id: document.body for document in parsed.documents}
    outputs = list(_outputs(folder.parent / "bfcl_v4_invented_results"))
    return [_view(task, entries.get(task.id, []), documents, outputs) for task in chosen]


def _view(
    task: Task, entries: list[Entry], documents: dict[str, object], outputs: list[Output]
) -> TaskView:
    ids = {entry.id for entry in entries}
    return TaskView(
        task=task,
        entries=tuple(entries),
        documents={name: documents[name] for name in task.documents},
        groups=group_outputs(task, [o for o in outputs if o.entry_id in ids]),
        stratum=task.group,
        simulated=True,
    )


def _outputs(folder: Path) -> Iterator[Output]:
    failed: dict[tuple[str, str], tuple[str, str]] = {}
    for path in folder.glob("score/*/**/*_score.json"):
        model = path.relative_to(folder / "score").parts[0]
        for line in path.read_text("utf-8").splitlines()[1:]:
            row = json.loads(line)
            error = row.get("error")
            inner = error if isinstance(error, dict) else {}
            code = row.get("error_type") or inner.get("error_type", "")
            reason = inner.get("error_message", "") if inner else error
            text = reason if isinstance(reason, str) else json.dumps(reason, ensure_ascii=False)
            failed[model, row["id"]] = (code, text.strip('[]"'))
    for path in folder.glob("result/*/**/*_result.json"):
        model = path.relative_to(folder / "result").parts[0]
        for line in path.read_text("utf-8").splitlines():
            row = json.loads(line)
            code, reason = failed.get((model, row["id"]), ("valid", ""))
            yield Output(
                entry_id=row["id"],
                model=model,
                body=row["result"],
                status=OutputStatus.ERROR if "traceback" in row else OutputStatus.ANSWER,
                passed=(model, row["id"]) not in failed,
                reason_code=code,
                reason=reason,
            )
