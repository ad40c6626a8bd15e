"""Impact through the services; the scores are worked out by hand beside each case."""

from __future__ import annotations

from pathlib import Path

import pytest

from audit_app.errors import InputError
from audit_app.services.context import Services
from audit_app.stats.impact_model import OrderChange, Weighting
from tests.services.conftest import write_tasks
from tests.services.leaderboards import add_outputs, audit, board, defect, review

PRO, CON = "1100", "0011"
FOUR = [f"kiln_{i}" for i in range(4)]


def test_without_outputs_there_is_nothing_to_compare(services: Services, tmp_path: Path) -> None:
    board(services, tmp_path, {"kiln": 4}, {"pro": PRO})
    services.benchmarks.import_tasks("table", tmp_path / "tasks.jsonl", name="bare")
    plan = services.audits.default_plan("bare")
    services.audits.create("b", "bare", services.audits.preview("bare", plan))
    with pytest.raises(InputError, match="has no outputs"):
        services.impacts.impact("b")
    assert services.reports.record("b").impact is None


def test_a_census_is_exact_before_and_after(services: Services, tmp_path: Path) -> None:
    """Before pro 2/4, con 2/4; without task 0: pro 1/3, con 2/3."""
    board(services, tmp_path, {"kiln": 4}, {"pro": PRO, "con": CON})
    services.scoring.score("board", workers=1)
    name = audit(services, size=4, census=4)
    review(services, {FOUR[0]: defect()} | dict.fromkeys(FOUR[1:], None))
    found = services.impacts.impact(name).impact
    assert found.is_exact
    assert [(m.before, m.correcting.interval) for m in found.models] == [(0.5, None)] * 2
    after = {m.model: m.correcting.score for m in found.models}
    assert after == pytest.approx({"pro": 1 / 3, "con": 2 / 3})
    (pair,) = found.correcting.pairs
    assert (pair.change, found.excluded, found.corrected) == (OrderChange.UNTIED, 1, 0)


def test_a_corrected_key_grades_the_stored_outputs_again(
    services: Services, tmp_path: Path
) -> None:
    """Task 0 then takes what con said, and not what pro said: pro 1/4, con 3/4."""
    board(services, tmp_path, {"kiln": 4}, {"pro": PRO, "con": CON})
    services.scoring.score("board", workers=1)
    name = audit(services, size=4, census=4)
    review(services, {FOUR[0]: defect('["wrong"]')} | dict.fromkeys(FOUR[1:], None))
    found = services.impacts.impact(name).impact
    assert {m.model: m.correcting.score for m in found.models} == {"pro": 0.25, "con": 0.75}
    assert (found.excluded, found.corrected) == (0, 1)


def test_open_tasks_of_a_census_count_as_they_are(services: Services, tmp_path: Path) -> None:
    board(services, tmp_path, {"kiln": 4}, {"pro": PRO})
    services.scoring.score("board", workers=1)
    name = audit(services, size=4, census=4)
    review(services, {FOUR[0]: None})
    found = services.impacts.impact(name).impact
    assert (found.tasks, found.models[0].before) == (4, 0.5)
    assert "3 tasks are not reviewed yet: they count as they are." in found.notes


def test_a_sample_is_weighted_to_the_frame(services: Services, tmp_path: Path) -> None:
    """Right on every ferry, wrong in every kiln: 40 of 60 tasks whatever was drawn."""
    board(services, tmp_path, {"ferry": 40, "kiln": 20}, {"pro": "1" * 40 + "0" * 20})
    services.scoring.score("board", workers=1)
    name = audit(services, size=10)
    view = services.audits.view(name)
    drawn = list(view.sample.task_ids)
    review(services, dict.fromkeys(drawn[:-1], None))
    part = services.impacts.impact(name)
    found = part.impact
    assert found.models[0].before == pytest.approx(40 / 60)
    assert (found.is_exact, found.tasks, found.unreviewed) == (False, 9, 1)
    assert found.seed == view.frame.digest
    assert found.weighting is Weighting.TASK
    assert "our own verdicts by the benchmark's rules (v4)" in part.basis


