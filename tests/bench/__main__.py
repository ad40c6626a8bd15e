"""Entry point of ``make bench``: all measurements, or those that are named."""

from __future__ import annotations

import sys

from tests.bench import desk, imports, report, rerun, scoring, throughput

BENCHES = {
    "imports": imports.run,
    "scoring": scoring.run,
    "fuzz": scoring.fuzz,
    "throughput": throughput.run,
    "desk": desk.run,
    "rerun": rerun.run,
    "report": report.run,
}

for name in sys.argv[1:] or BENCHES:
    BENCHES[name]()
