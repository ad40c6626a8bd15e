"""The grader behind the review screen: what it learns is kept while the app runs."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

from audit_app.domain.benchmark import Task, encode
from audit_app.errors import AuditError
from audit_app.external.simulators import SimulatorLimits, find_simulators
from audit_app.scoring.detection import Reading
from audit_app.scoring.grade import ScoringSettings, Simulation, Simulator
from audit_app.scoring.registry import ScorerRegistry
from audit_app.scoring.rules import RULE_SETS, V4
from audit_app.services.readings import found_reading
from audit_app.services.task_grading import TaskGrader
from audit_app.storage.benchmarks import StoredBenchmark
from audit_app.storage.grades import GradeRepository
from audit_app.storage.outputs import OutputRepository
from audit_app.storage.workspace import Workspace

PROBED = 150
"""Outputs of a model that are looked at to find how it is to be read."""

_REMEMBERED = 4_096
_LIMITS = SimulatorLimits(timeout_s=5.0)


def screen_grader(workspace: Workspace, benchmark: StoredBenchmark, cache: Path) -> TaskGrader:
    """A grader for the review screen, which reads each model as its published grades ask for.

    What it finds out, and the simulators it starts, are kept for the life of this process.

    Args:
        workspace: The open workspace.
        benchmark: The version whose tasks are graded.
        cache: Where fetched packages lie; multi-turn tasks are graded with what is there.
    """
    rules = benchmark.version.rules
    plain = ScoringSettings(rules=rules if rules in RULE_SETS else V4.version)
    found = _known_readings(workspace, benchmark, plain.rules)
    return TaskGrader(
        {model: reading.settings(plain) for model, reading in found.items()},
        rules=plain.rules,
        registry=ScorerRegistry(kept_simulator(cache)),
    )


_readings_found: dict[tuple[object, ...], dict[str, Reading]] = {}
_finding = threading.Lock()


def _known_readings(
    workspace: Workspace, benchmark: StoredBenchmark, rules: str
) -> Mapping[str, Reading]:
    """How each model is read, found once for each state of the outputs."""
    grades = GradeRepository(workspace, benchmark.key)
    run = grades.latest()
    imports = len(OutputRepository(workspace, benchmark.key).sources())
    state = (str(workspace.path), benchmark.version.content_hash, rules, imports, run and run.key)
    with _finding:
        if state not in _readings_found:
            known = run.readings if run is not None and run.rules == rules else {}
            _readings_found[state] = {
                model: _stored(known[model])
                if model in known
                else found_reading(grades, model, rules, most=PROBED)
                for model in grades.models()
            }
        return _readings_found[state]


def _stored(reading: Mapping[str, object]) -> Reading:
    return Reading(str(reading["form"]), bool(reading["dots_to_underscores"]))


class RememberingSimulator:
    """Asks a simulator the same thing once.

    Args:
        simulator: The one that is asked.
    """

    def __init__(self, simulator: Simulator) -> None:
        self._simulator = simulator
        self._known: dict[bytes, Simulation] = {}

    def run(
        self, task: Task, turns: Sequence[Sequence[Sequence[str]]], key: Sequence[Sequence[str]]
    ) -> Simulation:
        """Outcome of the benchmark's own multi-turn check, as `Simulator.run`."""
        asked = sha256(encode([task.id, task.context, turns, key])).digest()
        known = self._known.get(asked)
        if known is None:
            known = self._simulator.run(task, turns, key)
            if len(self._known) >= _REMEMBERED:
                self._known.clear()
            self._known[asked] = known
        return known


_simulators: dict[Path, Simulator] = {}


def kept_simulator(cache: Path) -> Simulator | None:
    """Simulators kept for the life of this process; None where there are none to be used."""
    if cache not in _simulators:
        try:
            pool = find_simulators(cache, limits=_LIMITS)
        except AuditError:
            return None  # a damaged package: the tasks say that they are not re-scorable
        if pool is None:
            return None  # looked for again next time: it may be fetched meanwhile
        atexit.register(pool.close)
        _simulators[cache] = RememberingSimulator(pool)
    return _simulators[cache]
