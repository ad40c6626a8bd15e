from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from audit_app.domain.review import Judgement
from audit_app.services.context import Services, open_services
from audit_app.services.judging import TaskState
from audit_app.services.reviewing import ReviewService
from audit_app.settings import Settings

FINDING = {"effects": ["FN"], "cause": "K3", "severity": 1, "note": "Spelled-out default refused."}


def act(kind: str, task_id: str, **more: Any) -> dict[str, Any]:
    return {"id": str(uuid4()), "kind": kind, "task_id": task_id, **more}


def states(desk: ReviewService) -> dict[str, TaskState]:
    return {item.task_id: item.state for item in desk.desk().queue}


def test_judgements_land_on_the_task_they_name(services: Services, audit: str) -> None:
    desk = services.reviewing(audit)
    ids = [item.task_id for item in desk.desk().queue]
    acks = desk.apply(
        [act("clean", ids[3]), act("defect", ids[0], findings=[FINDING]), act("skip", ids[1])]
    )
    assert [ack.error for ack in acks] == ["", "", ""]
    found = states(desk)
    assert (found[ids[3]], found[ids[0]], found[ids[1]]) == (
        TaskState.CLEAN,
        TaskState.DEFECT,
        TaskState.SKIPPED,
    )
    assert sum(state is TaskState.OPEN for state in found.values()) == len(ids) - 3


def test_the_same_actions_again_change_nothing(services: Services, audit: str) -> None:
    desk = services.reviewing(audit)
    a, b, c = [item.task_id for item in desk.desk().queue][:3]
    first = act("clean", a)
    actions = [
        act("skip", b),
        first,
        act("undo", a, supersedes=first["id"]),
        act("defect", a, findings=[FINDING]),
        act("second_look", c),
    ]
    desk.apply(actions)
    before = desk.desk()
    assert [ack.error for ack in desk.apply(actions)] == [""] * len(actions)
    assert desk.desk() == before
    assert before.queue[2].second_look


def test_undo_takes_back_the_judgement_then_the_skip(services: Services, audit: str) -> None:
    desk = services.reviewing(audit)
    a = desk.desk().queue[0].task_id
    clean = act("clean", a)
    desk.apply([act("skip", a), clean])
    assert states(desk)[a] is TaskState.CLEAN
    desk.apply([act("undo", a, supersedes=clean["id"])])
    assert states(desk)[a] is TaskState.SKIPPED
    desk.apply([act("undo", a)])
    assert states(desk)[a] is TaskState.OPEN
    desk.apply([act("undo", a)])
    assert states(desk)[a] is TaskState.OPEN
    assert [r.judgement for r in services.audits.view(audit).reviews] == [
        Judgement.CLEAN,
        Judgement.WITHDRAWN,
    ]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        pytest.param({"task_id": "ferry_999"}, "not in this sample", id="outside the sample"),
        pytest.param({"id": "7"}, "id: ", id="no uuid"),
        pytest.param({"kind": "approve"}, "kind: ", id="unknown kind"),
        pytest.param({"findings": []}, "only a defect has findings|needs a finding", id="empty"),
        pytest.param({"findings": [{**FINDING, "effects": []}]}, "effects", id="no effect"),
        pytest.param({"findings": [{**FINDING, "severity": 4}]}, "severity", id="severity"),
        pytest.param({"findings": [{**FINDING, "cause": "Z9"}]}, "no cause 'Z9'", id="cause"),
        pytest.param(
            {"findings": [{**FINDING, "evidence": ["javascript:alert(1)"]}]},
            "not a link",
            id="link",
        ),
        pytest.param(
            {"findings": [{**FINDING, "proposed_key": '{"a": 1 2}'}]},
            "not valid JSON: .* line 1 column 9",
            id="proposed key",
        ),
        pytest.param({"findings": [{**FINDING, "colour": "red"}]}, "colour", id="unknown field"),
        pytest.param({"supersedes": str(uuid4())}, "judged elsewhere", id="stale screen"),
    ],
)
def test_what_cannot_be_filed_is_said_and_nothing_is_stored(
    services: Services, audit: str, change: dict[str, Any], says: str
) -> None:
    desk = services.reviewing(audit)
    task_id = desk.desk().queue[0].task_id
    action = {**act("defect", task_id, findings=[FINDING]), **change}
    (ack,) = desk.apply([action])
    assert ack.id == action["id"]
    assert re.search(says, ack.error), ack.error
    assert services.audits.view(audit).reviews == ()


def test_a_refused_action_does_not_hold_up_the_next(services: Services, audit: str) -> None:
    desk = services.reviewing(audit)
    a, b = [item.task_id for item in desk.desk().queue][:2]
    acks = desk.apply([act("clean", "nowhere"), act("clean", a), act("clean", a), act("clean", b)])
    assert [bool(ack.error) for ack in acks] == [True, False, True, False]


