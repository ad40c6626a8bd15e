"""Scoring runs: resumed after a kill, each output graded once; reviewed keys beside faithful."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from audit_app import __version__
from audit_app.errors import InputError
from audit_app.services import scoring
from audit_app.services.context import Services
from audit_app.settings import Settings
from audit_app.storage.benchmarks import BenchmarkRepository
from audit_app.storage.grades import GradeRepository
from audit_app.storage.ungraded import UngradedRepository
from tests.services.leaderboards import add_outputs, audit, board, defect, review

_KILLED = """
import os, signal, sys
from pathlib import Path
from audit_app.services import scoring
from audit_app.services.context import open_services
from audit_app.settings import Settings

scoring.CHUNK, scoring.STORED_AT_A_TIME = 50, 100

def stop(done, total):
    if done >= 300:
        os.kill(os.getpid(), signal.SIGKILL)

if __name__ == "__main__":
    with open_services(Settings(Path(sys.argv[1]), "ada", Path(sys.argv[2]))) as services:
        services.scoring.score("board", workers=int(sys.argv[3]), progress=stop)
"""


def _grades(services: Services) -> GradeRepository:
    key = BenchmarkRepository(services.workspace).find("board").key
    return GradeRepository(services.workspace, key)


def _count(services: Services, table: str, condition: str = "1") -> int:
    (row,) = services.workspace.rows(f"select count(*) from {table} where {condition}")
    return int(row[0])


@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_goes_on_after_it_was_killed(
    services: Services, settings: Settings, tmp_path: Path, workers: int
) -> None:
    board(services, tmp_path, {"kiln": 40}, {f"m{i}": "10" * 20 for i in range(15)})
    script = tmp_path / "killed.py"
    script.write_text(_KILLED, encoding="utf-8")
    command = [sys.executable, str(script), str(settings.db), str(settings.cache), str(workers)]
    done = subprocess.run(command, check=False, stderr=subprocess.DEVNULL)
    assert done.returncode == -9
    stored = _count(services, "grades")
    assert 100 <= stored < 600
    told: list[tuple[int, int]] = []
    scores = services.scoring.score(
        "board", workers=1, progress=lambda done, total: told.append((done, total))
    )
    assert told[-1] == (600 - stored, 600 - stored)
    assert _count(services, "grades") == 600
    assert (_count(services, "score_runs"), _count(services, "score_runs", "finished_at > ''")) == (
        1,
        1,
    )
    assert {(m.passed, m.graded) for m in scores.models} == {(20, 40)}


def test_what_was_graded_is_stored_when_a_run_fails(
    services: Services, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board(services, tmp_path, {"kiln": 40}, {"m": "10" * 20})
    monkeypatch.setattr(scoring, "CHUNK", 10)

    def stop(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        services.scoring.score("board", workers=1, progress=stop)
    assert _count(services, "grades") == 10
    assert _grades(services).latest() is None


def test_a_model_that_came_after_a_kill_begins_a_new_run(
    services: Services, tmp_path: Path
) -> None:
    board(services, tmp_path, {"kiln": 2}, {"m": "10"})
    grades = _grades(services)
    grades.begin(
        "v4",
        {"m": {"form": "auto", "dots_to_underscores": False}},
        __version__,
        at=services.clock.now(),
    )
    add_outputs(services, tmp_path, [{"id": "kiln_0", "model": "late", "output": "0"}])
    scores = services.scoring.score("board", workers=1)
    assert [(m.model, m.passed) for m in scores.models] == [("late", 1), ("m", 1)]


@pytest.mark.parametrize("size", [1, 3, 7, 100])
def test_chunks_hold_every_output_once_whatever_their_size(
    services: Services, tmp_path: Path, size: int
) -> None:
    board(services, tmp_path, {"kiln": 2}, {"a": "10", "b": "1·"})
    more = [{"id": "kiln_0", "model": "c", "trial": t, "output": "x"} for t in range(1, 11)]
    add_outputs(services, tmp_path, more)
    grades = _grades(services)
    run = grades.begin("v4", {}, __version__, at=services.clock.now())
    benchmark = BenchmarkRepository(services.workspace).find("board").key
    left = UngradedRepository(services.workspace, benchmark, run.key)
    chunks = left.chunks(size=size)
    held = [[output.key for output in left.outputs(chunk)] for chunk in chunks]
    assert [len(keys) for keys in held] == [chunk.outputs for chunk in chunks]
    assert max(map(len, held)) <= size
    assert sorted(key for keys in held for key in keys) == list(range(1, 14))


def test_an_outcome_without_its_output_keeps_its_published_grade(
    services: Services, tmp_path: Path
) -> None:
    board(services, tmp_path, {"kiln": 2}, {"m": "1·"})
    add_outputs(services, tmp_path, [{"id": "kiln_1", "model": "m", "passed": True}])
    (model,) = services.scoring.score("board", workers=1).models
    assert (model.passed, model.graded, model.not_graded, model.published) == (1, 1, 1, 1)


def test_reviewed_keys_stand_beside_the_faithful_verdict(
    services: Services, tmp_path: Path
) -> None:
    """Task 0 is corrected to what con said, task 1 is left out, tasks 2 and 3 stay.

    Faithful: pro 2 of 4, con 1 of 4. Reviewed, of tasks 0, 2 and 3: pro 0, con 2.
    """
    board(services, tmp_path, {"kiln": 4}, {"pro": "1100", "con": "0010"})
    audit(services, size=4, census=4)
    review(
        services,
        {"kiln_0": defect('["wrong"]'), "kiln_1": defect(), "kiln_2": None, "kiln_3": None},
    )
    view = services.scoring.audit_of("board", "a")
    scores = services.scoring.score("board", workers=1)
    reviewed = services.scoring.reviewed(scores, view)
    assert {m.model: (m.passed, m.graded) for m in scores.models} == {
        "pro": (2, 4),
        "con": (1, 4),
    }
    assert {m.model: (m.passed, m.total, m.left_out) for m in reviewed.models.values()} == {
        "pro": (0, 3, 1),
        "con": (2, 3, 1),
    }
    assert reviewed.corrected == ("kiln_0",)
    assert reviewed.left_out == {"kiln_1": "no key is proposed"}


def test_a_key_set_of_another_benchmark_is_refused(services: Services, tmp_path: Path) -> None:
    board(services, tmp_path, {"kiln": 4}, {"pro": "1100"})
    audit(services, size=4, census=4)
    services.benchmarks.import_tasks("table", tmp_path / "tasks.jsonl", name="other")
    with pytest.raises(InputError, match="is of board@"):
        services.scoring.audit_of("other", "a")


@pytest.mark.parametrize(
    ("rules", "says"),
    [
        pytest.param("2023", "rule version '2023'", id="unknown rules"),
        pytest.param(None, "has no outputs", id="no outputs"),
    ],
)
def test_what_cannot_be_scored_is_one_sentence(
    services: Services, tmp_path: Path, rules: str | None, says: str
) -> None:
    board(services, tmp_path, {"kiln": 1}, {"m": "1"})
    services.benchmarks.import_tasks("table", tmp_path / "tasks.jsonl", name="bare")
    with pytest.raises(InputError, match=says):
        services.scoring.score("bare", rules=rules)
