from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psutil
import pytest

from audit_app.domain.benchmark import Task
from audit_app.errors import InputError
from audit_app.external.fetch import FILE_NAME
from audit_app.external.simulators import SimulatorLimits, SimulatorPool, find_simulators
from audit_app.scoring.cases import grade_case
from audit_app.scoring.grade import GradeStatus, Simulation
from audit_app.scoring.multi_turn_rules import STATE_MISMATCH

FILES = {
    "root": {
        "yard": {
            "type": "directory",
            "contents": {"oak.txt": {"type": "file", "content": "tall"}},
        }
    }
}
INITIAL = {"GorillaFileSystem": FILES}


def task(classes: Any = ("GorillaFileSystem",), initial: Any = INITIAL, id: str = "t_0") -> Task:
    context = {"involved_classes": list(classes), "initial_config": initial}
    return Task(id=id, category="c", group="g", scorer="bfcl-multi-turn", turns=(), context=context)


def run_one(pool: SimulatorPool, call: str, key: str = "ls()", **task_fields: Any) -> Simulation:
    return pool.run(task(**task_fields), [[[call]]], [[key]])


def test_same_calls_pass(pool: SimulatorPool) -> None:
    assert run_one(pool, "cat(file_name='oak.txt')", "cat('oak.txt')") == Simulation("valid")


def test_first_difference_of_the_state_is_shown(pool: SimulatorPool) -> None:
    outcome = run_one(pool, "touch(file_name='a')", "touch(file_name='b')")
    assert (outcome.code, outcome.turn) == (STATE_MISMATCH, 0)
    assert outcome.where == "GorillaFileSystem.root"
    assert "'a'" in outcome.given
    assert "'b'" in outcome.expected[0]


def test_every_task_begins_afresh(pool: SimulatorPool) -> None:
    for _ in range(4):
        assert run_one(pool, "mkdir(dir_name='a')", "mkdir(dir_name='a')").code == "valid"
        # were the folder still there, the result would be an error text, in both sets alike
        assert run_one(pool, "cd(folder='a')", "cd(folder='oak.txt')").code != "valid"


def test_long_context_goes_by_the_id(pool: SimulatorPool) -> None:
    shown = [
        run_one(pool, "cat('oak.txt')", "echo('tall')", id=f"multi_turn_{name}_0").given[0]
        for name in ("base", "long_context")
    ]
    assert shown[0] == '{"file_content": "tall"}'
    assert shown[1].startswith('{"file_content": "tall')
    assert len(shown[1]) > len(shown[0])


@pytest.mark.parametrize(
    ("call", "fields", "status", "code"),
    [
        pytest.param("open('x', 'w')", {}, GradeStatus.NOT_GRADED, "simulator:refused", id="open"),
        pytest.param(
            "ls()",
            {"classes": ["WebSearchAPI"]},
            GradeStatus.NOT_GRADED,
            "simulator:unknown_class",
            id="class that is not simulated",
        ),
        pytest.param(
            "ls()",
            {"initial": None},
            GradeStatus.NOT_GRADED,
            "simulator:no_setting",
            id="no initial state",
        ),
        pytest.param(
            "ls()",
            {"initial": {"GorillaFileSystem": {"root": {"yard": {}}}}},
            GradeStatus.RAISES,
            "KeyError",
            id="broken initial state",
        ),
        pytest.param(
            "pow(7, 10**1)", {}, GradeStatus.NOT_GRADED, "simulator:refused", id="arithmetic"
        ),
    ],
)
def test_no_verdict(
    pool: SimulatorPool, call: str, fields: dict[str, Any], status: GradeStatus, code: str
) -> None:
    outcome = run_one(pool, call, **fields)
    assert (outcome.status, outcome.code) == (status, code)
    assert outcome.note


def test_what_hangs_is_ended_and_the_next_task_runs(bfcl_package: Path) -> None:
    limits = SimulatorLimits(timeout_s=1.5)
    with SimulatorPool(bfcl_package, limits=limits) as pool:
        assert run_one(pool, "ls()").code == "valid"
        began = time.monotonic()
        outcome = run_one(pool, "pow(3, 300000000)")
        assert time.monotonic() - began < 6
        assert (outcome.status, outcome.code) == (GradeStatus.ERROR, "simulator:timeout")
        assert run_one(pool, "ls()").code == "valid"


def test_what_takes_too_much_memory_is_ended(bfcl_package: Path) -> None:
    with SimulatorPool(bfcl_package, limits=SimulatorLimits(memory_mb=256)) as pool:
        outcome = run_one(pool, f"pow(2, {2**34})")
        assert (outcome.status, outcome.code) == (GradeStatus.ERROR, "simulator:memory")
        assert run_one(pool, "ls()").code == "valid"


def test_a_process_that_died_is_replaced(bfcl_package: Path) -> None:
    with SimulatorPool(bfcl_package) as pool:
        before = set(psutil.Process().children())
        assert run_one(pool, "ls()").code == "valid"
        (process,) = set(psutil.Process().children()) - before
        process.kill()
        process.wait(5)
        assert run_one(pool, "ls()").code == "valid"


def test_a_closed_pool_leaves_no_process(bfcl_package: Path) -> None:
    before = set(psutil.Process().children())
    with SimulatorPool(bfcl_package, workers=2) as pool:
        run_one(pool, "ls()")
    assert set(psutil.Process().children()) <= before


def test_many_threads_share_the_processes(pool: SimulatorPool) -> None:
    def differs(number: int) -> bool:
        outcome = run_one(pool, f"touch('f{number}')", f"touch('f{number // 2 * 2}')")
        return outcome.code != "valid"

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(differs, range(40))) == [n % 2 == 1 for n in range(40)]


def test_no_secret_of_the_environment_is_handed_on(
    bfcl_package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-of-the-test")
    before = set(psutil.Process().children())
    with SimulatorPool(bfcl_package) as pool:
        assert run_one(pool, "ls()").code == "valid"
        (process,) = set(psutil.Process().children()) - before
        assert "secret-of-the-test" not in process.environ().values()


def test_absent_package_means_no_pool(tmp_path: Path) -> None:
    assert find_simulators(tmp_path) is None


def test_another_file_of_the_name_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"PK")
    with pytest.raises(InputError, match="pinned"):
        find_simulators(tmp_path)


def test_cases_that_need_simulators(pool: SimulatorPool) -> None:
    lines = (Path(__file__).parents[1] / "data" / "bfcl_checker_cases.jsonl").read_text("utf-8")
    cases = [case for case in map(json.loads, lines.splitlines()) if case.get("needs_backend")]
    assert cases
    for case in cases:
        assert grade_case(case, pool).agrees, case["case_id"]
