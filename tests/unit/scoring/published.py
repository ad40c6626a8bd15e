"""Published grades of 2024: the result and score files of one model, joined by task id."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from audit_app.domain.benchmark import Task
from audit_app.scoring.detection import GradedOutput

CATEGORIES = (
    "simple",
    "multiple_function",
    "parallel_function",
    "parallel_multiple_function",
    "java",
    "javascript",
    "relevance",
)


def graded_outputs(
    folder: Path, model: str, tasks: Mapping[str, Task], categories: tuple[str, ...] = CATEGORIES
) -> Iterator[GradedOutput]:
    """Outputs of a model; score files list failures alone, by ids that count from 1."""
    for category in categories:
        lines = (folder / "score" / model / f"{category}_score.json").read_text("utf-8")
        failed = {f["id"] - 1: f["error_type"] for f in map(json.loads, lines.splitlines()[1:])}
        name = f"gorilla_openfunctions_v1_test_{category}_result.json"
        results = (folder / "result" / model / name).read_text("utf-8").splitlines()
        for place, line in enumerate(results):
            yield GradedOutput(
                task=tasks[f"{category}_{place}"],
                body=json.loads(line)["result"],
                passed=place not in failed,
                reason_code=failed.get(place, ""),
            )
