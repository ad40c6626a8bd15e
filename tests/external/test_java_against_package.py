"""Converters of Java and JavaScript values beside those of the public package, run on their own."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from audit_app.domain.record import Json
from audit_app.scoring.faults import CheckerStopError
from audit_app.scoring.java_values import convert_java
from audit_app.scoring.javascript_values import convert_javascript
from audit_app.scoring.languages import JAVA_TYPES, JAVASCRIPT_TYPES

TEXTS = 6000
Case = tuple[str, str, str | None]

_PROGRAM = """
import json, sys
sys.path.insert(0, sys.argv[1])
from bfcl_eval.eval_checker.ast_eval.type_convertor import {module} as module
for line in sys.stdin:
    try:
        print(ascii(module.{function}(*json.loads(line))))
    except Exception as error:
        print("stops", type(error).__name__)
"""

_JAVA = (
    *("new ", "new\n", "ArrayList", "<>", "<String>", "<String, Integer>", "<", ">", "()", "("),
    *("Arrays.asList(", ")", "))", "{", "}", "{{ ", " }}", "add(", 'put("', '", ', '"', "'", "a"),
    *("b c", "1", "2.5", "-3", "7L", "1.5f", "2e3", "true", "null", ",", ", ", " ", "\n", "[]"),
    *("HashMap", "HashMap<", "String", "new int[]{", "new HashMap<String, Object>() {{ ", "é"),
    *("new ArrayList<>(Arrays.asList(", "new ArrayList<Integer>() {{ ", "new ArrayList<>()"),
)
_JAVASCRIPT = (
    *("[", "[[", "[ [", "],", "] ,", "]]", "]", "{", "}", ":", ": ", ",", ", ", " ", "\n", '"'),
    *("'", "a", "bc", "1", "2.5", "-3", "7n", "1e3", "true", "false", "null", "new Array(", ")"),
    *("new Array([", "])", '"k": ', "k: ", "'x y'", '"v"', "é", "nan", "1_000", '"b": [1, 2]'),
)


def _cases(parts: tuple[str, ...], types: list[str], sequences: set[str]) -> list[Case]:
    chance = random.Random(20260323)
    containers = [name for name in types if name in {*sequences, "HashMap", "dict"}]
    cases: list[Case] = []
    for _ in range(TEXTS):
        text = "".join(chance.choice(parts) for _ in range(chance.randint(0, 12)))
        declared = chance.choice(containers if chance.random() < 0.6 else types)
        item = chance.choice(types) if declared in sequences else None
        cases.append((text, declared, item))
    return cases


def _ours(convert: Callable[[str, str, str | None], Json], case: Case) -> str:
    try:
        return ascii(convert(*case))
    except CheckerStopError as stop:
        return f"stops {stop.exception}"


@pytest.mark.parametrize(
    ("convert", "module", "parts", "types"),
    [
        pytest.param(convert_java, "java_type_converter", _JAVA, JAVA_TYPES, id="Java"),
        pytest.param(
            convert_javascript, "js_type_converter", _JAVASCRIPT, JAVASCRIPT_TYPES, id="JavaScript"
        ),
    ],
)
def test_same_values(
    convert: Callable[[str, str, str | None], Json],
    module: str,
    parts: tuple[str, ...],
    types: dict[str, Any],
    bfcl_package: Path,
) -> None:
    cases = _cases(parts, sorted(types), {"Array", "ArrayList", "array"})
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM.format(module=module, function=module), str(bfcl_package)],
        input="".join(json.dumps(case) + "\n" for case in cases),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    theirs = done.stdout.splitlines()
    assert len(theirs) == len(cases)
    differing = [
        (case, expected, ours)
        for case, expected in zip(cases, theirs, strict=True)
        if (ours := _ours(convert, case)) != expected
    ]
    assert differing == []
