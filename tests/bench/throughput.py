"""Half a million outputs through `outputs` and `score`: rates, peak memory, two workers and one.

Task texts are those of the bundled benchmark; the outputs are its simulated ones with changed
numbers and words, so that few of them are equal. Every figure is of processes of its own.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from typing import NamedTuple

from audit_app.services.context import open_services
from audit_app.services.resources import resource
from audit_app.settings import Settings
from tests.bench.memory import own_peak_mb

MANY, FEW = 500_000, 100_000
MODELS, ROUNDS = 20, 2
_NUMBER = re.compile(r"\d+")


class Measured(NamedTuple):
    """One step in a process of its own.

    Attributes:
        seconds: How long the step took, without the start of the process.
        peak_mb: Peak memory of the process, in MB; of the largest worker where that is more.
    """

    seconds: float
    peak_mb: float


def write_outputs(path: Path, count: int) -> None:
    """A table of ``count`` outputs: every task, models in turn, trial by trial."""
    with path.open("w", encoding="utf-8") as file:
        for row in itertools.islice(_rows(), count):
            file.write(json.dumps(row) + "\n")


def _rows() -> Iterator[dict[str, object]]:
    chance = random.Random(7)
    text = resource("samples", "toolshop", "outputs.jsonl").read_text(encoding="utf-8")
    known = [(row["id"], row["output"]) for row in map(json.loads, text.splitlines())]
    answers: dict[str, list[str]] = {}
    for task, output in known:
        answers.setdefault(task, []).append(output)
    for trial in itertools.count(1):
        for model in range(MODELS):
            for task, outputs in answers.items():
                output = _changed(chance.choice(outputs), chance)
                yield {"id": task, "model": f"model-{model:02}", "trial": trial, "output": output}


def _changed(output: str, chance: random.Random) -> str:
    """The output with one of its numbers changed, else with more white space."""
    numbers = list(_NUMBER.finditer(output))
    if not numbers:
        return output + " " * chance.randrange(1_000)
    at = chance.choice(numbers)
    return f"{output[: at.start()]}{chance.randrange(100_000)}{output[at.end() :]}"


def settings(folder: Path) -> Settings:
    """A workspace of the bench's own."""
    return Settings(db=folder / "assay.db", reviewer="bench", cache=folder)


def import_outputs(folder: Path) -> None:
    """Tasks and outputs into a new workspace."""
    with open_services(settings(folder)) as services:
        tasks = resource("samples", "toolshop", "tasks.jsonl")
        services.benchmarks.import_tasks("table", Path(str(tasks)), name="toolshop")
        services.benchmarks.import_outputs("table", folder / "outputs.jsonl", benchmark="toolshop")


def score(folder: Path, workers: int) -> None:
    """Grade everything anew."""
    with open_services(settings(folder)) as services:
        services.scoring.score("toolshop", workers=workers)


def _measured(call: str, folder: Path) -> Measured:
    program = (
        "import sys, time; from pathlib import Path; from tests.bench.throughput import *\n"
        "if __name__ == '__main__':\n"
        "    folder = Path(sys.argv[1]); start = time.perf_counter()\n"
        f"    {call}\n"
        "    print(time.perf_counter() - start, peak_mb())"
    )
    script = folder / "step.py"  # a file, so that workers can be started from it
    script.write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, str(script), str(folder)],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])},
    )
    return Measured(*map(float, done.stdout.split()))


def peak_mb() -> float:
    """Peak memory of this process, or of the largest it started where that is more (MB)."""
    child = getrusage(RUSAGE_CHILDREN).ru_maxrss / (1024 if sys.platform == "linux" else 1024**2)
    return max(own_peak_mb(), child)


def measure(count: int) -> tuple[Measured, Measured, Measured]:
    """Import, score by one worker and score by two, of so many outputs."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        write_outputs(folder / "outputs.jsonl", count)
        imported = _measured("import_outputs(folder)", folder)
        one, two = [], []
        for _ in range(ROUNDS):  # in turn, so that a busy moment of the machine hits both
            one.append(_measured("score(folder, 1)", folder))
            two.append(_measured("score(folder, 2)", folder))
        return imported, min(one), min(two)


def run() -> None:
    """Print rates, peaks and how two workers scale."""
    few, many = measure(FEW), measure(MANY)
    rates = [f"{MANY / step.seconds:,.0f}" for step in many]
    peaks = [f"{f.peak_mb:.0f} and {m.peak_mb:.0f} MB" for f, m in zip(few, many, strict=True)]
    sys.stdout.write(
        f"{MANY:,} outputs: {rates[0]} a second imported; graded {rates[1]} a second by one "
        f"worker, {rates[2]} by two: {many[1].seconds / many[2].seconds:.2f} times as fast (goal "
        f"at least 1.7)\n  peak memory at {FEW:,} and {MANY:,} outputs: import {peaks[0]}, score "
        f"{peaks[1]}, with two workers {peaks[2]}\n"
    )


if __name__ == "__main__":
    run()
