"""A page with the review desk over an in-memory queue, for tests and for looking at it.

Start it with ``streamlit run tests/browser/desk_harness.py``. ``?set=`` chooses the tasks
(``plain``, ``team``, ``kinds``, ``long``, ``huge``, ``many``, or ``bfcl`` with ``DESK_BFCL`` naming
the data folder).
"""

from __future__ import annotations

import gc
import json
import os
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from audit_app.domain.review import Judgement, Review
from audit_app.domain.rubric import Taxonomy
from audit_app.services.judging import (
    Ack,
    Action,
    ActionKind,
    QueueItem,
    TaskState,
    judgement_words,
)
from audit_app.services.outcomes import Facets, ModelOutcomes, Outcome
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
    neighbourhood,
    render_batch,
    review_desk,
    take_actions,
    wanted_reviews,
)
from audit_app.ui.keys import as_data, key_map, read_key_file
from audit_app.ui.rendering import RenderedTask, render_prose, render_task
from audit_app.ui.theme import inject_theme
from tests.browser import desk_cases

KEY = "desk"


@dataclass
class Bench:
    """What a server would keep for one reviewer."""

    tasks: dict[str, Callable[[], TaskView]]
    labels: dict[str, tuple[str, str]] = field(default_factory=dict)
    views: dict[str, TaskView] = field(default_factory=dict)
    reviews: dict[str, Review] = field(default_factory=dict)
    skipped: set[str] = field(default_factory=set)
    second: set[str] = field(default_factory=set)
    drafts: dict[str, dict[str, Any]] = field(default_factory=dict)
    log: list[Action] = field(default_factory=list)
    failing: str = ""
    record: str = ""
    elsewhere: dict[str, TaskState] = field(default_factory=dict)
    """Tasks that others have, or have done."""
    returned: dict[str, str] = field(default_factory=dict)
    """Reasons for which tasks were sent back."""
    waiting: dict[str, int] = field(default_factory=dict)
    """Tasks that are held only after so many runs on them."""

    def view(self, task: str) -> TaskView:
        """The view of a task, made when it is first wanted."""
        if task not in self.views:
            self.views[task] = self.tasks[task]()
        return self.views[task]

    def hold(self, at: str) -> None:
        """Come nearer to holding a task."""
        if self.waiting.get(at):
            self.waiting[at] -= 1

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
                self.returned.pop(task, None)
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
        return [self._item(task) for task in self.tasks]

    def _item(self, task: str) -> QueueItem:
        review = self.reviews.get(task)
        stratum, category = self.labels.get(task) or (
            self.view(task).stratum,
            self.view(task).task.category,
        )
        tags = [tag for f in (review.findings if review else ()) for tag in (*f.effects, f.cause)]
        return QueueItem(
            task_id=task,
            stratum=stratum,
            category=category,
            state=self._state(task),
            second_look=task in self.second,
            review_id=review.id if review else None,
            reviewed_at=review.reviewed_at if review else None,
            words=judgement_words(review) if review else "",
            tags=tuple(dict.fromkeys(str(tag) for tag in tags if tag)),
            seconds=review.seconds if review else None,
            is_held=not self.waiting.get(task),
            returned=self.returned.get(task, ""),
        )

    def _state(self, task: str) -> TaskState:
        if task in self.returned:
            return TaskState.RETURNED
        if task in self.reviews:
            return TaskState(self.reviews[task].judgement.value)
        other = TaskState.SKIPPED if task in self.skipped else TaskState.OPEN
        return self.elsewhere.get(task, other)

    def facets(self) -> Facets:
        """What the models did on the tasks, by their published grades."""
        did: dict[str, dict[str, Outcome]] = {}
        for task in self.tasks:
            for raw in (raw for group in self.view(task).groups for raw in group.raw):
                if raw.published:
                    outcome = Outcome.RIGHT if raw.published.passed else Outcome.WRONG
                    did.setdefault(raw.model, {})[task] = outcome
        models = [ModelOutcomes(model, "published grades", did[model]) for model in sorted(did)]
        fields = {"bay": {t: f"bay {i % 3}" for i, t in enumerate(self.tasks)}}
        return Facets(list(self.tasks), models, fields)


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
        seconds=action.seconds,
    )


def _bfcl_views() -> list[TaskView]:
    from tests.browser.bfcl_views import sample_views

    return sample_views(Path(os.environ["DESK_BFCL"]))


