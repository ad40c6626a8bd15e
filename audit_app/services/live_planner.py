"""What a job of live trials would be and take, before it is made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from pydantic import SecretStr

from audit_app.domain.benchmark import Task
from audit_app.domain.conditions import Condition, Endpoint
from audit_app.domain.record import Json
from audit_app.errors import InputError, NotFoundError
from audit_app.external.simulators import find_simulators
from audit_app.rerun.endpoints import find_endpoint
from audit_app.rerun.retries import USUAL_RETRIES
from audit_app.services.live_endpoints import has_key, key_hint, opened
from audit_app.services.live_plans import (
    JobPlan,
    TrialAsk,
    asked_condition,
    cost_of,
    estimated,
    plan_warnings,
)
from audit_app.services.task_requests import obstacle
from audit_app.storage.benchmarks import BenchmarkRepository, StoredBenchmark


class JobPlanner:
    """Plans jobs; nothing is stored, and nothing is sent.

    Args:
        benchmarks: The benchmarks of the workspace.
        listed: What the setting ``ASSAY_ENDPOINTS`` lists.
        cache: Where the fetched package with the simulators may lie.
    """

    def __init__(
        self, benchmarks: BenchmarkRepository, listed: Sequence[Endpoint], cache: Path
    ) -> None:
        self._benchmarks, self._listed, self._cache = benchmarks, listed, cache

    def plan(
        self,
        stored: StoredBenchmark,
        task_ids: Iterable[str],
        ask: TrialAsk,
        *,
        audit: str,
        key: SecretStr | None,
        may_read_files: bool,
    ) -> JobPlan:
        """The plan; arguments as those of `LiveTrialService.plan`.

        Raises:
            InputError: A task or setting is not usable, or the endpoint may not be called.
        """
        endpoint = find_endpoint(ask.endpoint, self._listed, may_read_files=may_read_files)
        condition = asked_condition(ask, endpoint, stored)
        self._check(endpoint, condition, key)
        tasks, cannot_send = self._sendable(self._tasks(stored, task_ids))
        estimate = estimated(tasks, self._documents(stored.key, tasks), condition, ask.trials)
        cost, no_cost = cost_of(estimate, endpoint, condition.model, ask.budget)
        is_known = key is not None or has_key(endpoint, self._listed)
        return JobPlan(
            benchmark=stored,
            audit=audit,
            endpoint=endpoint,
            condition=condition,
            tasks=tuple(task.id for task in tasks),
            cannot_send=cannot_send,
            trials=ask.trials,
            budget=ask.budget,
            estimate=estimate,
            cost_usd=cost,
            cost_reason=no_cost,
            has_key=is_known,
            warnings=plan_warnings(
                estimate, ask.budget, condition, key_hint=key_hint(endpoint, has_key=is_known)
            ),
        )

    def _check(self, endpoint: Endpoint, condition: Condition, key: SecretStr | None) -> None:
        """Refuse what the endpoint cannot be asked.

        Raises:
            InputError: It may not be called, a key is missing, or a setting cannot be met.
        """
        provider = opened(endpoint, self._listed, key, USUAL_RETRIES)
        try:
            provider.check(condition)
        finally:
            provider.close()

    def _tasks(self, stored: StoredBenchmark, ids: Iterable[str]) -> list[Task]:
        wanted = list(dict.fromkeys(ids))
        if not wanted:
            raise InputError("name the tasks that are to be run")
        found = self._benchmarks.tasks(stored.key, wanted)
        if missing := [id_ for id_ in wanted if id_ not in found]:
            raise NotFoundError("task", missing[0], f"in {stored.version.name}")
        return [found[id_] for id_ in wanted]

    def _sendable(self, tasks: Sequence[Task]) -> tuple[list[Task], dict[str, str]]:
        """Tasks that can be sent, and why the others cannot.

        Raises:
            InputError: None can be.
        """
        has_simulators = find_simulators(self._cache) is not None
        why = {task.id: obstacle(task, has_simulators=has_simulators) for task in tasks}
        sendable = [task for task in tasks if not why[task.id]]
        if not sendable:
            id_, reason = next(iter(why.items()))
            what = "the task" if len(why) == 1 else f"none of the {len(why)} tasks"
            words = f"{id_!r} cannot be sent" if len(why) == 1 else f"can be sent; {id_!r}"
            raise InputError(f"{what} {words}: {reason}")
        return sendable, {id_: reason for id_, reason in why.items() if reason}

    def _documents(self, benchmark: int, tasks: Iterable[Task]) -> dict[str, Json]:
        names = {name for task in tasks for name in task.documents}
        return self._benchmarks.documents(benchmark, names)