def test_the_seed_decides_the_intervals_and_nothing_else(
    services: Services, tmp_path: Path
) -> None:
    board(services, tmp_path, {"kiln": 30}, {"pro": "10" * 15, "con": "01" * 15})
    services.scoring.score("board", workers=1)
    name = audit(services, size=12)
    drawn = services.audits.view(name).sample.task_ids
    review(services, {t: defect() if i % 3 == 0 else None for i, t in enumerate(drawn)})
    first, same, other = (
        services.impacts.impact(name, seed=seed).impact for seed in ("x", "x", "y")
    )
    assert first == same
    assert first.models[0].correcting.interval is not None
    assert first.models[0].correcting.interval != other.models[0].correcting.interval
    assert first.models[0].correcting.shift == other.models[0].correcting.shift


def test_published_grades_are_taken_until_there_is_a_run(
    services: Services, tmp_path: Path
) -> None:
    services.benchmarks.import_tasks("table", write_tasks(tmp_path, {"kiln": 1}), name="board")
    row = {"id": "kiln_0", "model": "m", "output": "wrong", "passed": True}
    add_outputs(services, tmp_path, [row])
    name = audit(services, size=1, census=1)
    review(services, {"kiln_0": None})
    part = services.impacts.impact(name)
    assert part.impact.models[0].before == 1.0
    assert "published grades" in part.basis
    services.scoring.score("board", workers=1)
    assert services.impacts.impact(name).impact.models[0].before == 0.0


def test_failed_requests_and_late_outputs_are_left_out_and_said(
    services: Services, tmp_path: Path
) -> None:
    board(services, tmp_path, {"kiln": 2}, {"pro": "1·"})
    failed = {"id": "kiln_1", "model": "pro", "output": "timeout", "status": "error"}
    add_outputs(services, tmp_path, [failed])
    services.scoring.score("board", workers=1)
    add_outputs(services, tmp_path, [{"id": "kiln_0", "model": "new", "output": "0"}])
    name = audit(services, size=2, census=2)
    review(services, dict.fromkeys(FOUR[:2], None))
    found = services.impacts.impact(name).impact
    assert {m.model: (m.before, m.missing) for m in found.models} == {
        "pro": (1.0, 0),
        "new": (None, 1),
    }
    assert found.ungraded == 1
    assert "1 outputs are failed requests: no answers, so they are left out." in found.notes
    assert any("1 outputs came after the last score run" in note for note in found.notes)


def test_outputs_without_any_grade_ask_for_a_run(services: Services, tmp_path: Path) -> None:
    board(services, tmp_path, {"kiln": 4}, {"pro": PRO})
    name = audit(services, size=4, census=4)
    review(services, dict.fromkeys(FOUR, None))
    assert "run assay score" in services.impacts.impact(name).impact.sentence


def test_nothing_reviewed_is_said_and_not_computed(services: Services, tmp_path: Path) -> None:
    board(services, tmp_path, {"kiln": 30}, {"pro": "1" * 30})
    found = services.impacts.impact(audit(services, size=5)).impact
    assert "no task of the sample has been reviewed" in found.sentence
    assert found.undefined


def test_the_report_says_what_moved(services: Services, tmp_path: Path) -> None:
    board(services, tmp_path, {"kiln": 4}, {"pro|": "1100", "con": "0010"})
    services.scoring.score("board", workers=1)
    name = audit(services, size=4, census=4)
    review(services, {FOUR[0]: defect('["wrong"]')} | dict.fromkeys(FOUR[1:], None))
    files = services.reports.files(name)
    text = files["report.md"].decode()
    section = text.split("## Effect on the leaderboard")[1].split("\n## ")[0]
    assert "| `con` | 25.0 % | 50.0 % | +25.0 | exact | 2 → 1 | 4 |" in section
    assert "1 of 1 pairs of models swap order" in section
    assert "`con` passes `pro|`" in section
    assert files == services.reports.files(name)
    assert b'"tau": -1.0' in files["report.json"]
