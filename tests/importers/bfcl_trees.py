"""Small invented result and score trees of BFCL, in the layouts of v4 and of 2024."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from audit_app.domain.benchmark import Output
from audit_app.importers.registry import parse_outputs
from audit_app.importers.report import RejectedRow
from tests.importers.bfcl_folder import lines, write_folder

PYTHON = "m/non_live/BFCL_v4_simple_python"


def result(id_: str, body: Any, **further: Any) -> dict[str, Any]:
    """A result line."""
    return {"id": id_, "result": body, "latency": 0.5, **further}


def results(n: int) -> bytes:
    """Lines of a result file of the first ``n`` Python tasks."""
    return lines(*(result(f"simple_python_{i}", f"[f(a={i})]") for i in range(n)))


def failure(id_: str | int, code: str = "value_error:others", **further: Any) -> dict[str, Any]:
    """A score line of a single-turn task."""
    return {"id": id_, "valid": False, "error": ["It is wrong."], "error_type": code, **further}


def score(total: int, *failures: Mapping[str, Any], right: int | None = None) -> bytes:
    """A score file; its summary agrees with the failures unless told otherwise."""
    right = total - len(failures) if right is None else right
    summary = {"accuracy": right / max(total, 1), "correct_count": right, "total_count": total}
    return lines(summary, *failures)


def read(
    root: Path,
    result_files: Mapping[str, bytes],
    score_files: Mapping[str, bytes] | None = None,
    *,
    entries: Iterable[str] | None = None,
) -> tuple[list[Output], list[RejectedRow], list[str]]:
    """Outputs, rejected rows and ignored files of trees with these files."""
    folder = write_folder(root / "result", result_files)
    scores = None if score_files is None else write_folder(root / "score", score_files)
    known = None if entries is None else list(entries)
    parsed = parse_outputs("bfcl", folder, scores=scores, entries=known)
    return list(parsed.outputs), parsed.rejected, parsed.ignored


def grades(outputs: Iterable[Output]) -> dict[str, bool | None]:
    """Entry → published grade."""
    return {output.entry_id: output.passed for output in outputs}