def test_a_failed_write_is_said_and_the_next_one_works(
    services: Services, settings: Settings, audit: str
) -> None:
    desk = services.reviewing(audit)
    task_id = desk.desk().queue[0].task_id
    services.workspace._connection.execute("pragma query_only = on")
    (ack,) = desk.apply([act("clean", task_id)])
    assert "read-only" in ack.error
    services.workspace._connection.execute("pragma query_only = off")
    (again,) = desk.apply([act("clean", task_id)])
    assert again.error == ""
    with open_services(settings) as other:
        assert states(other.reviewing(audit))[task_id] is TaskState.CLEAN


def test_two_windows_cannot_both_judge_one_task_unseen(
    services: Services, settings: Settings, audit: str
) -> None:
    desk = services.reviewing(audit)
    task_id = desk.desk().queue[0].task_id
    desk.apply([act("clean", task_id)])
    with open_services(settings) as other:
        (ack,) = other.reviewing(audit).apply([act("defect", task_id, findings=[FINDING])])
        assert "judged elsewhere" in ack.error
        standing = other.reviewing(audit).desk().queue[0].review_id
        assert standing is not None
        (ack,) = other.reviewing(audit).apply(
            [act("defect", task_id, findings=[FINDING], supersedes=standing)]
        )
        assert ack.error == ""


@pytest.mark.parametrize("kind", ["clean", "skip"])
def test_an_undo_takes_back_only_what_its_window_showed(
    services: Services, audit: str, kind: str
) -> None:
    desk = services.reviewing(audit)
    task_id = desk.desk().queue[0].task_id
    mine = act(kind, task_id)
    shown = mine["id"] if kind == "clean" else None
    elsewhere = act("defect", task_id, findings=[FINDING], supersedes=shown)
    desk.apply([mine, elsewhere])
    (ack,) = desk.apply([act("undo", task_id, supersedes=shown)])
    assert "nothing was undone" in ack.error
    assert desk.desk().queue[0].review_id == elsewhere["id"]


def test_a_draft_survives_until_the_task_is_judged(services: Services, audit: str) -> None:
    desk = services.reviewing(audit)
    task_id = desk.desk().queue[0].task_id
    form = {"note": "ünfinished ‮ 日本", "effects": ["FN"]}
    desk.apply([act("draft", task_id, draft=form)])
    assert desk.desk().drafts == {task_id: form}
    desk.apply([act("clean", task_id)])
    assert desk.desk().drafts == {}


def test_a_task_of_the_workspace_shows_what_a_reviewer_needs(
    services: Services, audit: str
) -> None:
    desk = services.reviewing(audit)
    item = desk.desk().queue[0]
    view = desk.task_view(item.task_id)
    assert view.task.id == item.task_id
    assert view.stratum == item.stratum
    assert [entry.id for entry in view.entries] == [item.task_id]
    assert view.groups == ()


def test_reviews_are_sound_after_all_of_this(services: Services, audit: str) -> None:
    desk = services.reviewing(audit)
    for item in desk.desk().queue:
        defect = act("defect", item.task_id, findings=[FINDING])
        desk.apply([defect, act("undo", item.task_id, supersedes=defect["id"])])
        desk.apply([act("clean", item.task_id, note="after all")])
    done = services.verify()
    assert (done.problems, done.audits) == ((), 1)
    raw = sqlite3.connect(services.workspace.path)
    raw.execute("drop trigger sample_tasks_no_delete")
    raw.execute("delete from sample_tasks where task_id = ?", (desk.desk().queue[0].task_id,))
    raw.commit()
    raw.close()
    assert any("does not follow from plan and seed" in p for p in services.verify().problems)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        pytest.param('{"id": "t", "prompt": "Open it."}', "no key", id="no key"),
        pytest.param('{"id": "t", "key": "3"}', "no prompt", id="no prompt"),
    ],
)
def test_a_task_without_evidence_cannot_be_called_right(
    services: Services, tmp_path: Path, row: str, says: str
) -> None:
    (tmp_path / "t.jsonl").write_text(row, encoding="utf-8")
    services.benchmarks.import_tasks("table", tmp_path / "t.jsonl", name="bare")
    plan = services.audits.default_plan("bare")
    services.audits.create("bare", "bare", services.audits.preview("bare", plan))
    desk = services.reviewing("bare")
    (refused, skipped) = desk.apply([act("clean", "t"), act("skip", "t")])
    assert says in refused.error
    assert skipped.error == ""
    (defect,) = desk.apply([act("defect", "t", findings=[FINDING])])
    assert defect.error == ""
