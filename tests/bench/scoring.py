"""Decoding and grading against Python's parser alone, and against the public checker."""

from __future__ import annotations

import ast
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from audit_app.domain.benchmark import Task
from audit_app.errors import AuditError
from audit_app.external.fetch import fetch_bfcl_v4
from audit_app.importers.bfcl import parse_bfcl
from audit_app.scoring.ast_rules import PreparedCalls
from audit_app.scoring.forms import OutputForm, text_to_parse
from audit_app.scoring.grade import ScoringSettings
from tests.bench import public_checker
from tests.unit.scoring.published import graded_outputs

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "bfcl_v1_2024_08"
MODELS = (
    "gpt-4-0125-preview",
    "claude-3-5-sonnet-20240620",
    "command-r-plus",
    "meta-llama_Meta-Llama-3-70B-Instruct",
)
ROUNDS = 7
FUZZED = 100_000
V4 = ScoringSettings()


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _outputs() -> list[tuple[Task, str]]:
    """Outputs of the 400 simple tasks by four models, repeats included, by task."""
    tasks = {task.id: task for task in parse_bfcl(DATA).tasks}
    outputs = [
        (output.task, output.body)
        for model in MODELS
        for output in graded_outputs(DATA, model, tasks, ("simple",))
    ]
    return sorted(outputs, key=lambda pair: pair[0].id)


def grade_all(outputs: list[tuple[Task, str]], times: int = 1) -> None:
    """Grade everything task by task, each key made ready anew, as `assay score` does."""
    for _ in range(times):
        for _, group in groupby(outputs, key=lambda pair: pair[0].id):
            first, *rest = group
            rule = PreparedCalls(first[0], first[0].key, V4)
            for _, text in (first, *rest):
                rule.grade(text)


def _parse_all(texts: list[str]) -> None:
    for text in texts:
        try:
            ast.parse(text, mode="eval")
        except SyntaxError:
            continue


def _grade_share(times: int) -> float:
    """Time that grading takes in this process, which reads its own outputs first."""
    outputs = _outputs()
    grade_all(outputs)
    return _timed(lambda: grade_all(outputs, times))


def _public_times(outputs: list[tuple[Task, str]]) -> list[float] | str:
    """Times of the public checker over the same outputs, or why there are none."""
    cases = [{"tools": task.tools, "key": task.key, "text": text} for task, text in outputs]
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "cases.json").write_text(json.dumps(cases), "utf-8")
        try:
            wheel = fetch_bfcl_v4(folder).path
        except AuditError as error:
            return str(error)
        venv.create(folder / "venv", with_pip=True)
        python = folder / "venv" / "bin" / "python"
        pip = [str(python), "-m", "pip", "install", "--quiet", *public_checker.NEEDS]
        program = [
            str(python),
            public_checker.__file__,
            str(wheel),
            str(folder / "cases.json"),
            str(ROUNDS),
        ]
        environment = {**os.environ, "BFCL_PROJECT_ROOT": str(folder)}
        said = ""
        for command in (pip, program):
            done = subprocess.run(command, capture_output=True, text=True, env=environment)
            if done.returncode:
                return "it could not be set up: " + (done.stderr.splitlines() or ["no word"])[-1]
            said = done.stdout
        times: list[float] = json.loads(said)
        return times


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 if sys.platform == "linux" else 1024**2)


def _peak_growth(outputs: list[tuple[Task, str]], rounds: int) -> float:
    """How much the peak grows over so many times as many distinct outputs, in MB."""
    before = _peak_mb()
    for n in range(rounds):
        grade_all([(task, f"[n{n}(x={n}), {text.lstrip(' `')}") for task, text in outputs])
    return _peak_mb() - before


def _scaling() -> float:
    """How many times faster two processes grade the same work than one."""
    times = 40
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(_grade_share, (1, 1)))
        alone = pool.submit(_grade_share, times).result()
        both = max(pool.map(_grade_share, (times, times)))
    return 2 * alone / both


def run() -> None:
    """Print the ratios, all of one run over the same texts."""
    if not DATA.is_dir():
        sys.stdout.write("scoring: skipped, ../shared/data/bfcl_v1_2024_08 is absent\n")
        return
    outputs = _outputs()
    distinct = list({(task.id, text): (task, text) for task, text in outputs}.values())
    texts = [text_to_parse(text, OutputForm.PROMPT) for _, text in distinct]
    ours, parser, repeats = [], [], []
    for _ in range(ROUNDS):
        parser.append(_timed(lambda: _parse_all(texts)))
        ours.append(_timed(lambda: grade_all(distinct)))
        repeats.append(_timed(lambda: grade_all(outputs)))
    ratios = [o / p for o, p in zip(ours, parser, strict=True)]
    micro = 1e6 / len(distinct)
    sys.stdout.write(
        f"decode and grade against ast.parse: ratio {median(ratios):.2f} ({min(ratios):.2f} to "
        f"{max(ratios):.2f} in {ROUNDS} rounds; goal at most 1.3), {len(distinct)} distinct texts\n"
        f"  ours {median(ours) * micro:.1f} µs an output, keys made ready included; "
        f"ast.parse {median(parser) * micro:.1f} µs\n"
        f"  with repeats graded once: {median(repeats) * 1e6 / len(outputs):.1f} µs an output "
        f"({len(outputs)} outputs)\n"
    )
    public = _public_times(distinct)
    shown = public if isinstance(public, str) else f"{median(public) * micro:.1f} µs an output"
    sys.stdout.write(f"  public checker: {shown}\n")
    sys.stdout.write(f"  two processes: {_scaling():.2f} times as fast (goal at least 1.7)\n")
    growth = _peak_growth(distinct, 20), _peak_growth(distinct, 200)
    sys.stdout.write(
        f"  peak memory grows by {growth[0]:.0f} MB over {20 * len(distinct):,} outputs, and by "
        f"{growth[1]:.0f} MB over {200 * len(distinct):,} more\n"
    )


def fuzz() -> None:
    """Feed the decoders what hypothesis invents; the first crash or hang ends it."""
    from hypothesis import settings

    from tests.unit.scoring import test_literals

    test = settings(max_examples=FUZZED, deadline=None)(
        test_literals.test_decoders_read_or_refuse_anything
    )
    seconds = _timed(test)
    sys.stdout.write(f"decoders: {FUZZED:,} fuzzed outputs in {seconds:.0f} s, no crash\n")


if __name__ == "__main__":
    run()
    fuzz()
