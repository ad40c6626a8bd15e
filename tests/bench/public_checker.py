"""Runs the public checker over texts, in an environment of its own, and prints what it takes.

Started by `tests.bench.scoring` as a program: the wheel's path and a JSON file of cases are its
arguments. Only the registry of models is replaced, which would import every vendor's SDK.
"""

from __future__ import annotations

import json
import sys
import time
import types
from pathlib import Path
from typing import Any

NEEDS = (
    "tree_sitter==0.21.3",
    "tree_sitter_java==0.21.0",
    "tree_sitter_javascript==0.21.4",
    "tenacity",
    "filelock",
)


def _grade_all(cases: list[dict[str, Any]], decode: Any, check: Any, python: Any) -> float:
    start = time.perf_counter()
    for case in cases:
        try:
            calls = decode(case["text"])
        except Exception:
            continue
        check(case["tools"], calls, case["key"], python, "simple_python", "model")
    return time.perf_counter() - start


def main(wheel: str, path: Path, rounds: int) -> None:
    """Print the seconds of each round as a JSON list."""
    registry = types.ModuleType("bfcl_eval.constants.model_config")
    model = types.SimpleNamespace(underscore_to_dot=False)
    registry.MODEL_CONFIG_MAPPING = {"model": model}  # type: ignore[attr-defined]
    sys.modules[registry.__name__] = registry
    sys.path.insert(0, wheel)
    from bfcl_eval.constants.enums import Language  # type: ignore[import-not-found]
    from bfcl_eval.eval_checker.ast_eval.ast_checker import (  # type: ignore[import-not-found]
        ast_checker,
    )
    from bfcl_eval.model_handler.utils import (  # type: ignore[import-not-found]
        default_decode_ast_prompting,
    )

    cases = json.loads(path.read_text("utf-8"))
    times = [
        _grade_all(cases, default_decode_ast_prompting, ast_checker, Language.PYTHON)
        for _ in range(rounds)
    ]
    sys.stdout.write(json.dumps(times))


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))
