"""An audit of the bundled benchmark with one defective task and recorded answers for it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

from audit_app.domain.conditions import ToolsMode
from audit_app.domain.live_jobs import Job, JobState
from audit_app.domain.team import TeamSettings
from audit_app.services.context import Services
from audit_app.services.live_plans import TrialAsk
from tests.services.planted_audits import NAME, as_person, toolshop_audit, toolshop_file

REASON = "The schema of the tool states the unit, and the prompt states another one."
HOSTILE = "</td><script>alert(1)</script> | **x** | [a](javascript:b)\n# top `x` <!-- \u202e -->"


@dataclass(frozen=True)
class Defect:
    """A task whose key refuses a right answer, from the answer sheet."""

    task_id: str
    key: str
    right: str


def defects() -> dict[str, Defect]:
    rows = map(json.loads, toolshop_file("answer_sheet.jsonl").read_text("utf-8").splitlines())
    return {
        row["task_id"]: Defect(
            row["task_id"], json.dumps(row["corrected_key"]), row["right_answer_that_fails"]
        )
        for row in rows
        if row["corrected_key"] and row["right_answer_that_fails"]
        if row["right_answer_that_fails"].startswith("[")
    }


def shop_with_finding(
    services: Services, team: TeamSettings | None = None, *, person: str = "ada"
) -> Defect:
    """The audit ``shop``, and a saved finding on a sampled task that the answer sheet names."""
    view = toolshop_audit(services, team or TeamSettings())
    known = defects()
    found = next(known[task] for task in view.sample.task_ids if task in known)
    save_finding(services, found, person=person)
    return found


def save_finding(services: Services, defect: Defect, *, person: str = "ada", **over: Any) -> str:
    """Save a finding on the task, over the one that stands; id of the review."""
    finding = {
        "effects": ["FN"],
        "cause": "K1",
        "severity": 2,
        "note": "refused",
        "proposed_key": defect.key,
        **over,
    }
    desk = as_person(services, person).reviewing(NAME)
    before = desk.my_reviews([defect.task_id]).get(defect.task_id)
    review = str(uuid4())
    (ack,) = desk.apply(
        [
            {
                "id": review,
                "task_id": defect.task_id,
                "kind": "defect",
                "findings": [finding],
                "supersedes": before.id if before else None,
            }
        ]
    )
    assert not ack.error
    return review


def recorded_job(
    services: Services,
    folder: Path,
    answers: Mapping[str, Iterable[str]],
    *,
    audit: str = NAME,
    trials: int | None = None,
    model: str = "recorded-one",
    seed: int | None = None,
    run: bool = True,
) -> Job:
    """A job over recorded answers (task id → one a trial), run to its end."""
    rows = [{"task": task, "text": text} for task, texts in answers.items() for text in texts]
    path = folder / f"answers-{uuid4()}.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    most = max(len([row for row in rows if row["task"] == task]) for task in answers)
    ask = TrialAsk(
        endpoint=f"recorded:{path}",
        model=model,
        trials=trials or most,
        tools=ToolsMode.PROMPT,
        seed=seed,
    )
    job = services.live.create(services.live.plan(answers, ask, audit=audit, may_read_files=True))
    if run:
        progress = services.live.run(job.id, cancel=threading.Event())
        assert progress.state is JobState.FINISHED
    return job
