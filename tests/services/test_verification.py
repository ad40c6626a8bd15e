"""What is changed past Assay, with its triggers dropped, is noticed by ``assay verify``."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from audit_app.errors import WorkspaceError
from audit_app.services.context import Services, open_services
from audit_app.settings import Settings

HEADER = (
    "task_id,reviewer,reviewed_at,judgement,effects,cause,causes,severity,state,note,"
    "evidence,proposed_key"
)


@pytest.fixture
def filled(services: Services, audit: str, tmp_path: Path) -> Services:
    """Ten tasks drawn, nine judged, the sample widened, one answer and one statement."""
    ids = services.audits.view(audit).sample.task_ids
    rows = [f"{i},ada,2026-11-29T12:00:00Z,clean,,,,,,,," for i in ids[2:9]]
    rows += [f"{i},ada,2026-11-29T12:00:00Z,defect,FN,K1,,2,confirmed,,," for i in ids[:2]]
    path = tmp_path / "reviews.csv"
    path.write_text("\n".join([HEADER, *rows]), encoding="utf-8")
    services.review_files.import_file(audit, path)
    services.audits.expand(audit, reason="to see more")
    services.rubrics.set(audit, "access", "full")
    services.rubrics.state(audit, "lead", "Harbour work.")
    assert services.verify().problems == ()
    return services


def tamper(path: Path, sql: str) -> None:
    raw = sqlite3.connect(path, isolation_level=None)
    for (name,) in raw.execute("select name from sqlite_master where type = 'trigger'").fetchall():
        raw.execute(f"drop trigger {name}")
    before = raw.total_changes
    raw.executescript(sql)
    assert raw.total_changes > before
    raw.close()


FREE = "(select task_id from sample_tasks where task_id not in (select task_id from reviews))"


@pytest.mark.parametrize(
    "sql",
    [
        pytest.param("update tasks set body = replace(body, 'Do', 'Undo')", id="task"),
        pytest.param("update tasks set grp = 'kiln'", id="stratum of a task"),
        pytest.param('update tasks set fields = \'{"x":"y"}\'', id="fields of a task"),
        pytest.param("update entries set weight = 9 where key = 1", id="weight of an entry"),
        pytest.param("update benchmarks set tasks = 7", id="number of tasks"),
        pytest.param("update sample_tasks set position = 900 - position", id="order of draw"),
        pytest.param("update samples set kind = 'supplied'", id="kind of draw"),
        pytest.param(
            "delete from sample_tasks where sample in (select id from samples where stage = 2);"
            "delete from samples where stage = 2",
            id="widening",
        ),
        pytest.param(f"update reviews set task_id = {FREE} where rowid = 1", id="task of a review"),
        pytest.param("update reviews set note = 'x' where rowid = 1", id="note of a review"),
        pytest.param("delete from reviews where rowid = 1", id="review taken away"),
        pytest.param(
            "insert into reviews select 'new', audit, "
            f"{FREE}, reviewer, reviewed_at, judgement, note, null, null from reviews limit 1",
            id="review slipped in",
        ),
        pytest.param("update findings set severity = 1", id="severity"),
        pytest.param("update findings set state = 'rejected'", id="state"),
        pytest.param("update findings set effects = 'FP'", id="effects"),
        pytest.param("update findings set effects = 'XX'", id="effect that is none"),
        pytest.param("update audits set plan = replace(plan, 'group', 'category')", id="plan"),
        pytest.param("update audits set plan = '{'", id="plan that is none"),
        pytest.param("update audits set frame_hash = '0'", id="frame hash"),
        pytest.param("update audits set rubric = replace(rubric, '0.2', '0.3')", id="rubric"),
        pytest.param("update answers set status = 'none'", id="answer"),
        pytest.param("update statements set text = 'x'", id="statement"),
        pytest.param("delete from seals where record = 'reviews'", id="seals"),
    ],
)
def test_a_change_past_assay_is_noticed(filled: Services, settings: Settings, sql: str) -> None:
    tamper(settings.db, sql)
    problems = filled.verify().problems
    assert problems
    assert max(map(len, problems)) < 500


def test_a_record_that_cannot_be_read_is_one_sentence(filled: Services, settings: Settings) -> None:
    tamper(settings.db, "update findings set severity = 77")
    with pytest.raises(WorkspaceError, match=r"cannot be read .* see assay verify"):
        filled.audits.view("first")


def test_a_damaged_file_is_a_problem_not_a_failure(filled: Services, settings: Settings) -> None:
    filled.workspace.fold_log()
    filled.workspace.close()
    content = bytearray(settings.db.read_bytes())
    for start in range(8192, len(content), 3 * 4096):
        content[start : start + 200] = b"\x99" * 200
    settings.db.write_bytes(content)
    with open_services(settings) as opened:
        assert opened.verify().problems


def test_a_workspace_from_before_there_were_seals_gets_them(
    filled: Services, settings: Settings
) -> None:
    tamper(settings.db, "drop table seals; delete from _sqlite_migrations where name like 'm0002%'")
    raw = sqlite3.connect(settings.db)
    raw.execute("pragma user_version = 1")
    raw.close()
    with open_services(settings) as opened:
        assert opened.verify().problems == ()
        tamper(settings.db, "update answers set status = 'none'")
        assert len(opened.verify().problems) == 1
