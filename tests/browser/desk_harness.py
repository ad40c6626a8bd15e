"""A page with the review desk over an in-memory queue, for tests and for looking at it.

Start it with ``streamlit run tests/browser/desk_harness.py``. ``?set=`` chooses the tasks
(``plain``, ``kinds``, ``long``, or ``bfcl`` with ``DESK_BFCL`` naming the data folder).
"""

from __future__ import annotations

import gc
import json
import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import streamlit as st

from audit_app.domain.review import Judgement, Review
from audit_app.domain.rubric import Taxonomy
from audit_app.services.judging import Ack, Action, ActionKind, QueueItem, TaskState
from audit_app.services.task_views import TaskView
from audit_app.ui.components.rail import (
    RailState,
    RecentJudgement,
    StratumProgress,
    rail,
    rail_head,
)
from audit_app.ui.components.review_desk import (
    DeskState,
    first_open,
    judgement_words,
    read_ahead,
    review_desk,
    take_actions,
)
from audit_app.ui.keys import as_data, key_map
from audit_app.ui.rendering import render_task
from audit_app.ui.theme import inject_theme
from tests.browser import desk_cases

KEY = "desk"


@dataclass
class Bench:
    """What a server would keep for one reviewer."""

    views: dict[str, TaskView]
    reviews: dict[str, Review] = field(default_factory=dict)
    skipped: set[str] = field(default_factory=set)
    second: set[str] = field(default_factory=set)
    drafts: dict[str, dict[str, Any]] = field(default_factory=dict)
    log: list[Action] = field(default_factory=list)
    failing: str = ""
    record: str = ""

    def apply(self, actions: Iterable[Mapping[str, Any]]) -> list[Ack]:
        """File the actions; each one once."""
        acks = [self._apply(Action.model_validate(raw)) for raw in actions]
        if self.record:
            rows = [action.model_dump(mode="json") for action in self.log]
            Path(self.record).write_text(json.dumps(rows), "utf-8")
        return acks

    def _apply(self, action: Action) -> Ack:
        if self.failing and action.kind is not ActionKind.DRAFT:
            return Ack(action.id, self.failing)
        if all(known.id != action.id for known in self.log):
            self.log.append(action)
            self._file(action)
        return Ack(action.id)

    def _file(self, action: Action) -> None:
        task = action.task_id
        match action.kind:
            case ActionKind.CLEAN | ActionKind.DEFECT:
                self.reviews[task] = _review(action)
                self.drafts.pop(task, None)
            case ActionKind.SKIP:
                self.skipped.add(task)
            case ActionKind.SECOND_LOOK:
                self.second ^= {task}
            case ActionKind.UNDO:
                self.reviews.pop(task, None)
                self.skipped.discard(task)
            case ActionKind.DRAFT:
                self.drafts.pop(task, None)
                if action.draft is not None:
                    self.drafts[task] = action.draft

    def queue(self) -> list[QueueItem]:
        """The queue as the service would give it."""
        return [
            QueueItem(
                task_id=task,
                stratum=view.stratum,
                state=self._state(task),
                second_look=task in self.second,
                review=self.reviews.get(task),
            )
            for task, view in self.views.items()
        ]

    def _state(self, task: str) -> TaskState:
        if task in self.reviews:
            return TaskState(self.reviews[task].judgement.value)
        return TaskState.SKIPPED if task in self.skipped else TaskState.OPEN


def _review(action: Action) -> Review:
    is_defect = action.kind is ActionKind.DEFECT
    return Review(
        id=action.id,
        task_id=action.task_id,
        reviewer="Reviewer 1",
        reviewed_at=datetime.now(UTC),
        judgement=Judgement.DEFECT if is_defect else Judgement.CLEAN,
        findings=action.findings,
        note="" if is_defect else action.note,
        supersedes=action.supersedes,
    )


def _bfcl_views() -> list[TaskView]:
    from tests.browser.bfcl_views import sample_views

    return sample_views(Path(os.environ["DESK_BFCL"]))


@st.cache_resource
def bench(name: str, run: str) -> Bench:
    """The bench of one test, kept over runs and reloads."""
    sets = {
        "plain": lambda: [desk_cases.plain(n) for n in range(1, 121)],
        "kinds": lambda: [desk_cases.hostile(), *desk_cases.kinds(), desk_cases.plain(1)],
        "long": lambda: [desk_cases.long(n) for n in range(1, 41)],
        "bfcl": _bfcl_views,
    }
    folder = os.environ.get("DESK_LOGS", "")
    record = str(Path(folder) / f"{run}.json") if folder else ""
    return Bench({view.task.id: view for view in sets[name]()}, record=record)


@st.cache_resource
def settle() -> None:
    """As the app does: take what was imported out of the garbage collector's sight."""
    gc.collect()
    gc.freeze()


@st.cache_resource
def taxonomy() -> Taxonomy:
    """The taxonomy that ships with the app."""
    path = Path(__file__).resolve().parents[2] / "rubric" / "taxonomy.toml"
    return Taxonomy.model_validate(tomllib.loads(path.read_text("utf-8")))


def main() -> None:
    """Draw the desk, and what was filed as text for tests to read."""
    settle()
    name = st.query_params.get("set", "plain")
    here = bench(name, st.query_params.get("run", ""))
    here.failing = "the disk is full" if st.query_params.get("fail") else ""
    request = take_actions(KEY, here.apply)
    queue = here.queue()
    wanted = st.query_params.get("task", "")
    at = request.at if request.at is not None else (wanted or first_open(queue))
    ahead = read_ahead(queue, at, held=request.held)
    state = DeskState(
        audit="demo",
        store=f"harness-{name}-{st.query_params.get('run', '')}",
        reviewer="Reviewer 1",
        queue=queue,
        at=at,
        views={t: render_task(here.views[t], full=t in request.full) for t in ahead},
        drafts=here.drafts,
        taxonomy=taxonomy(),
        bindings=as_data(key_map(taxonomy())),
    )
    inject_theme(full_bleed=True)
    review_desk(key=KEY, state=state, apply=here.apply)
    with st.sidebar:
        st.text_input("Elsewhere", key="elsewhere")
        rail_head("An invented audit", "key set: published")
        rail(_rail_state(queue, at))


def _rail_state(queue: list[QueueItem], at: str) -> RailState:
    strata = dict.fromkeys(item.stratum for item in queue)
    reviews = sorted(
        (item.review for item in queue if item.review), key=lambda r: r.reviewed_at, reverse=True
    )
    return RailState(
        audit="demo",
        strata=[_progress(stratum, queue, at) for stratum in strata],
        open_tasks=sum(item.state is TaskState.OPEN for item in queue),
        skipped=[item.task_id for item in queue if item.state is TaskState.SKIPPED],
        second_look=[item.task_id for item in queue if item.second_look],
        recent=[
            RecentJudgement(r.task_id, judgement_words(r), r.judgement is Judgement.DEFECT)
            for r in reviews
        ],
        reviewer="Reviewer 1",
        saved="Saved 14:32:07 in memory",
    )


def _progress(stratum: str, queue: list[QueueItem], at: str) -> StratumProgress:
    items = [item for item in queue if item.stratum == stratum]
    judged = sum(item.review is not None for item in items)
    is_here = any(item.task_id == at for item in items)
    return StratumProgress(stratum, judged, len(items), is_here)


st.set_page_config(page_title="Desk harness", layout="wide", initial_sidebar_state="expanded")
main()
