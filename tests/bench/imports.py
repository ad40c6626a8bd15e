"""Import of BFCL v4 against the standard library doing the same reading and writing."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median

from audit_app.services.context import open_services
from audit_app.settings import Settings
from audit_app.storage.workspace import Workspace

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "bfcl_v4"
ROUNDS = 5
TABLES = {
    "tasks": "key, benchmark, id, category, grp, fields, digest, body",
    "entries": "key, benchmark, id, task, weight",
    "documents": "benchmark, id, digest, body",
}


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def import_once(folder: Path) -> Path:
    settings = Settings(db=folder / "assay.db", reviewer="bench", cache=folder)
    with open_services(settings) as services:
        services.benchmarks.import_tasks("bfcl", DATA, name="bfcl-v4")
    return settings.db


def parse_with_json() -> None:
    kept = []
    for path in sorted(DATA.rglob("*.json")):
        if path.name == "BFCL_v4_format_sensitivity.json":
            kept.append(json.loads(path.read_text(encoding="utf-8")))
            continue
        with path.open(encoding="utf-8") as file:
            kept += [json.loads(line) for line in file if line.strip()]


def _write_rows(folder: Path, rows: dict[str, list[tuple[object, ...]]]) -> None:
    """The very rows that the import stored, into the very schema, in one transaction."""
    Workspace(folder / "base.db").close()
    db = sqlite3.connect(folder / "base.db", isolation_level=None)
    db.execute("pragma synchronous = full")
    db.execute("begin immediate")
    for table, columns in TABLES.items():
        marks = ", ".join("?" * len(columns.split(",")))
        db.executemany(f"insert into {table} ({columns}) values ({marks})", rows[table])
    db.execute("commit")
    db.close()


def _peak_mb(code: str, folder: Path) -> float:
    """Peak memory of a process of its own (MB)."""
    program = (
        "import sys; from pathlib import Path; from tests.bench.imports import *\n"
        "from tests.bench.memory import own_peak_mb\n"
        f"{code}\n"
        "print(own_peak_mb())"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(folder)], capture_output=True, text=True, check=True
    )
    return float(done.stdout.split()[-1])


def run() -> None:
    """Print the ratio of the import to the standard library's way, and peak memory."""
    if not DATA.is_dir():
        sys.stdout.write("import: skipped, ../shared/data/bfcl_v4 is absent\n")
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / "rows").mkdir()
        db = sqlite3.connect(import_once(folder / "rows"))
        rows = {t: db.execute(f"select {c} from {t}").fetchall() for t, c in TABLES.items()}
        db.close()
        ours, parse, write = [], [], []
        for i in range(ROUNDS):
            place = folder / str(i)
            place.mkdir()
            ours.append(_timed(partial(import_once, place)))
            parse.append(_timed(parse_with_json))
            write.append(_timed(partial(_write_rows, place, rows)))
        ratios = [o / (p + w) for o, p, w in zip(ours, parse, write, strict=True)]
        (folder / "memory").mkdir()
        memory = _peak_mb("import_once(Path(sys.argv[1]))", folder / "memory")
        bare = _peak_mb("parse_with_json()", folder)
    sys.stdout.write(
        f"import of BFCL v4 against json + sqlite3: ratio {median(ratios):.2f} "
        f"({min(ratios):.2f} to {max(ratios):.2f} in {ROUNDS} rounds; goal at most 2)\n"
        f"  import {median(ours):.3f} s, json {median(parse):.3f} s, "
        f"sqlite3 {median(write):.3f} s\n"
        f"  peak memory {memory:.0f} MB, against {bare:.0f} MB for json alone\n"
    )
