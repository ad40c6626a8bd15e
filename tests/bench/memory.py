"""Peak memory of this process."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

_STATUS = Path("/proc/self/status")


def own_peak_mb() -> float:
    """Peak resident memory of this process (MB).

    Linux's own counter of the process image, where it is there: what getrusage says begins with
    the memory of the process that started this one.
    """
    if _STATUS.exists():
        found = re.search(r"VmHWM:\s+(\d+) kB", _STATUS.read_text(encoding="utf-8"))
        if found:
            return int(found[1]) / 1024
    return getrusage(RUSAGE_SELF).ru_maxrss / (1024 if sys.platform == "linux" else 1024**2)
