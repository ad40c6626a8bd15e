"""Small benchmarks with outputs, whose verdicts can be read off."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from audit_app.domain.review import Effect, Finding, Judgement, Review
from audit_app.services.context import Services
from audit_app.storage.audits import AuditRepository
from audit_app.storage.reviews import ReviewRepository
from tests.services.conftest import write_tasks

WRONG = "wrong"


def write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def add_outputs(services: Services, folder: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    services.benchmarks.import_outputs(
        "table", write_rows(folder / "outputs.jsonl", rows), benchmark="board"
    )


def board(
    services: Services, folder: Path, groups: dict[str, int], answers: Mapping[str, str]
) -> None:
    """A benchmark whose task ``i`` of a group has the key ``i``, and an audit that reads all.

    Args:
        services: Where to.
        folder: For the files.
        groups: Tasks by group.
        answers: Model → one sign a task: 1 right, 0 wrong, · no output.
    """
    path = write_tasks(folder, groups)
    services.benchmarks.import_tasks("table", path, name="board")
    tasks = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    add_outputs(
        services,
        folder,
        [
            {
                "id": task["id"],
                "model": model,
                "output": task["key"] if sign == "1" else WRONG,
            }
            for model, signs in answers.items()
            for task, sign in zip(tasks, signs, strict=True)
            if sign != "·"
        ],
    )


def audit(services: Services, *, size: int, census: int = 0) -> str:
    """An audit of the board: of ``size`` tasks, or of all where there are at most ``census``."""
    plan = services.audits.default_plan("board").model_copy(
        update={"size": size, "widen_to": size, "census_at_or_below": census, "seed": "s"}
    )
    services.audits.create("a", "board", services.audits.preview("board", plan))
    return "a"


def review(services: Services, findings: Mapping[str, Finding | None]) -> None:
    """Judge tasks of the audit: a finding, or clean."""
    stored = AuditRepository(services.workspace).find("a")
    ReviewRepository(services.workspace, stored.id).add_all(
        Review(
            id=services.clock.new_id(),
            task_id=task_id,
            reviewer="ada",
            reviewed_at=services.clock.now(),
            judgement=Judgement.DEFECT if finding else Judgement.CLEAN,
            findings=(finding,) if finding else (),
        )
        for task_id, finding in findings.items()
    )


def defect(proposed_key: str | None = None) -> Finding:
    return Finding(effects=(Effect.FN,), severity=2, proposed_key=proposed_key)
