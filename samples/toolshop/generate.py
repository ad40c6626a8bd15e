"""Writes the benchmark beside this file: ``python -m samples.toolshop.generate``.

The same source gives the same bytes on every machine: nothing depends on the clock, on the order
of sets, or on a generator other than ``dice``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from samples.toolshop.models import simulate
from samples.toolshop.tasks import build_tasks

HERE = Path(__file__).parent


def build_files() -> dict[str, bytes]:
    """The generated files: name → content."""
    tasks = build_tasks()
    sheet = [line for task in tasks if (line := task.sheet_line()) is not None]
    return {
        "tasks.jsonl": _lines(task.record() for task in tasks),
        "outputs.jsonl": _lines(simulate(tasks)),
        "answer_sheet.jsonl": _lines(sheet),
    }


def _lines(rows: Iterable[dict[str, object]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()


def main() -> None:
    """Write every generated file."""
    for name, content in build_files().items():
        (HERE / name).write_bytes(content)


if __name__ == "__main__":
    main()
