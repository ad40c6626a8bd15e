"""A report in all formats: 2,000 tasks, all reviewed, 30 % defective, notes of 5 KB."""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

from audit_app.domain.benchmark import (
    BenchmarkVersion,
    Entry,
    KeyKind,
    Message,
    Output,
    OutputSource,
    Task,
)
from audit_app.domain.sampling import SamplingPlan
from audit_app.services.context import Services, open_services
from audit_app.settings import Settings
from audit_app.storage.benchmarks import BenchmarkRepository, encode_benchmark
from audit_app.storage.outputs import OutputRepository

TASKS = 2_000
DEFECTIVE_EVERY = (0, 3, 7)
"""Last digits of the defective tasks: 30 %."""
NOTE = ("The prompt asks for a *window* seat | aisle, and the key refuses `window`. " * 70)[:5_000]
MODELS = ("ann", "bob", "cy", "dee")
ROUNDS = 3
NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
TOOL = {
    "name": "book",
    "description": "Books a seat.",
    "parameters": {
        "type": "dict",
        "properties": {"seat": {"type": "string", "description": ""}},
        "required": ["seat"],
    },
}


def _task(number: int) -> Task:
    return Task(
        id=f"seat_{number:04}",
        category=f"c{number % 8}",
        group=f"c{number % 8}",
        scorer="bfcl-ast",
        turns=((Message("user", f"Book seat {number}, please, by the window. " * 6),),),
        tools=(TOOL,),
        key_kind=KeyKind.CALLS,
        key=[{"book": {"seat": [f"A{number}"]}}],
    )


def _outputs(number: int) -> Iterator[Output]:
    for place, model in enumerate(MODELS):
        seat = f"A{number}" if (number + place) % 3 else f"window {number}"
        body = f'[book(seat="{seat}")]'
        passed = seat.startswith("A")
        yield Output(entry_id=f"seat_{number:04}", model=model, body=body, passed=passed)


def fill(services: Services, folder: Path) -> None:
    """Store benchmark, outputs, the audit of all tasks, and one review a task."""
    tasks = [_task(number) for number in range(TASKS)]
    encoded = encode_benchmark(tasks, [(task.id, Entry(task.id)) for task in tasks], [])
    version = BenchmarkVersion(
        name="seats",
        content_hash=encoded.content_hash,
        format="table",
        rules="",
        source="seats.jsonl",
        imported_at=NOON,
        imported_by="bench",
        tasks=TASKS,
        entries=TASKS,
    )
    stored = BenchmarkRepository(services.workspace).add(version, encoded)
    source = OutputSource(
        format="table",
        source="outputs.jsonl",
        imported_at=NOON,
        imported_by="bench",
        models=MODELS,
        outputs=len(MODELS) * TASKS,
    )
    OutputRepository(services.workspace, stored.key).add(
        (output for number in range(TASKS) for output in _outputs(number)),
        source=lambda _: source,
    )
    plan = SamplingPlan(size=TASKS, widen_to=TASKS, seed="bench", stratify_by=("group",))
    services.audits.create("seats", "seats", services.audits.preview("seats", plan))
    file = folder / "reviews.jsonl"
    file.write_text("".join(json.dumps(_review(n)) + "\n" for n in range(TASKS)), encoding="utf-8")
    services.review_files.import_file("seats", file)


def _review(number: int) -> dict[str, object]:
    row: dict[str, object] = {"task_id": f"seat_{number:04}", "reviewer": "ada"}
    if number % 10 not in DEFECTIVE_EVERY:
        return {**row, "judgement": "clean"}
    proposed = [{"book": {"seat": [f"A{number}", f"window {number}"]}}]
    return {
        **row,
        "judgement": "defect",
        "effects": ["FN"],
        "cause": "K3",
        "severity": 2,
        "state": "confirmed",
        "note": NOTE,
        "evidence": [f"https://seats.example/{number}"],
        "proposed_key": json.dumps(proposed) if number % 2 else None,
    }


def run() -> None:
    """Print how long gathering and writing take."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = Settings(db=folder / "assay.db", reviewer="bench", cache=folder)
        with open_services(settings) as services:
            fill(services, folder)
        times: list[float] = []
        files: list[Path] = []
        for _ in range(ROUNDS):
            with open_services(settings) as services:
                start = time.perf_counter()
                files = services.reports.write("seats", folder / "out")
                times.append(time.perf_counter() - start)
        size = sum(path.stat().st_size for path in files)
    print(  # noqa: T201
        f"report of {TASKS:,} tasks in all formats: {median(times):.2f} s "
        f"(median of {ROUNDS}; {len(files)} files, {size / 1e6:.1f} MB)"
    )


if __name__ == "__main__":
    run()