@st.cache_resource
def bench(name: str, run: str) -> Bench:
    """The bench of one test, kept over runs and reloads."""
    folder = os.environ.get("DESK_LOGS", "")
    record = str(Path(folder) / f"{run}.json") if folder else ""
    if name in ("plain", "team", "many"):
        number = {"plain": 240, "team": 6, "many": 5_000}[name]
        tasks = {f"plain/{n:03d}": partial(desk_cases.plain, n) for n in range(1, number + 1)}
        labels = dict.fromkeys(tasks, ("calls", "simple"))
        made = Bench(dict(tasks), labels, record=record)
        return _share(made) if name == "team" else made
    sets = {
        "kinds": lambda: [desk_cases.hostile(), *desk_cases.kinds(), desk_cases.plain(1)],
        "long": lambda: [desk_cases.long(n) for n in range(1, 41)],
        "huge": lambda: [desk_cases.many_turns(), desk_cases.heavy(), desk_cases.plain(1)],
        "bfcl": _bfcl_views,
    }
    views = {view.task.id: view for view in sets[name]()}
    return Bench({t: partial(views.__getitem__, t) for t in views}, record=record)


def _share(made: Bench) -> Bench:
    """A queue of six: 1 and 4 open, 2 and 3 with others, 5 sent back, 6 not handed out yet."""
    made.elsewhere = {"plain/002": TaskState.TAKEN, "plain/003": TaskState.CLOSED}
    made.waiting = {"plain/006": 4}
    made.reviews["plain/005"] = Review(
        id="00000000-0000-4000-8000-000000000005",
        task_id="plain/005",
        reviewer="Reviewer 1",
        reviewed_at=datetime.now(UTC),
        judgement=Judgement.CLEAN,
        note="looked right",
        seconds=42.0,
    )
    made.returned["plain/005"] = "Look at <b>pace</b> again, please."
    return made


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
    keys = st.query_params.get("keys", "")
    request = take_actions(KEY, here.apply)
    queue = here.queue()
    wanted = st.query_params.get("task", "")
    at = request.at if request.at is not None else (wanted or first_open(queue))
    here.hold(at)
    near = neighbourhood(queue, at, ahead=request.ahead, coming=request.coming)

    def show(task: str) -> RenderedTask:
        return render_task(here.view(task), full=task in request.full)

    views, is_more = render_batch((task for task in near if task not in request.held), show)
    state = DeskState(
        audit="demo",
        store=f"harness-{name}-{st.query_params.get('run', '')}",
        reviewer="Reviewer 1",
        queue=queue,
        at=at,
        views=views,
        is_more=is_more,
        near=near,
        drafts=here.drafts,
        taxonomy=taxonomy(),
        bindings=as_data(key_map(taxonomy(), read_key_file(keys, "keys.toml"))),
        reviews={t: here.reviews[t] for t in wanted_reviews(queue, here.reviews, near)},
        prose={task: render_prose(here.view(task)) for task in request.prose},
        facets=here.facets() if request.facets else None,
        notice="Reviewer 1 is not among the reviewers" if st.query_params.get("locked") else "",
    )
    inject_theme(full_bleed=True)
    review_desk(key=KEY, state=state, apply=here.apply)
    with st.sidebar:
        st.text_input("Elsewhere", key="elsewhere")
        rail_head("An invented audit", "key set: published")
        rail(_rail_state(queue, at))


def _rail_state(queue: list[QueueItem], at: str) -> RailState:
    strata = dict.fromkeys(item.stratum for item in queue)
    judged = sorted(
        (item for item in queue if item.reviewed_at),
        key=lambda item: item.reviewed_at or datetime.min.replace(tzinfo=UTC),
        reverse=True,
    )
    return RailState(
        audit="demo",
        strata=[_progress(stratum, queue, at) for stratum in strata],
        open_tasks=sum(item.state is TaskState.OPEN for item in queue),
        skipped=[item.task_id for item in queue if item.state is TaskState.SKIPPED],
        second_look=[item.task_id for item in queue if item.second_look],
        recent=[
            RecentJudgement(item.task_id, item.words, item.state is TaskState.DEFECT)
            for item in judged
        ],
    )


def _progress(stratum: str, queue: list[QueueItem], at: str) -> StratumProgress:
    items = [item for item in queue if item.stratum == stratum]
    judged = sum(item.review_id is not None for item in items)
    is_here = any(item.task_id == at for item in items)
    return StratumProgress(stratum, judged, len(items), is_here)


st.set_page_config(page_title="Desk harness", layout="wide", initial_sidebar_state="expanded")
main()
