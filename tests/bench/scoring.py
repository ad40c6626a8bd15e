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
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from statistics import median

from hypothesis import settings as examples

from audit_app.domain.benchmark import Task
from audit_app.errors import AuditError
from audit_app.external.fetch import fetch_bfcl_v4
from audit_app.importers.bfcl import parse_bfcl
from audit_app.scoring.ast_rules import PreparedCalls
from audit_app.scoring.forms import OutputForm, text_to_parse
from audit_app.scoring.grade import ScoringSettings
from tests.bench import public_checker
from tests.unit.scoring import test_literals
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


def _prepared(outputs: list[tuple[Task, str]]) -> list[tuple[PreparedCalls, str]]:
    """Each output with its task's rule; one rule a task, new ones on every call."""
    rules: dict[str, PreparedCalls] = {}
    for task, _ in outputs:
        if task.id not in rules:
            rules[task.id] = PreparedCalls(task, task.key, V4)
    return [(rules[task.id], text) for task, text in outputs]


def grade_all(outputs: list[tuple[Task, str]], times: int = 1) -> None:
    """Grade everything, keys made ready anew each time, as `assay score` does."""
    for _ in range(times):
        for rule, text in _prepared(outputs):
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
        pip = [python, "-m", "pip", "install", "--quiet", *public_checker.NEEDS]
        program = [python, public_checker.__file__, wheel, folder / "cases.json", str(ROUNDS)]
        environment = {**os.environ, "BFCL_PROJECT_ROOT": str(folder)}
        for command in (pip, program):
            done = subprocess.run(command, capture_output=True, text=True, env=environment)
            if done.returncode:
                return "it could not be set up: " + (done.stderr.splitlines() or ["no word"])[-1]
        times: list[float] = json.loads(done.stdout)
        return times


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 if sys.platform == "linux" else 1024**2)


def _invented(outputs: list[tuple[Task, str]], count: int) -> Iterator[tuple[Task, str]]:
    """Distinct outputs without end: known ones with another number in front."""
    while True:
        for task, text in outputs:
            count += 1
            yield task, f"[{count:x}(x={count}), {text.lstrip(' `')}"


def _peak_growth(outputs: list[tuple[Task, str]], count: int) -> float:
    """How much the peak grows over that many distinct outputs, in MB."""
    rules = dict(zip([t.id for t, _ in outputs], [r for r, _ in _prepared(outputs)], strict=True))
    before = _peak_mb()
    for task, text in islice(_invented(outputs, count), count):
        rules[task.id].grade(text)
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
    growth = _peak_growth(distinct, 20_000), _peak_growth(distinct, 200_000)
    sys.stdout.write(f"  peak grows by {growth[0]:.0f} MB over 20,000 outputs, and by ")
    sys.stdout.write(f"{growth[1]:.0f} MB over 200,000 more\n")
    fuzz = examples(max_examples=FUZZED, deadline=None)
    seconds = _timed(fuzz(test_literals.test_decoders_read_or_refuse_anything))
    sys.stdout.write(f"  decoders: {FUZZED:,} fuzzed outputs in {seconds:.0f} s, no crash\n")


if __name__ == "__main__":
    run()
