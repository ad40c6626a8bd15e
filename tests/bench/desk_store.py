"""A store as large as a real one: generated tasks with calls for keys, and what 14 models said."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeAlias

from audit_app.domain.sampling import SamplingPlan
from audit_app.services.context import Services, open_services
from audit_app.settings import Settings

BENCHMARK = "harbour"
MODELS = tuple(f"sim-{name}" for name in (
    "alder", "aspen", "beech", "birch", "cedar", "elm", "fir", "hazel", "larch", "maple", "oak",
    "pine", "rowan", "yew",
))  # fmt: skip
GROUPS = ("single", "parallel", "mixed", "live")
CALLS = 5
"""Calls of a key; with their notes an output is about 1 KB."""

Call: TypeAlias = dict[str, Any]
_BERTHS = ("North Mole", "Old Quay", "Grain Pier", "Lock Basin")
_NOTES = (
    "The agent asks for shore power and a gangway that is clear before the tide turns.",
    "Reefers stay plugged in; the chief engineer signs for each of them on the quay side.",
    "Two pilots come aboard at the outer buoy, and the tugs wait until the lines are fast.",
)


def _tool(name: str, text: str, **properties: Any) -> dict[str, Any]:
    parameters = {"type": "dict", "properties": properties, "required": list(properties)[:3]}
    return {"name": name, "description": text, "parameters": parameters}


_TOOLS = [
    _tool(
        "harbour.book_berth",
        "Books a berth for a ship.",
        ship={"type": "string", "description": "Name of the ship."},
        berth={"type": "string", "description": "The berth.", "enum": list(_BERTHS)},
        hours={"type": "integer", "description": "How long it stays, in hours."},
        day={"type": "string", "description": "Day of arrival, YYYY-MM-DD."},
        note={"type": "string", "description": "What the berth master is to know."},
    ),
    _tool(
        "harbour.cancel_berth",
        "Cancels a booking.",
        ship={"type": "string", "description": "Name of the ship."},
        day={"type": "string", "description": "Day of arrival, YYYY-MM-DD."},
    ),
]


def _calls(chance: random.Random) -> list[Call]:
    return [
        {
            "ship": f"MV {chance.choice('ABCDEFGH')}{chance.randrange(1_000)}",
            "berth": chance.choice(_BERTHS),
            "hours": chance.randrange(4, 96),
            "day": f"2026-{chance.randrange(1, 13):02}-{chance.randrange(1, 29):02}",
            "note": chance.choice(_NOTES),
        }
        for _ in range(CALLS)
    ]


def _written(calls: list[Call]) -> str:
    said = (", ".join(f"{name}={value!r}" for name, value in call.items()) for call in calls)
    return f"[{', '.join(f'harbour.book_berth({arguments})' for arguments in said)}]"


def _answer(calls: list[Call], chance: random.Random) -> tuple[str, bool]:
    """What a model says, and whether that is right: six of ten are, the others go wrong somehow."""
    first, rest = calls[0], calls[1:]
    match chance.choices(["right", "hours", "missing", "berth", "prose"], (60, 14, 10, 10, 6))[0]:
        case "right":
            return _written(calls), True
        case "hours":
            return _written(
                [{**first, "hours": first["hours"] + chance.randrange(1, 4)}, *rest]
            ), False
        case "missing":
            return _written(rest), False
        case "berth":
            return _written([*rest, {**first, "berth": "the old one"}]), False
        case _:
            return "I booked them all. " + " ".join(_NOTES * 4), False


def _tasks(number: int) -> Iterator[tuple[dict[str, Any], list[Call]]]:
    for index in range(number):
        calls = _calls(random.Random(index))
        wishes = "; ".join(
            f"{c['ship']} at {c['berth']} for {c['hours']} hours on {c['day']}: {c['note']}"
            for c in calls
        )
        key = [
            {"harbour.book_berth": {name: [value] for name, value in call.items()}}
            for call in calls
        ]
        group = GROUPS[index % len(GROUPS)]
        task = {"id": f"{group}_{index:05}", "category": group, "group": group, "tools": _TOOLS}
        task |= {"prompt": f"Please book: {wishes}", "key": key, "key_kind": "calls"}
        yield {**task, "scorer": "bfcl-ast"}, calls


def _outputs(number: int) -> Iterator[dict[str, Any]]:
    for task, calls in _tasks(number):
        for model in MODELS:
            text, passed = _answer(calls, random.Random(f"{task['id']} {model}"))
            row = {"id": task["id"], "model": model, "output": text, "passed": passed}
            yield row if passed else {**row, "reason": "A call differs from the accepted one."}


def _write(path: Path, rows: Iterator[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    return path


def make_store(folder: Path, *, tasks: int, audits: dict[str, int]) -> Settings:
    """A workspace with the benchmark and audits of it.

    Args:
        folder: Where it lies.
        tasks: How many tasks; every model answers each.
        audits: Name → tasks of its sample.
    """
    settings = Settings(db=folder / "assay.db", reviewer="reviewer 1", cache=folder)
    with open_services(settings) as services:
        services.benchmarks.import_tasks(
            "table",
            _write(folder / "tasks.jsonl", (task for task, _ in _tasks(tasks))),
            name=BENCHMARK,
        )
        services.benchmarks.import_outputs(
            "table", _write(folder / "outputs.jsonl", _outputs(tasks)), benchmark=BENCHMARK
        )
        for name, size in audits.items():
            draw(services, name, size)
    return settings


def draw(services: Services, name: str, size: int) -> None:
    """An audit with a sample of so many tasks."""
    plan = SamplingPlan(size=size, widen_to=size, seed="bench", census_at_or_below=0)
    services.audits.create(name, BENCHMARK, services.audits.preview(BENCHMARK, plan))


def make_large_tasks(folder: Path, *, tasks: int, task_bytes: int, models: int) -> Settings:
    """A workspace of large tasks, all in one audit: half in the prompt, half in the outputs."""
    half = task_bytes // 2
    line = "The vents of bay three stay open until the evening reading is below nineteen. "

    def text(length: int) -> str:
        return (line * (length // len(line) + 1))[:length]

    ids = [f"vent_{i:03}" for i in range(tasks)]
    prompt, answer = text(half), text(half // models)
    settings = Settings(db=folder / "large.db", reviewer="reviewer 1", cache=folder)
    with open_services(settings) as services:
        rows = ({"id": i, "prompt": f"{i} {prompt}", "key": "open"} for i in ids)
        said = (
            {"id": i, "model": f"m{m}", "output": f"{m} {answer}", "passed": m % 2}
            for i in ids
            for m in range(models)
        )
        services.benchmarks.import_tasks(
            "table", _write(folder / "large.jsonl", rows), name=BENCHMARK
        )
        services.benchmarks.import_outputs(
            "table", _write(folder / "large_outputs.jsonl", said), benchmark=BENCHMARK
        )
        draw(services, "large", tasks)
    return settings
