"""What holds when people really work at once: each is a process of its own."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit_app.services.context import open_services
from audit_app.settings import Settings
from audit_app.storage.workspace import Workspace
from tests.services.teams import (
    AUDIT,
    make_audit,
    processes,
    save_all,
    save_then_go_on,
    share,
    take_in_turns,
)


def together(target: Callable[..., None], people: list[str], *arguments: Any) -> dict[str, Any]:
    """Person → what they tell, all having begun at the same moment."""
    context = processes()
    start, told = context.Barrier(len(people), timeout=30), context.Queue()
    settings, rest = arguments[0], arguments[1:]
    started = [
        context.Process(target=target, args=(settings, person, *rest, start, told), daemon=True)
        for person in people
    ]
    for process in started:
        process.start()
    answers = dict(told.get(timeout=60) for _ in people)
    for process in started:
        process.join(30)
    assert [process.exitcode for process in started] == [0] * len(people)
    return answers


def tasks_of(settings: Settings) -> list[str]:
    with open_services(settings) as services:
        return [item.task_id for item in services.reviewing(AUDIT).desk().queue]


def test_r01_a_kill_after_each_of_50_saves_loses_none_and_leaves_none_half_written(
    tmp_path: Path,
) -> None:
    settings = make_audit(tmp_path, tasks=60)
    acked, after = tasks_of(settings)[:50], tasks_of(settings)[50:]
    context = processes()
    for task in acked:
        here, there = context.Pipe()
        process = context.Process(
            target=save_then_go_on, args=(settings, task, after, there), daemon=True
        )
        process.start()
        assert here.poll(30)
        assert here.recv() == task
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)  # most likely in the middle of the next save
        process.join()
        assert process.exitcode == -signal.SIGKILL
        here.close()
        there.close()
    with open_services(settings) as services:
        reviews = {r.task_id: r for r in services.audits.view(AUDIT).reviews}
    assert set(acked) <= set(reviews)
    assert all(len(review.findings) == 1 for review in reviews.values())
    with Workspace(settings.db) as workspace:
        assert workspace.problems() == []


def test_r09_two_people_who_ask_at_the_same_moment_100_times_never_get_the_same_task(
    tmp_path: Path,
) -> None:
    settings = make_audit(tmp_path, tasks=210)
    taken = together(take_in_turns, ["ada", "bob"], settings, 100)
    assert {person: len(tasks) for person, tasks in taken.items()} == {"ada": 100, "bob": 100}
    assert len({*taken["ada"], *taken["bob"]}) == 200


def test_r12_eight_writers_with_100_saves_each_store_800_reviews(tmp_path: Path) -> None:
    people = [f"reviewer {number}" for number in range(1, 9)]
    settings = make_audit(tmp_path, tasks=100)
    share(settings, reviews_per_task=8, reviewers=tuple(people))
    errors = together(save_all, people, settings, tasks_of(settings))
    assert {person: set(said) for person, said in errors.items()} == {p: {""} for p in people}
    with Workspace(settings.db) as workspace:
        assert workspace.row("select count(*) from reviews") == (800,)
        assert workspace.problems() == []


@pytest.mark.parametrize("limit", [1, 2])
def test_r14_of_ten_who_save_the_same_task_at_once_only_so_many_get_through(
    tmp_path: Path, limit: int
) -> None:
    people = [f"reviewer {number}" for number in range(1, 11)]
    settings = make_audit(tmp_path, tasks=6)
    share(settings, reviews_per_task=limit)
    tasks = tasks_of(settings)[:3]
    errors = together(save_all, people, settings, tasks)
    for number, task in enumerate(tasks):
        said = [errors[person][number] for person in people]
        refused = [text for text in said if text]
        assert len(said) - len(refused) == limit
        assert set(refused) == {
            f"not saved: {task} has its {limit} review{'s' * (limit > 1)} already"
        }
    with Workspace(settings.db) as workspace:
        counts = workspace.rows("select task_id, count(*) from reviews group by task_id")
    assert dict(counts) == dict.fromkeys(tasks, limit)
