"""Finished trials of one invented task, graded, for tests of what shows them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from audit_app.domain.conditions import Condition, Endpoint, EndpointKind
from audit_app.domain.live_jobs import Job, StoredTrial
from audit_app.domain.trials import CompletionStatus
from audit_app.services.live_grading import TrialGrader
from audit_app.services.live_groups import GradedTask
from tests.unit.scoring.keys import calls_task, tool

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
ENDPOINT = Endpoint(name="house", url="http://127.0.0.1:8080/v1")
TASK = calls_task(tool("book", ("day",), day="string"), key=[{"book": {"day": ["Monday"]}}])
PROPOSED = '[{"book": {"day": ["Monday", "Mon"]}}]'


def call(day: str) -> list[dict[str, str]]:
    """An output that books a day."""
    return [{"book": f'{{"day": "{day}"}}'}]


def job(model: str = "m", **fields: Any) -> Job:
    condition = Condition(model=model, endpoint=ENDPOINT.url, provider=EndpointKind.OPENAI)
    given = {"id": f"job-of-{model}", "tasks": ("t",), "trials": 5, **fields}
    return Job(
        benchmark=1,
        endpoint=ENDPOINT,
        condition=condition,
        created_at=NOW,
        created_by="ada",
        **given,
    )


def trial(
    of: Job,
    number: int,
    output: Any,
    status: CompletionStatus = CompletionStatus.OK,
    error: str = "",
) -> StoredTrial:
    return StoredTrial(
        id=f"{of.id}-{number}",
        job=of.id,
        task_id="t",
        trial=number,
        status=status,
        output=output,
        form="fc",
        error=error,
        questions=(),
        follow_ups=0,
        ended_at=NOW,
    )


def graded(
    trials: Sequence[tuple[Job, StoredTrial]], proposed: str | None = PROPOSED
) -> GradedTask:
    return TrialGrader("v4", None).grade(TASK, trials, proposed)


def answered(model: str, *outputs: Any) -> list[tuple[Job, StoredTrial]]:
    """A job with these outputs, one a trial."""
    of = job(model)
    return [(of, trial(of, number, output)) for number, output in enumerate(outputs, 1)]
