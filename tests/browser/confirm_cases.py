"""The bundled audit with live trials of a task under suspicion, from answers given before."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

from audit_app.domain.conditions import Endpoint, EndpointKind, ToolsMode
from audit_app.services.confirming import suspected_tasks
from audit_app.services.context import open_services
from audit_app.services.live_plans import TrialAsk
from audit_app.settings import Settings

AUDIT = "toolshop"
MODELS = ("sim-curlew", "sim-gannet")
TRIALS = 5
REASON = "The request states the ratio, one part to one, so a call that gives it must be accepted."


def run_trials(settings: Settings) -> str:
    """Two models, five trials each, of the first task called defective; its id.

    One of the last model's trials has no answer. The first model's are attached as evidence.
    """
    file = settings.db.with_name("answers.jsonl")
    endpoint = Endpoint(name="recorded answers", url=str(file), kind=EndpointKind.RECORDED)
    with open_services(replace(settings, endpoints=(endpoint,))) as services:
        reviewing = services.reviewing(AUDIT)
        desk = reviewing.desk()
        task = suspected_tasks(desk.queue, desk.drafts)[0]
        said = [raw.text for group in reviewing.task_view(task).groups for raw in group.raw]
        rows = [
            {"task": task, "model": model, "trial": number, "text": said[number % len(said)]}
            for place, model in enumerate(MODELS)
            for number in range(1, TRIALS + 1 - place)
        ]
        file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        for model in MODELS:
            ask = TrialAsk(
                endpoint=endpoint.name, model=model, trials=TRIALS, tools=ToolsMode.PROMPT
            )
            job = services.live.create(services.live.plan([task], ask, audit=AUDIT))
            services.live.run(job.id, cancel=threading.Event())
            if model == MODELS[0]:
                review = reviewing.my_reviews([task])[task]
                services.evidence.attach(AUDIT, task, review.id, 0, job.id, reason=REASON)
    return task
