"""What people see of each other's reviews of tasks that several of them judge."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from audit_app.cli.audits import _status_data
from audit_app.domain.planted import PlantedTask, PlantKind
from audit_app.domain.team import Mode
from audit_app.services.context import Services, open_services
from audit_app.services.team import TeamChange
from audit_app.settings import Settings
from audit_app.storage.planted import PlantedRepository
from tests.services.teams import (
    AUDIT,
    MovableClock,
    act,
    as_person,
    judge,
    make_audit,
    queue_of,
)

OTHERS = ("bob", "cy")
TASKS = 5


class Said(NamedTuple):
    """One judgement."""

    person: str
    task: int
    kind: str


said = st.builds(
    Said,
    st.sampled_from(("ada", *OTHERS)),
    st.integers(0, TASKS - 1),
    st.sampled_from(["clean", "defect"]),
)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return make_audit(tmp_path_factory.mktemp("template"), tasks=TASKS, clock=MovableClock())


def workspace(template: Settings, name: str) -> Settings:
    copied = template.db.with_name(f"{name}.db")
    shutil.copy(template.db, copied)
    return replace(template, db=copied, source_date_epoch=1_790_000_000)


def hidden_from_ada(everything: Iterable[Said], limit: int) -> set[int]:
    """Tasks that ada has yet to judge, and can: by counting, not by the code under test."""
    judges: dict[int, set[str]] = {}
    for row in everything:
        judges.setdefault(row.task, set()).add(row.person)
    return {t for t, people in judges.items() if "ada" not in people and len(people) < limit}


def seen_by_ada(
    template: Settings, name: str, rows: Iterable[Said], change: TeamChange
) -> dict[str, object]:
    """Everything ada can get out of a workspace in which this was said."""
    with open_services(workspace(template, name), clock=MovableClock(1_790_000_000)) as services:
        services.workspace.run("pragma synchronous = off")
        services.team(AUDIT).change(change)
        order = list(queue_of(services, "ada"))
        for row in rows:
            _say(services, row, order[row.task])
        return {name: get(services) for name, get in _WAYS.items()}


def _say(services: Services, row: Said, task: str) -> None:
    """File a judgement whose id, like its time, is the same whatever else was said before."""
    reviewing = as_person(services, row.person).reviewing(AUDIT)
    before = reviewing.my_reviews([task]).get(task)
    taken = services.workspace.rows(
        "select count(*) from reviews where task_id = ? and reviewer = ?", (task, row.person)
    )
    who = ("ada", *OTHERS).index(row.person)
    id_ = f"{who:08}-0000-0000-0000-{row.task:06}{taken[0][0]:06}"
    findings = [{"effects": ["FN"], "cause": "K1", "note": f"seen by {row.person}"}]
    action = act(row.kind, task, supersedes=before.id if before else None)
    reviewing.apply([{**action, "id": id_, "findings": findings if row.kind == "defect" else []}])


def _exported(services: Services) -> bytes:
    path = services.workspace.path.with_suffix(".jsonl")
    services.review_files.export_file(AUDIT, path)
    return path.read_bytes()


_WAYS: Mapping[str, Callable[[Services], object]] = {
    "desk": lambda s: repr(s.reviewing(AUDIT).desk()),
    "status": lambda s: json.dumps(_status_data(s.audits.view(AUDIT))),
    "report": lambda s: s.reports.files(AUDIT),
    "reviews export": _exported,
    "verdict": lambda s: repr(s.rubrics.verdict(AUDIT)),
    "adjudications": lambda s: repr(s.adjudicating(AUDIT).board()),
    "key set": lambda s: repr(dict(s.audits.view(AUDIT).settled)),
}


OPPOSITE = {"clean": "defect", "defect": "clean"}
_WITHOUT_COUNTS = ("desk", "reviews export", "verdict", "key set")
"""Ways that say nothing of how many reviews are hidden."""


@hypothesis_settings(max_examples=15, deadline=None)
@given(
    everything=st.lists(said, max_size=10),
    limit=st.sampled_from([2, 3]),
    mode=st.sampled_from(list(Mode)),
)
def test_r17_what_others_said_of_a_task_shows_nowhere_before_one_judged_it(
    template: Settings, everything: list[Said], limit: int, mode: Mode
) -> None:
    change = TeamChange(reviews_per_task=limit, mode=mode)
    hidden = hidden_from_ada(everything, limit)
    seen = seen_by_ada(template, "as said", everything, change)
    otherwise = [
        row._replace(kind=OPPOSITE[row.kind]) if row.task in hidden else row for row in everything
    ]
    assert seen_by_ada(template, "otherwise", otherwise, change) == seen
    not_at_all = [row for row in everything if row.task not in hidden]
    unsaid = seen_by_ada(template, "unsaid", not_at_all, change)
    assert [unsaid[way] for way in _WITHOUT_COUNTS] == [seen[way] for way in _WITHOUT_COUNTS]


def test_what_is_hidden_is_counted_and_shows_once_one_has_judged(template: Settings) -> None:
    with open_services(workspace(template, "counted")) as services:
        services.team(AUDIT).change(TeamChange(reviews_per_task=2))
        first, second, *_ = queue_of(services, "ada")
        judge(services, "bob", first, "defect")
        judge(services, "bob", second)
        assert services.audits.view(AUDIT).hidden == 2
        assert services.audits.view(AUDIT).reviews == ()
        judge(services, "ada", first)
        view = services.audits.view(AUDIT)
        assert view.hidden == 1
        assert {(r.reviewer, r.task_id) for r in view.reviews} == {("ada", first), ("bob", first)}


def test_those_who_cannot_judge_a_task_any_more_see_its_reviews(template: Settings) -> None:
    with open_services(workspace(template, "closed")) as services:
        services.team(AUDIT).change(TeamChange(reviews_per_task=2))
        first, second, *_ = queue_of(services, "ada")
        for person in OTHERS:
            judge(services, person, first)
        judge(services, "bob", second)
        assert {r.task_id for r in services.audits.view(AUDIT).reviews} == {first}
        services.team(AUDIT).change(TeamChange(reviewers=OTHERS))
        assert {r.task_id for r in services.audits.view(AUDIT).reviews} == {first, second}


def test_a_second_import_of_reviews_that_are_hidden_conflicts_with_nothing(
    template: Settings, tmp_path: Path
) -> None:
    with open_services(workspace(template, "imported")) as services:
        services.team(AUDIT).change(TeamChange(reviews_per_task=2))
        task = next(iter(queue_of(services, "ada")))
        judge(services, "bob", task, "defect")
        path = tmp_path / "bob.jsonl"
        as_person(services, "bob").review_files.export_file(AUDIT, path)
        for _ in range(2):
            assert services.review_files.import_file(AUDIT, path).accepted == 1
        assert services.workspace.row("select count(*) from reviews") == (1,)


def test_planted_checks_are_judged_in_the_queue_and_counted_nowhere(tmp_path: Path) -> None:
    settings = make_audit(tmp_path, tasks=30)
    with open_services(settings) as services:
        plan = services.audits.default_plan("harbour").model_copy(
            update={"size": 12, "widen_to": 12, "census_at_or_below": 0}
        )
        services.audits.create("planted", "harbour", services.audits.preview("harbour", plan))
        view = services.audits.view("planted")
        sampled = list(view.sample.task_ids)
        outside = next(t for t in view.frame.members["ferry"] if t not in sampled)
        check = PlantedTask(
            id="00000000-0000-0000-0000-000000000001",
            task_id=outside,
            stratum="ferry",
            kind=PlantKind.OTHER_ANSWER,
            cause="K1",
            effects=("FN", "FP"),
            key="another answer",
            basis="by construction",
            planted_at=services.clock.now(),
            planted_by="eve",
        )
        PlantedRepository(services.workspace, view.audit.id).add_all([check])
        services.team("planted").change(TeamChange(planted_share=0.1, reviewers=("ada",)))
        reviewing = services.reviewing("planted")
        queue = reviewing.desk().queue
        assert [i.task_id for i in queue if i.task_id != outside] == sampled
        assert {i.stratum for i in queue if i.task_id == outside} == {"ferry"}
        assert reviewing.task_view(outside).task.key == "another answer"
        assert reviewing.task_view(outside).stratum == "ferry"
        (ack,) = reviewing.apply([act("clean", outside)])
        assert ack.error == ""
        assert reviewing.desk().left.judged == 1
        assert services.audits.view("planted").reviews == ()
        assert services.audits.view("planted").hidden == 0
        eve = as_person(services, "eve")  # who reviews nothing, so that nothing is kept from her
        assert eve.review_files.export_file("planted", tmp_path / "out.csv") == 0
        assert services.verify().problems == ()
