"""What is left of a queue, whatever several people do."""

from __future__ import annotations

import shutil
from dataclasses import astuple, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from audit_app.services.context import Services, open_services
from audit_app.services.judging import TaskState
from audit_app.services.team import TeamChange
from audit_app.settings import Settings
from tests.services.teams import AUDIT, MovableClock, act, as_person, judge, make_audit, queue_of

PEOPLE = ("ada", "bob", "cy")


class _Emptied:
    """A workspace with an audit, copied for each example, without waiting for the disk."""

    def __init__(self, folder: Path) -> None:
        self._template = make_audit(folder, tasks=6)
        self._count = 0

    def open(self) -> Settings:
        self._count += 1
        copied = self._template.db.with_name(f"{self._count}.db")
        shutil.copy(self._template.db, copied)
        return replace(self._template, db=copied)


@pytest.fixture(scope="module")
def emptied(tmp_path_factory: pytest.TempPathFactory) -> _Emptied:
    return _Emptied(tmp_path_factory.mktemp("emptied"))


steps = st.lists(
    st.tuples(
        st.sampled_from(PEOPLE),
        st.sampled_from(["clean", "defect", "skip", "undo", "hold", "return", "wait", "assign"]),
        st.integers(0, 5),
    ),
    max_size=20,
)


@hypothesis_settings(max_examples=25, deadline=None)
@given(steps=steps, limit=st.integers(1, 3))
def test_r11_r42_what_is_left_always_adds_up_and_is_true(
    emptied: _Emptied, steps: list[tuple[str, str, int]], limit: int
) -> None:
    clock = MovableClock()
    settings = emptied.open()
    with open_services(settings, clock=clock) as services:
        services.workspace.run("pragma synchronous = off")
        services.team(AUDIT).change(TeamChange(reviews_per_task=limit))
        for person, what, number in steps:
            _do(replace(services, person=person), clock, what, number)
            for viewer in PEOPLE:
                _require_true(services, viewer, limit)


def _do(services: Services, clock: MovableClock, what: str, number: int) -> None:
    person, reviewing = services.person, services.reviewing(AUDIT)
    task = list(queue_of(services, person))[number]
    mine = reviewing.my_reviews([task]).get(task)
    match what:
        case "hold":
            reviewing.hold(task, ahead=number)
        case "wait":
            clock.move(minutes=4 * number)
        case "assign":
            services.team(AUDIT).assign([task], [person], take_back=number % 2 == 1)
        case "return":
            if mine and not queue_of(services, person)[task].returned:
                services.team(AUDIT).send_back(task, person, "look again")
        case "undo":
            reviewing.apply([act("undo", task, supersedes=mine.id if mine else None)])
        case _:
            judge(services, person, task, what)


def _require_true(services: Services, viewer: str, limit: int) -> None:
    desk = as_person(services, viewer).reviewing(AUDIT).desk()
    assert sum(astuple(desk.left)) == len(desk.queue) == 6
    standing = services.workspace.rows(
        "select task_id, reviewer from reviews r where judgement <> 'withdrawn' "
        "and not exists (select 1 from reviews n where n.supersedes = r.id)"
    )
    for item in desk.queue:
        judges = {reviewer for task, reviewer in standing if task == item.task_id}
        assert len(judges) <= limit
        assert (viewer in judges) == (
            item.state in (TaskState.CLEAN, TaskState.DEFECT, TaskState.RETURNED)
        )
        assert (item.state is TaskState.CLOSED) == (viewer not in judges and len(judges) == limit)
        if item.state is TaskState.TAKEN:  # never for nothing: somebody has it, or is meant to
            others = services.workspace.rows(
                "select reviewer from leases where task_id = ?1 and reviewer <> ?2 union "
                "select reviewer from assignments where task_id = ?1 and reviewer <> ?2",
                (item.task_id, viewer),
            )
            assert others
