"""Live jobs in tests: a small benchmark, what is asked of it, and jobs run to their end."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

from audit_app.domain.live_jobs import Job
from audit_app.rerun.retries import RetryPolicy
from audit_app.services.context import Services
from audit_app.services.live_plans import TrialAsk
from audit_app.services.live_progress import Progress
from audit_app.services.live_trials import LiveTrialService

QUICK = RetryPolicy(tries=3, first_wait_s=0.01, jitter_s=0.01, longest_wait_s=0.05)
KEY = "sk-live-0123456789abcdef"
"""A key that must appear nowhere."""


def import_tasks(services: Services, folder: Path, keys: dict[str, str]) -> None:
    """The benchmark ``harbour``: task id → key."""
    path = folder / "tasks.jsonl"
    rows = [{"id": i, "prompt": f"Say something of {i}.", "key": k} for i, k in keys.items()]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    services.benchmarks.import_tasks("table", path, name="harbour")


def make_audit(services: Services, keys: dict[str, str], name: str = "first") -> None:
    """A census of the benchmark."""
    preview = services.audits.preview_supplied("harbour", "\n".join(keys), source="ids.txt")
    services.audits.create(name, "harbour", preview)


def make_job(live: LiveTrialService, url: str, tasks: list[str], k: int = 2, **ask: Any) -> Job:
    asked = TrialAsk(endpoint=url, model=ask.pop("model", "m"), trials=k, **ask)
    return live.create(live.plan(tasks, asked, benchmark="harbour"))


def run(live: LiveTrialService, job: Job, **more: Any) -> Progress:
    given: dict[str, Any] = {"cancel": threading.Event(), "policy": QUICK, **more}
    return live.run(job.id, **given)
